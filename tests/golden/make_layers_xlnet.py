"""XLNet's relative attention: Transformer-XL's in both directions."""

import math
import types

import torch
from transformers import XLNetConfig
from transformers.models.xlnet.modeling_xlnet import XLNetModel, XLNetRelativeAttention

from layer_fixture import (Case, Parts, layer_file, layer_norm, normal, randomise,
                           transformers_package)

GENERATOR = "make_layers_xlnet.py"
HEADS, WIDTH, DEPTH, EPS = 2, 8, 4, 1e-12


def sinusoid(offset, sign_of_sine=1):
    w = 10000.0 ** (-torch.arange(0, WIDTH, 2, dtype=torch.float64) / WIDTH)
    angle = offset.to(torch.float64)[..., None] * w
    return torch.cat((sign_of_sine * angle.sin(), angle.cos()), dim=-1)


def twin_of(config, *, even=False, swapped=False, clamped=True, memory_shift=0):
    def twin(inputs, p, _):
        x, memory = inputs["hiddenStates"], inputs.get("memory")
        everything = x if memory is None else torch.cat((memory, x))
        q = torch.einsum("te,ehd->htd", x, p["q"])
        k, v = (torch.einsum("te,ehd->htd", everything, p[name]) for name in ("k", "v"))
        offset = (torch.arange(len(x))[:, None] + len(everything) - len(x) + memory_shift
                  - torch.arange(len(everything)))
        if clamped and config["clamp_len"] > 0:
            offset = offset.clamp(-config["clamp_len"], config["clamp_len"])
        table = sinusoid(offset.abs() if even else offset).to(x.dtype)
        by_distance = torch.einsum("tse,ehd->htsd", table, p["r"])
        u, v_bias = (p["r_r_bias"], p["r_w_bias"]) if swapped else (p["r_w_bias"], p["r_r_bias"])
        content = (q + u[:, None]) @ k.transpose(-1, -2)
        position = torch.einsum("htd,htsd->hts", q + v_bias[:, None], by_distance)
        logits = (content + position) / math.sqrt(DEPTH)

        def output(context):
            back = torch.einsum("htd,ehd->te", context, p["o"])
            return layer_norm(back + x, p, "layer_norm", EPS)
        return Parts(q, k, v, logits, output)
    return twin


def case_of(attention, config, length, memory_length, seed):
    total = length + memory_length
    inputs = {"hiddenStates": normal((length, WIDTH), seed)}
    if memory_length:
        inputs["memory"] = normal((memory_length, WIDTH), seed + 500)
    allowed = None
    if config["attn_type"] == "uni":
        allowed = torch.ones(length, total, dtype=torch.bool).tril(memory_length)
    # A substitute for the model, whose method for the table of offsets only needs these fields.
    model = types.SimpleNamespace(d_model=WIDTH, attn_type=config["attn_type"], bi_data=False,
                                  clamp_len=config["clamp_len"],
                                  positional_embedding=XLNetModel.positional_embedding)

    def run(inputs):
        table = XLNetModel.relative_positional_encoding(model, length, total, bsz=1)
        memory = inputs["memory"][:, None] if memory_length else None
        mask = None if allowed is None else (~allowed).double()[:, :, None, None]
        return attention(inputs["hiddenStates"][:, None], None, mask, None, table, None,
                         mems=memory)[0][:, 0]

    return Case(f"n{length}_memory{memory_length}", inputs, run, {"memoryLength": memory_length},
                allowed)


def write_one(name, about, seed, kind, clamp, sizes):
    config = {"d_model": WIDTH, "n_head": HEADS, "d_head": DEPTH, "attn_type": kind,
              "clamp_len": clamp, "bi_data": False, "layer_norm_eps": EPS, "dropout": 0.0}
    given = {key: value for key, value in config.items() if key != "d_head"}
    attention = randomise(XLNetRelativeAttention(XLNetConfig(**given)).double(), seed)
    parameters = {n: p for n, p in attention.named_parameters()}
    mistakes = {"u and v exchanged": twin_of(config, swapped=True),
                "offsets one too large": twin_of(config, memory_shift=1)}
    if kind == "bi":
        mistakes["sine without its sign"] = twin_of(config, even=True)
    if clamp > 0:
        mistakes["no clamp"] = twin_of(config, clamped=False)
    layer_file(
        name, about="The offset is (i + memory length) - j, negative for later keys. q, k, v, r "
        "and o are [d_model, heads, d_head]; u is r_w_bias, v is r_r_bias. No segments. The output "
        "includes residual and LayerNorm. " + about,
        cls="transformers.models.xlnet.modeling_xlnet.XLNetRelativeAttention with "
        "XLNetModel.relative_positional_encoding",
        package=transformers_package(), config=config, generator=GENERATOR, seed=seed,
        parameters=parameters,
        cases=[case_of(attention, config, *size, seed + 1 + i) for i, size in enumerate(sizes)],
        twin=twin_of(config), mistakes=mistakes)


def main():
    write_one("xlnet_bidirectional", "Every token sees every other.", 620, "bi", -1,
              [(6, 0), (5, 4)])
    write_one("xlnet_causal_clamp", "Causal; offsets are clamped to clamp_len.", 630, "uni", 3,
              [(5, 4)])


if __name__ == "__main__":
    main()
