"""Rotary and ALiBi tables from transformers' own functions, in double precision."""

import torch
from transformers import GPTNeoXConfig, LlamaConfig
from transformers.models.bloom import modeling_bloom
from transformers.models.gpt_neox import modeling_gpt_neox
from transformers.models.gptj import modeling_gptj
from transformers.models.llama import modeling_llama
from transformers.models.mpt import modeling_mpt

import plain_model
from double_precision import everything_double
from fixture_file import array, dyadic, write

POSITIONS = [0, 1, 2, 3, 7, 100, 1023, 4095]


def vectors(seed, width):
    """One head, one vector for each position: [1, 1, T, D]."""
    generator = torch.Generator().manual_seed(seed)
    shape = (1, 1, len(POSITIONS), width)
    return dyadic(torch.randn(shape, generator=generator, dtype=torch.float64))


def rope_case(source, options, head_dim, frequencies, x, rotated):
    return {
        "source": source,
        "options": options,
        "headDim": head_dim,
        "positions": POSITIONS,
        "inverseFrequencies": array(frequencies),
        "x": array(x.reshape(len(POSITIONS), head_dim)),
        "rotated": array(rotated.reshape(len(POSITIONS), head_dim)),
    }


def llama_case(seed, head_dim, theta):
    config = LlamaConfig(
        hidden_size=head_dim, num_attention_heads=1, head_dim=head_dim,
        rope_parameters={"rope_type": "default", "rope_theta": theta},
    )
    rotary = modeling_llama.LlamaRotaryEmbedding(config)
    x = vectors(seed, head_dim)
    cos, sin = rotary(x, torch.tensor([POSITIONS]))
    rotated, _ = modeling_llama.apply_rotary_pos_emb(x, x, cos, sin)
    options = {"ropeTheta": theta, "interleaved": False, "partialRotaryFactor": 1.0}
    return rope_case("Llama", options, head_dim, rotary.inv_freq, x, rotated)


def neox_case(seed, head_dim, theta, factor):
    config = GPTNeoXConfig(
        hidden_size=head_dim, num_attention_heads=1,
        rope_parameters={
            "rope_type": "default", "rope_theta": theta, "partial_rotary_factor": factor
        },
    )
    rotary = modeling_gpt_neox.GPTNeoXRotaryEmbedding(config)
    x = vectors(seed, head_dim)
    cos, sin = rotary(x, torch.tensor([POSITIONS]))
    rotated, _ = modeling_gpt_neox.apply_rotary_pos_emb(x, x, cos, sin)
    options = {"ropeTheta": theta, "interleaved": False, "partialRotaryFactor": factor}
    return rope_case("GPT-NeoX", options, head_dim, rotary.inv_freq, x, rotated)


def gptj_case(seed, head_dim, rotary_dim):
    """GPT-J has a fixed base of 10000, pairs neighbours and rotates the first `rotary_dim`
    channels.
    """
    table = modeling_gptj.create_sinusoidal_positions(max(POSITIONS) + 1, rotary_dim)
    sin, cos = table[POSITIONS][None].chunk(2, dim=-1)
    x = vectors(seed, head_dim)
    by_token = x.transpose(1, 2)
    turned = modeling_gptj.apply_rotary_pos_emb(by_token[..., :rotary_dim], sin, cos)
    rotated = torch.cat((turned, by_token[..., rotary_dim:]), dim=-1)
    frequencies = 10000.0 ** (-torch.arange(0, rotary_dim, 2, dtype=torch.float64) / rotary_dim)
    torch.testing.assert_close(table[1, : rotary_dim // 2], frequencies.sin(), rtol=0, atol=1e-15)
    options = {
        "ropeTheta": 10000.0, "interleaved": True, "partialRotaryFactor": rotary_dim / head_dim
    }
    return rope_case("GPT-J", options, head_dim, frequencies, x, rotated)


def write_rope():
    cases = [
        llama_case(50, 8, 10000.0),
        llama_case(51, 64, 500000.0),
        gptj_case(52, 8, 8),
        gptj_case(53, 32, 16),
        neox_case(54, 16, 10000.0, 0.25),
        neox_case(55, 16, 10000.0, 0.5),
    ]
    # A single-precision angle at position p is off by about p * 6e-8 rad.
    write("rope.json", {"cases": cases}, generator="make_positions.py",
          source="transformers Llama, GPT-J and GPT-NeoX rotary functions, float64", seed="50..55",
          cls="rotary functions of transformers.models llama, gptj, gpt_neox",
          config=[{k: c[k] for k in ("source", "options", "headDim")} for c in cases],
          tolerance={"inverseFrequencies": 1e-7, "rotated": 2e-6, "rotatedPerPosition": 5e-7})


def write_alibi():
    length = 6
    cases = []
    for heads in [*range(1, 17), 20, 32, 71]:
        mask = torch.ones(1, length, dtype=torch.int64)
        bloom = modeling_bloom.build_alibi_tensor(mask, heads, torch.float64)[:, 0, :]
        mpt = modeling_mpt.build_mpt_alibi_tensor(heads, length)[:, 0, :]
        slopes = bloom[:, 1]
        torch.testing.assert_close(slopes, mpt[:, -1] - mpt[:, -2], rtol=0, atol=1e-15)
        torch.testing.assert_close(slopes, plain_model.alibi_slopes(heads), rtol=1e-14, atol=0)
        case = {"heads": heads, "slopes": array(slopes)}
        if heads in (1, 6, 8, 12):
            case |= {"bloomBias": array(bloom), "mptBias": array(mpt)}
        cases.append(case)
    content = {
        "about": "Slopes m by head, and for some head counts the row of biases over the keys "
        "0..5 as the two codebases add it: m*j and m*(j-5). Both differ from -m*(i-j) by a "
        "constant within a row, which the softmax removes.",
        "cases": cases,
    }
    write("alibi.json", content, generator="make_positions.py",
          source="transformers BLOOM and MPT ALiBi functions, float64", seed=None,
          cls="transformers.models.bloom.modeling_bloom.build_alibi_tensor, "
          "transformers.models.mpt.modeling_mpt.build_mpt_alibi_tensor",
          config={"heads": [c["heads"] for c in cases], "length": length},
          tolerance={"slopes": 1e-7, "bloomBias": 1e-6, "mptBias": 1e-6})


def main():
    with everything_double():
        write_rope()
        write_alibi()


if __name__ == "__main__":
    main()
