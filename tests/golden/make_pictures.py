"""Tiny random models of pictures, computed by Transformers: pictures/*.json.

A file has config.json and preprocessor_config.json, the weights under the names that a saved file
has (multiples of a sixteenth, one byte each), a picture, and runs: pixels as the Pillow processor
gives them, hidden states, and every head's map. pictures/manifest.json has the source of each;
`npm run families -- --write` adds the engine's deviation.

    python3 tests/golden/make_pictures.py [NAME ...]      needs Pillow 12 as well

Pillow 13 rounds some resized bytes to the neighbouring number.
"""

import base64
import json
import pathlib
import sys
import tempfile
import zlib
from dataclasses import dataclass, field

import numpy
import torch
import transformers as t
from safetensors.torch import load_file

from double_precision import everything_double
from fixture_file import FOLDER, TORCH, TRANSFORMERS_LATER, config_hash, require_versions
from make_families import UNIT, fill, packed, short
from PIL import Image
from transformers.models.bit.image_processing_pil_bit import BitImageProcessorPil
from transformers.models.clip.image_processing_pil_clip import CLIPImageProcessorPil
from transformers.models.deit.image_processing_pil_deit import DeiTImageProcessorPil
from transformers.models.siglip.image_processing_pil_siglip import SiglipImageProcessorPil
from transformers.models.siglip2.image_processing_pil_siglip2 import Siglip2ImageProcessorPil
from transformers.models.vit.image_processing_pil_vit import ViTImageProcessorPil

TOLERANCE = {"pixels": 1e-6, "output": 1e-4, "attention": 1e-5}

SIZES = {"hidden_size": 18, "num_hidden_layers": 2, "num_attention_heads": 3, "patch_size": 3,
         "image_size": 12}
FEED = {"intermediate_size": 22}
FLEXIBLE = {**{key: value for key, value in SIZES.items() if key != "image_size"},
            "num_patches": 16}


class FloatProcessor:
    """What DINOv3ViTImageProcessor computes, without torchvision: it scales, resizes, normalises.

    torchvision's resize of floats is this function of PyTorch.
    """

    def __init__(self, **settings):
        self.settings = {"image_processor_type": "DINOv3ViTImageProcessorFast", "do_resize": True,
                         "do_rescale": True, "do_normalize": True, "rescale_factor": 1 / 255,
                         "image_mean": [0.485, 0.456, 0.406], "image_std": [0.229, 0.224, 0.225],
                         "resample": 2, "default_to_square": True, "do_center_crop": None,
                         "crop_size": None, **settings}

    def to_json_string(self):
        return json.dumps(self.settings)

    def __call__(self, image, size=None, do_center_crop=False, return_tensors="np"):
        known = {**self.settings, **({"size": size} if size else {})}
        x = torch.from_numpy(numpy.array(image)).permute(2, 0, 1)[None].to(torch.float64)
        if known["do_rescale"]:
            x = x * known["rescale_factor"]
        if known["do_resize"]:
            sides = (known["size"]["height"], known["size"]["width"])
            mode = {2: "bilinear", 3: "bicubic"}[known["resample"]]
            x = torch.nn.functional.interpolate(x, size=sides, mode=mode, antialias=True)
        if known["do_normalize"]:
            mean, deviation = (torch.tensor(known[key], dtype=torch.float64)[:, None, None]
                               for key in ("image_mean", "image_std"))
            x = (x - mean) / deviation
        return {"pixel_values": x.numpy()}


@dataclass
class Case:
    name: str
    model: type
    config: type
    options: dict
    processor: object
    # Sizes of further runs: height and width, in multiples of a patch.
    sizes: list = field(default_factory=list)
    # Whether the model is told to interpolate its positions.
    asks: bool = True


def square(side):
    return {"height": side, "width": side}


def towers(text, vision, **more):
    return {"text_config": {**text, **FEED}, "vision_config": {**vision, **FEED}, **more}


TEXT = {"hidden_size": 15, "num_hidden_layers": 1, "num_attention_heads": 3, "vocab_size": 19,
        "max_position_embeddings": 7}

CASES = [
    Case("vit", t.ViTModel, t.ViTConfig, {**SIZES, **FEED},
         ViTImageProcessorPil(size=square(12)), [(9, 15), (6, 6)]),
    Case("vit_options", t.ViTForImageClassification, t.ViTConfig,
         {**SIZES, **FEED, "image_size": [9, 15], "patch_size": [3, 5], "qkv_bias": False,
          "hidden_act": "gelu_new", "layer_norm_eps": 1e-3},
         ViTImageProcessorPil(size={"height": 9, "width": 15}), asks=False),
    Case("deit", t.DeiTModel, t.DeiTConfig, {**SIZES, **FEED},
         DeiTImageProcessorPil(size=square(14), crop_size=square(12)), [(15, 9)]),
    Case("dinov2", t.Dinov2Model, t.Dinov2Config, {**SIZES, "mlp_ratio": 2},
         BitImageProcessorPil(size={"shortest_edge": 17}, crop_size=square(15)),
         [(12, 12), (9, 6)], asks=False),
    Case("dinov2_gated", t.Dinov2Model, t.Dinov2Config,
         {**SIZES, "mlp_ratio": 3, "use_swiglu_ffn": True, "qkv_bias": False},
         BitImageProcessorPil(size={"shortest_edge": 12}, crop_size=square(12)), asks=False),
    Case("dinov2_with_registers", t.Dinov2WithRegistersModel, t.Dinov2WithRegistersConfig,
         {**SIZES, "mlp_ratio": 2, "num_register_tokens": 3},
         BitImageProcessorPil(size={"shortest_edge": 13}, crop_size=square(12)),
         [(6, 9), (15, 12)], asks=False),
    Case("dinov3_vit", t.DINOv3ViTModel, t.DINOv3ViTConfig,
         {**SIZES, **FEED, "hidden_size": 24, "num_register_tokens": 2},
         FloatProcessor(size=square(12)), [(9, 15), (6, 6), (15, 3)], asks=False),
    Case("dinov3_vit_gated", t.DINOv3ViTModel, t.DINOv3ViTConfig,
         {**SIZES, **FEED, "hidden_size": 24, "patch_size": [3, 4], "image_size": [9, 16],
          "use_gated_mlp": True, "hidden_act": "silu", "rope_theta": 30.0, "query_bias": False,
          "key_bias": True, "value_bias": False, "proj_bias": False, "mlp_bias": False,
          "layer_norm_eps": 1e-3},
         FloatProcessor(size={"height": 9, "width": 16}, resample=3), asks=False),
    Case("clip_vision_model", t.CLIPVisionModel, t.CLIPVisionConfig, {**SIZES, **FEED},
         CLIPImageProcessorPil(size={"shortest_edge": 13}, crop_size=square(12)), [(9, 15)]),
    Case("clip", t.CLIPModel, t.CLIPConfig,
         towers(TEXT, {**SIZES, "hidden_act": "gelu"}, projection_dim=11),
         CLIPImageProcessorPil(size={"shortest_edge": 12}, crop_size=square(12))),
    Case("siglip_vision_model", t.SiglipVisionModel, t.SiglipVisionConfig, {**SIZES, **FEED},
         SiglipImageProcessorPil(size=square(12)), [(15, 9)]),
    Case("siglip", t.SiglipModel, t.SiglipConfig, towers(TEXT, SIZES),
         SiglipImageProcessorPil(size=square(12), resample=2)),
    Case("siglip2_vision_model", t.Siglip2VisionModel, t.Siglip2VisionConfig,
         {**FLEXIBLE, **FEED}, Siglip2ImageProcessorPil(patch_size=3, max_num_patches=20),
         [(12, 12), (9, 15), (15, 6)], asks=False),
    Case("siglip2", t.Siglip2Model, t.Siglip2Config, towers(TEXT, FLEXIBLE),
         Siglip2ImageProcessorPil(patch_size=3, max_num_patches=33), asks=False),
]


def picture_of(generator, height, width):
    """Returns smooth colours with noise, an array [height,width,3] of bytes."""
    rows = torch.linspace(0, 5, height)[:, None, None]
    columns = torch.linspace(0, 4, width)[None, :, None]
    phases = torch.rand(3, generator=generator) * 6
    noise = torch.randn(height, width, 3, generator=generator) * 30
    values = 127 + 100 * torch.sin(rows + 1.3 * columns + phases) + noise
    return values.round().clamp(0, 255).to(torch.uint8).numpy()


def bytes_of(picture):
    height, width, _ = picture.shape
    return {"height": height, "width": width, "data": base64.b64encode(picture.tobytes()).decode()}


def whole_picture(patches, rows, columns):
    """From [N,rows·columns·channels of a patch] to [channels,height,width]."""
    side = int((patches.shape[1] // 3) ** 0.5)
    cells = patches[:rows * columns].reshape(rows, columns, side, side, 3)
    return cells.transpose(4, 0, 2, 1, 3).reshape(3, rows * side, columns * side)


def pixels_of(processor, picture, **options):
    if isinstance(processor, Siglip2ImageProcessorPil):
        size = options.get("size")
        image = Image.fromarray(picture)
        if size:  # in place of its own
            image = image.resize((size["width"], size["height"]), Image.Resampling.BILINEAR)
        found = processor(image, **({"do_resize": False} if size else {}), return_tensors="np")
        return whole_picture(found["pixel_values"][0], *found["spatial_shapes"][0])
    return processor(Image.fromarray(picture), **options, return_tensors="np")["pixel_values"][0]


def config_of(model):
    config = json.loads(model.config.to_json_string(use_diff=False))
    absent = type(model.config)().to_dict()
    return {key: value for key, value in config.items()
            if value is not None or absent.get(key) is not None}


def stored(model, generator):
    """Sets random weights, and returns them under the names that a saved file has."""
    fill(model, generator)
    with tempfile.TemporaryDirectory() as folder:
        model.save_pretrained(folder)
        files = sorted(pathlib.Path(folder).glob("*.safetensors"))
        return {name: packed(value) for file in files for name, value in load_file(file).items()}


def flexible_run(tower, pixels):
    """With three patches of padding, whose states and columns have no meaning."""
    side, padding = tower.config.patch_size, 3
    rows, columns = (length // side for length in pixels.shape[1:])
    cells = pixels.reshape(3, rows, side, columns, side).transpose(1, 3, 2, 4, 0)
    patches = numpy.zeros((rows * columns + padding, cells[0, 0].size))
    patches[:rows * columns] = cells.reshape(rows * columns, -1)
    mask = torch.ones(1, len(patches), dtype=torch.int64)
    mask[:, rows * columns:] = 0
    with torch.no_grad():
        result = tower(torch.from_numpy(patches)[None], mask, torch.tensor([[rows, columns]]),
                       output_attentions=True)
    maps = torch.stack(result.attentions)[:, 0, :, :rows * columns]
    if maps[..., rows * columns:].abs().max() != 0:
        raise SystemExit("padding gets weight")
    return {"pixels": short(torch.from_numpy(pixels)),
            "result": short(result.last_hidden_state[0, :rows * columns]),
            "attention": short(maps[..., :rows * columns])}


def run(tower, pixels, asks):
    if isinstance(tower, t.Siglip2VisionModel):
        return flexible_run(tower, pixels)
    options = {"interpolate_pos_encoding": True} if asks else {}
    with torch.no_grad():
        values = torch.from_numpy(pixels.astype(numpy.float64))[None]
        result = tower(values, output_attentions=True, **options)
        hidden = result.last_hidden_state
        # CLIP has its last norm in the pooled output only.
        if isinstance(tower, t.CLIPVisionModel):
            hidden = tower.post_layernorm(hidden)
    return {"pixels": short(torch.from_numpy(pixels)), "result": short(hidden[0]),
            "attention": short(torch.stack(result.attentions)[:, 0])}


def content_of(case, seed):
    generator = torch.Generator().manual_seed(seed)
    with everything_double():
        torch.manual_seed(seed)
        config = case.config(**case.options)
        config._attn_implementation = "eager"
        model = case.model(config).double().eval()
        weights = stored(model, generator)
        picture = picture_of(generator, 23, 19)
        tower = getattr(model, "vision_model", None) or getattr(model, "vit", model)
        runs = [run(tower, pixels_of(case.processor, picture), case.asks)]
        for height, width in case.sizes:
            size = {"height": height, "width": width}
            pixels = pixels_of(case.processor, picture, size=size, do_center_crop=False)
            runs.append({"size": size, **run(tower, pixels, case.asks)})
    return type(model).__name__, {
        "config": config_of(model),
        "processor": json.loads(case.processor.to_json_string()),
        "weights": weights,
        "unit": UNIT,
        "picture": bytes_of(picture),
        "runs": runs,
    }


def processing():
    """Pixels of pictures of several sizes, for options of the processors."""
    generator = torch.Generator().manual_seed(7)
    small = square(9)
    cases = [
        (ViTImageProcessorPil(size=small), (31, 40)),
        (ViTImageProcessorPil(size={"height": 33, "width": 9}), (5, 7)),
        (ViTImageProcessorPil(size=small, resample=1), (20, 33)),
        (ViTImageProcessorPil(size=small, do_resize=False, do_rescale=False), (9, 12)),
        (ViTImageProcessorPil(size=small, do_normalize=False), (10, 9)),
        (DeiTImageProcessorPil(size=square(11), crop_size=small), (50, 17)),
        (CLIPImageProcessorPil(size={"shortest_edge": 10}, crop_size=small), (21, 34)),
        (CLIPImageProcessorPil(size={"shortest_edge": 10}, crop_size=small), (34, 21)),
        (CLIPImageProcessorPil(size={"shortest_edge": 6}, crop_size=square(12)), (13, 17)),
        (BitImageProcessorPil(size={"shortest_edge": 10}, crop_size=small,
                              rescale_factor=1 / 127.5, image_std=[0.2, 0.3, 0.4]), (64, 48)),
        (SiglipImageProcessorPil(size={"height": 12, "width": 9}), (11, 100)),
        (FloatProcessor(size=small), (31, 40)),
        (FloatProcessor(size={"height": 33, "width": 9}, resample=3), (5, 70)),
        (FloatProcessor(size=small, do_resize=False), (9, 12)),
        (Siglip2ImageProcessorPil(patch_size=3, max_num_patches=16), (40, 23)),
        (Siglip2ImageProcessorPil(patch_size=3, max_num_patches=50), (7, 100)),
        (Siglip2ImageProcessorPil(patch_size=3, max_num_patches=7), (3, 4)),
    ]
    found = []
    for processor, (height, width) in cases:
        picture = picture_of(generator, height, width)
        found.append({"processor": json.loads(processor.to_json_string()),
                      "picture": bytes_of(picture),
                      "pixels": short(torch.from_numpy(pixels_of(processor, picture)))})
    return {"config": {}, "cases": found}


def write(name, content):
    text = json.dumps(content, separators=(",", ":"), allow_nan=False)
    (FOLDER / "pictures" / f"{name}.json").write_text(text + "\n", "utf-8")
    print(f"{name}: {len(text)} bytes")


def main():
    require_versions(TRANSFORMERS_LATER)
    chosen = sys.argv[1:]
    (FOLDER / "pictures").mkdir(exist_ok=True)
    path = FOLDER / "pictures" / "manifest.json"
    manifest = json.loads(path.read_text("utf-8")) if path.exists() else {}
    for case in CASES:
        if chosen and case.name not in chosen:
            continue
        seed = zlib.crc32(case.name.encode())  # independent of other cases
        cls, content = content_of(case, seed)
        write(case.name, content)
        manifest[case.name] = {
            "class": cls,
            "package": f"transformers {TRANSFORMERS_LATER}",
            "torch": TORCH,
            "configHash": config_hash(content["config"]),
            "seed": seed,
            "tolerance": TOLERANCE,
            "deviation": manifest.get(case.name, {}).get("deviation", {}),
        }
    if not chosen:
        write("processing", processing())
    known = {case.name for case in CASES}
    manifest = {name: row for name, row in sorted(manifest.items()) if name in known}
    path.write_text(json.dumps(manifest, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()
