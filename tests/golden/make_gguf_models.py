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
                          Gemma3TextConfig, GemmaConfig, GPT2Config, LlamaConfig, Qwen2Config,
                          Qwen3Config)

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
}


UNREAD = ("gemma", "gemma3", "bert")


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
        if arch == "llama" and ("q_proj" in name or "k_proj" in name):
            is_query = "q_proj" in name
            value = paired(value, config.num_attention_heads if is_query
                           else config.num_key_value_heads)
        if arch.startswith("gemma") and "norm" in name:
            value = value + 1
        if arch == "gpt2" and name.endswith("weight") and ("c_" in name):
            value = value.T
        yield gguf_name(name, layer_names), np.ascontiguousarray(value)
    if (getattr(config, "rope_parameters", None) or {}).get("rope_type") == "llama3":
        yield "rope_freqs.weight", rope_freqs(config)


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
        writer.add_head_count_kv(config.num_key_value_heads)
        writer.add_layer_norm_rms_eps(config.rms_norm_eps)
        rope = config.rope_parameters
        writer.add_rope_freq_base(rope.get("full_attention", rope)["rope_theta"])
        if getattr(config, "head_dim", None):
            writer.add_key_length(config.head_dim)
            writer.add_value_length(config.head_dim)
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
        if value.ndim < 2:
            writer.add_tensor(name, value.astype(np.float32))
            continue
        writer.add_tensor(name, gguf.quants.quantize(value.astype(np.float32), kind),
                          raw_dtype=kind)
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


def as_written(model, kind):
    """Returns the model with its matrices quantised to blocks of this kind."""
    for parameter in model.parameters():
        if parameter.dim() > 1:
            blocks = gguf.quants.quantize(parameter.detach().numpy(), kind)
            parameter.data.copy_(torch.from_numpy(gguf.quants.dequantize(blocks, kind)))
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
            read = as_written(model, kind)
        else:
            # Passes a config if Transformers' reader does not read a key.
            read = AutoModelForCausalLM.from_pretrained(
                folder, gguf_file=f"{name}.gguf", config=config, dtype=torch.float32).eval()
    read.config._attn_implementation = "eager"
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
    seeds = (300, 301, 302, 303, 304, 306, 307, 305, 308, 309, 310)
    for name, seed in zip(CASES, seeds, strict=True):
        if not sys.argv[1:] or name in sys.argv[1:]:
            run(name, seed)


if __name__ == "__main__":
    main()
