"""Reads what the configuration classes of Transformers say about positions, by default.

Needs transformers==5.24.0 and torch, in an environment of its own:
    python docs/models/read_config_classes.py
Writes classes.json beside this file: for each model_type of models.json the defaults of its class,
and which parts of attention its modelling code has. The numbers are those of the class, which are
those of the checkpoint that it was written for; other checkpoints of the family may differ.
"""

import inspect
import json
import pathlib
import re
from collections import Counter

import transformers
from transformers.models.auto.configuration_auto import CONFIG_MAPPING

HERE = pathlib.Path(__file__).parent
VERSION = "5.24.0"
SOURCE = f"https://github.com/huggingface/transformers/blob/v{VERSION}/src/transformers/"

# Parts of attention, by the names that they have in the modelling code.
PARTS = {
    "qkNorm": r"self\.(?:q_norm|qk_norm|q_layernorm|query_layernorm|q_ln|query_norm)\b",
    "sinks": r"\b(?:self\.sinks|sink_proj)\b",
}
# Flags that turn the norm of queries and keys off.
NORM_FLAGS = ("use_qk_norm", "qk_layernorm")


def plain_rope(parameters):
    """The rotary parameters without those that only repeat a default."""
    if not parameters:
        return None
    names = ("rope_type", "type", "rope_theta", "factor", "partial_rotary_factor",
             "original_max_position_embeddings", "low_freq_factor", "high_freq_factor",
             "mrope_section", "mrope_interleaved", "llama_4_scaling_beta", "attention_factor",
             "mscale", "mscale_all_dim", "truncate")
    kept = {name: parameters[name] for name in names if parameters.get(name) is not None}
    if "type" in kept:
        kept.setdefault("rope_type", kept["type"])
        del kept["type"]
    return kept


def rope_of(config):
    parameters = getattr(config, "rope_parameters", None)
    if not parameters:
        return None
    if any(isinstance(value, dict) for value in parameters.values()):
        return {name: plain_rope(value) for name, value in parameters.items() if value}
    return plain_rope(parameters)


def period_of(kinds):
    """The shortest list of kinds whose repetition gives all layers, if there is one."""
    for length in range(1, len(kinds) // 2 + 1):
        if all(kind == kinds[index % length] for index, kind in enumerate(kinds)):
            return kinds[:length]
    return None


def layers_of(config):
    kinds = getattr(config, "layer_types", None)
    if not kinds:
        return None
    return {"counts": dict(Counter(kinds)), "period": period_of(list(kinds))}


def number(config, *names):
    for name in names:
        try:
            value = getattr(config, name, None)
        except Exception:  # Some classes refuse sizes that differ between layers.
            continue
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return value
    return None


def modelling_code(config_class):
    """The text of the modelling file beside a configuration class."""
    path = pathlib.Path(inspect.getfile(config_class))
    code = path.with_name(path.name.replace("configuration_", "modeling_"))
    return code.read_text() if code.exists() else ""


def facts_of(model_type):
    whole = CONFIG_MAPPING[model_type]()
    config = whole.get_text_config(decoder=True)
    code = modelling_code(type(whole))
    path = pathlib.Path(inspect.getfile(type(whole)))
    text = path.read_text()
    year = re.search(r"Copyright (20\d\d)", text[:400])
    no_rope = getattr(config, "no_rope_layers", None)
    layers = number(config, "num_hidden_layers", "n_layer", "n_layers", "num_layers",
                    "encoder_layers")
    heads = number(config, "num_attention_heads", "n_head", "n_heads", "num_heads",
                   "encoder_attention_heads")
    width = number(config, "hidden_size", "n_embd", "d_model")
    facts = {
        "file": "/".join(path.parts[-3:]),
        "licenceYear": int(year[1]) if year else None,
        "layers": layers,
        "heads": heads,
        "keyHeads": number(config, "num_key_value_heads"),
        "headDim": number(config, "head_dim", "d_kv")
        or (width // heads if width and heads and not isinstance(heads, list) else None),
        "maxPositions": number(config, "max_position_embeddings", "n_positions", "max_seq_len",
                               "n_ctx"),
        "rope": rope_of(config),
        "window": number(config, "sliding_window", "attention_chunk_size", "window_size"),
        "usesWindow": getattr(config, "use_sliding_window", None),
        "layerTypes": layers_of(config),
        "noRopeLayers": [i for i, uses in enumerate(no_rope) if not uses] if no_rope else None,
        "rotaryDim": number(config, "rotary_dim", "qk_rope_head_dim"),
        "buckets": number(config, "relative_attention_num_buckets", "position_buckets"),
        "alibi": getattr(config, "alibi", None),
        "thetaByLayer": theta_by_layer(config),
        "softcap": getattr(config, "attn_logit_softcapping", None),
        # Whether the class has a base of its own; otherwise it is the library's, 10,000.
        "setsTheta": bool(re.search(r"default_theta = |rope_theta\W+[\d_.]+", text)),
        "parts": [name for name, pattern in PARTS.items() if re.search(pattern, code)],
    }
    if any(getattr(config, flag, None) is False for flag in NORM_FLAGS):
        facts["parts"] = [name for name in facts["parts"] if name != "qkNorm"]
    return {key: value for key, value in facts.items() if value is not None and value != []}


def theta_by_layer(config):
    """Bases of the layers, where a class has one for each; 0 is a layer without rotation."""
    for name in ("layer_rope_theta", "rope_thetas", "layer_rope_thetas"):
        thetas = getattr(config, name, None)
        if isinstance(thetas, (list, tuple)):
            return dict(Counter(str(theta) for theta in thetas))
    return None


def main():
    if transformers.__version__ != VERSION:
        raise SystemExit(f"transformers: {transformers.__version__} (expected {VERSION})")
    models = json.loads((HERE / "models.json").read_text())
    types = sorted({model["type"] for model in models})
    classes = {model_type: facts_of(model_type) for model_type in types}
    whole = {"transformers": VERSION, "source": SOURCE, "classes": classes}
    text = json.dumps(whole, indent=1)
    (HERE / "classes.json").write_text(text + "\n")
    print(f"{len(classes)} classes")


if __name__ == "__main__":
    main()
