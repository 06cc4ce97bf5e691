"""A tiny random gpt-oss whose experts are in MXFP4, as OpenAI's files have them:
packed/mxfp4.json.

The blocks and scales are random bytes. Transformers' own function converts them to floats, and its
class computes the model from these. The file has the tensors as safetensors would, the floats of
one of them, ids and logits.

    python3 tests/golden/make_mxfp4.py
"""

import base64
import json

import torch
import transformers
from transformers import GptOssConfig, GptOssForCausalLM
from transformers.integrations.mxfp4 import convert_moe_packed_tensors

from double_precision import everything_double
from family_case import set_eager
from fixture_file import FOLDER, TORCH, TRANSFORMERS_LATER, array, require_versions

SEED = 41
LENGTH = 9
OPTIONS = {"vocab_size": 29, "hidden_size": 32, "intermediate_size": 32, "num_hidden_layers": 2,
           "num_attention_heads": 3, "num_key_value_heads": 1, "head_dim": 6,
           "num_local_experts": 3, "num_experts_per_tok": 2, "sliding_window": 4,
           "max_position_embeddings": 37, "rope_parameters": {
               "rope_type": "default", "rope_theta": 500.0}}


def random_blocks(rows, generator):
    """Blocks and scales of `rows` of 32 numbers; the scales are 1/32 to 1/4."""
    def random(low, high, *shape):
        return torch.randint(low, high, shape, dtype=torch.uint8, generator=generator)
    experts = OPTIONS["num_local_experts"]
    return random(0, 256, experts, rows, 1, 16), random(122, 126, experts, rows, 1)


def stored(tensor, dtype):
    numbers = tensor.contiguous().numpy().astype("float32" if dtype == "F32" else "uint8")
    data = base64.b64encode(numbers.tobytes()).decode()
    return {"dtype": dtype, "shape": list(tensor.shape), "data": data}


def main():
    require_versions(TRANSFORMERS_LATER)
    generator = torch.Generator().manual_seed(SEED)
    config = GptOssConfig(**OPTIONS)
    set_eager(config)
    tensors = {}
    floats = None
    with everything_double():
        model = GptOssForCausalLM(config).double().eval()
        for name, parameter in model.named_parameters():
            if name.endswith(("gate_up_proj", "down_proj")):
                blocks, scales = random_blocks(parameter.shape[2], generator)
                value = convert_moe_packed_tensors(blocks, scales, dtype=torch.float64)
                floats = floats if floats is not None else (name, value)
                tensors[f"{name}_blocks"] = stored(blocks, "U8")
                tensors[f"{name}_scales"] = stored(scales, "U8")
            else:
                value = torch.randn(parameter.shape, generator=generator, dtype=torch.float64)
                value = torch.round(value * 0.4 * 16) / 16
                if name.endswith("norm.weight"):
                    value = value + 1
                tensors[name] = stored(value, "F32")
            parameter.data.copy_(value)
        ids = torch.randint(3, config.vocab_size, (1, LENGTH), generator=generator)
        with torch.no_grad():
            logits = model(input_ids=ids).logits[0]
    said = json.loads(model.config.to_json_string(use_diff=False))
    said = {key: value for key, value in said.items() if value is not None}
    said["quantization_config"] = {"quant_method": "mxfp4", "modules_to_not_convert": ["lm_head"]}
    content = {"class": "GptOssForCausalLM", "package": f"transformers {transformers.__version__}",
               "torch": TORCH, "seed": SEED, "config": said, "tensors": tensors,
               "ids": ids[0].tolist(), "logits": array(logits),
               "floats": {"name": floats[0], **array(floats[1])}}
    folder = FOLDER / "packed"
    folder.mkdir(exist_ok=True)
    text = json.dumps(content, separators=(",", ":"), allow_nan=False)
    (folder / "mxfp4.json").write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    main()
