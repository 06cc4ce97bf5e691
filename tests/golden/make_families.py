"""Tiny random models of common families, computed by Transformers: families/*.json.

Sizes are no multiples of 4 or 8, key heads are fewer than heads, and every option that changes
the numbers is on in some file. A file has config.json as Transformers writes it, the weights
(multiples of a sixteenth, one byte each), ids, logits or hidden states, the loss of the ids and
every head's map. families/manifest.json has the source of each; `npm run families -- --write`
adds the engine's deviation.

    python3 tests/golden/make_families.py [NAME ...]

Cases for other versions of Transformers (see family_cases.py) are made by the same command with
that version.
"""

import base64
import json
import sys
import zlib

import torch
import transformers

import family_cases
from double_precision import everything_double
from fixture_file import (FOLDER, TORCH, TRANSFORMERS, TRANSFORMERS_4, TRANSFORMERS_LATER,
                          config_hash, require_versions)

UNIT = 16
LENGTH = 11
LABELS = 7
TOLERANCE = {"output": 1e-4, "attention": 1e-5, "loss": 1e-5, "cross": 1e-5,
             "encoderHidden": 1e-4, "encoderAttention": 1e-5}


def packed(tensor):
    """Sixteenths in one byte each, as base64."""
    steps = torch.round(tensor * UNIT).clamp(-127, 127).to(torch.int8)
    data = base64.b64encode(steps.contiguous().numpy().tobytes()).decode()
    return {"shape": list(tensor.shape), "data": data}


def short(tensor):
    """Rounds to nine significant digits, which is enough for single precision."""
    return {"shape": list(tensor.shape),
            "data": [float(f"{x:.9g}") for x in tensor.detach().reshape(-1).tolist()]}


# Names in files that differ from those of the class: parts of them, and for models whose files
# have one tensor for each expert and matrix, the names of gate, up and down.
QWEN_EXPERTS = ["gate_proj", "up_proj", "down_proj"]
SAVED_NAMES = {
    "granitemoe": ({".experts.gate_up_proj": ".input_linear.weight",
                    ".experts.down_proj": ".output_linear.weight",
                    ".router.weight": ".router.layer.weight"}, None),
    "granitemoehybrid": ({".experts.gate_up_proj": ".input_linear.weight",
                          ".experts.down_proj": ".output_linear.weight",
                          ".router.weight": ".router.layer.weight"}, None),
    "mixtral": ({".mlp.": ".block_sparse_moe."}, ["w1", "w3", "w2"]),
    "nomic_bert": ({"embeddings.LayerNorm": "emb_ln", "layers.": "encoder.layers.",
                    ".self_attn.o_proj": ".attn.out_proj", ".up_proj": ".fc11",
                    ".gate_proj": ".fc12", ".down_proj": ".fc2",
                    ".post_attention_layernorm": ".norm1", ".post_mlp_layernorm": ".norm2"}, None),
    "jina_embeddings_v3": ({"embeddings.LayerNorm": "emb_ln", "layers.": "encoder.layers.",
                            ".self_attn.o_proj": ".mixer.out_proj",
                            ".post_attention_layernorm": ".norm1",
                            ".post_mlp_layernorm": ".norm2"}, None),
    "gte": ({"layers.": "encoder.layer.", ".self_attn.o_proj": ".attention.o_proj",
             ".post_attention_layernorm": ".attn_ln", ".post_mlp_layernorm": ".mlp_ln"}, None),
    **{family: ({}, QWEN_EXPERTS)
       for family in ("qwen2_moe", "qwen3_moe", "qwen3_next", "olmoe")},
}


# Tensors that files join: the name in a file, and those of the class, one after the other.
QKV = ["self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj"]
JOINED = {
    "nomic_bert": {"attn.Wqkv": QKV},
    "jina_embeddings_v3": {"mixer.Wqkv": QKV},
    "gte": {"attention.qkv_proj": QKV, "mlp.up_gate_proj": ["mlp.up_proj", "mlp.gate_proj"]},
}


def with_joined(model):
    """Names and parameters, of which those that files join become parts of one tensor."""
    joined = JOINED.get(model.config.model_type, {})
    parameters = dict(model.named_parameters())
    for name, value in parameters.items():
        for theirs, parts in joined.items():
            if f".{parts[0]}." in name:
                all_parts = [parameters[name.replace(parts[0], part)] for part in parts]
                whole = torch.cat([part.data for part in all_parts])
                for part, rows in zip(all_parts, whole.split([len(one) for one in all_parts])):
                    part.data = rows
                yield name.replace(parts[0], theirs), whole
                break
            if any(f".{part}." in name for part in parts):
                break
        else:
            if value.requires_grad:
                yield name, value


def experts_of(name, value, parts):
    """Views of a tensor of all experts with the names that save_pretrained gives to their parts."""
    base, kind = name.rsplit(".", 1)
    kinds = parts[:2] if kind == "gate_up_proj" else parts[2:]
    rows = value.shape[1] // len(kinds)
    for expert, matrix in enumerate(value.data):
        for i, part in enumerate(kinds):
            yield f"{base}.{expert}.{part}.weight", matrix[i * rows:(i + 1) * rows]


def stored_tensors(model):
    """Tensors that a file stores: trained parameters, and the bias of the logits, a buffer."""
    renamed, parts = SAVED_NAMES.get(model.config.model_type, ({}, None))
    for name, value in with_joined(model):
        for ours, theirs in renamed.items():
            name = name.replace(ours, theirs)
        if parts and ".experts." in name:
            yield from experts_of(name, value, parts)
        else:
            yield name, value
    yield from ((name, value) for name, value in model.named_buffers()
                if name == "final_logits_bias")


def fill(model, generator):
    """Weights far enough from zero that maps and logits are far from uniform."""
    stored = {}
    for name, parameter in stored_tensors(model):
        value = torch.randn(parameter.shape, generator=generator, dtype=torch.float64)
        is_norm = parameter.dim() == 1 and name.endswith("weight")
        value = value * (0.3 if parameter.dim() == 1 else 0.45)
        # The weight of a norm that multiplies by 1 + w is initially zero.
        begins_at_zero = bool((parameter == 0).all())
        if is_norm and not begins_at_zero:
            value = value + 1
        value = torch.round(value * UNIT) / UNIT
        parameter.data.copy_(value)
        stored[name] = packed(value)
    return stored


def config_of(model):
    """Returns config.json as it is saved: by version 4 without the values that every class has by
    default.
    """
    is_older = transformers.__version__ == TRANSFORMERS_4
    config = json.loads(model.config.to_json_string(use_diff=is_older))
    absent = type(model.config)().to_dict()
    # Null has a meaning if the class has another default.
    return {key: value for key, value in config.items()
            if value is not None or absent.get(key) is not None}


def of_two(result, labels):
    """Returns the outputs of an encoder-decoder model and its decoder's maps."""
    return {
        "labels": labels[0].tolist(),
        "cross": short(torch.stack(result.cross_attentions)[:, 0]),
        "encoderHidden": short(result.encoder_last_hidden_state[0]),
        "encoderAttention": short(torch.stack(result.encoder_attentions)[:, 0]),
    }


def run(case, seed):
    generator = torch.Generator().manual_seed(seed)
    with everything_double():
        torch.manual_seed(seed)
        model = case.make().double().eval()
        weights = fill(model, generator)
        ids = torch.randint(3, model.config.vocab_size, (1, LENGTH), generator=generator)
        texts = {"input_ids": ids}
        if case.has_encoder:
            labels = torch.randint(3, case.options["vocab_size"], (1, LABELS), generator=generator)
            start = torch.tensor([[model.config.decoder_start_token_id]])
            texts["decoder_input_ids"] = torch.cat([start, labels[:, :-1]], 1)
        with torch.no_grad():
            result = model(**texts, output_attentions=True)
        output = result.logits if hasattr(result, "logits") else result.last_hidden_state
        content = {
            "config": config_of(model),
            "output": "logits" if hasattr(result, "logits") else "hidden",
            "weights": weights,
            "unit": UNIT,
            "ids": ids[0].tolist(),
            "result": short(output[0]),
            "attention": short(torch.stack(
                result.decoder_attentions if case.has_encoder else result.attentions)[:, 0]),
        }
        if case.check and not case.check(model, ids, output[0]):
            raise SystemExit(f"{case.name}: {case.check.__doc__}: it does not")
        if case.has_encoder:
            content.update(of_two(result, labels))
        if case.has_encoder:
            content["loss"] = torch.nn.functional.cross_entropy(output[0], labels[0]).item()
        elif hasattr(result, "logits") and case.is_causal:
            content["loss"] = torch.nn.functional.cross_entropy(
                output[0, :-1], ids[0, 1:]).item()
    return model, content


def main():
    require_versions(TRANSFORMERS, TRANSFORMERS_4, TRANSFORMERS_LATER)
    chosen = sys.argv[1:]
    path = FOLDER / "families" / "manifest.json"
    manifest = json.loads(path.read_text("utf-8")) if path.exists() else {}
    for case in family_cases.CASES:
        if case.version != transformers.__version__ or (chosen and case.name not in chosen):
            continue
        seed = zlib.crc32(case.name.encode())  # independent of other cases
        model, content = run(case, seed)
        text = json.dumps(content, separators=(",", ":"), allow_nan=False)
        (FOLDER / "families" / f"{case.name}.json").write_text(text + "\n", "utf-8")
        manifest[case.name] = {
            "class": type(model).__name__,
            "package": f"transformers {case.version}",
            "torch": TORCH,
            "configHash": config_hash(content["config"]),
            "seed": seed,
            "tolerance": {key: value for key, value in TOLERANCE.items()
                          if key in content or key == "output"},
            "deviation": manifest.get(case.name, {}).get("deviation", {}),
        }
        print(f"{case.name}: {len(text)} bytes")
    known = {case.name for case in family_cases.CASES}
    manifest = {name: row for name, row in sorted(manifest.items()) if name in known}
    path.write_text(json.dumps(manifest, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()
