"""Rotation by time, row and column: Qwen2-VL's contiguous sections, Qwen3-VL's interleaved ones;
and the positions of tokens.

The positions come from get_rope_index of the installed transformers; 4.57.6 and 5.18.0 differ if
a video has more frames than rows and columns, so each writes a separate file.
"""


import torch
import transformers

from double_precision import everything_double
from fixture_file import array
from layer_fixture import transformers_package, write_layer

GENERATOR = "make_layers_mrope.py"
NEW = transformers.__version__.startswith("5")
# Text, an image of 2 x 2 cells of its second frame …: time, row, column.
TRIPLES = [[0, 0, 0], [1, 1, 1], [2, 2, 2], [2, 2, 3], [2, 3, 2], [2, 3, 4], [7, 5, 6], [40, 9, 31]]
MERGE = 2
TOKENS = {"image": 5, "video": 6, "start": 4}


def write_layers():
    from transformers.models.qwen2_vl.configuration_qwen2_vl import Qwen2VLTextConfig
    from transformers.models.qwen2_vl.modeling_qwen2_vl import (Qwen2VLAttention,
                                                                Qwen2VLRotaryEmbedding)
    from transformers.models.qwen3_vl.configuration_qwen3_vl import Qwen3VLTextConfig
    from transformers.models.qwen3_vl.modeling_qwen3_vl import (Qwen3VLTextAttention,
                                                                Qwen3VLTextRotaryEmbedding)

    import rope_formulas
    from rotary_layer import Layer, rms_norm, rotary_file

    sizes = {"num_attention_heads": 1, "num_key_value_heads": 1, "hidden_size": 16,
             "attention_dropout": 0.0}
    about = "positions are time, row and column of each token. "
    rope = {"rope_type": "default", "rope_theta": 1e6, "mrope_section": [2, 3, 3]}
    rotary_file("qwen2_vl", about=about + "The first pairs turn by time, then come those of rows, "
                "then those of columns; frequencies go on falling.",
                layer=Layer(1, 1, 16, rope, 32768, axes=tuple(rope_formulas.mrope_axes(
                    rope["mrope_section"], False))),
                config_class=Qwen2VLTextConfig, attention_class=Qwen2VLAttention,
                rotary_class=Qwen2VLRotaryEmbedding, config={**sizes, "rope_parameters": rope},
                seed=730, generator=GENERATOR, cases=(TRIPLES,))
    write_scaled(sizes, about)
    rope = {"rope_type": "default", "rope_theta": 5e6, "mrope_section": [4, 2, 2],
            "mrope_interleaved": True}
    rotary_file("qwen3_vl", about=about + "Pairs take turns: time, row, column and again, as long "
                "as a section lasts; the rest turns by time. RMSNorm of q and k.",
                layer=Layer(1, 1, 16, rope, 128000, norm=rms_norm, axes=tuple(
                    rope_formulas.mrope_axes(rope["mrope_section"], True))),
                config_class=Qwen3VLTextConfig, attention_class=Qwen3VLTextAttention,
                rotary_class=Qwen3VLTextRotaryEmbedding,
                config={**sizes, "head_dim": 16, "rope_parameters": rope},
                seed=735, generator=GENERATOR, cases=(TRIPLES,))


def write_scaled(sizes, about):
    """Sections combined with scalings for longer contexts."""
    from transformers.models.qwen2_vl.configuration_qwen2_vl import Qwen2VLTextConfig
    from transformers.models.qwen2_vl.modeling_qwen2_vl import (Qwen2VLAttention,
                                                                Qwen2VLRotaryEmbedding)

    import rope_formulas
    from rotary_layer import Layer, rotary_file
    far = TRIPLES + [[900, 900, 900], [901, 905, 917], [1300, 1300, 1300]]
    # The row has the largest position, which determines the length.
    short, long = TRIPLES[:5], [*TRIPLES[:5], [3, 9, 4]]
    for name, kind, more, most, cases, mistakes in (
            ("linear", "Positions divided by 4.", {"factor": 4.0}, 4096, (far,), ()),
            ("yarn", "As the long-context configurations of Qwen2.5-VL.",
             {"factor": 4.0, "original_max_position_embeddings": 2048}, 8192, (far,),
             ("no factor on cosine and sine", "the paper's ramp")),
            ("dynamic", "Trained on 6 positions: the second case goes beyond them by its rows.",
             {"factor": 4.0}, 6, (short, long), ("the factor is the ratio",))):
        rope = {"rope_type": name, "rope_theta": 1e4, **more, "mrope_section": [2, 3, 3]}
        axes = tuple(rope_formulas.mrope_axes(rope["mrope_section"], False))
        rotary_file(f"qwen2_vl_{name}", about=about + kind,
                    layer=Layer(1, 1, 16, dict(rope), most, axes=axes),
                    config_class=Qwen2VLTextConfig, attention_class=Qwen2VLAttention,
                    rotary_class=Qwen2VLRotaryEmbedding,
                    config={**sizes, "max_position_embeddings": most, "rope_parameters": rope},
                    seed={"linear": 770, "yarn": 775, "dynamic": 780}[name], generator=GENERATOR,
                    cases=cases, mistakes=mistakes)


def write_angles():
    """The released sections, at a head's full width."""
    from transformers.models.qwen2_vl.configuration_qwen2_vl import Qwen2VLTextConfig
    from transformers.models.qwen2_vl.modeling_qwen2_vl import Qwen2VLRotaryEmbedding
    from transformers.models.qwen3_vl.configuration_qwen3_vl import Qwen3VLTextConfig
    from transformers.models.qwen3_vl.modeling_qwen3_vl import Qwen3VLTextRotaryEmbedding

    import rope_formulas
    written = []
    for family, make, rotary, base, sections, interleaved, width in (
            ("Qwen2-VL", Qwen2VLTextConfig, Qwen2VLRotaryEmbedding, 1e6, [16, 24, 24], False, 128),
            ("Qwen2-VL, small", Qwen2VLTextConfig, Qwen2VLRotaryEmbedding, 1e4, [2, 3, 3], False,
             16),
            ("Qwen3-VL", Qwen3VLTextConfig, Qwen3VLTextRotaryEmbedding, 5e6, [24, 20, 20], True,
             128),
            ("Qwen3-VL, small", Qwen3VLTextConfig, Qwen3VLTextRotaryEmbedding, 1e4, [4, 2, 2], True,
             16)):
        rope = {"rope_type": "default", "rope_theta": base, "mrope_section": sections}
        if interleaved:
            rope["mrope_interleaved"] = True
        with everything_double():
            made = make(hidden_size=width, num_attention_heads=1, head_dim=width,
                        rope_parameters=dict(rope))
            cos, sin = rotary(made)(torch.zeros(1), torch.tensor(TRIPLES).T[:, None])
        axes = rope_formulas.mrope_axes(sections, interleaved)
        w = rope_formulas.plain(base, width)
        angles = torch.tensor([[p[a] * f for a, f in zip(axes, w)] for p in TRIPLES],
                              dtype=torch.float64)
        for found, wanted in ((cos, angles.cos()), (sin, angles.sin())):
            twice = torch.cat((wanted, wanted), -1)
            torch.testing.assert_close(found[0], twice, rtol=0, atol=1e-12)
        written.append({"family": family, "headDim": width, "ropeParameters": rope, "axes": axes,
                        "positions": array(torch.tensor(TRIPLES)), "angles": array(angles)})
    config = {"triples": TRIPLES}
    write_layer("mrope_angles", {
        "about": "angles [T, D/2] of each pair (channel t and t + D/2) at positions of time, row "
        "and column; axes: which of these turns each pair. The classes' cosines and sines are of "
        "these angles to 1e-12.", "class": "Qwen2VLRotaryEmbedding, Qwen3VLTextRotaryEmbedding",
        "config": config, "cases": written},
        cls="transformers Qwen2VLRotaryEmbedding, Qwen3VLTextRotaryEmbedding",
        package=transformers_package(), config=config, generator=GENERATOR, seed=None,
        tolerance={"angles": 1e-6})


# Parts of a text in turn: a number of words, or ("image" | "video", frames, rows, columns), in
# patches before 2 x 2 of them are merged.
TEXTS = {
    "text, image, text": [3, ("image", 1, 4, 6), 4],
    "image first": [("image", 1, 8, 4), 2],
    "two images": [2, ("image", 1, 4, 4), 1, ("image", 1, 2, 10), 3],
    "a video": [2, ("video", 3, 8, 8), 2],
    "a video of more frames than rows": [2, ("video", 6, 4, 4), 3],
    "image and video": [1, ("image", 1, 6, 4), 2, ("video", 2, 4, 8), 2],
    "a video last": [4, ("video", 2, 4, 6)],
}


def tokens(parts, family):
    """Returns ids, kinds of tokens (0 text, 1 image, 2 video), grids of images and videos."""
    ids, kinds, grids = [], [], {"image": [], "video": []}
    for part in parts:
        if isinstance(part, int):
            ids += [10] * part
            kinds += [0] * part
            continue
        kind, frames, rows, columns = part
        grids[kind].append([frames, rows, columns])
        # Qwen3-VL puts a timestamp as text before each frame.
        for block in [1] * frames if family == "qwen3_vl" else [frames]:
            count = block * rows * columns // MERGE**2
            ids += [10] * (family == "qwen3_vl") + [TOKENS["start"]] + [TOKENS[kind]] * count
            kinds += [0] * (1 + (family == "qwen3_vl")) + [1 if kind == "image" else 2] * count
    return ids, kinds, grids


def restated(ids, kinds, grids, family, seconds, *, room_for_time):
    """Computes positions in a second way: [T][3], and the offset that decoding adds to the count of
    tokens.
    """
    blocks = {1: [], 2: []}
    for kind, name in ((1, "image"), (2, "video")):
        for frames, rows, columns in grids[name]:
            split = family == "qwen3_vl" and kind == 2
            blocks[kind] += [(1, rows, columns)] * frames if split else [(frames, rows, columns)]
    found, start, at = [], 0, 0
    while at < len(ids):
        if kinds[at] == 0:
            found.append((start,) * 3)
            start, at = start + 1, at + 1
            continue
        frames, rows, columns = blocks[kinds[at]].pop(0)
        rows, columns = rows // MERGE, columns // MERGE
        step = 1 if kinds[at] == 1 or family != "qwen2_5_vl" else 2 * (
            int(seconds) if room_for_time else seconds)
        times = [int(f * step) for f in range(frames)]
        found += [(start + t, start + y, start + x) for t in times for y in range(rows)
                  for x in range(columns)]
        at += frames * rows * columns
        start += max(times[-1] + 1 if room_for_time else 0, rows, columns)
    return found, max(max(p) for p in found) + 1 - len(ids)


def model_of(family):
    """A model for get_rope_index, which only reads its config."""
    import importlib
    import types
    module = importlib.import_module(f"transformers.models.{family}.modeling_{family}")
    cls = {"qwen2_vl": "Qwen2VLModel", "qwen2_5_vl": "Qwen2_5_VLModel", "qwen3_vl": "Qwen3VLModel"}
    cls = getattr(module, cls[family])
    vision = types.SimpleNamespace(spatial_merge_size=MERGE, tokens_per_second=2)
    config = types.SimpleNamespace(
        vision_config=vision, image_token_id=TOKENS["image"], video_token_id=TOKENS["video"],
        vision_start_token_id=TOKENS["start"])
    model = cls.__new__(cls)
    torch.nn.Module.__init__(model)
    model.config = config
    return model, cls


def indices(family, ids, kinds, grids, seconds):
    model, cls = model_of(family)
    more = {"mm_token_type_ids": torch.tensor([kinds], dtype=torch.int32)} if NEW else {}
    if family == "qwen2_5_vl":
        stamps = [seconds] * len(grids["video"])
        more["second_per_grid_ts"] = torch.tensor(stamps) if stamps else None

    def grid(kind):
        return torch.tensor(grids[kind]) if grids[kind] else None
    positions, delta = cls.get_rope_index(
        model, torch.tensor([ids]), image_grid_thw=grid("image"), video_grid_thw=grid("video"),
        **more)
    return positions[:, 0].T.tolist(), int(delta[0, 0])


def write_positions():
    written = []
    for family, all_seconds in (("qwen2_vl", [1.0]), ("qwen2_5_vl", [1.0, 2.0, 0.5]),
                                ("qwen3_vl", [1.0])):
        for name, parts in TEXTS.items():
            for seconds in all_seconds:
                has_video = any(not isinstance(p, int) and p[0] == "video" for p in parts)
                if seconds != 1.0 and not has_video:
                    continue
                ids, kinds, grids = tokens(parts, family)
                positions, delta = indices(family, ids, kinds, grids, seconds)
                by_hand = restated(ids, kinds, grids, family, seconds, room_for_time=not NEW)
                if (list(map(tuple, positions)), delta) != (by_hand[0], by_hand[1]):
                    raise SystemExit(f"{family}, {name}: not as restated")
                written.append({
                    "family": family, "name": name, "kinds": kinds, "images": grids["image"],
                    "videos": grids["video"], "secondsPerFrame": seconds,
                    "positions": array(torch.tensor(positions)), "delta": delta})
    config = {"spatial_merge_size": MERGE, "tokens_per_second": 2}
    about = ("kinds: 0 text, 1 image, 2 video, one a token; images and videos: frames, rows and "
             "columns of patches, before 2 x 2 merge. positions [T,3]: time, row, column. A token "
             "decoded as number n (from 0) has position n + delta on every axis. ")
    about += ("The text after a picture starts as many positions on as the picture has rows or "
              "columns, whichever are more; frames do not count." if NEW else
              "The text after a picture starts one past the largest position so far; seconds lose "
              "their fraction.")
    write_layer("mrope_positions" if NEW else "mrope_positions_v4",
                {"about": about, "class": "Qwen2VLModel, Qwen2_5_VLModel, Qwen3VLModel",
                 "config": config, "cases": written},
                cls="transformers get_rope_index of Qwen2VLModel, Qwen2_5_VLModel, Qwen3VLModel",
                package=transformers_package(), config=config, generator=GENERATOR, seed=None,
                tolerance={"positions": 0})


def main():
    if NEW:
        write_layers()
        write_angles()
    write_positions()


if __name__ == "__main__":
    main()
