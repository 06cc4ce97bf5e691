"""Whole tiny models that differ from Llama in one feature each: weights, logits, loss, gradients
and maps.

SmolLM3 (no rotation in chosen layers), Qwen3 (normalised queries and keys, windows in chosen
layers), and Llama with the attention function of gpt-oss (sinks) or of Gemma 2 (softcap).
"""

import torch
import transformers
from transformers import AttentionInterface
from transformers.models.gemma2 import modeling_gemma2
from transformers.models.gpt_oss import modeling_gpt_oss

import plain_model
from double_precision import everything_double
from fixture_file import array, arrays, dyadic, write
from make_models import ROPE, TOLERANCE, random_batch

SOFTCAP, FINAL_SOFTCAP = 2.0, 5.0
NOPE = {"id": "nope", "options": {}}


def sizes(count, **more):
    return {
        "model_type": "whereformer",
        "vocab_size": 19,
        "hidden_size": 8,
        "num_hidden_layers": count,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "head_dim": 4,
        "intermediate_size": 12,
        "rms_norm_eps": 1e-5,
        "is_causal": True,
        "tie_word_embeddings": True,
        **more,
    }


def shared(config):
    """Arguments for every configuration class of transformers."""
    keys = ("vocab_size", "hidden_size", "num_hidden_layers", "num_attention_heads",
            "num_key_value_heads", "head_dim", "intermediate_size", "rms_norm_eps",
            "tie_word_embeddings")
    return {
        **{key: config[key] for key in keys},
        "rope_parameters": {"rope_type": "default", "rope_theta": 10000.0},
        "attention_bias": False, "max_position_embeddings": 64,
        "pad_token_id": None, "bos_token_id": None, "eos_token_id": None,
    }


def smollm3():
    config = sizes(2, layer_types=["turned", "plain"],
                   layers={"turned": {"schemes": [ROPE]}, "plain": {"schemes": [NOPE]}})
    return config, lambda: transformers.SmolLM3ForCausalLM(transformers.SmolLM3Config(
        **shared(config), no_rope_layers=[1, 0], mlp_bias=False, attn_implementation="eager"))


def qwen3():
    near = {"schemes": [ROPE], "sliding_window": 3, "query_key_norm": "weighted"}
    far = {"schemes": [ROPE], "query_key_norm": "weighted"}
    config = sizes(2, layer_types=["near", "far"], layers={"near": near, "far": far})
    return config, lambda: transformers.Qwen3ForCausalLM(transformers.Qwen3Config(
        **shared(config), use_sliding_window=True, sliding_window=3,
        layer_types=["sliding_attention", "full_attention"], attn_implementation="eager"))


def llama(config, attention):
    return transformers.LlamaForCausalLM(transformers.LlamaConfig(
        **shared(config), mlp_bias=False, attn_implementation=attention))


def sinks():
    config = sizes(1, schemes=[ROPE], attention_sinks=True)
    # Called like eager attention; it reads module.sinks.
    AttentionInterface.register("with_sinks", modeling_gpt_oss.eager_attention_forward)

    def make():
        model = llama(config, "with_sinks")
        for layer in model.model.layers:
            layer.self_attn.sinks = torch.nn.Parameter(torch.zeros(config["num_attention_heads"]))
        return model

    return config, make


def softcap():
    config = sizes(1, schemes=[ROPE], attn_logit_softcapping=SOFTCAP,
                   final_logit_softcapping=FINAL_SOFTCAP)

    def capped(*arguments, **options):
        return modeling_gemma2.eager_attention_forward(*arguments, **options, softcap=SOFTCAP)

    AttentionInterface.register("with_softcap", capped)
    return config, lambda: llama(config, "with_softcap")


def mask_of(length):
    """An additive causal mask: transformers makes none for attention functions that are registered
    here.
    """
    late = torch.ones(length, length, dtype=torch.bool).triu(1)
    return torch.zeros(1, 1, length, length).masked_fill(late, torch.finfo(torch.float64).min)


def filled(model, generator):
    parameters = {}
    for name, parameter in model.named_parameters():
        value = torch.randn(parameter.shape, generator=generator, dtype=torch.float64)
        is_norm = name.endswith("norm.weight")
        parameters[name] = dyadic(1 + 0.2 * value if is_norm else 0.5 * value)
        parameter.data.copy_(parameters[name])
    return parameters


def run(model, config, ids, labels):
    needs_mask = model.config._attn_implementation != "eager"
    mask = {"attention_mask": mask_of(ids.shape[1])} if needs_mask else {}
    result = model(input_ids=ids, output_attentions=True, use_cache=False, **mask)
    cap = config.get("final_logit_softcapping")
    logits = cap * torch.tanh(result.logits / cap) if cap else result.logits
    loss = plain_model.mean_loss(logits, labels)
    loss.backward()
    gradients = {name: value.grad for name, value in model.named_parameters()}
    return logits, loss, gradients, torch.stack(result.attentions)


def main():
    cases = (
        ("model_smollm3.json", 24, "transformers SmolLM3ForCausalLM, eager", smollm3),
        ("model_qwen3.json", 25, "transformers Qwen3ForCausalLM, eager", qwen3),
        ("model_sinks.json", 26,
         "transformers LlamaForCausalLM with gpt-oss's eager attention", sinks),
        ("model_softcap.json", 27,
         "transformers LlamaForCausalLM with Gemma 2's eager attention", softcap),
    )
    for name, seed, source, case in cases:
        generator = torch.Generator().manual_seed(seed)
        with everything_double():
            config, make = case()
            model = make().double().train()
            parameters = filled(model, generator)
            ids, labels = random_batch(config, generator)
            logits, loss, gradients, maps = run(model, config, ids, labels)
        content = {
            "config": config,
            "weights": arrays(parameters),
            "inputIds": array(ids),
            "labels": array(labels),
            "logits": array(logits),
            "loss": loss.item(),
            "gradients": arrays(gradients),
            "attention": array(maps),
        }
        write(name, content, generator="make_model_variants.py", source=source, seed=seed,
              cls=type(model).__module__ + "." + type(model).__name__,
              tolerance=TOLERANCE)


if __name__ == "__main__":
    main()
