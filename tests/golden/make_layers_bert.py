"""BERT self-attention with its three kinds of positions. Needs transformers 4.57.6: 5.x only has
the absolute kind.
"""

import math

import torch
from torch import nn
from transformers import BertConfig
from transformers.models.bert.modeling_bert import BertEmbeddings, BertSelfAttention

from layer_fixture import (Case, Parts, heads, layer_file, layer_norm, linear, merged, normal,
                           randomise, transformers_package)

LONGEST = 8
CONFIG = {"hidden_size": 8, "num_attention_heads": 2, "max_position_embeddings": LONGEST,
          "vocab_size": 11, "type_vocab_size": 2, "layer_norm_eps": 1e-12,
          "hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0}
GENERATOR = "make_layers_bert.py"


def projections(x, p, prefix=""):
    return (heads(linear(x, p, prefix + name), 2) for name in ("query", "key", "value"))


def relative_twin(with_key, *, sign=1, key_sign=1, scale_positions=True):
    def twin(inputs, p, _):
        q, k, v = projections(inputs["hiddenStates"], p)
        at = torch.arange(q.shape[-2])
        distance = at[:, None] - at[None, :]
        table = p["distance_embedding.weight"]
        by_query = torch.einsum("htd,tsd->hts", q, table[sign * distance + LONGEST - 1])
        by_key = torch.einsum("hsd,tsd->hts", k, table[key_sign * distance + LONGEST - 1])
        positions = by_query + by_key if with_key else by_query
        content, root = q @ k.transpose(-1, -2), math.sqrt(q.shape[-1])
        logits = (content + positions) / root if scale_positions else content / root + positions
        return Parts(q, k, v, logits, merged)
    return twin


def relative_case(attention, length, seed):
    return Case(f"n{length}", {"hiddenStates": normal((length, 8), seed)},
                lambda inputs: attention(inputs["hiddenStates"][None])[0][0])


def write_relative(kind, with_key, seed):
    config = {**CONFIG, "position_embedding_type": kind}
    attention = randomise(BertSelfAttention(BertConfig(**config)).double(), seed)
    mistakes = {"distance is j - i": relative_twin(with_key, sign=-1, key_sign=-1),
                "positions are not divided by the root of d":
                    relative_twin(with_key, scale_positions=False)}
    if with_key:
        mistakes["the key's distance is j - i"] = relative_twin(True, key_sign=-1)
        mistakes["no key term"] = relative_twin(False)
    layer_file(
        f"bert_{kind}", about="Row i - j + max_position_embeddings - 1 of distance_embedding, not "
        "clipped, no absolute positions. Content and positions are divided by the root of d.",
        cls="transformers.models.bert.modeling_bert.BertSelfAttention",
        package=transformers_package(), config=config,
        parameters=dict(attention.named_parameters()),
        cases=[relative_case(attention, 5, seed + 1), relative_case(attention, LONGEST, seed + 2)],
        twin=relative_twin(with_key), mistakes=mistakes, generator=GENERATOR, seed=seed)


def absolute_twin(*, first=0, norm_before_sum=False):
    def twin(_, p, case):
        ids = torch.tensor(case.facts["ids"])
        words = p["embeddings.word_embeddings.weight"][ids]
        words = words + p["embeddings.token_type_embeddings.weight"][case.facts["tokenTypes"]]
        rows = (torch.arange(len(ids)) + first) % LONGEST
        places = p["embeddings.position_embeddings.weight"][rows]
        if norm_before_sum:
            x = layer_norm(words, p, "embeddings.LayerNorm", 1e-12) + places
        else:
            x = layer_norm(words + places, p, "embeddings.LayerNorm", 1e-12)
        q, k, v = projections(x, p, "attention.")
        logits = q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1])
        return Parts(q, k, v, logits, merged, {"hiddenStates": x})
    return twin


def write_absolute(seed):
    config = {**CONFIG, "position_embedding_type": "absolute"}
    made = BertConfig(**config)
    layer = nn.ModuleDict({"embeddings": BertEmbeddings(made),
                           "attention": BertSelfAttention(made)})
    randomise(layer.double(), seed)

    def case(ids, types):
        def run(_):
            x = layer["embeddings"](torch.tensor([ids]), token_type_ids=torch.tensor([types]))
            return layer["attention"](x)[0][0]
        return Case(f"n{len(ids)}", {}, run, {"ids": ids, "tokenTypes": types})

    layer_file(
        "bert_absolute", about="Word, token type and position vectors are added, then normalised "
        "by LayerNorm, then attended to; no factor on the word vectors.",
        cls="transformers.models.bert.modeling_bert.BertEmbeddings + BertSelfAttention",
        package=transformers_package(), config=config, parameters=dict(layer.named_parameters()),
        cases=[case([3, 9, 3, 5, 7], [0, 0, 0, 1, 1]),
               case([1, 2, 10, 4, 4, 8, 5, 6], [0, 0, 0, 0, 1, 1, 1, 1])],
        twin=absolute_twin(), generator=GENERATOR, seed=seed,
        mistakes={"positions are added after the norm": absolute_twin(norm_before_sum=True),
                  "positions are one too large": absolute_twin(first=1)})


def main():
    write_absolute(100)
    write_relative("relative_key", False, 110)
    write_relative("relative_key_query", True, 120)


if __name__ == "__main__":
    main()
