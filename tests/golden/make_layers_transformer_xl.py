"""Transformer-XL's relative attention with memory. Needs transformers 4.57.6, where the class is
among the deprecated models; 5.x does not have it.
"""

import math
import types

import torch
from transformers.models.deprecated.transfo_xl.modeling_transfo_xl import (
    PositionalEmbedding, RelPartialLearnableMultiHeadAttn)

from layer_fixture import (Case, Parts, heads, layer_file, layer_norm, linear, merged, normal,
                           randomise, transformers_package)

GENERATOR = "make_layers_transformer_xl.py"
HEADS, WIDTH, DEPTH, EPS = 2, 8, 3, 1e-5


def sinusoid(offset, width, interleaved=False):
    """[sin | cos] of the offsets, frequencies 10000^(-2t/width)."""
    w = 10000.0 ** (-torch.arange(0, width, 2, dtype=torch.float64) / width)
    angle = offset.to(torch.float64)[..., None] * w
    if interleaved:
        return torch.stack((angle.sin(), angle.cos()), dim=-1).flatten(-2)
    return torch.cat((angle.sin(), angle.cos()), dim=-1)


def twin_of(config, *, sign=1, interleaved=False, swapped=False, clamped=True, memory_shift=0):
    """Distances indexed directly; the class slides rows instead."""
    def twin(inputs, p, _):
        x, memory = inputs["hiddenStates"], inputs.get("memory")
        everything = x if memory is None else torch.cat((memory, x))
        normed = layer_norm(everything, p, "layer_norm", EPS) if config["pre_lnorm"] else everything
        q, k, v = linear(normed, p, "qkv_net").chunk(3, dim=-1)
        q, k, v = heads(q[-len(x):], HEADS), heads(k, HEADS), heads(v, HEADS)
        past = len(everything) - len(x)
        offset = sign * (torch.arange(len(x))[:, None] + past + memory_shift
                         - torch.arange(len(everything)))
        if clamped and config["clamp_len"] > 0:
            offset = offset.clamp(max=config["clamp_len"])
        table = sinusoid(offset, WIDTH, interleaved).to(x.dtype)
        by_distance = heads(linear(table, p, "r_net"), HEADS)  # [T,H,S,D]
        u, v_bias = p["r_w_bias"], p["r_r_bias"]
        if swapped:
            u, v_bias = v_bias, u
        content = (q + u[:, None]) @ k.transpose(-1, -2)
        position = torch.einsum("htd,thsd->hts", q + v_bias[:, None], by_distance)
        logits = (content + position) / math.sqrt(DEPTH)

        def output(context):
            y = x + linear(merged(context), p, "o_net")
            return y if config["pre_lnorm"] else layer_norm(y, p, "layer_norm", EPS)
        return Parts(q, k, v, logits, output)
    return twin


def case_of(attention, config, length, memory_length, seed):
    total = length + memory_length
    look_ahead = torch.ones(length, total, dtype=torch.bool).triu(1 + memory_length)
    inputs = {"hiddenStates": normal((length, WIDTH), seed)}
    if memory_length:
        inputs["memory"] = normal((memory_length, WIDTH), seed + 500)

    def run(inputs):
        # As in TransfoXLModel.forward: offsets decrease from the oldest key to the newest.
        offsets = torch.arange(total - 1, -1, -1, dtype=torch.float64)
        if config["clamp_len"] > 0:
            offsets.clamp_(max=config["clamp_len"])
        table = PositionalEmbedding(WIDTH)(offsets)
        memory = inputs["memory"][:, None] if memory_length else None
        return attention(inputs["hiddenStates"][:, None], table, attn_mask=look_ahead[:, :, None],
                         mems=memory)[0][:, 0]

    return Case(f"n{length}_memory{memory_length}", inputs, run, {"memoryLength": memory_length},
                ~look_ahead, arrange=lambda x: x[:, :, 0].permute(2, 0, 1))


def write_one(name, about, seed, clamp, pre_norm, sizes):
    config = {"n_head": HEADS, "d_model": WIDTH, "d_head": DEPTH, "dropout": 0.0,
              "pre_lnorm": pre_norm, "clamp_len": clamp, "layer_norm_epsilon": EPS}
    arguments = types.SimpleNamespace(**config)
    attention = RelPartialLearnableMultiHeadAttn(
        arguments.n_head, arguments.d_model, arguments.d_head, arguments.dropout,
        pre_lnorm=arguments.pre_lnorm, layer_norm_epsilon=EPS)
    randomise(attention.double(), seed)
    mistakes = {"offset is j - i": twin_of(config, sign=-1),
                "sine and cosine alternate": twin_of(config, interleaved=True),
                "u and v exchanged": twin_of(config, swapped=True),
                "offsets one too large": twin_of(config, memory_shift=1)}
    if clamp:
        mistakes["no clamp"] = twin_of(config, clamped=False)
    layer_file(
        name, about="The offset is (i + memory length) - j for local query i and key j, memory "
        "first. u is r_w_bias (with keys), v is r_r_bias (with distances), r_net projects the "
        "sinusoid [sin | cos] of width d_model. Keys and values of the memory come from its hidden "
        "states. The output includes the residual. " + about,
        cls="transformers.models.deprecated.transfo_xl.modeling_transfo_xl."
        "RelPartialLearnableMultiHeadAttn",
        package=transformers_package(), config=config, generator=GENERATOR, seed=seed,
        parameters=dict(attention.named_parameters()),
        cases=[case_of(attention, config, *size, seed + 1 + i) for i, size in enumerate(sizes)],
        twin=twin_of(config), mistakes=mistakes)


def main():
    write_one("transformer_xl", "LayerNorm comes after the residual.", 600, 0, False,
              [(6, 0), (5, 4)])
    write_one("transformer_xl_clamp", "Offsets above clamp_len count as clamp_len; LayerNorm comes "
              "first, over the memory too.", 610, 4, True, [(5, 6)])


if __name__ == "__main__":
    main()
