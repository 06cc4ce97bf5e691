"""The code of Transformers and PyTorch in single precision, compared with the vectors.

    pip install torch transformers numpy
    python examples/transformers_rope_alibi.py
"""

import pathlib
import sys

import numpy as np
import torch
from transformers import LlamaConfig
from transformers.models.bloom.modeling_bloom import build_alibi_tensor
from transformers.models.gptj import modeling_gptj
from transformers.models.gpt_neox import modeling_gpt_neox
from transformers.models.llama import modeling_llama
from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS
from transformers.models.mpt.modeling_mpt import build_mpt_alibi_tensor

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
from conformance import check  # noqa: E402


def bloom(inputs, facts, parameters):
    heads = int(inputs["heads"])
    mask = torch.ones(1, 2, dtype=torch.int64)
    # The slope is the bias of key 1 minus that of key 0.
    return {"slopes": build_alibi_tensor(mask, heads, torch.float32)[:, 0, 1].numpy()}


def mpt(inputs, facts, parameters):
    heads = int(inputs["heads"])
    bias = build_mpt_alibi_tensor(heads, 2, alibi_bias_max=8)
    return {"slopes": -bias.reshape(heads, 2)[:, 0].numpy()}


def llama(inputs):
    config = LlamaConfig(
        head_dim=int(inputs["headDim"]),
        rope_parameters={"rope_type": "default", "rope_theta": inputs["options"]["ropeTheta"]},
    )
    rotary = modeling_llama.LlamaRotaryEmbedding(config)
    x = torch.tensor(inputs["x"], dtype=torch.float32)[None, None]
    cos, sin = rotary(x, torch.tensor([[int(p) for p in inputs["positions"]]]))
    rotated, _ = modeling_llama.apply_rotary_pos_emb(x, x, cos, sin)
    return rotated[0, 0]


def gptj(inputs):
    width = int(inputs["headDim"] * inputs["options"]["partialRotaryFactor"])
    positions = [int(p) for p in inputs["positions"]]
    table = modeling_gptj.create_sinusoidal_positions(max(positions) + 1, width)[positions]
    sin, cos = table[None].split(width // 2, dim=-1)
    x = torch.tensor(inputs["x"], dtype=torch.float32)[None, :, None]
    turned = modeling_gptj.apply_rotary_pos_emb(x[..., :width], sin, cos)
    return torch.cat([turned, x[..., width:]], dim=-1)[0, :, 0]


def neox(inputs):
    width = int(inputs["headDim"] * inputs["options"]["partialRotaryFactor"])
    theta = inputs["options"]["ropeTheta"]
    frequencies = 1.0 / theta ** (torch.arange(0, width, 2, dtype=torch.float32) / width)
    positions = torch.tensor([float(p) for p in inputs["positions"]])
    angles = torch.outer(positions, frequencies)
    angles = torch.cat([angles, angles], dim=-1)[None]
    x = torch.tensor(inputs["x"], dtype=torch.float32)[None, None]
    rotated, _ = modeling_gpt_neox.apply_rotary_pos_emb(x, x, angles.cos(), angles.sin())
    return rotated[0, 0]


def rope(inputs, facts, parameters):
    run = {"Llama": llama, "GPT-J": gptj, "GPT-NeoX": neox}[inputs["source"]]
    return {"rotated": run(inputs).numpy()}


def frequencies(inputs, facts, parameters):
    """Initial frequencies, by the functions that Transformers' models call."""
    given = inputs["ropeParameters"]
    kind = given.get("rope_type", "default")
    if kind not in ROPE_INIT_FUNCTIONS or inputs["sequenceLength"] is not None:
        return None
    config = LlamaConfig(
        head_dim=int(inputs["headDim"]),
        max_position_embeddings=int(inputs["maxPositionEmbeddings"] or 2048),
        rope_parameters=dict(given),
    )
    found, factor = ROPE_INIT_FUNCTIONS[kind](config, torch.device("cpu"))
    if len(found) != len(inputs_of_pairs(inputs)):
        return None
    return {"inverseFrequencies": found.double().numpy(), "attentionFactor": np.float64(factor)}


def inputs_of_pairs(inputs):
    share = inputs["ropeParameters"].get("partial_rotary_factor", 1.0)
    return range(int(inputs["headDim"] * share) // 2)


if __name__ == "__main__":
    wrong = 0
    for name, implementation in {"BLOOM": bloom, "MPT": mpt}.items():
        print(name, end=": ")
        wrong += check({"alibi": implementation})
    print("RoPE", end=": ")
    wrong += check({"rope": rope})
    # Frequencies are relative to double precision: single precision has seven digits.
    print("Scaling", end=": ")
    wrong += check({"rope_frequencies": frequencies}, slack=1e6)
    sys.exit(wrong)
