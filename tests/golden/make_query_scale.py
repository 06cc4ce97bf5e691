"""Factors of queries by position, in double precision: query_scale.json.

They come from the functions and classes of Transformers that apply them: Llama 4 and Inkling
compute them inside their attention, so the whole layer runs there, and its queries are compared.
Each is computed a second time from the formula, number by number.

    python3 tests/golden/make_query_scale.py      (Transformers 5.24.0)
"""

import math

import torch
from transformers.models.beam.modeling_beam import compute_attention_scaling
from transformers.models.llama4 import modeling_llama4
from transformers.models.inkling import modeling_inkling
from transformers.models.ministral3.modeling_ministral3 import get_llama_4_attn_scale
from transformers.models.mistral_large4.modeling_mistral_large4 import (
    MistralLarge4TextSoftmaxScaling)

from double_precision import everything_double
from fixture_file import TRANSFORMERS_LATER, array, dyadic, require_versions, write

AGREEMENT = 1e-12
POSITIONS = [0, 1, 2, 9, 10, 11, 2046, 2047, 2048, 8190, 8191, 8192, 16383, 16384, 32767, 100_000,
             262_143, 1_000_000]
FIRST = list(range(40))


class Stop(Exception):
    """Ends a layer once its queries are known."""


def queries_of(module, attention, hidden, **arguments):
    """The queries that a layer passes to its attention function."""
    found = []

    def catch(_module, query, *_rest, **_more):
        found.append(query)
        raise Stop
    interface = module.ALL_ATTENTION_FUNCTIONS
    module.ALL_ATTENTION_FUNCTIONS = type("One", (), {"get_interface": lambda *_: catch})()
    try:
        attention(hidden, **arguments)
    except Stop:
        pass
    finally:
        module.ALL_ATTENTION_FUNCTIONS = interface
    return found[0]


def ratio(module, layer, switch, on, off, **arguments):
    """The ratio of a layer's queries with and without the factor, for tokens 0 to 39."""
    hidden = torch.ones(1, len(FIRST), 8)
    found = []
    for owner, name, value in ((*switch, on), (*switch, off)):
        setattr(owner, name, value)
        found.append(queries_of(module, layer, hidden, attention_mask=None, cache=None,
                                **arguments))
    return (found[0] / found[1])[0, 0, :, 0]


def from_llama4(scale, length):
    """A layer without rotation."""
    config = modeling_llama4.Llama4TextConfig(
        hidden_size=8, num_attention_heads=2, num_key_value_heads=1, head_dim=4,
        num_hidden_layers=1, no_rope_layers=[0], attn_scale=scale, floor_scale=length)
    config._attn_implementation = "eager"
    layer = modeling_llama4.Llama4TextAttention(config, layer_idx=0)
    return ratio(modeling_llama4, layer, (layer, "attn_temperature_tuning"), True, False,
                 position_embeddings=None)


def from_inkling(scale, length):
    """A layer that sees the whole text."""
    config = modeling_inkling.InklingTextConfig(
        hidden_size=8, num_attention_heads=2, num_key_value_heads=1, head_dim=4,
        num_hidden_layers=1, layer_types=["hybrid"], log_scaling_alpha=scale)
    config._attn_implementation = "eager"
    layer = modeling_inkling.InklingAttention(config, layer_idx=0)
    return ratio(modeling_inkling, layer, (config, "log_scaling_n_floor"), length, None)


def fixed_cases():
    """(name, options, positions, factors of the reference, the formula)"""
    p = torch.tensor(POSITIONS)[None]
    return [
        ("Llama 4", {"form": "floor", "scale": 0.1, "length": 8, "offset": 1}, FIRST,
         from_llama4(0.1, 8), lambda i: 1 + 0.1 * math.log(1 + (i + 1) // 8)),
        ("Inkling", {"form": "clamped", "scale": 0.1, "length": 12, "offset": 1}, FIRST,
         from_inkling(0.1, 12), lambda i: 1 + 0.1 * math.log(max(1, (i + 1) / 12))),
        ("Ministral 3", {"form": "floor", "scale": 0.1, "length": 16384, "offset": 0}, POSITIONS,
         get_llama_4_attn_scale(p, 0.1, 16384)[0, 0, :, 0],
         lambda i: 1 + 0.1 * math.log(1 + i // 16384)),
        ("Beam", {"form": "power", "scale": 0.1, "length": 2048, "offset": 1}, POSITIONS,
         compute_attention_scaling(p)[0, 0, :, 0], lambda i: (1 + (i + 1) / 2048) ** 0.1),
    ]


def learned_case():
    """Mistral Large 4's factors, learned by head, with all gradients."""
    heads, width = 3, 4
    generator = torch.Generator().manual_seed(47)

    def normal(*shape):
        return dyadic(torch.randn(shape, generator=generator, dtype=torch.float64))
    module = MistralLarge4TextSoftmaxScaling(heads).double()
    module.scale.data.copy_(normal(heads))
    module.bias.data.copy_(normal(heads))
    positions = torch.tensor([0, 1, 2, 5, 30, 1000, 70_000])
    q = normal(heads, len(positions), width).requires_grad_()
    d_scaled = normal(heads, len(positions), width)
    scaled = module(q[None], positions[None], head_dim_first=True)[0]
    scaled.backward(d_scaled)
    for h in range(heads):
        for t, i in enumerate(positions.tolist()):
            factor = module.scale[h].item() * math.log(i + 1) + module.bias[h].item()
            assert (scaled[h, t] - factor * q[h, t]).abs().max() < AGREEMENT * 100, (h, i)
    return {"positions": array(positions), "scale": array(module.scale),
            "bias": array(module.bias), "q": array(q), "scaled": array(scaled),
            "dScaled": array(d_scaled), "dQ": array(q.grad), "dScale": array(module.scale.grad),
            "dBias": array(module.bias.grad)}


def main():
    require_versions(TRANSFORMERS_LATER)
    with everything_double():
        cases = []
        for name, options, positions, factors, formula in fixed_cases():
            expected = torch.tensor([formula(i) for i in positions], dtype=torch.float64)
            difference = (factors - expected).abs().max().item()
            assert difference < AGREEMENT and factors.max() > 1.1, (name, difference)
            cases.append({"name": name, "options": options, "positions": positions,
                          "factors": array(factors)})
        content = {"cases": cases, "learned": learned_case()}
    write("query_scale.json", content, generator="make_query_scale.py",
          source="models llama4, inkling, ministral3, beam, mistral_large4",
          cls="Llama4TextAttention, InklingAttention, get_llama_4_attn_scale, "
              "compute_attention_scaling, MistralLarge4TextSoftmaxScaling", seed=47,
          config={"seed": 47}, package=f"transformers {TRANSFORMERS_LATER}",
          tolerance={"factors": 3e-7, "scaled": 2e-5, "gradients": 2e-4})


if __name__ == "__main__":
    main()
