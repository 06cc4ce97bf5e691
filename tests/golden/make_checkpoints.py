"""Results of Transformers for the configs of well-known checkpoints: checkpoints/small.json.

checkpoints/configs.json has config.json of each family's best-known checkpoints, with all their
keys. Each is made small here, with fewer layers, heads and tokens, and otherwise unchanged. The
file has the changes, the tensors, whose weights are computed from their names (`made_weights`),
and some numbers of the last token.

    python3 tests/golden/make_checkpoints.py [NAME ...]
"""

import copy
import json
import sys
import warnings

import torch
import transformers

from double_precision import everything_double
from family_case import begin_empty, count_alibi_once, set_eager, untie
from fixture_file import (FOLDER, TORCH, TRANSFORMERS, TRANSFORMERS_4, TRANSFORMERS_LATER,
                          require_versions)
from make_families import stored_tensors
from make_family_absences import grouped, made_weights, some
from make_family_changes import last_row

IDS = [3, 17, 5, 28, 9, 11, 30, 4, 22, 8, 15]
DECODER_IDS = [0, 6, 13, 21, 7]
VOCABULARY = 40
TEXTS_OF_TWO = {"t5", "mt5", "bart", "marian"}
ENCODERS = {"bert", "roberta", "xlm-roberta", "camembert", "electra", "mpnet", "modernbert",
            "deberta-v2", "xlnet", "distilbert", "eurobert", "jina_embeddings_v3",
            "modernbert-decoder", "nomic_bert", "xlm-roberta-xl", "gte", "clip_text_model",
            "siglip_text_model", "siglip2_text_model", "albert"}
WITHOUT_AUTO = {"siglip_text_model": transformers.SiglipTextModel,
                "siglip2_text_model": transformers.Siglip2TextModel}
LAYERS = {"cohere2": 4, "smollm3": 4, "modernbert": 4, "gemma3_text": 6, "gpt_neo": 4,
          "exaone4": 4, "olmo3": 4, "modernbert-decoder": 4, "granite_swa": 4,
          "lfm2": 4, "llama4_text": 4, "qwen3_next": 4, "qwen3_5_text": 4}
# Families with learned tables or sinusoids.
COUNTED = {*ENCODERS, "gpt2", "gpt_bigcode", "gpt_neo", "opt", "bart",
           "marian"} - {"modernbert", "xlnet", "deberta-v2", "eurobert", "jina_embeddings_v3",
                        "modernbert-decoder", "nomic_bert", "gte"}
FIXED = {
    "t5": {"d_model": 24, "d_kv": 16, "num_heads": 2, "d_ff": 32},
    "transfo-xl": {"d_model": 64, "d_embed": 64, "d_head": 16, "n_head": 2, "d_inner": 32,
                   "cutoffs": [10, 20, 30]},
    "youtu": {"hidden_size": 48, "q_lora_rank": 24, "kv_lora_rank": 16, "num_attention_heads": 2,
              "num_key_value_heads": 2},
}
FIXED["mt5"] = FIXED["t5"]


def first(config, *keys):
    return next((key for key in keys if config.get(key) is not None), None)


def heads_of(config):
    """Returns smaller numbers of heads and of key heads, and the width that follows."""
    heads = first(config, "num_attention_heads", "n_head", "n_heads", "num_heads",
                  "encoder_attention_heads")
    keys = first(config, "num_key_value_heads", "num_kv_heads")
    width = first(config, "hidden_size", "n_embd", "n_embed", "d_model", "dim")
    count, kept = config[heads], config[keys] if keys else config[heads]
    new = 4 if 1 < kept < count else 2
    changes = {heads: new}
    if keys:
        changes[keys] = {1: 1, count: new}.get(kept, 2)
    if "decoder_attention_heads" in config:
        changes["decoder_attention_heads"] = new
    has_own = "head_dim" in config and config["model_type"] not in (
        "mistral", "cohere2", "llama", "helium", "nomic_bert", "eurobert")
    changes[width] = 64 if has_own else new * (config[width] // count)
    if "mamba_n_heads" in config:
        changes.update({"mamba_n_heads": 4, "mamba_d_head": changes[width] // 2})
    if "word_embed_proj_dim" in config:
        is_narrow = config["word_embed_proj_dim"] < config[width]
        changes["word_embed_proj_dim"] = changes[width] // (2 if is_narrow else 1)
    if "embedding_size" in config:
        is_narrow = config["embedding_size"] < config[width]
        changes["embedding_size"] = changes[width] // (2 if is_narrow else 1)
    return changes


def small(config):
    """Returns the changes of a config."""
    family = config["model_type"]
    layers = LAYERS.get(family, 2)
    changes = dict(FIXED[family]) if family in FIXED else heads_of(config)
    for key in ("num_hidden_layers", "n_layer", "n_layers", "num_layers", "encoder_layers",
                "decoder_layers", "num_decoder_layers"):
        if key in config:
            changes[key] = layers
    for key in ("intermediate_size", "ffn_dim", "hidden_dim", "d_inner", "encoder_ffn_dim",
                "decoder_ffn_dim", "shared_intermediate_size", "moe_intermediate_size",
                "shared_expert_intermediate_size", "block_ff_dim", "intermediate_size_mlp"):
        if config.get(key):
            changes[key] = 32
    for key in ("num_experts", "num_local_experts"):
        if config.get(key):
            changes.update({key: 6, "num_experts_per_tok": 2})
    for key in ("layer_types", "no_rope_layers", "attention_layers", "layer_rope_theta"):
        if key in config:
            kept, every = config[key][:layers], config[key]
            # With a layer of each type.
            missing = [kind for kind in every if kind not in kept]
            changes[key] = [*kept[:-1], missing[0]] if missing and key == "layer_types" else kept
    if config.get("attn_layer_indices"):
        changes["attn_layer_indices"] = [1]
    if "linear_num_key_heads" in config:
        group = config["linear_num_value_heads"] // config["linear_num_key_heads"]
        changes.update({"linear_num_key_heads": 2, "linear_num_value_heads": 2 * group,
                        "linear_key_head_dim": 16, "linear_value_head_dim": 16})
    if "moe_layers" in config:
        changes["moe_layers"] = [layer for layer in config["moe_layers"] if layer < layers]
    if "attention_types" in config:
        changes["attention_types"] = [[["global", "local"], layers // 2]]
    for key in ("vocab_size", "decoder_vocab_size"):
        if key in config:
            changes[key] = VOCABULARY
    for key in ("max_position_embeddings", "n_positions"):
        if key in config and family in COUNTED:
            changes[key] = 34
    for key in ("sliding_window", "window_size", "local_attention", "attention_chunk_size",
                "floor_scale"):
        if config.get(key):
            changes[key] = 4
    for key in ("pad_token_id", "decoder_start_token_id"):
        if (config.get(key) or 0) >= VOCABULARY:
            changes[key] = 0
    return changes


def made(config):
    family = config["model_type"]
    read = transformers.AutoConfig.for_model(**copy.deepcopy(config))
    set_eager(read)
    kind = (transformers.AutoModelForSeq2SeqLM if family in TEXTS_OF_TWO else
            transformers.AutoModel if family in ENCODERS else transformers.AutoModelForCausalLM)
    if family in WITHOUT_AUTO:
        model = WITHOUT_AUTO[family](read)
    else:
        model = kind.from_config(read, attn_implementation="eager")
    model = model.double().eval()
    if family in ("t5", "mt5") and config.get("tie_word_embeddings") is False:
        untie(model)
    if family == "falcon":
        count_alibi_once(model)
    if family == "transfo-xl":
        begin_empty(model)
    return model


def result_of(config):
    changes = small(config)
    with everything_double(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = made({**config, **changes})
        own = dict(stored_tensors(model))
        # Base models store their tensors without a prefix.
        for name, parameter in own.items():
            parameter.data.copy_(made_weights(name, list(parameter.shape)))
        texts = {"input_ids": torch.tensor([IDS])}
        if config["model_type"] in TEXTS_OF_TWO:
            texts["decoder_input_ids"] = torch.tensor([DECODER_IDS])
        row = last_row(model, texts)
    assert torch.isfinite(row).all()
    return {"class": type(model).__name__, "changes": changes,
            "tensors": grouped({name: list(value.shape) for name, value in own.items()}),
            "row": some(row)}


def main():
    require_versions(TRANSFORMERS, TRANSFORMERS_4, TRANSFORMERS_LATER)
    transformers.logging.set_verbosity_error()
    folder = FOLDER / "checkpoints"
    configs = json.loads((folder / "configs.json").read_text("utf-8"))["configs"]
    path = folder / "small.json"
    before = json.loads(path.read_text("utf-8"))["results"] if path.exists() else {}
    results = {}
    for name, config in configs.items():
        package = f"transformers {transformers.__version__}"
        # A result is made again with its version only.
        chosen = sys.argv[1:] or [name]
        if before.get(name, {}).get("package", package) == package and name in chosen:
            results[name] = {"package": package, **result_of(config)}
            print(name, flush=True)
        else:
            results[name] = before[name]
    content = {"torch": TORCH, "ids": IDS, "decoderIds": DECODER_IDS, "results": results}
    text = json.dumps(content, separators=(",", ":"), allow_nan=False)
    path.write_text(text + "\n", "utf-8")
    print(len(text), "bytes")


if __name__ == "__main__":
    main()
