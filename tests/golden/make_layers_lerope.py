"""Attention with rotary frequencies that are learned, as in Mistral Large 4 (LeRoPE).

Cosines, sines and the rotation come from Transformers' MistralLarge4TextRotaryEmbedding and
apply_rotary_pos_emb_interleave; the second implementation rotates complex numbers, pair by pair.

    python3 tests/golden/make_layers_lerope.py      (PyTorch 2.13.0, Transformers 5.24.0)
"""

import math

import torch
from transformers.models.mistral_large4 import modeling_mistral_large4 as mistral
from transformers.models.mistral_large4.configuration_mistral_large4 import (
    MistralLarge4TextConfig)

from fixture_file import TRANSFORMERS_LATER, require_versions
from layer_fixture import Case, causal, layer_file, normal, transformers_package
from make_layers_papers import attend, content, parts

HEADS, DEPTH, VALUE, FIRST = 2, 8, 3, 40
ROPE = {
    "rope_lerope": {"rope_type": "default", "rope_theta": 100.0},
    "rope_lerope_yarn": {"rope_type": "yarn", "rope_theta": 100.0, "factor": 4.0,
                         "original_max_position_embeddings": 64, "beta_fast": 8.0,
                         "beta_slow": 1.0, "attention_factor": 1.0},
}


def config_of(rope):
    config = MistralLarge4TextConfig(num_hidden_layers=1, qk_rope_head_dim=DEPTH,
                                     max_position_embeddings=256, rope_parameters=dict(rope))
    config._attn_implementation = "eager"
    return config


def stepwise(config):
    def logits(inputs, p):
        q, k = inputs["q"], inputs["k"]
        rotary = mistral.MistralLarge4TextRotaryEmbedding(config)
        rotary.inv_freq = frequencies(config)
        at = torch.arange(FIRST, FIRST + q.shape[-2])[None]
        cos, sin = torch.func.functional_call(rotary, {"alpha": p["alpha"]}, (q, at))
        q, k = mistral.apply_rotary_pos_emb_interleave(q[None], k[None], cos, sin)
        return content({"q": q[0], "k": k[0]})
    return logits


def frequencies(config):
    """In double precision: the class makes them before its numbers can be changed."""
    kind = config.rope_parameters["rope_type"]
    if kind == "default":
        return mistral.MistralLarge4TextRotaryEmbedding.compute_default_rope_parameters(config)[0]
    return mistral.ROPE_INIT_FUNCTIONS[kind](config)[0]


def twin_of(config):
    def make(*, exponential=True, halves=False, before=False):
        def twin(inputs, p, _):
            q, k = inputs["q"], inputs["k"]
            factor = torch.exp(p["alpha"]) if exponential else 1 + p["alpha"]
            w = frequencies(config).to(q.dtype) * (factor if not before else factor.flip(0))
            at = torch.arange(FIRST, FIRST + q.shape[-2]).to(q.dtype)

            def turned(x):
                if halves:
                    a, b = x[..., :DEPTH // 2], x[..., DEPTH // 2:]
                else:
                    a, b = x[..., ::2], x[..., 1::2]
                angle = at[:, None] * w
                turn = torch.polar(torch.ones_like(angle), angle)
                return torch.complex(a, b) * turn
            s = (turned(q)[:, :, None] * turned(k)[:, None].conj()).real.sum(-1)
            return parts(inputs, s / math.sqrt(DEPTH))
        return twin
    return make


def write(name, seed):
    config = config_of(ROPE[name])
    parameters = {"alpha": normal((DEPTH // 2,), seed + 1, 0.5).requires_grad_()}

    def case(length, at):
        shapes = {"q": DEPTH, "k": DEPTH, "v": VALUE}
        inputs = {n: normal((HEADS, length, width), at + i)
                  for i, (n, width) in enumerate(shapes.items())}
        allowed = causal(length, length)

        def run(x):
            return attend(x, stepwise(config)(x, parameters), allowed, lambda weights: 0)
        return Case(f"n{length}", inputs, run, {"positions": list(range(FIRST, FIRST + length))},
                    allowed, arrange=lambda x: x)
    twins = twin_of(config)
    layer_file(name, about="Frequency t of neighbouring channels (2t, 2t + 1) is multiplied by "
               "e^alpha_t. Causal; q·k is divided by the root of d; the output is the context "
               "with heads side by side.",
               cls="MistralLarge4TextRotaryEmbedding", package=transformers_package(),
               config={"heads": HEADS, "headDim": DEPTH, "max_position_embeddings": 256,
                       "rope_parameters": ROPE[name]},
               parameters=parameters, cases=[case(n, seed + 10 * i) for i, n in ((1, 4), (2, 12))],
               twin=twins(),
               mistakes={"1 + alpha": twins(exponential=False), "halves": twins(halves=True),
                         "alpha in the other order": twins(before=True)},
               generator="make_layers_lerope.py", seed=seed)


def main():
    require_versions(TRANSFORMERS_LATER)
    write("rope_lerope", 900)
    write("rope_lerope_yarn", 930)


if __name__ == "__main__":
    main()
