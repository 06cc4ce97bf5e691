"""The first layer of GPT-2, RoBERTa and OPT, from token ids: the row of the learned table for each
token, also with padding in between, and the layer's attention.

The whole models run, which compute masks and rows themselves; hooks record the first layer's
input and its attention's output.
"""

import math

import torch
from torch.nn.functional import embedding
from transformers import (GPT2Config, GPT2Model, OPTConfig, OPTModel, RobertaConfig, RobertaModel)

from double_precision import everything_double
from layer_fixture import (Case, Parts, causal, heads, layer_file, layer_norm, linear, merged,
                           randomise, transformers_package)

GENERATOR = "make_layers_learned.py"
PAD = 1
TEXTS = ([5, 9, 8, 7, 3], [4, 9, PAD, 6, 2, PAD])


def conv(x, p, name):
    """GPT-2's weights are [in, out]."""
    return x @ p[name + ".weight"] + p[name + ".bias"]


def gpt2():
    config = GPT2Config(vocab_size=11, n_positions=8, n_embd=6, n_layer=1, n_head=2,
                        attn_pdrop=0.0, embd_pdrop=0.0, resid_pdrop=0.0)
    config._attn_implementation = "eager"
    model = GPT2Model(config)

    def rows(real, wrong):
        return torch.arange(len(real)) + (2 if wrong else 0)

    def layer(x, p):
        x = layer_norm(x, p, "h.0.ln_1", config.layer_norm_epsilon)
        q, k, v = (heads(part, 2) for part in conv(x, p, "h.0.attn.c_attn").chunk(3, dim=-1))
        return x, q, k, v, lambda context: conv(merged(context), p, "h.0.attn.c_proj")
    return config, model, model.h[0].attn, ("wte.weight", None, "wpe.weight"), rows, True, layer


def roberta():
    config = RobertaConfig(vocab_size=11, hidden_size=6, num_hidden_layers=1, num_attention_heads=2,
                           intermediate_size=4, max_position_embeddings=10, type_vocab_size=1,
                           pad_token_id=PAD, hidden_dropout_prob=0.0,
                           attention_probs_dropout_prob=0.0, layer_norm_eps=1e-5)
    config._attn_implementation = "eager"
    model = RobertaModel(config, add_pooling_layer=False)

    def rows(real, wrong):
        return torch.arange(len(real)) + 2 if wrong else real.cumsum(0) * real + PAD

    def layer(x, p):
        x = layer_norm(x, p, "embeddings.LayerNorm", config.layer_norm_eps)
        name = "encoder.layer.0.attention.self."
        q, k, v = (heads(linear(x, p, name + n), 2) for n in ("query", "key", "value"))
        return x, q, k, v, merged
    names = ("embeddings.word_embeddings.weight", "embeddings.token_type_embeddings.weight",
             "embeddings.position_embeddings.weight")
    return (config, model, model.encoder.layer[0].attention.self, names, rows, False, layer)


def opt():
    config = OPTConfig(vocab_size=11, hidden_size=6, num_hidden_layers=1, num_attention_heads=2,
                       ffn_dim=4, max_position_embeddings=8, word_embed_proj_dim=6, dropout=0.0,
                       attention_dropout=0.0, pad_token_id=PAD)
    config._attn_implementation = "eager"
    model = OPTModel(config)

    def rows(real, wrong):
        return torch.arange(len(real)) + 2 if wrong else real.cumsum(0) * real - 1 + 2

    def layer(x, p):
        x = layer_norm(x, p, "decoder.layers.0.self_attn_layer_norm", 1e-5)
        name = "decoder.layers.0.self_attn."
        q, k, v = (heads(linear(x, p, name + n + "_proj"), 2) for n in "qkv")
        return x, q, k, v, lambda context: linear(merged(context), p, name + "out_proj")
    names = ("decoder.embed_tokens.weight", None, "decoder.embed_positions.weight")
    return (config, model, model.decoder.layers[0].self_attn, names, rows, True, layer)


def write_one(name, rule, made, seed):
    with everything_double():
        config, model, attention, (words, types, table), rows, is_causal, layer = made()
    randomise(model.double(), seed, 0.6)
    kept = []
    attention.register_forward_hook(lambda module, inputs, output: kept.append(output[0]))

    def case(ids):
        real = torch.tensor([int(i != PAD) for i in ids])
        allowed = real.bool().expand(len(ids), -1)
        if is_causal:
            allowed = allowed & causal(len(ids), len(ids))

        def run(_):
            model(input_ids=torch.tensor([ids]), attention_mask=real[None])
            return kept[-1][0]
        # The positions passed to our schemes: -1 for padding in families that treat it specially.
        place = torch.arange(len(ids)) if rule == "plain" else real.cumsum(0) * real - 1
        facts = {"ids": ids, "rule": rule, "tablePositions": place.tolist()}
        return Case(f"n{len(ids)}", {}, run, facts, allowed.clone())

    def twin(wrong=False):
        def run(_, p, case):
            ids = torch.tensor(case.facts["ids"])
            # Rows of padding get no gradient: word embeddings except in GPT-2, positions in
            # RoBERTa.
            vectors = embedding(ids, p[words], None if rule == "plain" else PAD)
            if types:
                vectors = vectors + p[types][0]
            embedded = vectors + embedding(rows((ids != PAD).long(), wrong), p[table],
                                           PAD if rule == "roberta" else None)
            x, q, k, v, output = layer(embedded, p)
            logits = q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1])
            return Parts(q, k, v, logits, output,
                         {"words": vectors, "embedded": embedded, "hiddenStates": x})
        return run
    told = {key: getattr(config, key) for key in
            ("vocab_size", "hidden_size", "num_attention_heads", "max_position_embeddings")}
    cls = type(model)
    layer_file(name, about="`words`: word vectors (and token type 0), before positions; "
               "`embedded`: after; `hiddenStates`: after the norm that comes next. Id 1 is "
               "padding; no key that is padding is seen. `tablePositions`: the token's count "
               "among real ones from 0, -1 at padding, where the rule knows padding, else its "
               "place.",
               cls=f"{cls.__module__}.{cls.__name__}", package=transformers_package(), config=told,
               parameters=dict(model.named_parameters()), cases=[case(ids) for ids in TEXTS],
               twin=twin(), mistakes={"another first row" if rule == "plain" else
                                      "padding counts": twin(True)},
               generator=GENERATOR, seed=seed, facts={"table": table},
               also={"embedded": 1e-6})


def main():
    write_one("gpt2", "plain", gpt2, 970)
    write_one("roberta", "roberta", roberta, 980)
    write_one("opt", "opt", opt, 990)


if __name__ == "__main__":
    main()
