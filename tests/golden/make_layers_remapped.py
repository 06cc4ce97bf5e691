"""RoPE with other positions for distant keys: ReRoPE, leaky ReRoPE, Self-Extend, Dual Chunk
Attention and LM-Infinite.

The first implementation of each follows its authors' code: whole matrices at two or three
positions, of which a mask chooses (bojone/rerope rerope_patch.py and leaky_rerope_patch.py at
2cbd019; datamllab/LongLM self_extend_patch/Llama.py at 18950b5, with the group shift rounded down
as in its decoding; HKUNLP/ChunkLlama chunkllama_attn_replace.py at 847ae71, without its factor of
cosines; Glaciohound/LM-Infinite models/llama.py at 0b72a6d). The second rotates each key by one
distance.

    python3 tests/golden/make_layers_remapped.py      (PyTorch 2.13.0)
"""

import math

import torch

from layer_fixture import Case, Parts, causal, layer_file, merged, normal
from make_layers_papers import attend

HEADS, DEPTH, VALUE, THETA, LENGTH = 2, 6, 3, 100.0, 14
GENERATOR = "make_layers_remapped.py"
METHODS = {
    "rerope": {"window": 4},
    "leaky_rerope": {"window": 3, "group": 2.5},
    "self_extend": {"window": 4, "group": 3},
    "dual_chunk": {"window": 2, "chunk": 5},
    "lm_infinite": {"window": 4, "kept": 2},
}


def rotated(x, positions, theta=THETA):
    """x [H,T,D] with halves of a head as pairs."""
    depth = x.shape[-1]
    rates = theta ** (-torch.arange(0, depth, 2, dtype=torch.float64) / depth)
    angle = positions.to(torch.float64)[:, None] * rates
    angle = torch.cat((angle, angle), -1).to(x.dtype)
    half = torch.cat((-x[..., depth // 2:], x[..., :depth // 2]), -1)
    return x * angle.cos() + half * angle.sin()


def product(q, k):
    return q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1])


def chunked(q, k, window, chunk, theta):
    """The logits of each chunk with itself, the one before, and all earlier ones, side by side."""
    length, size = q.shape[-2], chunk - window
    at = torch.arange(length)
    keys = rotated(k, at % size, theta)
    rows = []
    for begin in range(0, length, size):
        part = slice(begin, min(begin + size, length))
        inside = at[part] % size
        following = (inside + size).clamp(max=chunk)
        far = torch.full_like(inside, min(2 * size - 1, chunk))
        previous = max(begin - size, 0)
        rows.append(torch.cat((
            product(rotated(q[..., part, :], far, theta), keys[..., :previous, :]),
            product(rotated(q[..., part, :], following, theta), keys[..., previous:begin, :]),
            product(rotated(q[..., part, :], inside, theta), keys[..., begin:, :])), -1))
    return torch.cat(rows, -2)


def stepwise(method, q, k, theta=THETA, *, window, group=1, chunk=0, kept=0):
    """Logits [H,T,T] as the authors' code computes them; keys after the query have no meaning."""
    if method == "dual_chunk":
        return chunked(q, k, window, chunk, theta)
    at = torch.arange(q.shape[-2])
    near = product(rotated(q, at, theta), rotated(k, at, theta))
    query, key = at * 0 + window, at * 0
    if method == "leaky_rerope":
        query, key = (at + window * (group - 1)) / group, at / group
    if method == "self_extend":
        query, key = at // group + window - window // group, at // group
    far = product(rotated(q, query, theta), rotated(k, key, theta))
    return torch.where(at[:, None] - at[None] < window, near, far)


def allowed_of(method, length, *, window, kept=0, **_):
    seen = causal(length, length)
    if method == "lm_infinite":
        at = torch.arange(length)
        seen = seen & ((at[:, None] - at[None] < window) | (at[None] < kept))
    return seen


def distance(method, i, j, *, window, group=1, chunk=0, kept=0):
    if method == "dual_chunk":
        size = chunk - window
        apart = i // size - j // size
        if apart < 1:
            return i - j
        return min(i - j // size * size if apart == 1 else 2 * size - 1, chunk) - j % size
    if i - j < window:
        return i - j
    return {"leaky_rerope": window + (i - j - window) / group,
            "self_extend": i // group - j // group + window - window // group
            }.get(method, window)


def twin_of(method, **options):
    def twin(inputs, _, __):
        q, k = inputs["q"], inputs["k"]
        length = q.shape[-2]
        pairs = [torch.complex(x[..., :DEPTH // 2], x[..., DEPTH // 2:]) for x in (q, k)]
        steps = torch.tensor([[distance(method, i, j, **options) for j in range(length)]
                              for i in range(length)], dtype=torch.float64)
        rates = THETA ** (-2 * torch.arange(DEPTH // 2, dtype=torch.float64) / DEPTH)
        angle = (-steps[..., None] * rates).to(q.dtype)
        turn = torch.polar(torch.ones_like(angle), angle)
        logits = torch.einsum("htp,tsp,hsp->hts", pairs[0].conj(), turn, pairs[1]).real
        return Parts(q, k, inputs["v"], logits / math.sqrt(DEPTH), merged)
    return twin


def write(method, seed):
    options = METHODS[method]
    allowed = allowed_of(method, LENGTH, **options)
    inputs = {n: normal((HEADS, LENGTH, width), seed + i)
              for i, (n, width) in enumerate((("q", DEPTH), ("k", DEPTH), ("v", VALUE)))}

    def run(x):
        return attend(x, stepwise(method, x["q"], x["k"], **options), allowed, lambda weights: 0)
    wrong = {"plain RoPE": twin_of("rerope", window=LENGTH),
             "another window": twin_of(method, **{**options, "window": options["window"] - 1})}
    if method == "self_extend":
        wrong["a shift of the window less the window over the group, not rounded down"] = twin_of(
            "leaky_rerope", **options)
    if method == "dual_chunk":
        wrong["the next chunk as far as any other"] = twin_of("rerope", window=3)
    layer_file(f"remapped_{method}",
               about="Queries and keys are rotated by positions that depend on the distance or "
               "the chunks of both; halves of a head are pairs. The generator has the formulas. "
               "Causal; q·k is divided by the root of d; the output is the context with heads "
               "side by side.",
               cls="our own PyTorch, twice", package="after the authors' code",
               config={"heads": HEADS, "headDim": DEPTH, "rope_theta": THETA, "method": method,
                       **options},
               parameters={}, cases=[Case(f"n{LENGTH}", inputs, run,
                                          {"positions": list(range(LENGTH))}, allowed,
                                          arrange=lambda x: x)],
               twin=twin_of(method, **options), mistakes=wrong, generator=GENERATOR, seed=seed)


def main():
    for i, method in enumerate(METHODS):
        write(method, 1100 + 10 * i)


if __name__ == "__main__":
    main()
