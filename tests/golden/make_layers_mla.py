"""DeepSeek-V2's and V3's multi-head latent attention with decoupled RoPE and YaRN."""

import math

import torch
from transformers import DeepseekV2Config, DeepseekV3Config
from transformers.models.deepseek_v2.modeling_deepseek_v2 import (
    DeepseekV2Attention, DeepseekV2RotaryEmbedding)
from transformers.models.deepseek_v3.modeling_deepseek_v3 import (
    DeepseekV3Attention, DeepseekV3RotaryEmbedding)

from double_precision import everything_double
from layer_fixture import (Case, Parts, additive, causal, heads, layer_file, linear, merged, normal,
                           randomise, transformers_package)

GENERATOR = "make_layers_mla.py"
HEADS, WIDTH, NOPE, ROPE, VALUE, LATENT = 2, 10, 4, 8, 3, 6
EPS = 1e-6
V2 = DeepseekV2Config, DeepseekV2Attention, DeepseekV2RotaryEmbedding
V3 = DeepseekV3Config, DeepseekV3Attention, DeepseekV3RotaryEmbedding
POSITIONS = [0, 1, 2, 5, 40, 41, 700, 5000, 5001]


def temper(factor, mscale):
    return 0.1 * mscale * math.log(factor) + 1 if factor > 1 else 1.0


def frequencies(rope):
    """YaRN as in the code: a ramp that is linear in the index of the pair."""
    base = rope["rope_theta"]
    plain = [base ** (-2 * t / ROPE) for t in range(ROPE // 2)]
    if rope["rope_type"] == "default":
        return plain, 1.0, 1.0

    def pair_turning(times):
        return ROPE * math.log(rope["original_max_position_embeddings"] / (2 * math.pi * times)) \
            / (2 * math.log(base))

    low = max(math.floor(pair_turning(rope["beta_fast"])), 0)
    high = min(math.ceil(pair_turning(rope["beta_slow"])), ROPE - 1)
    ramp = [min(max((t - low) / (high - low), 0), 1) for t in range(ROPE // 2)]
    factor = rope["factor"]
    mixed = [w / factor * r + w * (1 - r) for w, r in zip(plain, ramp)]
    one, all_channels = rope.get("mscale"), rope.get("mscale_all_dim")
    amplitude = temper(factor, one) / temper(factor, all_channels) if one and all_channels \
        else temper(factor, 1)
    correction = temper(factor, all_channels) ** 2 if all_channels else 1.0
    return mixed, amplitude, correction


def turned(x, positions, rope, interleaved):
    """Rotates pairs in place; x is [..,T,ROPE]."""
    w, amplitude, _ = frequencies(rope)
    angle = torch.tensor([[p * f for f in w] for p in positions], dtype=torch.float64)
    cos, sin = ((amplitude * f(angle)).to(x.dtype) for f in (torch.cos, torch.sin))
    a, b = (x[..., 0::2], x[..., 1::2]) if interleaved else x.chunk(2, dim=-1)
    one, other = a * cos - b * sin, a * sin + b * cos
    if interleaved:
        return torch.stack((one, other), dim=-1).flatten(-2)
    return torch.cat((one, other), dim=-1)


def rms_norm(x, weight):
    return x / torch.sqrt((x**2).mean(-1, keepdim=True) + EPS) * weight


def twin_of(config, *, interleaved=None, corrected=True, norm_slice=False, absorbed=False,
            shift=0):
    rope = config["rope_parameters"]
    pairs = config.get("rope_interleave", True) if interleaved is None else interleaved

    def twin(inputs, p, case):
        x = inputs["hiddenStates"]
        positions = [at + shift for at in case.facts["positions"]]
        if config["q_lora_rank"] is None:
            q = linear(x, p, "q_proj")
        else:
            q = linear(rms_norm(linear(x, p, "q_a_proj"), p["q_a_layernorm.weight"]), p, "q_b_proj")
        q = heads(q, HEADS)
        packed = linear(x, p, "kv_a_proj_with_mqa")
        latent, key_slice = packed.split([LATENT, ROPE], dim=-1)
        if norm_slice:
            key_slice = rms_norm(key_slice, 1)
        latent = rms_norm(latent, p["kv_a_layernorm.weight"])
        expanded = heads(linear(latent, p, "kv_b_proj"), HEADS)
        k_content, v = expanded.split([NOPE, VALUE], dim=-1)
        k = torch.cat((k_content, key_slice.expand(HEADS, -1, -1)), dim=-1)
        q_turned = turned(q[..., NOPE:], positions, rope, pairs)
        k_turned = turned(k[..., NOPE:], positions, rope, pairs)
        correction = frequencies(rope)[2] if corrected else 1
        scale = (NOPE + ROPE) ** -0.5 * correction
        if absorbed:
            up = p["kv_b_proj.weight"].reshape(HEADS, NOPE + VALUE, LATENT)[:, :NOPE]
            content = torch.einsum("htd,hdc,sc->hts", q[..., :NOPE], up, latent)
        else:
            content = q[..., :NOPE] @ k[..., :NOPE].transpose(-1, -2)
        logits = (content + q_turned @ k_turned.transpose(-1, -2)) * scale
        return Parts(q, k, v, logits, lambda context: linear(merged(context), p, "o_proj"),
                     {"latent": latent, "ropeKey": key_slice, "rotatedQuery": q_turned,
                      "rotatedKey": k_turned[0]})
    return twin


def write_one(name, about, seed, rope, more=None, mistakes=None, classes=V3):
    config_class, attention_class, rotary_class = classes
    rope = {"rope_theta": 10000.0, **rope}
    config = {"hidden_size": WIDTH, "num_attention_heads": HEADS, "num_key_value_heads": HEADS,
              "kv_lora_rank": LATENT, "q_lora_rank": 5, "qk_nope_head_dim": NOPE,
              "qk_rope_head_dim": ROPE, "v_head_dim": VALUE, "max_position_embeddings": 32768,
              "attention_bias": False, "attention_dropout": 0.0,
              **({"rope_interleave": True} if classes is V3 else {}), "rope_parameters": rope,
              **(more or {})}
    with everything_double():
        made = config_class(**config)
        made._attn_implementation = "eager"
        attention = randomise(attention_class(made, layer_idx=0).double(), seed, 0.5)
        rotary = rotary_class(made)
    w, amplitude, correction = frequencies(rope)
    torch.testing.assert_close(rotary.inv_freq, torch.tensor(w, dtype=torch.float64), rtol=1e-14,
                               atol=0)
    allowed = causal(len(POSITIONS), len(POSITIONS))

    def run(inputs):
        x = inputs["hiddenStates"][None]
        angles = rotary(x, torch.tensor([POSITIONS]))
        return attention(x, position_embeddings=angles, attention_mask=additive(allowed))[0][0]

    case = Case(f"n{len(POSITIONS)}", {"hiddenStates": normal((len(POSITIONS), WIDTH), seed + 1)},
                run, {"positions": POSITIONS}, allowed)
    parameters = dict(attention.named_parameters())
    # The absorbed form, and a common shift of all positions, must change nothing.
    inputs = {n: x.detach() for n, x in case.inputs.items()}
    plain = twin_of(config)(inputs, parameters, case).logits
    for same in (twin_of(config, absorbed=True), twin_of(config, shift=9)):
        torch.testing.assert_close(same(inputs, parameters, case).logits, plain, rtol=0, atol=1e-10)
    wrong = {"the other pairing": {"interleaved": not config.get("rope_interleave", True)},
             "the slice is normalised too": {"norm_slice": True}, **(mistakes or {})}
    layer_file(
        name, about="q and k are [content | slice] before rotation; the slice of k is one for all "
        "heads. Logits are (content + turned slices) times scale, which includes YaRN's "
        "correction; cosine and sine are multiplied by attentionFactor. rotatedQuery and "
        "rotatedKey keep the order of channels that they were read in. " + about,
        cls=f"{attention_class.__module__}.{attention_class.__name__}",
        package=transformers_package(), config=config, parameters=parameters, cases=[case],
        twin=twin_of(config), mistakes={m: twin_of(config, **w) for m, w in wrong.items()},
        generator=GENERATOR, seed=seed,
        facts={"inverseFrequencies": w, "attentionFactor": amplitude,
               "scale": (NOPE + ROPE) ** -0.5 * correction})


def main():
    yarn = {"rope_type": "yarn", "factor": 8.0, "original_max_position_embeddings": 4096,
            "beta_fast": 32.0, "beta_slow": 1.0}
    correction = {"no correction of the scale": {"corrected": False}}
    write_one("mla_yarn", "Compressed query; mscale = mscale_all_dim = 1, as in V3.", 500,
              {**yarn, "mscale": 1.0, "mscale_all_dim": 1.0}, mistakes=correction)
    write_one("mla_yarn_mscale", "Direct query; mscale differs from mscale_all_dim, so both the "
              "angles' factor and the scale's correction act.", 510,
              {**yarn, "mscale": 1.0, "mscale_all_dim": 0.707}, {"q_lora_rank": None}, correction)
    write_one("mla_plain", "Direct query, plain RoPE.", 520, {"rope_type": "default"},
              {"q_lora_rank": None})
    write_one("mla_half_split", "Compressed query, plain RoPE, pairs are channel t and t + d/2.",
              530, {"rope_type": "default"}, {"rope_interleave": False})
    write_one("mla_v2_yarn", "DeepSeek-V2-Lite: direct query, mscale = mscale_all_dim = 0.707; "
              "slices turned as complex numbers.", 540,
              {**yarn, "mscale": 0.707, "mscale_all_dim": 0.707}, {"q_lora_rank": None}, correction,
              V2)
    write_one("mla_v2", "DeepSeek-V2: compressed query, plain RoPE.", 550, {"rope_type": "default"},
              classes=V2)


if __name__ == "__main__":
    main()
