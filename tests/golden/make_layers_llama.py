"""Llama's attention with plain rotary embedding and with every scaling that its class supports."""

from transformers import LlamaConfig
from transformers.models.llama.modeling_llama import LlamaAttention, LlamaRotaryEmbedding

from rotary_layer import POSITIONS, Layer, rotary_file

GENERATOR = "make_layers_llama.py"


def write_one(name, about, seed, rope, *, heads=2, kv_heads=1, head_dim=16, most=4096,
              cases=(POSITIONS,), mistakes=()):
    rope = {"rope_theta": 10000.0, **rope}
    config = {"hidden_size": 4, "num_attention_heads": heads, "num_key_value_heads": kv_heads,
              "head_dim": head_dim, "max_position_embeddings": most, "attention_bias": False,
              "attention_dropout": 0.0, "rope_parameters": rope}
    rotary_file(name, about=about, layer=Layer(heads, kv_heads, head_dim, dict(rope), most),
                config_class=LlamaConfig, attention_class=LlamaAttention,
                rotary_class=LlamaRotaryEmbedding, config=config, seed=seed, cases=cases,
                generator=GENERATOR, mistakes=mistakes)


def main():
    write_one("llama", "Four query heads on two key heads; pairs are channel t and t + D/2.", 600,
              {"rope_type": "default"}, heads=4, kv_heads=2, head_dim=8)
    write_one("llama_linear", "Positions divided by 4.", 605,
              {"rope_type": "linear", "factor": 4.0})
    short, long = list(range(6)), list(range(10))
    write_one("llama_dynamic", "Trained on 6 tokens: the longer case has a larger base.", 610,
              {"rope_type": "dynamic", "factor": 4.0}, most=6, cases=(short, long),
              mistakes=["the factor is the ratio"])
    yarn = {"rope_type": "yarn", "factor": 8.0, "original_max_position_embeddings": 1024}
    write_one("llama_yarn", "Ends of the ramp rounded outwards.", 615, yarn, most=8192,
              mistakes=["truncate turned round", "the paper's ramp",
                        "no factor on cosine and sine"])
    write_one("llama_yarn_mscale", "mscale over mscale_all_dim.", 620,
              {**yarn, "mscale": 2.0, "mscale_all_dim": 0.5}, most=8192,
              mistakes=["mscale ignored", "no factor on cosine and sine"])
    write_one("llama_llama3", "Llama 3.1's bands.", 625,
              {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0,
               "high_freq_factor": 4.0, "original_max_position_embeddings": 1024}, most=8192)
    write_one("llama_proportional", "Pairs that do not turn lie between those that do.", 630,
              {"rope_type": "proportional", "partial_rotary_factor": 0.5},
              mistakes=["exponent over the turned part"])
    longrope = {"rope_type": "longrope", "factor": 16.0, "original_max_position_embeddings": 6,
                "short_factor": [1, 1, 1.25, 1.5, 1.5, 2, 2.5, 3],
                "long_factor": [1, 1.5, 2, 4, 6, 9, 16, 24]}
    write_one("llama_longrope", "Trained on 6 tokens: the first case has the short list, the "
              "second the long one.", 635, longrope, most=96, cases=(short, long),
              mistakes=["no factor on cosine and sine", "long from the trained length on"])


if __name__ == "__main__":
    main()
