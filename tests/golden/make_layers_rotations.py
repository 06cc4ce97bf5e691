"""Attention that rotates values too, and its output back, as in DeepSeek V4 and RoVE; and PoPE.

The rotation of values is Transformers' apply_rotary_pos_emb of DeepSeek V4, called as its attention
calls it: with the sines' sign changed for the output. The second implementation rotates each value
by its distance from the query, as RoVE (arXiv 2606.11275) derives it. PoPE's first implementation
follows apply_pope_to_qk of lucidrains/PoPE-pytorch (cosines and sines side by side, the bias on
keys), its second the paper's complex numbers.

    python3 tests/golden/make_layers_rotations.py      (PyTorch 2.13.0, Transformers 5.24.0)
"""

import math

import torch
from torch.nn import functional
from transformers.models.deepseek_v4.modeling_deepseek_v4 import apply_rotary_pos_emb

from fixture_file import TRANSFORMERS_LATER, require_versions
from layer_fixture import Case, Parts, causal, layer_file, merged, normal, transformers_package
from make_layers_papers import attend, content

HEADS, DEPTH, FIRST, THETA = 2, 8, 40, 100.0


def frequencies():
    return THETA ** (-torch.arange(0, DEPTH, 2, dtype=torch.float64) / DEPTH)


def angles(length, dtype):
    return torch.arange(FIRST, FIRST + length).to(dtype)[:, None] * frequencies().to(dtype)


def run(inputs, allowed):
    angle = angles(inputs["q"].shape[-2], inputs["q"].dtype)[None]
    cos, sin = angle.cos(), angle.sin()

    def rotated(x, sines=sin):
        return apply_rotary_pos_emb(x[None], cos, sines)[0]
    turned = {name: rotated(x) for name, x in inputs.items()}
    width = HEADS * DEPTH
    output = attend(turned, content(turned), allowed, lambda weights: 0)
    separate = output.reshape(-1, HEADS, DEPTH).transpose(0, 1)
    return rotated(separate, -sin).transpose(0, 1).reshape(-1, width)


def twin_of(*, sign=1.0, halves=False, back=True):
    def twin(inputs, _, __):
        length, dtype = inputs["q"].shape[-2], inputs["q"].dtype
        at = angles(length, dtype)
        unit = torch.ones_like(at)

        def pairs(x):
            if halves:
                return torch.complex(x[..., :DEPTH // 2], x[..., DEPTH // 2:])
            return torch.complex(x[..., ::2], x[..., 1::2])

        q, k, v = (pairs(inputs[n]) for n in ("q", "k", "v"))
        # [T,S,pairs]: the turn from the query to the key.
        turn = torch.polar(unit[:, None] * unit, at - at[:, None])
        logits = torch.einsum("htp,tsp,hsp->hts", q.conj(), turn, k).real / math.sqrt(DEPTH)
        carried = torch.polar(unit[:, None] * unit, sign * (at - (at[:, None] if back else 0)))

        def added(weights):
            moved = torch.einsum("hts,tsp,hsp->htp", weights.to(q.dtype), carried, v)
            if halves:
                flat = torch.cat((moved.real, moved.imag), -1)
            else:
                flat = torch.stack((moved.real, moved.imag), -1).flatten(-2)
            return flat - weights @ inputs["v"]
        return Parts(inputs["q"], inputs["k"], inputs["v"], logits, merged, added=added)
    return twin


def pope_stepwise(inputs, p):
    q, k = inputs["q"], inputs["k"]
    length, dtype = q.shape[-2], q.dtype
    rates = THETA ** (-torch.arange(DEPTH, dtype=torch.float64) / DEPTH).to(dtype)
    angle = torch.arange(FIRST, FIRST + length).to(dtype)[:, None] * rates
    keys_angle = angle + p["phases"].clamp(-2 * math.pi, 0)[:, None]
    q, k = functional.softplus(q), functional.softplus(k)
    q = torch.cat((q * angle.cos(), q * angle.sin()), -1)
    k = torch.cat((k * keys_angle.cos(), k * keys_angle.sin()), -1)
    return q @ k.transpose(-1, -2) / math.sqrt(DEPTH)


def pope_twin(*, rate=1, sign=1.0, magnitude=functional.softplus):
    def twin(inputs, p, _):
        length, dtype = inputs["q"].shape[-2], inputs["q"].dtype
        at = torch.arange(length).to(dtype)
        steps = at[None] - at[:, None]
        logits = 0
        for c in range(DEPTH):
            angle = steps * THETA ** (-rate * c / DEPTH) + sign * p["phases"][:, c, None, None]
            lengths = magnitude(inputs["q"][..., c, None]) * magnitude(inputs["k"][..., None, :, c])
            logits = logits + torch.polar(lengths, angle).real
        return Parts(inputs["q"], inputs["k"], inputs["v"], logits / math.sqrt(DEPTH), merged)
    return twin


def write_pope():
    phases = (-normal((HEADS, DEPTH), 991).abs()).requires_grad_()

    def case(length, at):
        shapes = {"q": DEPTH, "k": DEPTH, "v": 3}
        inputs = {n: normal((HEADS, length, width), at + i)
                  for i, (n, width) in enumerate(shapes.items())}
        allowed = causal(length, length)

        def run_pope(x):
            return attend(x, pope_stepwise(x, {"phases": phases}), allowed, lambda weights: 0)
        return Case(f"n{length}", inputs, run_pope,
                    {"positions": list(range(FIRST, FIRST + length))}, allowed,
                    arrange=lambda x: x)
    layer_file("pope",
               about="The logit is the sum over channels c of softplus(q_c) softplus(k_c) "
               "cos((j - i) theta^(-c/D) + phases_c), divided by the root of D. Causal; the output "
               "is the context with heads side by side.",
               cls="our own PyTorch, twice", package="after arXiv 2509.10534 and "
               "lucidrains/PoPE-pytorch",
               config={"heads": HEADS, "headDim": DEPTH, "rope_theta": THETA},
               parameters={"phases": phases}, cases=[case(4, 1000), case(12, 1010)],
               twin=pope_twin(),
               mistakes={"frequencies of RoPE": pope_twin(rate=2),
                         "phases subtracted": pope_twin(sign=-1.0),
                         "magnitudes by absolute value": pope_twin(magnitude=torch.abs)},
               generator="make_layers_rotations.py", seed=990)


def write_rotated_values():

    def case(length, at):
        inputs = {n: normal((HEADS, length, DEPTH), at + i) for i, n in enumerate("qkv")}
        allowed = causal(length, length)
        return Case(f"n{length}", inputs, lambda x: run(x, allowed),
                    {"positions": list(range(FIRST, FIRST + length))}, allowed,
                    arrange=lambda x: x)
    layer_file("rope_rotated_values",
               about="Queries, keys and values are rotated by their positions, neighbouring "
               "channels in pairs, and the output is rotated back by the query's. Causal; q·k is "
               "divided by the root of d; the output is the context with heads side by side.",
               cls="deepseek_v4 apply_rotary_pos_emb", package=transformers_package(),
               config={"heads": HEADS, "headDim": DEPTH, "rope_theta": THETA},
               parameters={}, cases=[case(4, 970), case(12, 980)], twin=twin_of(),
               mistakes={"values rotated the other way": twin_of(sign=-1.0),
                         "halves": twin_of(halves=True),
                         "output not rotated back": twin_of(back=False)},
               generator="make_layers_rotations.py", seed=960, seen_in="output")


def main():
    require_versions(TRANSFORMERS_LATER)
    write_rotated_values()
    write_pope()


if __name__ == "__main__":
    main()
