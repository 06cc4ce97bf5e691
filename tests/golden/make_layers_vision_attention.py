"""Attention of vision towers that rotate by row and column: Pixtral, Qwen2-VL, Qwen2.5-VL.

Every patch of one picture attends to every other; make_layers_vision.py has the rotations alone.
"""

import torch
from transformers.models.pixtral.configuration_pixtral import PixtralVisionConfig
from transformers.models.pixtral.modeling_pixtral import (PixtralAttention,
                                                          PixtralVisionRotaryEmbedding)
from transformers.models.qwen2_5_vl import modeling_qwen2_5_vl
from transformers.models.qwen2_5_vl.configuration_qwen2_5_vl import Qwen2_5_VLVisionConfig
from transformers.models.qwen2_vl import modeling_qwen2_vl
from transformers.models.qwen2_vl.configuration_qwen2_vl import Qwen2VLVisionConfig
from transformers.vision_utils import get_vision_position_ids

import rope_formulas
from rotary_layer import Layer, rotary_file

GENERATOR = "make_layers_vision_attention.py"
HEADS, HEAD_DIM = 2, 8
WIDTH = HEADS * HEAD_DIM
THETA = 10000.0


def layer_of(layout, **more):
    axes = rope_formulas.grid_pairs(layout, THETA, HEAD_DIM)[1]
    return Layer(HEADS, HEADS, HEAD_DIM, {"rope_type": "default", "rope_theta": THETA},
                 axes=tuple(axes), grid=layout, causal=False, **more)


def write_pixtral():
    def call(attention, x, turns):
        return attention(x[None], attention_mask=None, position_embeddings=turns)[0][0]
    cells = [(y, x) for y in range(2) for x in range(4)]
    rotary_file("pixtral_vision", about="positions are row and column of each patch. One ladder of "
                "frequencies is dealt out in turn: rows have the first, third …, columns the "
                "second, fourth …; pairs are channel t and t + D/2.",
                layer=layer_of("pixtral"), config_class=PixtralVisionConfig,
                attention_class=PixtralAttention, rotary_class=PixtralVisionRotaryEmbedding,
                config={"hidden_size": WIDTH, "num_attention_heads": HEADS,
                        "rope_parameters": {"rope_theta": THETA}},
                seed=790, layer_index=None, call=call, generator=GENERATOR,
                cases=(cells, [(y, x) for y in (0, 40) for x in (0, 1, 63)]))


def write_qwen(name, seed, config_class, attention_class, rotary_class, **config):
    def call(attention, x, turns):
        ends = torch.tensor([0, len(x)], dtype=torch.int32)
        return attention(x, cu_seqlens=ends, position_embeddings=turns)

    def cells(rows, columns):
        return [tuple(at) for at in get_vision_position_ids(
            torch.tensor([[1, rows, columns]]), 2).tolist()]
    rotary_file(name, about="positions are row and column of each patch, in blocks of 2 x 2. Rows "
                "and columns have a ladder of half the head each; pairs are channel t and t + D/2.",
                layer=layer_of("qwen_vision", packing="blocks", projection="qkv", output="proj"),
                config_class=config_class, attention_class=attention_class,
                rotary_class=rotary_class,
                config={**config, "num_heads": HEADS, "rope_parameters": {"rope_theta": THETA}},
                seed=seed, layer_index=None, call=call, width=WIDTH, generator=GENERATOR,
                cases=(cells(4, 2), cells(2, 4)))


def main():
    write_pixtral()
    write_qwen("qwen2_vl_vision", 795, Qwen2VLVisionConfig, modeling_qwen2_vl.VisionAttention,
               modeling_qwen2_vl.Qwen2VLVisionRotaryEmbedding, embed_dim=WIDTH)
    write_qwen("qwen2_5_vl_vision", 800, Qwen2_5_VLVisionConfig,
               modeling_qwen2_5_vl.Qwen2_5_VLVisionAttention,
               modeling_qwen2_5_vl.Qwen2_5_VLVisionRotaryEmbedding, hidden_size=WIDTH)


if __name__ == "__main__":
    main()
