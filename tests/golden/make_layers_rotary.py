"""Attention of the rotary families: pairing, partial rotation, norms, windows, sinks."""

import dataclasses
import math

from transformers import (Cohere2Config, CohereConfig, Gemma3TextConfig, GPTJConfig, GPTNeoXConfig,
                          GptOssConfig, Llama4TextConfig, ModernBertConfig, Phi3Config, PhiConfig,
                          Qwen2Config, Qwen3Config, SmolLM3Config, StableLmConfig)
from transformers.models.cohere.modeling_cohere import CohereAttention, CohereRotaryEmbedding
from transformers.models.cohere2.modeling_cohere2 import Cohere2Attention, Cohere2RotaryEmbedding
from transformers.models.gemma3.modeling_gemma3 import Gemma3Attention, Gemma3RotaryEmbedding
from transformers.models.gpt_neox.modeling_gpt_neox import GPTNeoXAttention, GPTNeoXRotaryEmbedding
from transformers.models.gpt_oss.modeling_gpt_oss import GptOssAttention, GptOssRotaryEmbedding
from transformers.models.gptj.modeling_gptj import GPTJAttention
from transformers.models.llama4.modeling_llama4 import (Llama4TextAttention,
                                                        Llama4TextRotaryEmbedding)
from transformers.models.modernbert.modeling_modernbert import (ModernBertAttention,
                                                                ModernBertRotaryEmbedding)
from transformers.models.phi.modeling_phi import PhiAttention, PhiRotaryEmbedding
from transformers.models.phi3.modeling_phi3 import Phi3Attention, Phi3RotaryEmbedding
from transformers.models.qwen2.modeling_qwen2 import Qwen2Attention, Qwen2RotaryEmbedding
from transformers.models.qwen3.modeling_qwen3 import Qwen3Attention, Qwen3RotaryEmbedding
from transformers.models.smollm3.modeling_smollm3 import SmolLM3Attention, SmolLM3RotaryEmbedding
from transformers.models.stablelm.modeling_stablelm import (StableLmAttention,
                                                            StableLmRotaryEmbedding)

from rotary_layer import Layer, per_head_norm, rms_norm, rotary_file

GENERATOR = "make_layers_rotary.py"
CONTIGUOUS = list(range(8))
SIZES = {"num_attention_heads": 2, "num_key_value_heads": 1, "attention_dropout": 0.0}


def plain(base, **more):
    return {"rope_type": "default", "rope_theta": base, **more}


def write_partial():
    """The first channels of each head rotate; in these classes hidden_size is heads times width."""
    half = plain(10000.0, partial_rotary_factor=0.5)
    config = {"hidden_size": 16, "num_attention_heads": 2}
    wrong = ["exponent over the whole head"]
    rotary_file("gpt_neox", about="The first 4 of 8 channels turn, pairs are channel t and t + 2. "
                "The projection's rows are q, k, v of each head in turn.",
                layer=Layer(2, 2, 8, half, 2048, packing="per head", projection="query_key_value",
                            output="dense"),
                config_class=GPTNeoXConfig, attention_class=GPTNeoXAttention,
                rotary_class=GPTNeoXRotaryEmbedding, config={**config, "rope_parameters": half},
                seed=640, generator=GENERATOR, mistakes=wrong)
    rotary_file("gptj", about="The first 4 of 8 channels turn, pairs are neighbours; the base is "
                "10000 always.", layer=Layer(2, 2, 8, half, interleaved=True, output="out_proj"),
                config_class=GPTJConfig, attention_class=GPTJAttention,
                config={"n_embd": 16, "n_head": 2, "rotary_dim": 4, "n_positions": 5001,
                        "attn_pdrop": 0.0, "resid_pdrop": 0.0},
                seed=645, generator=GENERATOR, mistakes=wrong)
    for name, make, attention, rotary, part, output, heads, seed in (
            ("phi", PhiConfig, PhiAttention, PhiRotaryEmbedding, 0.75, "dense", 2, 650),
            ("stablelm", StableLmConfig, StableLmAttention, StableLmRotaryEmbedding, 0.25, "o_proj",
             1, 655)):
        rope = plain(10000.0, partial_rotary_factor=part)
        width = 16 // heads
        more = {"use_qkv_bias": True} if name == "stablelm" else {}
        rotary_file(name, about=f"The first {int(width * part)} of {width} channels turn; "
                    "projections have biases.",
                    layer=Layer(heads, 1, width, rope, 2048, output=output),
                    config_class=make, attention_class=attention, rotary_class=rotary,
                    config={"hidden_size": 16, "num_attention_heads": heads,
                            "num_key_value_heads": 1, "attention_dropout": 0.0, **more,
                            "rope_parameters": rope},
                    seed=seed, generator=GENERATOR, mistakes=wrong)


def write_interleaved_and_alternating():
    config = {**SIZES, "hidden_size": 16, "attention_bias": False}
    rope = plain(10000.0)
    rotary_file("cohere", about="Pairs are neighbours; q and k go through a LayerNorm with a "
                "weight for each head and no bias.",
                layer=Layer(2, 1, 8, rope, 8192, interleaved=True, norm=per_head_norm),
                config_class=CohereConfig, attention_class=CohereAttention,
                rotary_class=CohereRotaryEmbedding,
                config={**config, "use_qk_norm": True, "rope_parameters": rope}, seed=660,
                generator=GENERATOR)
    config = {**config, "num_hidden_layers": 4, "sliding_window": 4, "rope_parameters": rope}
    common = {"config_class": Cohere2Config, "attention_class": Cohere2Attention,
              "rotary_class": Cohere2RotaryEmbedding, "config": config, "generator": GENERATOR}
    rotary_file("cohere2_local", about="A layer with a window of 4 keys turns neighbours.",
                layer=Layer(2, 1, 8, rope, 8192, interleaved=True, window=4), seed=665,
                cases=(CONTIGUOUS,), **common)
    rotary_file("cohere2_global", about="Every fourth layer sees everything and turns nothing.",
                layer=Layer(2, 1, 8, None, 8192), seed=670, layer_index=3, **common)

    rope = plain(5e6)
    config = {**SIZES, "hidden_size": 16, "num_hidden_layers": 4, "rope_parameters": rope}
    common = {"config_class": SmolLM3Config, "attention_class": SmolLM3Attention,
              "rotary_class": SmolLM3RotaryEmbedding, "config": config, "generator": GENERATOR}
    rotary_file("smollm3_rotary", about="One of the layers that turn.",
                layer=Layer(2, 1, 8, rope, 32768), seed=675, **common)
    rotary_file("smollm3_plain", about="Every fourth layer, which turns nothing: its entry of "
                "no_rope_layers is 0.", layer=Layer(2, 1, 8, None, 32768), seed=680, layer_index=3,
                **common)


def write_llama4():
    rope = plain(500000.0)
    config = {**SIZES, "hidden_size": 4, "head_dim": 8, "num_hidden_layers": 4, "floor_scale": 4,
              "attention_chunk_size": 4, "max_position_embeddings": 131072, "rope_parameters": rope}
    common = {"config_class": Llama4TextConfig, "attention_class": Llama4TextAttention,
              "rotary_class": Llama4TextRotaryEmbedding, "config": config, "generator": GENERATOR,
              "cases": (CONTIGUOUS,)}
    rotary_file("llama4_chunked", about="Neighbours turn, within chunks of 4 tokens; then q and k "
                "are divided by their root mean square, which rotation leaves alone.",
                layer=Layer(2, 1, 8, rope, 131072, interleaved=True, chunk=4, norms=(None, None),
                            norm=lambda x, _: rms_norm(x, 1, 1e-5)), seed=770, **common)
    rotary_file("llama4_plain", about="Every fourth layer turns nothing and normalises nothing; q "
                "(given before that) is multiplied by temperatures.",
                layer=Layer(2, 1, 8, None, 131072, temperature=lambda position: 1 + 0.1 * math.log(
                    1 + math.floor((position + 1) / 4))), seed=775, layer_index=3, **common)


def write_normed():
    rope = plain(1e6)
    rotary_file("qwen2", about="Projections have biases.", layer=Layer(2, 1, 8, rope, 32768),
                config_class=Qwen2Config, attention_class=Qwen2Attention,
                rotary_class=Qwen2RotaryEmbedding,
                config={**SIZES, "hidden_size": 16, "rope_parameters": rope}, seed=685,
                generator=GENERATOR)
    rotary_file("qwen3", about="q and k go through an RMSNorm of the head's width (eps 1e-6); the "
                "head is wider than the model's width over heads.",
                layer=Layer(2, 1, 8, rope, 32768, norm=rms_norm),
                config_class=Qwen3Config, attention_class=Qwen3Attention,
                rotary_class=Qwen3RotaryEmbedding,
                config={**SIZES, "hidden_size": 4, "head_dim": 8, "rope_parameters": rope},
                seed=690, generator=GENERATOR)
    two = {"sliding_attention": plain(10000.0),
           "full_attention": {"rope_type": "linear", "rope_theta": 1e6, "factor": 8.0}}
    config = {**SIZES, "hidden_size": 4, "head_dim": 8, "num_hidden_layers": 6,
              "query_pre_attn_scalar": 12, "sliding_window": 4, "max_position_embeddings": 131072,
              "rope_parameters": two}
    layer = Layer(2, 1, 8, two["sliding_attention"], 131072, scale=12**-0.5, window=4,
                  norm=lambda x, weight: rms_norm(x, 1 + weight))
    common = {"config_class": Gemma3TextConfig, "attention_class": Gemma3Attention,
              "rotary_class": Gemma3RotaryEmbedding, "config": config, "generator": GENERATOR}
    rotary_file("gemma3_local", about="q and k go through an RMSNorm times 1 + weight; scale is "
                "query_pre_attn_scalar to the power -1/2; a window of 4 keys, base 10000.",
                layer=layer, seed=695, layer_type="sliding_attention", cases=(CONTIGUOUS,),
                **common)
    rotary_file("gemma3_global", about="As gemma3_local, but everything is seen, the base is 10^6 "
                "and positions are divided by 8.",
                layer=dataclasses.replace(layer, rope=two["full_attention"], window=0), seed=700,
                layer_index=5, layer_type="full_attention", **common)


def write_scaled():
    pairs = {"short_factor": [1, 1.25, 1.5], "long_factor": [1, 6, 24]}
    rope = {"rope_type": "longrope", "rope_theta": 10000.0, "partial_rotary_factor": 0.75, **pairs}
    stated = {**rope, "original_max_position_embeddings": 6}
    rotary_file("phi3", about="Trained on 6 tokens, at most 96: the first case has the short list, "
                "the second the long one; the first 6 of 8 channels turn. The projection's rows "
                "are all q, all k, all v.",
                layer=Layer(2, 1, 8, stated, 96, packing="blocks"),
                config_class=Phi3Config, attention_class=Phi3Attention,
                rotary_class=Phi3RotaryEmbedding,
                config={**SIZES, "hidden_size": 16, "max_position_embeddings": 96,
                        "original_max_position_embeddings": 6, "rope_parameters": rope},
                seed=705, cases=(list(range(6)), list(range(9))), generator=GENERATOR,
                mistakes=["no factor on cosine and sine", "long from the trained length on"])
    rope = {"rope_type": "yarn", "rope_theta": 150000.0, "factor": 32.0, "beta_fast": 32.0,
            "beta_slow": 1.0, "truncate": False, "original_max_position_embeddings": 4096}
    config = {**SIZES, "hidden_size": 4, "head_dim": 16, "num_hidden_layers": 2,
              "sliding_window": 4, "max_position_embeddings": 131072, "rope_parameters": rope}
    layer = Layer(2, 1, 16, rope, 131072, window=4, sinks="sinks")
    common = {"config_class": GptOssConfig, "attention_class": GptOssAttention,
              "rotary_class": GptOssRotaryEmbedding, "config": config, "generator": GENERATOR}
    rotary_file("gpt_oss_local", about="YaRN whose ends are not rounded, a sink for each head and "
                "a window of 4 keys.", layer=layer, seed=710, cases=(CONTIGUOUS,),
                mistakes=["no factor on cosine and sine"], **common)
    rotary_file("gpt_oss_global", about="As gpt_oss_local, but everything is seen.",
                layer=dataclasses.replace(layer, window=0), seed=715, layer_index=1,
                mistakes=["no factor on cosine and sine", "truncate turned round"], **common)


def write_bidirectional():
    two = {"sliding_attention": plain(10000.0), "full_attention": plain(160000.0)}
    config = {"hidden_size": 16, "num_attention_heads": 2, "num_hidden_layers": 3,
              "local_attention": 4, "attention_dropout": 0.0, "rope_parameters": two}
    layer = Layer(2, 2, 8, two["full_attention"], 8192, packing="blocks", projection="Wqkv",
                  output="Wo", causal=False)
    common = {"config_class": ModernBertConfig, "attention_class": ModernBertAttention,
              "rotary_class": ModernBertRotaryEmbedding, "config": config, "generator": GENERATOR}
    rotary_file("modernbert_global", about="Both directions, base 160000.", layer=layer, seed=720,
                layer_type="full_attention", **common)
    rotary_file("modernbert_local", about="Both directions, base 10000; local_attention 4 lets "
                "tokens at a distance of 2 be seen, none farther: a window of 3.",
                layer=dataclasses.replace(layer, rope=two["sliding_attention"], window=3),
                seed=725, layer_index=1, layer_type="sliding_attention", cases=(CONTIGUOUS,),
                **common)


def main():
    write_partial()
    write_interleaved_and_alternating()
    write_llama4()
    write_normed()
    write_scaled()
    write_bidirectional()


if __name__ == "__main__":
    main()
