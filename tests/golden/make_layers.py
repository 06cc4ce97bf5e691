"""Makes the files in layers/ that the installed transformers can make.

    /tmp/golden/bin/python tests/golden/make_layers.py      with transformers 5.18.0
    /tmp/golden4/bin/python tests/golden/make_layers.py     with transformers 4.57.6

Both are needed: 5.x no longer has BERT's relative positions nor Transformer-XL.
"""

import importlib
import os

os.environ["PYTORCH_JIT"] = "0"  # before torch: scripted functions would keep single precision

import torch
import transformers

TORCH = "2.13.0"
MODULES = {
    "4.57.6": ["make_layers_bert", "make_layers_transformer_xl", "make_layers_mrope",
               "make_layers_vision"],
    "5.18.0": ["make_layers_t5", "make_layers_deberta", "make_layers_bloom", "make_layers_mla",
               "make_layers_xlnet", "make_layers_swin", "make_layers_buckets", "make_layers_papers",
               "make_layers_embeddings", "make_layers_llama", "make_layers_rotary",
               "make_layers_mrope", "make_layers_vision", "make_layers_vision_attention",
               "make_layers_families", "make_layers_learned"],
    "5.24.0": ["make_layers_states", "make_layers_lerope", "make_layers_rotations",
               "make_layers_axes", "make_layers_remapped"],
}


def main():
    found = torch.__version__.split("+")[0], transformers.__version__
    if found[0] != TORCH or found[1] not in MODULES:
        wanted = " or ".join(MODULES)
        raise SystemExit(f"needs torch {TORCH} and transformers {wanted}, has {found}")
    for name in MODULES[found[1]]:
        importlib.import_module(name).main()


if __name__ == "__main__":
    main()
