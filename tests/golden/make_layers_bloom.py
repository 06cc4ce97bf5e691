"""BLOOM attention: ALiBi as m times the key's position, for powers of two and other head counts."""

import math

import torch
from transformers import BloomConfig
from transformers.models.bloom.modeling_bloom import BloomAttention, build_alibi_tensor

from double_precision import everything_double
from layer_fixture import (Case, Parts, additive, causal, heads, layer_file, linear, merged, normal,
                           randomise, transformers_package)

GENERATOR = "make_layers_bloom.py"


def slopes(count):
    """2^(-8k/c) for the largest power of two c, then every other slope of twice as many heads."""
    whole = 2 ** math.floor(math.log2(count))
    first = [2 ** (-8 * k / whole) for k in range(1, whole + 1)]
    return first + [2 ** (-4 * k / whole) for k in range(1, 2 * (count - whole), 2)]


def twin_of(count, *, order=None, blocks=False, divided=False, by_index=False, relative=False):
    def twin(inputs, p, case):
        x = inputs["hiddenStates"]
        packed = linear(x, p, "query_key_value")
        if blocks:
            q, k, v = (heads(part, count) for part in packed.chunk(3, dim=-1))
        else:
            q, k, v = heads(packed, count).chunk(3, dim=-1)
        position = torch.tensor(case.facts["positions"], dtype=x.dtype)
        if by_index:
            position = torch.arange(len(x), dtype=x.dtype) * 0.5
        m = torch.tensor((order or slopes)(count), dtype=x.dtype)
        bias = m[:, None, None] * (position[None, :] - position[:, None] if relative
                                   else position[None, :].expand(len(x), -1))
        root = math.sqrt(q.shape[-1])
        logits = q @ k.transpose(-1, -2) / root + (bias / root if divided else bias)
        return Parts(q, k, v, logits, lambda context: linear(merged(context), p, "dense"),
                     {"slopes": m})
    return twin


def case_of(attention, count, real, seed):
    """`real` marks tokens (1) and padding (0). Padding attends to itself only, so that every row
    has a key; its outputs are unused and get no gradient from real tokens.
    """
    real = torch.tensor(real)
    length, width = len(real), attention.hidden_size
    allowed = (causal(length, length) & real.bool()) | torch.eye(length, dtype=torch.bool)
    alibi = build_alibi_tensor(real[None], count, torch.float64)
    positions = ((real.cumsum(-1) - 1) * real).tolist()

    def run(inputs):
        x = inputs["hiddenStates"][None]
        return attention(x, torch.zeros_like(x), alibi, additive(allowed))[0][0]

    name = f"n{length}" if real.all() else f"n{length}_padded"
    return Case(name, {"hiddenStates": normal((length, width), seed)}, run,
                {"positions": positions}, allowed)


def same_after_softmax(twin, other, case, parameters):
    """Checks that the relative form -m(i - j) gives the same weights."""
    inputs = {n: x.detach() for n, x in case.inputs.items()}
    one, two = ((f(inputs, parameters, case).logits.masked_fill(~case.allowed, -math.inf)
                 .softmax(-1)) for f in (twin, other))
    torch.testing.assert_close(one, two, rtol=0, atol=1e-12)


def write_one(count, head_width, seed):
    config = {"hidden_size": count * head_width, "n_head": count, "hidden_dropout": 0.0,
              "attention_dropout": 0.0}
    attention = BloomAttention(BloomConfig(**config), layer_idx=0)
    randomise(attention.double(), seed, 0.7)
    parameters = dict(attention.named_parameters())
    # build_alibi_tensor computes slopes in single precision by default.
    with everything_double():
        cases = [case_of(attention, count, [1] * 9, seed + 1),
                 case_of(attention, count, [0, 0, 1, 1, 1, 1, 1], seed + 2)]
    for case in cases:
        same_after_softmax(twin_of(count), twin_of(count, relative=True), case, parameters)
    mistakes = {"qkv is three blocks": twin_of(count, blocks=True),
                "bias divided by the root of d": twin_of(count, divided=True),
                "half the distance": twin_of(count, by_index=True),
                "2^(-8k/h) for every h" if count & (count - 1) else "slopes in reverse":
                    twin_of(count, order=(lambda h: [2 ** (-8 * k / h) for k in range(1, h + 1)])
                            if count & (count - 1) else lambda h: slopes(h)[::-1])}
    layer_file(
        f"bloom_{count}_heads", about="Logits in BLOOM's form, q·k over the root of d plus m times "
        "the key's position; -m(i - j) differs by a constant in each row and gives the same "
        "weights (checked). Padding does not count as a position. query_key_value holds q, k, v "
        "one after another within each head.",
        cls="transformers.models.bloom.modeling_bloom.BloomAttention",
        package=transformers_package(), config=config, parameters=parameters, cases=cases,
        twin=twin_of(count), mistakes=mistakes, generator=GENERATOR, seed=seed)


def main():
    write_one(4, 3, 400)
    write_one(6, 2, 410)


if __name__ == "__main__":
    main()
