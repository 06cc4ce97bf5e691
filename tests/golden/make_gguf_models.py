"""Tiny random models as GGUF files, and Transformers' results for them.

The files are written as by llama.cpp's converter (its rules for names, for the rows of Llama's
queries and keys, for Gemma's norms); the reference is Transformers' own GGUF reader, which
reverses these changes. Weights are quantised, so both read the same blocks. For files that this
reader does not support, the original model is computed with the weights of the blocks.

    pip install torch==2.13.0 transformers gguf==0.19.0 accelerate
    python3 tests/golden/make_gguf_models.py
"""

import base64
import json
import re
import sys
import tempfile

import gguf
import numpy as np
import torch
import transformers
from transformers import (AutoModelForCausalLM, BertConfig, BertModel, Gemma2Config,
                          Gemma3TextConfig, GemmaConfig, GPT2Config, GptOssConfig,
                          GraniteMoeConfig, Lfm2Config, LlamaConfig, MixtralConfig, OlmoeConfig,
                          Qwen2Config, Qwen2MoeConfig, Qwen3Config, Qwen3MoeConfig)

from fixture_file import FOLDER, TORCH, array

LENGTH = 9
WIDE = dict(vocab_size=48, hidden_size=64, intermediate_size=96, num_hidden_layers=2,
            num_attention_heads=4, num_key_value_heads=2, max_position_embeddings=64,
            rope_theta=5000.0, attn_implementation="eager")
SMALL = {**WIDE, "hidden_size": 36, "intermediate_size": 50}

LAYER = {"self_attn.q_proj": "attn_q", "self_attn.k_proj": "attn_k", "self_attn.v_proj": "attn_v",
         "self_attn.o_proj": "attn_output", "self_attn.q_norm": "attn_q_norm",
         "self_attn.k_norm": "attn_k_norm", "mlp.gate_proj": "ffn_gate", "mlp.up_proj": "ffn_up",
         "mlp.down_proj": "ffn_down", "input_layernorm": "attn_norm"}
SERIAL = {**LAYER, "post_attention_layernorm": "ffn_norm"}
AROUND = {**LAYER, "post_attention_layernorm": "post_attention_norm",
          "pre_feedforward_layernorm": "ffn_norm", "post_feedforward_layernorm": "post_ffw_norm"}
GPT2 = {"ln_1": "attn_norm", "attn.c_attn": "attn_qkv", "attn.c_proj": "attn_output",
        "ln_2": "ffn_norm", "mlp.c_fc": "ffn_up", "mlp.c_proj": "ffn_down"}
BERT = {"attention.self.query": "attn_q", "attention.self.key": "attn_k",
        "attention.self.value": "attn_v", "attention.output.dense": "attn_output",
        "attention.output.LayerNorm": "attn_output_norm", "intermediate.dense": "ffn_up",
        "output.dense": "ffn_down", "output.LayerNorm": "layer_output_norm"}
ENDS = {"embeddings.word_embeddings": "token_embd",
        "embeddings.position_embeddings": "position_embd",
        "embeddings.token_type_embeddings": "token_types",
        "embeddings.LayerNorm": "token_embd_norm",
        "model.embed_tokens": "token_embd", "model.norm": "output_norm", "lm_head": "output",
        "transformer.wte": "token_embd", "transformer.wpe": "position_embd",
        "transformer.ln_f": "output_norm"}

Q = gguf.GGMLQuantizationType
T = gguf.MODEL_TENSOR
# Names of the package itself, which newer cases use.
OWN = None
# Without a name in the package: all experts of a matrix are in one tensor.
EXPERTS = {"gate_up_proj": (T.FFN_GATE_EXP, T.FFN_UP_EXP), "down_proj": (T.FFN_DOWN_EXP,)}
MOE = {**WIDE, "intermediate_size": 32}
CASES = {
    "llama": ("llama", LlamaConfig(**WIDE, head_dim=16, tie_word_embeddings=True), SERIAL,
                   Q.Q4_1),
    "llama3": ("llama", LlamaConfig(
        **{**WIDE, "rope_theta": 1e6, "max_position_embeddings": 32768}, tie_word_embeddings=False,
        rope_scaling={"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0,
                      "high_freq_factor": 4.0, "original_max_position_embeddings": 8192}), SERIAL,
                    Q.Q8_0),
    "qwen2": ("qwen2", Qwen2Config(**WIDE, tie_word_embeddings=False), SERIAL, Q.Q5_1),
    "qwen3": ("qwen3", Qwen3Config(**WIDE, head_dim=32, tie_word_embeddings=True), SERIAL,
                   Q.Q5_0),
    "gemma2": ("gemma2", Gemma2Config(
        **WIDE, head_dim=32, query_pre_attn_scalar=32, sliding_window=4, pad_token_id=0),
                    AROUND, Q.Q4_0),
    "gemma": ("gemma", GemmaConfig(**WIDE, head_dim=32, pad_token_id=0), SERIAL, Q.Q4_0),
    "gemma3": ("gemma3", Gemma3TextConfig(
        **{**WIDE, "num_hidden_layers": 6, "hidden_size": 32, "intermediate_size": 32},
        head_dim=32, query_pre_attn_scalar=32, sliding_window=4, pad_token_id=0), AROUND, Q.Q8_0),
    "gpt2": ("gpt2", GPT2Config(vocab_size=48, n_embd=64, n_layer=2, n_head=4, n_positions=32,
                                     attn_implementation="eager"), GPT2, Q.Q8_0),
    "bert": ("bert", BertConfig(
        vocab_size=48, hidden_size=64, intermediate_size=96, num_hidden_layers=2,
        num_attention_heads=4, max_position_embeddings=32, attn_implementation="eager"), BERT,
             Q.Q8_0),
    "llama_f16": ("llama", LlamaConfig(**SMALL, head_dim=8, tie_word_embeddings=True), SERIAL,
                  Q.F16),
    "qwen3_bf16": ("qwen3", Qwen3Config(**SMALL, head_dim=8, tie_word_embeddings=False), SERIAL,
                   Q.BF16),
    "qwen2moe": ("qwen2moe", Qwen2MoeConfig(
        **WIDE, num_experts=4, num_experts_per_tok=2, moe_intermediate_size=32,
        shared_expert_intermediate_size=96), OWN, Q.Q8_0),
    "qwen3moe": ("qwen3moe", Qwen3MoeConfig(
        **WIDE, head_dim=32, num_experts=4, num_experts_per_tok=2, moe_intermediate_size=32,
        norm_topk_prob=True, tie_word_embeddings=True), OWN, Q.Q5_0),
    "olmoe": ("olmoe", OlmoeConfig(**MOE, num_experts=4, num_experts_per_tok=2), OWN, Q.Q4_0),
    "mixtral": ("llama", MixtralConfig(
        **MOE, num_local_experts=4, num_experts_per_tok=2, sliding_window=None), OWN, Q.Q4_1),
    "granitemoe": ("granitemoe", GraniteMoeConfig(
        **MOE, num_local_experts=4, num_experts_per_tok=2, embedding_multiplier=3.0,
        attention_multiplier=0.25, residual_multiplier=0.5, logits_scaling=2.0,
        tie_word_embeddings=True), OWN, Q.Q8_0),
    "gpt_oss": ("gpt-oss", GptOssConfig(
        **{**MOE, "rope_theta": None}, head_dim=16, num_local_experts=4, num_experts_per_tok=2,
        sliding_window=4, rope_parameters={
            "rope_type": "yarn", "rope_theta": 5000.0, "factor": 4.0, "beta_fast": 32.0,
            "beta_slow": 1.0, "truncate": False, "original_max_position_embeddings": 16}),
        OWN, Q.MXFP4),
    "lfm2": ("lfm2", Lfm2Config(
        **WIDE, layer_types=["conv", "full_attention"], block_auto_adjust_ff_dim=False), OWN,
        Q.Q8_0),
}


# Transformers' reader of gpt-oss looks for other names than the package's.
UNREAD = ("gemma", "gemma3", "bert", "olmoe", "mixtral", "granitemoe", "gpt_oss")


def own_name(arch, name):
    known = next(key for key, value in gguf.MODEL_ARCH_NAMES.items() if value == arch)
    found = gguf.get_tensor_name_map(known, 64).get_name(name, try_suffixes=(".weight", ".bias"))
    layer = re.search(r"\.(\d+)\.", name)
    if found is None and name.endswith(".router.weight"):
        found = gguf.TENSOR_NAMES[T.FFN_GATE_INP].format(bid=layer.group(1)) + ".weight"
    # llama.cpp's converter adds the missing end.
    return found if found.endswith((".weight", ".bias")) else f"{found}.weight"


def of_experts(arch, name, value):
    """The tensors of all experts, [expert, row, column], of those of the class."""
    layer, part = re.search(r"\.(\d+)\..*\.experts\.(\w+)$", name).groups()
    kind = "bias" if part.endswith("_bias") else "weight"
    rows = value
    if arch == "gpt-oss" and kind == "weight":
        rows = value.swapaxes(1, 2)
    targets = EXPERTS[part.removesuffix("_bias")]
    count = rows.shape[1] // len(targets)
    for i, target in enumerate(targets):
        mine = rows[:, i::2] if arch == "gpt-oss" and len(targets) == 2 else \
            rows[:, i * count:(i + 1) * count]
        yield f"{gguf.TENSOR_NAMES[target].format(bid=layer)}.{kind}", mine


def gguf_name(name, layer_names):
    stem, kind = name.rsplit(".", 1)
    if stem in ENDS:
        return f"{ENDS[stem]}.{kind}"
    layer, rest = re.search(r"\.(\d+)\.(.+)", stem).groups()
    return f"blk.{layer}.{layer_names[rest]}.{kind}"


def paired(value, heads):
    """Reorders rows like llama.cpp's converter: channels of a rotated pair become adjacent."""
    rest = value.shape[1:]
    return value.reshape(heads, 2, -1, *rest).swapaxes(1, 2).reshape(-1, *rest)


def rope_freqs(config):
    rope = config.rope_parameters
    count = config.hidden_size // config.num_attention_heads // 2
    base = rope["rope_theta"]
    inverse = base ** (-np.arange(count, dtype=np.float64) / count)
    scaled, _ = transformers.modeling_rope_utils.ROPE_INIT_FUNCTIONS["llama3"](config, "cpu")
    return (inverse / scaled.numpy().astype(np.float64)).astype(np.float32)


def tensors_of(arch, model, layer_names):
    config = model.config
    for name, parameter in model.named_parameters():
        value = parameter.detach().numpy()
        if ".experts." in name:
            for named, rows in of_experts(arch, name, value):
                yield named, np.ascontiguousarray(rows)
            continue
        if arch in ("llama", "granitemoe") and ("q_proj" in name or "k_proj" in name):
            is_query = "q_proj" in name
            value = paired(value, config.num_attention_heads if is_query
                           else config.num_key_value_heads)
        if arch.startswith("gemma") and "norm" in name:
            value = value + 1
        if arch == "gpt2" and name.endswith("weight") and ("c_" in name):
            value = value.T
        if name.endswith(("conv.conv.weight", "shared_expert_gate.weight")):
            value = value.squeeze()
        yield (gguf_name(name, layer_names) if layer_names else own_name(arch, name),
               np.ascontiguousarray(value))
    if (getattr(config, "rope_parameters", None) or {}).get("rope_type") == "llama3":
        yield "rope_freqs.weight", rope_freqs(config)


def write_expert_keys(writer, arch, config):
    writer.add_expert_count(config.num_local_experts if hasattr(config, "num_local_experts")
                            else config.num_experts)
    writer.add_expert_used_count(config.num_experts_per_tok)
    if arch.startswith("qwen"):
        writer.add_expert_feed_forward_length(config.moe_intermediate_size)
    if arch == "qwen2moe":
        writer.add_expert_shared_feed_forward_length(config.shared_expert_intermediate_size)
    if arch == "granitemoe":
        writer.add_embedding_scale(config.embedding_multiplier)
        writer.add_attention_scale(config.attention_multiplier)
        writer.add_residual_scale(config.residual_multiplier)
        writer.add_logit_scale(config.logits_scaling)
    if arch == "gpt-oss":
        rope = config.rope_parameters
        writer.add_expert_feed_forward_length(config.intermediate_size)
        writer.add_sliding_window(config.sliding_window)
        writer.add_rope_scaling_type(gguf.RopeScalingType.YARN)
        writer.add_rope_scaling_factor(rope["factor"])
        writer.add_rope_scaling_orig_ctx_len(rope["original_max_position_embeddings"])


def write_file(path, arch, model, layer_names, kind):
    config = model.config
    writer = gguf.GGUFWriter(path, arch)
    writer.add_context_length(config.max_position_embeddings)
    writer.add_embedding_length(config.hidden_size)
    writer.add_block_count(config.num_hidden_layers)
    writer.add_head_count(config.num_attention_heads)
    writer.add_feed_forward_length(getattr(config, "intermediate_size", None) or
                                   4 * config.hidden_size)
    if arch == "gpt2":
        writer.add_layer_norm_eps(config.layer_norm_epsilon)
    elif arch == "bert":
        writer.add_layer_norm_eps(config.layer_norm_eps)
        writer.add_token_type_count(config.type_vocab_size)
        writer.add_causal_attention(False)
    else:
        types = config.layer_types if arch == "lfm2" else None
        writer.add_head_count_kv([config.num_key_value_heads if one == "full_attention" else 0
                                  for one in types] if types else config.num_key_value_heads)
        writer.add_layer_norm_rms_eps(config.norm_eps if types else config.rms_norm_eps)
        rope = config.rope_parameters
        writer.add_rope_freq_base(rope.get("full_attention", rope)["rope_theta"])
        if getattr(config, "head_dim", None):
            writer.add_key_length(config.head_dim)
            writer.add_value_length(config.head_dim)
    if "experts" in "".join(name for name, _ in model.named_parameters()):
        write_expert_keys(writer, arch, config)
    if arch == "lfm2":
        writer.add_shortconv_l_cache(config.conv_L_cache)
    if arch == "gemma3":
        writer.add_sliding_window(config.sliding_window)
    if arch == "gemma2":
        writer.add_attn_logit_softcapping(config.attn_logit_softcapping)
        writer.add_final_logit_softcapping(config.final_logit_softcapping)
        writer.add_sliding_window(config.sliding_window)
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("gpt-2")
    tokens = [chr(33 + i) for i in range(config.vocab_size)]
    writer.add_token_list(tokens)
    writer.add_token_types([1] * len(tokens))
    writer.add_token_merges(["! \"", "# $"])
    for name, value in tensors_of(arch, model, layer_names):
        type_ = type_of(name, value, kind)
        if type_ is Q.F32:
            writer.add_tensor(name, value.astype(np.float32))
            continue
        writer.add_tensor(name, gguf.quants.quantize(value.astype(np.float32), type_),
                          raw_dtype=type_)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def fill(model, generator):
    for name, parameter in model.named_parameters():
        value = torch.randn(parameter.shape, generator=generator) * 0.3
        if parameter.dim() == 1 and name.endswith("weight") and not bool((parameter == 0).all()):
            value = value + 1
        parameter.data.copy_(value)


def type_of(name, value, kind):
    """As llama.cpp: vectors, routers and convolutions are in F32, and MXFP4 is for experts only."""
    if value.ndim < 2 or name.endswith(".bias") or "ffn_gate_inp" in name or "conv.conv" in name:
        return Q.F32
    return Q.Q8_0 if kind is Q.MXFP4 and "_exps" not in name else kind


def as_written(arch, model, kind):
    """Returns the model with its matrices quantised to blocks of this kind."""
    for name, parameter in model.named_parameters():
        value = parameter.detach()
        is_turned = arch == "gpt-oss" and value.dim() == 3
        rows = (value.swapaxes(1, 2) if is_turned else value).contiguous().numpy()
        if rows.ndim < 2 or name.endswith(("router.weight", "mlp.gate.weight", "_bias")):
            continue
        type_ = Q.Q8_0 if kind is Q.MXFP4 and rows.ndim == 2 else kind
        back = torch.from_numpy(gguf.quants.dequantize(gguf.quants.quantize(rows, type_), type_))
        parameter.data.copy_(back.swapaxes(1, 2) if is_turned else back)
    return model


def run(name, seed):
    arch, config, layer_names, kind = CASES[name]
    generator = torch.Generator().manual_seed(seed)
    model = (BertModel(config, add_pooling_layer=False) if arch == "bert"
             else AutoModelForCausalLM.from_config(config)).eval()
    fill(model, generator)
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/{name}.gguf"
        write_file(path, arch, model, layer_names, kind)
        with open(path, "rb") as file:
            data = file.read()
        if name in UNREAD:
            read = as_written(arch, model, kind)
        else:
            # Passes a config if Transformers' reader does not read a key.
            read = AutoModelForCausalLM.from_pretrained(
                folder, gguf_file=f"{name}.gguf", config=config, dtype=torch.float32).eval()
    read.config._attn_implementation = "eager"
    read.config._experts_implementation = "eager"  # works in double precision
    ids = torch.randint(3, config.vocab_size, (1, LENGTH), generator=generator)
    with torch.no_grad():
        result = read.double()(input_ids=ids)
    content = {"class": type(read).__name__, "seed": seed, "type": kind.name, "torch": TORCH,
               "package": f"transformers {transformers.__version__}, gguf 0.19.0",
               "tolerance": {"logits": 2e-4}, "ids": ids[0].tolist(),
               "output": "hidden" if arch == "bert" else "vocabularyLogits",
               "logits": array((result.last_hidden_state if arch == "bert"
                                else result.logits)[0].double()),
               "bytes": base64.b64encode(data).decode()}
    folder = FOLDER / "gguf"
    folder.mkdir(exist_ok=True)
    (folder / f"{name}.json").write_text(json.dumps(content, separators=(",", ":")) + "\n", "utf-8")


def main():
    # Explicit seeds, so that a case keeps its seed when others are added.
    seeds = (300, 301, 302, 303, 304, 306, 307, 305, 308, 309, 310, *range(311, 318))
    for name, seed in zip(CASES, seeds, strict=True):
        if not sys.argv[1:] or name in sys.argv[1:]:
            run(name, seed)


if __name__ == "__main__":
    main()
