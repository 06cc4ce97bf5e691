"""Single attention cases from torch.nn.functional.scaled_dot_product_attention in double precision.

Every file has q [H,T,D], k [Hkv,S,D], v [Hkv,S,Dv], d_output [H,T,Dv] (a fixed upstream
gradient), the output, the weights [H,T,S], the gradients of q, k and v for sum(output *
d_output), and the options with the names of the package's API.
"""

import math

import torch
from torch.nn import functional

from fixture_file import array, dyadic, write

SOURCE = "torch.nn.functional.scaled_dot_product_attention, float64"
TOLERANCE = {"output": 2e-6, "weights": 1e-6, "gradients": 5e-6}


def random_inputs(seed, heads=2, kv_heads=2, queries=5, keys=5, width=4, value_width=4):
    generator = torch.Generator().manual_seed(seed)
    shapes = ((heads, queries, width), (kv_heads, keys, width), (kv_heads, keys, value_width),
              (heads, queries, value_width))
    return [dyadic(1.5 * torch.randn(shape, generator=generator, dtype=torch.float64))
            for shape in shapes]


def positions(queries, keys, offset):
    return torch.arange(queries)[:, None] + offset, torch.arange(keys)[None, :]


def weights_of(q, k, scale, allowed, bias):
    """Returns the softmax, which SDPA does not; rows without visible keys are zero."""
    k = k.repeat_interleave(q.shape[0] // k.shape[0], dim=0)
    logits = q @ k.transpose(-1, -2) * scale + bias
    logits = logits.masked_fill(~allowed, -math.inf)
    return torch.nan_to_num(logits.softmax(-1), nan=0.0)


def run(q, k, v, d_output, allowed=None, bias=None, scale=None, by_flag=False):
    """SDPA's output and gradients; `by_flag` uses is_causal instead of a mask tensor."""
    heads, queries, width = q.shape
    keys = k.shape[1]
    q, k, v = (x.clone().requires_grad_() for x in (q, k, v))
    mask = None
    if not by_flag and (allowed is not None or bias is not None):
        mask = torch.zeros(heads, queries, keys, dtype=torch.float64)
        mask = mask + (bias if bias is not None else 0)
        if allowed is not None:
            mask = mask.masked_fill(~allowed, -math.inf)
            if bias is None:
                mask = allowed.expand(heads, queries, keys)
        mask = mask[None]
    output = functional.scaled_dot_product_attention(
        q[None], k[None], v[None], attn_mask=mask, is_causal=by_flag, scale=scale,
        enable_gqa=heads != k.shape[0],
    )[0]
    gradients = torch.autograd.grad((output * d_output).sum(), (q, k, v))
    every = torch.ones(queries, keys, dtype=torch.bool) if allowed is None else allowed
    every = every.expand(heads, queries, keys)
    weights = weights_of(q.detach(), k.detach(), scale or width**-0.5, every,
                         0 if bias is None else bias)
    values = v.detach().repeat_interleave(heads // v.shape[0], dim=0)
    torch.testing.assert_close(weights @ values, output.detach(), rtol=0, atol=1e-13)
    return output, weights, gradients


def write_case(name, seed, options, inputs, **settings):
    q, k, v, d_output = inputs
    output, weights, (dq, dk, dv) = run(*inputs, **settings)
    if not all(torch.isfinite(x).all() for x in (output, weights, dq, dk, dv)):
        raise SystemExit(f"{name}: a value is not finite")
    content = {
        "options": options,
        "q": array(q), "k": array(k), "v": array(v), "d_output": array(d_output),
        "output": array(output), "weights": array(weights),
        "gradients": {"q": array(dq), "k": array(dk), "v": array(dv)},
    }
    if settings.get("allowed") is not None:
        content["allowed"] = array(settings["allowed"])
    if settings.get("bias") is not None:
        content["bias"] = array(settings["bias"])
    write(f"attention_{name}.json", content, generator="make_attention.py", source=SOURCE,
          cls="torch.nn.functional.scaled_dot_product_attention", package="torch 2.13.0",
          config={"q": list(q.shape), "k": list(k.shape), "v": list(v.shape), **options},
          seed=seed, tolerance=TOLERANCE)
    return output


def main():
    i, j = positions(5, 5, 0)
    write_case("full", 30, {}, random_inputs(30))
    write_case("causal", 31, {"isCausal": True}, random_inputs(31), allowed=j <= i, by_flag=True)
    write_case("gqa_causal", 32, {"isCausal": True, "numKvHeads": 2},
               random_inputs(32, heads=6, value_width=3), allowed=j <= i, by_flag=True)
    write_case("gqa_full_scale", 33, {"numKvHeads": 1, "scale": 0.25},
               random_inputs(33, heads=4, kv_heads=1), scale=0.25)

    generator = torch.Generator().manual_seed(340)
    bias = dyadic(torch.randn(2, 5, 5, generator=generator, dtype=torch.float64))
    write_case("additive_mask", 34, {"mask": "bias"}, random_inputs(34), bias=bias)

    # Row 2 has no visible key: its output, its weights and its part of every gradient are 0.
    allowed = torch.rand(2, 5, 5, generator=generator) < 0.6
    allowed[:, 2, :] = False
    allowed[:, 0, 0] = True
    output = write_case("boolean_mask", 35, {"mask": "allowed"}, random_inputs(35),
                        allowed=allowed)
    if output[:, 2].abs().max() != 0:
        raise SystemExit("the fully masked row is not zero")

    # Queries are the last 3 of 7 positions, as in decoding with a cache; then an offset in the
    # middle.
    for name, seed, offset in (("offset_last", 36, 4), ("offset_between", 37, 2)):
        i, j = positions(3, 7, offset)
        write_case(name, seed, {"isCausal": True, "queryOffset": offset, "numKvHeads": 2},
                   random_inputs(seed, heads=4, queries=3, keys=7), allowed=j <= i)
    # Without a cache or an offset, query 0 aligns with key 0.
    i, j = positions(3, 7, 0)
    write_case("top_left", 38, {"isCausal": True}, random_inputs(38, queries=3, keys=7),
               allowed=j <= i, by_flag=True)

    i, j = positions(6, 6, 0)
    segments = torch.tensor([0, 0, 0, 1, 1, 2])
    write_case("segments", 39, {"isCausal": True, "segments": segments.tolist()},
               random_inputs(39, queries=6, keys=6),
               allowed=(j <= i) & (segments[:, None] == segments[None, :]))
    write_case("sliding_window", 40, {"isCausal": True, "slidingWindow": 3},
               random_inputs(40, queries=6, keys=6), allowed=(j <= i) & (j > i - 3))
    # Two of six keys are padding. With keyLengths the last query is aligned with the last real key,
    # so rows 0 and 1 come before the first key and give zeros.
    write_case("key_length", 41, {"isCausal": True, "keyLengths": [4]},
               random_inputs(41, queries=6, keys=6), allowed=(j <= i - 2) & (j < 4))


if __name__ == "__main__":
    main()
