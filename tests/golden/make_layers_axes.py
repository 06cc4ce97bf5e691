"""Attention that rotates by several axes: DINOv3's, RoPE-Mixed's and Flux's.

DINOv3's comes from Transformers. No installed package has the other two: each is implemented
twice, step by step on whole tensors like the authors' code (naver-ai/rope-vit models/vit_rope.py;
black-forest-labs/flux src/flux/math.py), and pair by pair from the formula.

    python3 tests/golden/make_layers_axes.py      (PyTorch 2.13.0, Transformers 5.24.0)
"""

import math

import torch
from transformers.models.dinov3_vit import modeling_dinov3_vit as dinov3

from fixture_file import TRANSFORMERS_LATER, require_versions
from layer_fixture import (Case, Parts, heads, layer_file, linear, merged, normal, randomise,
                           transformers_package)
from double_precision import everything_double
from make_layers_papers import attend, content, parts

GENERATOR = "make_layers_axes.py"
HEADS, DEPTH, VALUE = 2, 8, 3
AUTHORS = "our own PyTorch, twice"


def turned_pairs(x, angles, *, neighbours):
    """Rotates pairs of x [..,T,D] by angles [..,T,D/2], with cosines and sines."""
    a, b = (x[..., ::2], x[..., 1::2]) if neighbours else x.chunk(2, dim=-1)
    cos, sin = angles.cos(), angles.sin()
    one, other = a * cos - b * sin, a * sin + b * cos
    if neighbours:
        return torch.stack((one, other), -1).flatten(-2)
    return torch.cat((one, other), -1)


def plain_case(places, seed, stepwise, parameters):
    """A case of attention without a mask; `places` [N][axes]."""
    shapes = {"q": DEPTH, "k": DEPTH, "v": VALUE}
    inputs = {n: normal((HEADS, len(places), width), seed + i)
              for i, (n, width) in enumerate(shapes.items())}
    everything = torch.ones(len(places), len(places), dtype=torch.bool)

    def run(x):
        return attend(x, stepwise(x, parameters, places), everything, lambda weights: 0)
    return Case(f"n{len(places)}", inputs, run,
                {"positions": places}, everything, arrange=lambda x: x)


# ---- RoPE-Mixed

def mixed_stepwise(inputs, p, places):
    """One product for rows and one for columns, as complex numbers of neighbouring channels."""
    t_y, t_x = (torch.tensor([place[axis] for place in places], dtype=inputs["q"].dtype)
                for axis in (0, 1))
    count = len(places)
    by_x = (t_x[:, None] @ p["freqs"][:1]).view(count, HEADS, -1).permute(1, 0, 2)
    by_y = (t_y[:, None] @ p["freqs"][1:]).view(count, HEADS, -1).permute(1, 0, 2)
    turns = torch.polar(torch.ones_like(by_x), by_x + by_y)

    def turned(x):
        pairs = torch.view_as_complex(x.reshape(*x.shape[:-1], -1, 2))
        return torch.view_as_real(pairs * turns).flatten(2)
    return content({"q": turned(inputs["q"]), "k": turned(inputs["k"])})


def mixed_twin(*, exchanged=False, halves=False, one_head=False):
    def twin(inputs, p, case):
        pairs = DEPTH // 2
        rows = []
        for h in range(HEADS):
            at = 0 if one_head else h * pairs
            x, y = p["freqs"][:, at:at + pairs]
            if exchanged:
                x, y = y, x
            rows.append(torch.stack([place[1] * x + place[0] * y
                                     for place in case.facts["positions"]]))
        angles = torch.stack(rows)
        q, k = (turned_pairs(inputs[n], angles, neighbours=not halves) for n in ("q", "k"))
        logits = torch.einsum("htd,hsd->hts", q, k) / math.sqrt(DEPTH)
        return parts(inputs, logits)
    return twin


def write_mixed():
    seed = 940
    freqs = normal((2, HEADS * DEPTH // 2), seed, 0.6).requires_grad_()
    # A class token, which does not turn, and the patches.
    grids = [[(0, 0)] + [(y, x) for y in range(rows) for x in range(columns)]
             for rows, columns in ((3, 2), (2, 4))]
    layer_file("rope_mixed", about="positions are row and column of each token. freqs [2, heads · "
               "pairs]: of columns, then of rows. Pairs are neighbouring channels; nothing is "
               "hidden; q·k is divided by the root of d; the output is the context with heads side "
               "by side.",
               cls=AUTHORS, package="naver-ai/rope-vit, restated",
               config={"heads": HEADS, "headDim": DEPTH}, parameters={"freqs": freqs},
               cases=[plain_case(places, seed + 10 * (1 + i), mixed_stepwise, {"freqs": freqs})
                      for i, places in enumerate(grids)],
               twin=mixed_twin(),
               mistakes={"rows and columns exchanged": mixed_twin(exchanged=True),
                         "halves": mixed_twin(halves=True),
                         "one head's frequencies": mixed_twin(one_head=True)},
               generator=GENERATOR, seed=seed)


# ---- Flux

AXES, THETA = [2, 4, 2], 100.0


def flux_stepwise(inputs, _, places):
    """Matrices of each pair, axis by axis, side by side."""
    ids = torch.tensor(places, dtype=torch.float64)
    matrices = []
    for axis, width in enumerate(AXES):
        omega = 1.0 / THETA ** (torch.arange(0, width, 2, dtype=torch.float64) / width)
        angle = (ids[:, axis, None] * omega).to(inputs["q"].dtype)
        cos, sin = angle.cos(), angle.sin()
        matrices.append(torch.stack((cos, -sin, sin, cos), -1).unflatten(-1, (2, 2)))
    turn = torch.cat(matrices, dim=1)

    def turned(x):
        pairs = x.reshape(*x.shape[:-1], -1, 1, 2)
        return (turn[..., 0] * pairs[..., 0] + turn[..., 1] * pairs[..., 1]).flatten(-2)
    return content({"q": turned(inputs["q"]), "k": turned(inputs["k"])})


def flux_twin(*, one_ladder=False, halves=False, exchanged=False):
    def twin(inputs, _, case):
        frequencies, axes = [], []
        for axis, width in enumerate(AXES):
            frequencies += [THETA ** (-2 * t / width) for t in range(width // 2)]
            axes += [axis] * (width // 2)
        if one_ladder:
            frequencies = [THETA ** (-2 * t / DEPTH) for t in range(DEPTH // 2)]
        if exchanged:
            axes = [(0, 2, 1)[a] for a in axes]
        angles = torch.tensor([[place[a] * f for a, f in zip(axes, frequencies)]
                               for place in case.facts["positions"]],
                              dtype=torch.float64).to(inputs["q"].dtype)
        q, k = (turned_pairs(inputs[n], angles, neighbours=not halves) for n in ("q", "k"))
        return parts(inputs, torch.einsum("htd,hsd->hts", q, k) / math.sqrt(DEPTH))
    return twin


def write_flux():
    seed = 960
    # Tokens of the text, which do not turn; cells of a picture; cells of a second one.
    places = [(0, 0, 0)] * 2 + [(0, y, x) for y in range(2) for x in range(3)]
    later = places[:4] + [(1, 5, 2), (3, 0, 7), (3, 1, 7)]
    layer_file("flux", about="positions are time (or number of a picture), row and column of each "
               "token. Each axis has a slice of the head, with a ladder of frequencies of its "
               "own. Pairs are neighbouring channels; nothing is hidden; q·k is divided by the "
               "root of d; the output is the context with heads side by side.",
               cls=AUTHORS, package="black-forest-labs/flux, restated",
               config={"heads": HEADS, "headDim": DEPTH, "axes_dim": AXES, "theta": THETA},
               parameters={},
               cases=[plain_case(p, seed + 10 * (1 + i), flux_stepwise, {})
                      for i, p in enumerate((places, later))],
               twin=flux_twin(),
               mistakes={"one ladder": flux_twin(one_ladder=True),
                         "halves": flux_twin(halves=True),
                         "rows and columns exchanged": flux_twin(exchanged=True)},
               generator=GENERATOR, seed=seed)


# ---- DINOv3

PREFIX = 3  # the class token and two registers


def dino_twin(rows, columns, *, counted=False, from_corner=False, prefix_turns=False, wide=False):
    def twin(inputs, p, case):
        x = inputs["hiddenStates"]
        q, k, v = (heads(linear(x, p, name), HEADS) for name in ("q_proj", "k_proj", "v_proj"))
        unit = 1.0 if counted else 2 * math.pi
        base = [100.0 ** (-4 * t / DEPTH) for t in range(DEPTH // 4)]
        first = [(-1.0, -1.0)] * PREFIX if prefix_turns else [(0.0, 0.0)] * PREFIX
        shift = 0 if from_corner else 1
        grid = [(2 * (y + 0.5) / rows - shift, 2 * (c + 0.5) / (rows if wide else columns) - shift)
                for y in range(rows) for c in range(columns)]
        angles = torch.tensor([[unit * at * f for at in place for f in base]
                               for place in first + grid], dtype=torch.float64).to(x.dtype)
        turned = [turned_pairs(one, angles, neighbours=False) for one in (q, k)]
        logits = torch.einsum("htd,hsd->hts", *turned) / math.sqrt(DEPTH)
        return Parts(q, k, v, logits, lambda context: linear(merged(context), p, "o_proj"))
    return twin


def write_dinov3():
    seed, rows, columns = 980, 3, 4
    options = {"hidden_size": HEADS * DEPTH, "num_attention_heads": HEADS, "patch_size": 2,
               "image_size": 8, "num_register_tokens": PREFIX - 1, "rope_theta": 100.0}
    with everything_double():
        config = dinov3.DINOv3ViTConfig(**options)
        config._attn_implementation = "eager"
        attention = randomise(dinov3.DINOv3ViTAttention(config).double(), seed, 0.5)
        # In training, coordinates are shifted and rescaled at random.
        rotary = dinov3.DINOv3ViTRopePositionEmbedding(config).eval()
        turns = rotary(torch.zeros(1, 3, 2 * rows, 2 * columns, dtype=torch.float64))
    tokens = PREFIX + rows * columns
    places = [(0, 0)] * PREFIX + [(2 * y + 1 - rows, 2 * x + 1 - columns)
                                  for y in range(rows) for x in range(columns)]

    def run(x):
        return attention(x["hiddenStates"][None], position_embeddings=turns)[0][0]
    case = Case(f"n{tokens}", {"hiddenStates": normal((tokens, HEADS * DEPTH), seed + 1)}, run,
                {"positions": places},
                torch.ones(tokens, tokens, dtype=torch.bool))

    def twin(**wrong):
        return dino_twin(rows, columns, **wrong)
    layer_file("dinov3_vit", about="q and k are after projection, before rotation. positions count "
               "half rows and half columns from the middle of the picture; the class token and "
               "the registers are at 0. Nothing is hidden.",
               cls="transformers.models.dinov3_vit.modeling_dinov3_vit.DINOv3ViTAttention",
               package=transformers_package(),
               config={**options, "rows": rows, "columns": columns},
               parameters=dict(attention.named_parameters()), cases=[case], twin=twin(),
               mistakes={"no circle": twin(counted=True), "from the corner": twin(from_corner=True),
                         "the first tokens turn": twin(prefix_turns=True),
                         "one side for both axes": twin(wide=True)},
               generator=GENERATOR, seed=seed)


def main():
    require_versions(TRANSFORMERS_LATER)
    write_mixed()
    write_flux()
    write_dinov3()


if __name__ == "__main__":
    main()
