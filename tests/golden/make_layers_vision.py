"""Positions on a grid: rotation by two axes, sinusoids for two axes, interpolated tables.

EVA-02's rotation is timm's (1.0.31), installed beside torch or in $TIMM, a folder with the
unpacked wheel; only this module of timm is loaded, which does not need torchvision.
"""

import importlib
import math
import os
import sys
import types

import torch
import transformers

from double_precision import everything_double
from fixture_file import array, arrays
from layer_fixture import largest_difference, normal, transformers_package, write_layer

GENERATOR = "make_layers_vision.py"
NEW = transformers.__version__.startswith("5")
AGREEMENT = 1e-12


def agree(what, one, other):
    difference = largest_difference(one, other)
    if one.shape != other.shape or not difference < AGREEMENT:
        raise SystemExit(f"{what}: differs by {difference} from the restatement")


def cells(rows, columns):
    return [(y, x) for y in range(rows) for x in range(columns)]


def rotated_by_hand(x, angles, interleaved):
    """x [H,N,D] as complex numbers times e^(i · angle), angles [N,D/2]."""
    a, b = (x[..., 0::2], x[..., 1::2]) if interleaved else x.chunk(2, dim=-1)
    turned = torch.complex(a, b) * torch.polar(torch.ones_like(angles), angles)
    if interleaved:
        return torch.view_as_real(turned).flatten(-2)
    return torch.cat((turned.real, turned.imag), dim=-1)


def axial(at, frequencies):
    return [p * f for p in at for f in frequencies]


def timm_rotation():
    where = os.environ.get("TIMM") or os.path.join(os.path.dirname(torch.__file__), "..")
    for name, path in (("timm", "timm"), ("timm.layers", "timm/layers")):
        package = types.ModuleType(name)
        package.__path__ = [os.path.join(where, path)]
        sys.modules[name] = package
    sys.modules["timm.layers._fx"] = types.SimpleNamespace(register_notrace_function=lambda f: f)
    return importlib.import_module("timm.layers.pos_embed_sincos")


def rotations():
    """Each layout: (family, class, interleaved, positions, angles, function of x)."""
    from transformers.models.llama4 import modeling_llama4
    from transformers.models.llama4.configuration_llama4 import Llama4VisionConfig
    from transformers.models.pixtral import modeling_pixtral
    from transformers.models.pixtral.configuration_pixtral import PixtralVisionConfig
    from transformers.models.qwen2_vl import modeling_qwen2_vl
    from transformers.models.qwen2_vl.configuration_qwen2_vl import Qwen2VLVisionConfig
    from transformers.vision_utils import get_vision_position_ids
    timm = timm_rotation()

    for width in (8, 16):
        grid = cells(3, 4)
        whole = [10000.0 ** (-2 * t / width) for t in range(width // 2)]
        half = [10000.0 ** (-4 * t / width) for t in range(width // 4)]

        rotary = modeling_pixtral.PixtralVisionRotaryEmbedding(PixtralVisionConfig(
            hidden_size=width, num_attention_heads=1, rope_parameters={"rope_theta": 10000.0}))

        def pixtral(x, rotary=rotary, grid=grid):
            cos, sin = rotary(x, torch.tensor(grid))
            return modeling_pixtral.apply_rotary_pos_emb(x, x, cos, sin, 0)[0]
        yield ("Pixtral", "PixtralVisionRotaryEmbedding", width, False, grid,
               [[y * w for w in whole[0::2]] + [x * w for w in whole[1::2]] for y, x in grid],
               pixtral)

        rotary = modeling_qwen2_vl.Qwen2VLVisionRotaryEmbedding(Qwen2VLVisionConfig(
            embed_dim=width, num_heads=1, rope_parameters={"rope_theta": 10000.0}))
        merged = [(2 * by + y, 2 * bx + x) for by in range(2) for bx in range(3) for y in range(2)
                  for x in range(2)]
        found = get_vision_position_ids(torch.tensor([[1, 4, 6]]), 2)
        if list(map(tuple, found.tolist())) != merged:
            raise SystemExit("Qwen2-VL: patches in another order")

        def qwen(x, rotary=rotary, grid=found):
            cos, sin = rotary(x, grid)
            by_token = x.transpose(0, 1)
            return modeling_qwen2_vl.apply_rotary_pos_emb_vision(
                by_token, by_token, cos, sin)[0].transpose(0, 1)
        yield ("Qwen2-VL", "Qwen2VLVisionRotaryEmbedding", width, False, merged,
               [axial(at, half) for at in merged], qwen)

        for trained in (None, (2, 3)):
            def eva(x, width=width, trained=trained):
                sin, cos = timm.build_rotary_pos_embed(
                    [3, 4], dim=width, in_pixels=False, ref_feat_shape=trained,
                    dtype=torch.float64)
                return timm.apply_rot_embed(x, sin, cos)
            steps = (trained[0] / 3, trained[1] / 4) if trained else (1, 1)
            at = [(y * steps[0], x * steps[1]) for y, x in grid]
            yield ("EVA-02", "timm.layers.pos_embed_sincos", width, True, at,
                   [axial(p, half) for p in at], eva)

        config = Llama4VisionConfig(hidden_size=width, num_attention_heads=1, image_size=6,
                                    patch_size=2, rope_parameters={"rope_theta": 10000.0})
        square = cells(3, 3)
        table = modeling_llama4.Llama4VisionRotaryEmbedding._compute_freqs_ci(config)[:-1]

        def llama4(x, table=table):
            by_token = x.transpose(0, 1)[None]
            out = modeling_llama4.vision_apply_rotary_emb(by_token, by_token, table[None, :, 0])[0]
            return out[0].transpose(0, 1)
        yield ("Llama 4", "Llama4VisionRotaryEmbedding", width, True, square,
               [axial((x + 1, y + 1), half) for y, x in square], llama4)


def write_rotations():
    written = []
    with everything_double():
        for index, (family, cls, width, interleaved, at, angles, run) in enumerate(rotations()):
            x = normal((2, len(at), width), 740 + index)
            angles = torch.tensor(angles, dtype=torch.float64)
            rotated = run(x)
            agree(f"{family} {width}", rotated, rotated_by_hand(x, angles, interleaved))
            if not largest_difference(rotated, rotated_by_hand(x, angles, not interleaved)) > 1e-3:
                raise SystemExit(f"{family}: the other pairing would pass")
            written.append({"family": family, "class": cls, "headDim": width, "theta": 10000.0,
                            "interleaved": interleaved,
                            "positions": array(torch.tensor(at, dtype=torch.float64)),
                            "angles": array(angles), **arrays({"x": x, "rotated": rotated})})
    config = {"theta": 10000.0}
    write_layer("rope_2d", {
        "about": "positions [N,2]: row and column of each patch, EVA-02's scaled to the trained "
        "grid. angles [N,D/2]: of each pair; pairs are neighbours where interleaved, else channel "
        "t and t + D/2. x, rotated [2,N,D]. Llama 4 counts from 1, columns first, and its class "
        "token does not turn; Qwen2-VL's patches come in blocks of 2 x 2.",
        "class": "see cases", "config": config, "cases": written},
        cls="transformers PixtralVisionRotaryEmbedding, Qwen2VLVisionRotaryEmbedding, "
        "Llama4VisionRotaryEmbedding; timm build_rotary_pos_embed",
        package=transformers_package() + ", timm 1.0.31", config=config, generator=GENERATOR,
        seed="740..", tolerance={"angles": 2e-6, "rotated": 4e-6})


def detr_by_hand(valid, count, normalize):
    """[H,W,2N], rows first; positions count the valid cells, from 1."""
    rows, columns = len(valid), len(valid[0])

    def channels(p):
        return [(math.cos if i % 2 else math.sin)(p / 10000.0 ** (2 * (i // 2) / count))
                for i in range(count)]

    down = [[sum(valid[k][x] for k in range(y + 1)) for x in range(columns)] for y in range(rows)]
    along = [[sum(valid[y][:x + 1]) for x in range(columns)] for y in range(rows)]
    if normalize:
        down, along = (
            [[down[y][x] / (down[-1][x] + 1e-6) * 2 * math.pi for x in range(columns)]
             for y in range(rows)],
            [[along[y][x] / (along[y][-1] + 1e-6) * 2 * math.pi for x in range(columns)]
             for y in range(rows)])
    return torch.tensor([[channels(down[y][x]) + channels(along[y][x]) for x in range(columns)]
                         for y in range(rows)], dtype=torch.float64)


def mae_by_hand(rows, columns, width, columns_first):
    w = [10000.0 ** (-4 * t / width) for t in range(width // 4)]

    def channels(p):
        return [math.sin(p * f) for f in w] + [math.cos(p * f) for f in w]
    return torch.tensor([[channels(x if columns_first else y) + channels(y if columns_first else x)
                          for x in range(columns)] for y in range(rows)], dtype=torch.float64)


def write_sinusoids():
    from transformers.models.vit_mae import modeling_vit_mae
    written = []
    with everything_double():
        if NEW:
            from transformers.models.detr.modeling_detr import DetrSinePositionEmbedding
            padded = [[1, 1, 1, 0], [1, 1, 1, 0], [0, 0, 0, 0]]
            for name, valid, count, normalize in (
                    ("DETR", [[1, 1], [1, 1]], 4, True), ("DETR", [[1] * 4] * 3, 8, True),
                    ("DETR, not normalised", [[1] * 4] * 3, 8, False),
                    ("DETR, padded", padded, 8, True)):
                module = DetrSinePositionEmbedding(count, normalize=normalize)
                mask = torch.tensor([valid], dtype=torch.bool)
                table = module(torch.Size((1, 3, len(valid), len(valid[0]))), "cpu", torch.float64,
                               mask)[0].permute(1, 2, 0)
                agree(name, table, detr_by_hand(valid, count, normalize))
                written.append({"name": name, "rows": len(valid), "columns": len(valid[0]),
                                "width": 2 * count, "normalize": normalize,
                                "valid": array(torch.tensor(valid)), "table": array(table)})
            sizes = ((3, 3, 8), (2, 4, 16))
        else:
            sizes = ((3, 3, 8), (2, 2, 16))
        for rows, columns, width in sizes:
            if NEW:
                table = modeling_vit_mae.build_2d_sinusoidal_position_embedding(
                    rows, columns, width, dtype=torch.float64)
            else:
                table = torch.tensor(modeling_vit_mae.get_2d_sincos_pos_embed(width, rows))
            table = table.reshape(rows, columns, width)
            agree("MAE", table, mae_by_hand(rows, columns, width, columns_first=not NEW))
            written.append({"name": "MAE", "rows": rows, "columns": columns, "width": width,
                            "table": array(table)})
    config = {"temperature": 10000.0}
    about = ("table [rows, columns, width]. MAE: sines and cosines of one axis, then of the other; "
             + ("the row first, as transformers 5 has it." if NEW else "the column first, as the "
                "authors have it and transformers up to 4."))
    if NEW:
        about += (" DETR: sine and cosine in turn, row first; positions count valid cells from 1 "
                  "and, normalised, go to 2π.")
    cls = "transformers get_2d_sincos_pos_embed of ViTMAE"
    if NEW:
        cls = ("transformers DetrSinePositionEmbedding; build_2d_sinusoidal_position_embedding of "
               "ViTMAE")
    write_layer("grid_sinusoids" if NEW else "grid_sinusoids_v4",
                {"about": about, "class": cls, "config": config, "cases": written}, cls=cls,
                package=transformers_package(), config=config, generator=GENERATOR, seed=None,
                tolerance={"table": 2e-6})


def taps(to, size, of, cubic, scale=None):
    """Returns cells of a row of `of` and their weights for cell `to` of `size`."""
    if not cubic:
        at = to * (of - 1) / (size - 1) if size > 1 else 0
        low = min(int(at), of - 1)
        return [(low, 1 - (at - low)), (min(low + 1, of - 1), at - low)]
    at = (to + 0.5) * (1 / scale if scale else of / size) - 0.5
    low, a = math.floor(at), -0.75

    def kernel(x):
        x = abs(x)
        if x <= 1:
            return (a + 2) * x**3 - (a + 3) * x**2 + 1
        return a * x**3 - 5 * a * x**2 + 8 * a * x - 4 * a if x < 2 else 0
    return [(min(max(k, 0), of - 1), kernel(at - k)) for k in range(low - 1, low + 3)]


def stretched_by_hand(table, rows, columns, cubic, scales=(None, None)):
    result = torch.zeros(rows, columns, table.shape[-1], dtype=torch.float64)
    for y in range(rows):
        for x in range(columns):
            for ky, wy in taps(y, rows, table.shape[0], cubic, scales[0]):
                for kx, wx in taps(x, columns, table.shape[1], cubic, scales[1]):
                    result[y, x] += wy * wx * table[ky, kx]
    return result


def write_interpolations():
    from transformers import Dinov2Config, ViTConfig
    from transformers.models.dinov2.modeling_dinov2 import Dinov2Embeddings
    from transformers.models.vit.modeling_vit import ViTEmbeddings
    from transformers.vision_utils import get_vision_interpolation_indices_and_weights
    side, width, written = 4, 3, []
    with everything_double():
        table = normal((side, side, width), 760)
        rows_of = torch.cat((torch.zeros(1, width), table.reshape(-1, width)))[None]
        for cls, make in ((ViTEmbeddings, ViTConfig), (Dinov2Embeddings, Dinov2Config)):
            config = make(hidden_size=width, num_attention_heads=1, image_size=2 * side,
                          patch_size=2)
            module = cls(config).double()
            module.position_embeddings.data = rows_of
            for rows, columns in ((4, 6), (2, 2), (7, 5), (3, 3), (1, 9), (8, 8)):
                tokens = torch.zeros(1, 1 + rows * columns, width)
                out = module.interpolate_pos_encoding(tokens, 2 * rows, 2 * columns)
                out = out[0, 1:].detach().reshape(rows, columns, width)
                agree(cls.__name__, out, stretched_by_hand(table, rows, columns, True))
                if cls is ViTEmbeddings:
                    written.append({"name": "bicubic", "rows": rows, "columns": columns,
                                    "offset": 0, "table": array(out)})
        for rows, columns in ((7, 5), (2, 6)):
            # The authors' DINOv2 passes the factor, computed with 0.1 cells more, instead of the
            # size.
            scales = [(n + 0.1) / side for n in (rows, columns)]
            out = torch.nn.functional.interpolate(
                table.permute(2, 0, 1)[None], scale_factor=scales, mode="bicubic")
            out = out[0].permute(1, 2, 0)
            agree("DINOv2", out, stretched_by_hand(table, rows, columns, True, scales))
            written.append({"name": "bicubic, the factor named", "rows": rows, "columns": columns,
                            "offset": 0.1, "table": array(out)})
        for rows, columns in ((4, 6), (7, 5), (2, 2)):
            index, weight = get_vision_interpolation_indices_and_weights(
                torch.tensor([[1, rows, columns]]), side, mode="bilinear", align_corners=True)
            out = (table.reshape(-1, width)[index] * weight[..., None].double()).sum(1)
            out = out.reshape(rows, columns, width)
            agree("Qwen3-VL", out, stretched_by_hand(table, rows, columns, False))
            written.append({"name": "bilinear, corners aligned", "rows": rows, "columns": columns,
                            "offset": 0, "table": array(out)})
    config = {"side": side, "width": width}
    write_layer("grid_interpolation", {
        "about": "from: a learned table [4,4,3] of rows and columns; table: the same stretched to "
        "[rows, columns, 3]. bicubic: half-pixel centres, Keys' kernel with a = -0.75, edges "
        "repeated (ViT, CLIP, DINOv2 in transformers). The factor named: as the authors' DINOv2. "
        "Bilinear: Qwen3-VL.", "class": "see cases", "config": config, "from": array(table),
        "cases": written},
        cls="transformers ViTEmbeddings, Dinov2Embeddings, "
        "get_vision_interpolation_indices_and_weights; torch.nn.functional.interpolate",
        package=transformers_package(), config=config, generator=GENERATOR, seed=760,
        tolerance={"table": 2e-6})


def main():
    write_sinusoids()
    if NEW:
        write_rotations()
        write_interpolations()


if __name__ == "__main__":
    main()
