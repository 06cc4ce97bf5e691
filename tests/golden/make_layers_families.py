"""More families with a bias by distance: mT5, UMT5 (a table for each layer), MPT (ALiBi with its
own maximum), Falcon-RW (ALiBi inside the scale, slopes in bfloat16) and wav2vec2-bert
(relative_key with different limits to the left and to the right).
"""

import math

import torch
from transformers import (FalconConfig, MptConfig, MT5Config, UMT5Config, Wav2Vec2BertConfig)
from transformers.models.falcon import modeling_falcon
from transformers.models.mpt import modeling_mpt
from transformers.models.mt5.modeling_mt5 import MT5Attention
from transformers.models.umt5.modeling_umt5 import UMT5Attention
from transformers.models.wav2vec2_bert.modeling_wav2vec2_bert import Wav2Vec2BertSelfAttention

import make_layers_t5
from double_precision import everything_double
from layer_fixture import (Case, Parts, additive, causal, heads, layer_file, linear, merged, normal,
                           randomise, transformers_package)
from make_layers_bloom import slopes

GENERATOR = "make_layers_families.py"


# ---- mT5 and UMT5

def write_t5_family():
    small = {"d_model": 6, "d_kv": 4, "num_heads": 2, "dropout_rate": 0.0,
             "relative_attention_num_buckets": 8, "relative_attention_max_distance": 12}
    for name, cls, made, config, about in (
        ("mt5_encoder", MT5Attention, MT5Config, {**small, "is_decoder": False},
         "As T5's encoder. "),
        ("umt5_decoder", UMT5Attention, UMT5Config, {**small, "is_decoder": True},
         "As T5's decoder, with a table of its own in every layer. "),
    ):
        settings = made(**config)
        settings._attn_implementation = "eager"
        seed = 900 if name.startswith("mt5") else 910
        attention = randomise(cls(settings, has_relative_attention_bias=True, layer_idx=0).double(),
                              seed)
        decoder = config["is_decoder"]

        def case(length, at, attention=attention, decoder=decoder):
            allowed = causal(length, length) if decoder else None
            mask = additive(allowed) if decoder else None
            named = "mask" if cls is MT5Attention else "attention_mask"

            def run(inputs):
                return attention(inputs["hiddenStates"][None], **{named: mask})[0][0]
            return Case(f"n{length}", {"hiddenStates": normal((length, 6), at)}, run,
                        {"queryOffset": 0}, allowed)

        def twin(**wrong):
            return make_layers_t5.twin_of(config, not decoder, **wrong)
        layer_file(name, about=about + make_layers_t5.ABOUT, cls=f"{cls.__module__}.{cls.__name__}",
                   package=transformers_package(), config=config,
                   parameters=dict(attention.named_parameters()),
                   cases=[case(5, seed + 1), case(15, seed + 2)], twin=twin(),
                   mistakes={"distance is i - j": twin(sign=-1),
                             "queries times keys over the root of d": twin(scaled=True)},
                   generator=GENERATOR, seed=seed)


# ---- MPT

def write_mpt(name, count, most, seed):
    config = {"d_model": 2 * count, "n_heads": count, "max_seq_len": 16,
              "attn_config": {"alibi": True, "alibi_bias_max": most, "attn_pdrop": 0}}
    attention = randomise(modeling_mpt.MptAttention(MptConfig(**config), layer_idx=0).double(),
                          seed, 0.6)
    with everything_double():
        bias = modeling_mpt.build_mpt_alibi_tensor(count, 16, alibi_bias_max=most)

    def case(length, at):
        allowed = causal(length, length)

        def run(inputs):
            return attention(inputs["hiddenStates"][None], bias, attention_mask=~allowed)[0][0]
        return Case(f"n{length}", {"hiddenStates": normal((length, 2 * count), at)}, run, {},
                    allowed)

    def twin(maximum=most, divided=False):
        def run(inputs, p, _):
            x = inputs["hiddenStates"]
            q, k, v = (heads(part, count) for part in linear(x, p, "Wqkv").chunk(3, dim=-1))
            m = torch.tensor([s ** (maximum / 8) for s in slopes(count)], dtype=x.dtype)
            from_end = torch.arange(1 - len(x), 1, dtype=x.dtype)
            root = math.sqrt(q.shape[-1])
            added = m[:, None, None] * from_end
            bias = added / root if divided else added
            return Parts(q, k, v, q @ k.transpose(-1, -2) / root + bias,
                         lambda context: linear(merged(context), p, "out_proj"), {"slopes": m})
        return run
    layer_file(name, about="Logits in MPT's form: m times the key's position counted from the end "
               "is added after the division; -m(i - j) gives the same weights. Slopes are "
               "2^(-alibi_bias_max k / heads), other head counts as everywhere. Wqkv holds three "
               "blocks q, k, v.", cls="transformers.models.mpt.modeling_mpt.MptAttention",
               package=transformers_package(), config=config,
               parameters=dict(attention.named_parameters()),
               cases=[case(5, seed + 1), case(9, seed + 2)], twin=twin(),
               mistakes={"a maximum of 8": twin(maximum=8),
                         "bias over the root of d": twin(divided=True)},
               generator=GENERATOR, seed=seed)


# ---- Falcon-RW

def write_falcon():
    """The slopes of four heads, and their products with every position here, are exact in bfloat16.
    Of twelve heads four are rounded, and their products from position 2 on, so only two tokens
    are used.
    """
    for name, count, seed in (("falcon_rw_4_heads", 4, 940), ("falcon_rw_12_heads", 12, 950)):
        config = {"hidden_size": 2 * count, "num_attention_heads": count, "alibi": True,
                  "new_decoder_architecture": False, "multi_query": False, "bias": True,
                  "parallel_attn": False, "attention_dropout": 0.0, "hidden_dropout": 0.0}
        made = FalconConfig(**config)
        made._attn_implementation = "eager"
        attention = modeling_falcon.FalconAttention(made, layer_idx=0).double()
        attention = randomise(attention, seed, 0.6)
        ones = torch.ones(1, 2, dtype=torch.int64)
        rounded = modeling_falcon.build_alibi_tensor(ones, count, torch.float64)[:, 0, 1]
        lengths = (5, 9) if count == 4 else (2,)

        def case(length, at, attention=attention, count=count):
            allowed = causal(length, length)
            alibi = modeling_falcon.build_alibi_tensor(torch.ones(1, length, dtype=torch.int64),
                                                       count, torch.float64)

            def run(inputs):
                return attention(inputs["hiddenStates"][None], alibi, additive(allowed))[0][0]
            return Case(f"n{length}", {"hiddenStates": normal((length, 2 * count), at)}, run, {},
                        allowed)

        def twin(divided=True, exact=False, count=count, rounded=rounded):
            def run(inputs, p, _):
                x = inputs["hiddenStates"]
                packed = linear(x, p, "query_key_value").reshape(len(x), count, 3, -1)
                q, k, v = (packed[:, :, part].transpose(0, 1) for part in range(3))
                m = (torch.tensor(slopes(count)) if exact else rounded).to(x.dtype)
                bias = m[:, None, None] * torch.arange(len(x), dtype=x.dtype)
                root = math.sqrt(q.shape[-1])
                logits = (q @ k.transpose(-1, -2) + bias) / root if divided \
                    else q @ k.transpose(-1, -2) / root + bias
                return Parts(q, k, v, logits, lambda context: linear(merged(context), p, "dense"),
                             {"slopes": m})
            return run
        mistakes = {"bias is not divided": twin(divided=False)}
        layer_file(name, about="(q·k + m j) over the root of d, m rounded to bfloat16, and so is "
                   "each product m j (exact at these lengths). -m(i - j) over the root of d gives "
                   "the same weights. query_key_value holds q, k, v within each head.",
                   cls="transformers.models.falcon.modeling_falcon.FalconAttention",
                   package=transformers_package(), config=config,
                   parameters=dict(attention.named_parameters()),
                   cases=[case(n, seed + 1 + i) for i, n in enumerate(lengths)], twin=twin(),
                   mistakes=mistakes, generator=GENERATOR, seed=seed)


# ---- wav2vec2-bert

def write_wav2vec2_bert():
    config = {"hidden_size": 8, "num_attention_heads": 2,
              "position_embeddings_type": "relative_key",
              "left_max_position_embeddings": 4, "right_max_position_embeddings": 2,
              "attention_dropout": 0.0, "output_hidden_size": 8}
    made = Wav2Vec2BertConfig(**config)
    made._attn_implementation = "eager"
    attention = randomise(Wav2Vec2BertSelfAttention(made).double(), 960, 0.6)

    def case(length, at):
        def run(inputs):
            return attention(inputs["hiddenStates"][None])[0][0]
        return Case(f"n{length}", {"hiddenStates": normal((length, 8), at)}, run)

    def twin(sign=1, left=4, scaled=True):
        def run(inputs, p, _):
            x = inputs["hiddenStates"]
            q, k, v = (heads(linear(x, p, f"linear_{n}"), 2) for n in "qkv")
            at = torch.arange(len(x))
            r = (sign * (at[None, :] - at[:, None])).clamp(-left, 2) + 4
            positions = torch.einsum("htd,tsd->hts", q, p["distance_embedding.weight"][r])
            root = math.sqrt(q.shape[-1])
            logits = q @ k.transpose(-1, -2) / root + (positions / root if scaled else positions)
            return Parts(q, k, v, logits, lambda context: linear(merged(context), p, "linear_out"))
        return run
    layer_file("wav2vec2_bert_relative_key", about="Row clip(j - i, -4, 2) + 4 of "
               "distance_embedding [7,D], shared by heads, times the query, divided by the root of "
               "d like the content.",
               cls="transformers.models.wav2vec2_bert.modeling_wav2vec2_bert."
               "Wav2Vec2BertSelfAttention",
               package=transformers_package(), config=config,
               parameters=dict(attention.named_parameters()),
               cases=[case(4, 961), case(12, 962)], twin=twin(),
               mistakes={"distance is i - j": twin(sign=-1), "three to the left": twin(left=3),
                         "positions are not divided": twin(scaled=False)},
               generator=GENERATOR, seed=960)


def main():
    write_t5_family()
    write_mpt("mpt_4_heads", 4, 16, 920)
    write_mpt("mpt_6_heads", 6, 4, 930)
    write_falcon()
    write_wav2vec2_bert()


if __name__ == "__main__":
    main()
