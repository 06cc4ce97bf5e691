"""DeBERTa's disentangled attention, first version and second/third."""

import math
import os

os.environ["PYTORCH_JIT"] = "0"  # before torch: scripted functions would keep single precision

import torch
from torch import nn
from transformers import DebertaConfig, DebertaV2Config
from transformers.models.deberta import modeling_deberta
from transformers.models.deberta_v2 import modeling_deberta_v2

from layer_fixture import (Case, Parts, heads, layer_file, layer_norm, linear, merged, normal,
                           randomise, transformers_package)

GENERATOR = "make_layers_deberta.py"
HEADS, WIDTH = 2, 8
EPS = 1e-7
ROWS = ("With m rows on each side of the table, distance i - j reads row clip(bucket(i - j) + m, "
        "0, 2m - 1) in BOTH position terms (the paper prints j - i for the second). All terms are "
        "divided by the root of d times the number of terms, content included. ")


def log_bucket(distance, buckets, longest):
    """The published ceiling in integers: the smallest c with (|distance|/middle)^(middle-1) <=
    ((longest-1)/middle)^c.
    """
    size, middle = abs(distance), buckets // 2
    if buckets <= 0 or size <= middle:
        return distance
    n, c = middle - 1, 0
    while size**n * middle**c > (longest - 1) ** c * middle**n:
        c += 1
    return (middle + c) * (1 if distance > 0 else -1)


def table_rows(length, buckets, longest, sign=1):
    half = buckets if buckets > 0 else longest
    return torch.tensor([[min(max(sign * log_bucket(i - j, buckets, longest) + half, 0),
                              2 * half - 1) for j in range(length)] for i in range(length)])


def scores(q, k, by_key, by_query, rows, p2c_rows, terms):
    """`by_key` is multiplied with queries (c2p), `by_query` with keys (p2c), if present."""
    logits = q @ k.transpose(-1, -2)
    beside = {}
    if by_key is not None:
        c2p = torch.einsum("htd,htsd->hts", q, by_key[:, rows])
        logits, beside["c2p"] = logits + c2p, c2p
    if by_query is not None:
        p2c = torch.einsum("hsd,htsd->hts", k, by_query[:, p2c_rows])
        logits, beside["p2c"] = logits + p2c, p2c
    root = math.sqrt(q.shape[-1] * terms)
    return logits / root, {n: x / root for n, x in beside.items()}


def first_version_twin(longest, *, sign=1, p2c_sign=1, terms=3, blocks=False):
    def twin(inputs, p, _):
        x, table = inputs["hiddenStates"], p["rel_embeddings"]
        packed = x @ p["in_proj.weight"].T
        if blocks:
            q, k, v = (heads(part, HEADS) for part in packed.chunk(3, dim=-1))
        else:
            q, k, v = heads(packed, HEADS).chunk(3, dim=-1)
        q = q + heads(p["q_bias"][None], HEADS)
        v = v + heads(p["v_bias"][None], HEADS)
        by_key = heads(linear(table, p, "pos_proj"), HEADS)
        by_query = heads(linear(table, p, "pos_q_proj"), HEADS)
        logits, beside = scores(q, k, by_key, by_query, table_rows(len(x), 0, longest, sign),
                                table_rows(len(x), 0, longest, p2c_sign), terms)
        return Parts(q, k, v, logits, merged, beside)
    return twin


def second_version_twin(config, *, sign=1, p2c_sign=1, terms=None, norm=True, share=True,
                        bucketed=True):
    kinds = config["pos_att_type"]
    longest = config["max_relative_positions"]
    buckets = config["position_buckets"] if bucketed else 0

    def twin(inputs, p, _):
        x, table = inputs["hiddenStates"], p["rel_embeddings.weight"]
        if config["norm_rel_ebd"] == "layer_norm" and norm:
            table = layer_norm(table, p, "LayerNorm", EPS)
        q, k, v = (heads(linear(x, p, f"attention.{name}_proj"), HEADS)
                   for name in ("query", "key", "value"))
        shared = config["share_att_key"] and share
        by_key = by_query = None
        if "c2p" in kinds:
            name = "key_proj" if config["share_att_key"] else "pos_key_proj"
            projected = linear(table, p, "attention." + name)
            if config["share_att_key"] and not shared:
                projected = projected - p["attention.key_proj.bias"]
            by_key = heads(projected, HEADS)
        if "p2c" in kinds:
            name = "query_proj" if config["share_att_key"] else "pos_query_proj"
            projected = linear(table, p, "attention." + name)
            if config["share_att_key"] and not shared:
                projected = projected - p["attention.query_proj.bias"]
            by_query = heads(projected, HEADS)
        if not bucketed:
            half = config["position_buckets"]
            rows, p2c_rows = ((s * (torch.arange(len(x))[:, None] - torch.arange(len(x))) + half)
                              .clamp(0, 2 * half - 1) for s in (sign, p2c_sign))
        else:
            rows, p2c_rows = (table_rows(len(x), buckets, longest, s) for s in (sign, p2c_sign))
        logits, beside = scores(q, k, by_key, by_query, rows, p2c_rows, terms or 1 + len(kinds))
        return Parts(q, k, v, logits, merged, beside)
    return twin


def case(run, length, seed):
    return Case(f"n{length}", {"hiddenStates": normal((length, WIDTH), seed)}, run)


def write_first(seed):
    longest = 6
    config = {"hidden_size": WIDTH, "num_attention_heads": HEADS, "relative_attention": True,
              "max_relative_positions": longest, "pos_att_type": ["c2p", "p2c"],
              "hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0}
    attention = modeling_deberta.DisentangledSelfAttention(DebertaConfig(**config))
    randomise(attention.double(), seed)
    table = normal((2 * longest, WIDTH), seed + 1, 0.6).requires_grad_()

    def run(inputs):
        x = inputs["hiddenStates"][None]
        relative = modeling_deberta.build_relative_position(x, x)
        everywhere = torch.ones(1, 1, x.shape[1], x.shape[1])
        return attention(x, everywhere, relative_pos=relative, rel_embeddings=table)[0][0]

    layer_file(
        "deberta_v1", about=ROWS + "m = max_relative_positions, no buckets. in_proj holds q, k, v "
        "one after another within each head; the key has no bias; pos_proj (position keys) has "
        "none, pos_q_proj (position queries) has one.",
        cls="transformers.models.deberta.modeling_deberta.DisentangledSelfAttention",
        package=transformers_package(), config=config, generator=GENERATOR, seed=seed,
        parameters={**dict(attention.named_parameters()), "rel_embeddings": table},
        cases=[case(run, 5, seed + 2), case(run, 11, seed + 3)],
        twin=first_version_twin(longest),
        mistakes={"distance is j - i": first_version_twin(longest, sign=-1, p2c_sign=-1),
                  "second term at j - i, as the paper prints":
                      first_version_twin(longest, p2c_sign=-1),
                  "root of d alone": first_version_twin(longest, terms=1),
                  "in_proj is three blocks": first_version_twin(longest, blocks=True)})


def write_second(name, about, seed, settings, mistakes):
    config = {"hidden_size": WIDTH, "num_attention_heads": HEADS, "num_hidden_layers": 1,
              "intermediate_size": 4, "relative_attention": True, "layer_norm_eps": EPS,
              "hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0, **settings}
    encoder = modeling_deberta_v2.DebertaV2Encoder(DebertaV2Config(**config)).double()
    attention = encoder.layer[0].attention.self
    parts = {"attention": attention, "rel_embeddings": encoder.rel_embeddings}
    if config["norm_rel_ebd"] == "layer_norm":
        parts["LayerNorm"] = encoder.LayerNorm
    layer = randomise(nn.ModuleDict(parts), seed)
    encoder.eval()

    def run(inputs):
        x = inputs["hiddenStates"][None]
        everywhere = torch.ones(1, 1, x.shape[1], x.shape[1])
        return attention(x, everywhere, relative_pos=encoder.get_rel_pos(x),
                         rel_embeddings=encoder.get_rel_embedding())[0][0]

    twin = second_version_twin(config)
    shared = {"distance is j - i": second_version_twin(config, sign=-1, p2c_sign=-1),
              "root of d alone": second_version_twin(config, terms=1)}
    if "p2c" in config["pos_att_type"]:
        shared["second term at j - i, as the paper prints"] = second_version_twin(config,
                                                                                  p2c_sign=-1)
    layer_file(
        name, about=ROWS + about,
        cls="transformers.models.deberta_v2.modeling_deberta_v2.DisentangledSelfAttention, with "
        "DebertaV2Encoder.get_rel_embedding and get_rel_pos",
        package=transformers_package(), config=config, generator=GENERATOR, seed=seed,
        parameters=dict(layer.named_parameters()),
        cases=[case(run, 5, seed + 2), case(run, 14, seed + 3)],
        twin=twin, mistakes={**shared, **{m: second_version_twin(config, **wrong)
                                          for m, wrong in mistakes.items()}})


def main():
    write_first(300)
    both = ["c2p", "p2c"]
    buckets = {"position_buckets": 6, "max_relative_positions": 10}
    write_second("deberta_v2_shared_norm", "As in version 3: position keys and queries come from "
                 "the content projections with their biases, after a LayerNorm over the table; "
                 "logarithmic buckets, some distances beyond them.", 310,
                 {**buckets, "pos_att_type": both, "share_att_key": True,
                  "norm_rel_ebd": "layer_norm"},
                 {"no norm over the table": {"norm": False},
                  "positions without the projections' biases": {"share": False},
                  "no buckets": {"bucketed": False}})
    write_second("deberta_v2_shared", "As above without the norm over the table.", 320,
                 {**buckets, "pos_att_type": both, "share_att_key": True, "norm_rel_ebd": "none"},
                 {"no buckets": {"bucketed": False}})
    write_second("deberta_v2_unshared", "Projections of their own (pos_key_proj, pos_query_proj, "
                 "both with bias), no buckets, distances clipped at max_relative_positions.", 330,
                 {"position_buckets": -1, "max_relative_positions": 6, "pos_att_type": both,
                  "share_att_key": False, "norm_rel_ebd": "none"}, {})
    write_second("deberta_v2_c2p", "One position term, so the root of 2d; own projection, "
                 "buckets.", 340,
                 {**buckets, "pos_att_type": ["c2p"], "share_att_key": False,
                  "norm_rel_ebd": "none"}, {"no buckets": {"bucketed": False}})


if __name__ == "__main__":
    main()
