"""Swin's window attention: the table of the first version, cosine and network of the second."""

import math

import torch
from torch.nn import functional
from transformers import SwinConfig, Swinv2Config
from transformers.models.swin.modeling_swin import SwinAttention, SwinLayer
from transformers.models.swinv2.modeling_swinv2 import Swinv2Attention

from double_precision import everything_double
from layer_fixture import (Case, Parts, heads, layer_file, linear, merged, normal, randomise,
                           transformers_package)

GENERATOR = "make_layers_swin.py"
HEADS, WIDTH = 2, 6


def offsets(height, width):
    """(rows, columns) from key to query for tokens in reading order: [N,N] each."""
    at = torch.arange(height * width)
    y, x = at // width, at % width
    return y[:, None] - y, x[:, None] - x


def shift_mask(side, window, shift):
    """-100 between tokens of one window that come from different sides of the picture."""
    config = SwinConfig(window_size=window)
    layer = SwinLayer(config, 96, (side, side), 3, shift_size=shift)
    return layer.get_attn_mask(side, side, torch.float64, torch.device("cpu"))


def first_version_twin(window, *, sign=1, columns_first=False, divided=False):
    def twin(inputs, p, _):
        x = inputs["hiddenStates"]
        q, k, v = (heads(linear(x, p, n + "_proj"), HEADS) for n in "qkv")
        dy, dx = (sign * d for d in offsets(window, window))
        if columns_first:
            dy, dx = dx, dy
        rows = (dy + window - 1) * (2 * window - 1) + dx + window - 1
        table = p["relative_position_bias.relative_position_bias_table"]
        bias = table[rows].movedim(-1, 0)
        root = math.sqrt(q.shape[-1])
        logits = q @ k.transpose(-1, -2) / root + (bias / root if divided else bias)
        return Parts(q, k, v, logits, lambda context: linear(merged(context), p, "o_proj"),
                     {"bias": bias})
    return twin


def case_of(name, call, windows, tokens, seed, mask=None, times=1):
    def run(inputs):
        return call(inputs["hiddenStates"], mask)
    total = None if mask is None else times * mask[:, None]
    return Case(name, {"hiddenStates": normal((windows, tokens, WIDTH), seed)}, run, mask=total,
                arrange=lambda x: x.reshape(windows, HEADS, tokens, tokens))


def write_first(seed):
    window = 3
    config = {"window_size": window, "qkv_bias": True, "num_heads": HEADS, "dim": WIDTH,
              "attention_probs_dropout_prob": 0.0}
    with everything_double():
        made = SwinConfig(window_size=window, qkv_bias=True, attention_probs_dropout_prob=0.0)
        made._attn_implementation = "eager"
        attention = randomise(SwinAttention(made, WIDTH, HEADS, window).double(), seed)
        mask = shift_mask(6, window, 1)
    call = lambda x, m: attention(x, m)[0]
    layer_file(
        "swin_v1", about="Row (dy + M - 1)(2M - 1) + dx + M - 1 of the table, dy and dx from key "
        "to query, added after division by the root of d. The leading axis counts windows. The "
        "mask of shifted windows (a 6 x 6 picture shifted by 1) is -100, not minus infinity.",
        cls="transformers.models.swin.modeling_swin.SwinAttention, mask from SwinLayer",
        package=transformers_package(), config=config, generator=GENERATOR, seed=seed,
        parameters=dict(attention.named_parameters()),
        cases=[case_of("plain", call, 2, 9, seed + 1),
               case_of("shifted", call, 4, 9, seed + 2, mask)],
        twin=first_version_twin(window),
        mistakes={"offset from query to key": first_version_twin(window, sign=-1),
                  "columns before rows": first_version_twin(window, columns_first=True),
                  "bias divided by the root of d": first_version_twin(window, divided=True)})


def second_version_twin(config, *, sign=1, columns_first=False, natural_log=False, sigmoid=True,
                        cosine=True, capped=True, pretrained=True):
    height, width = config["window_size"]
    trained = config["pretrained_window_size"]
    spans = trained if pretrained and trained[0] > 0 else (height, width)

    def twin(inputs, p, _):
        x = inputs["hiddenStates"]
        q, k, v = (heads(linear(x, p, f"self.{n}"), HEADS) for n in ("query", "key", "value"))
        dy, dx = (sign * d.to(torch.float64) for d in offsets(height, width))
        z = torch.stack([8 * d / (span - 1) for d, span in zip((dy, dx), spans)], dim=-1)
        if columns_first:
            z = z.flip(-1)
        base = math.e if natural_log else 8
        z = (torch.sign(z) * torch.log1p(z.abs()) / math.log(base)).to(x.dtype)
        net = "self.continuous_position_bias_mlp."
        hidden = torch.relu(linear(z, p, net + "0"))
        bias = linear(hidden, p, net + "2").movedim(-1, 0)
        bias = 16 * torch.sigmoid(bias) if sigmoid else bias
        factor = p["self.logit_scale"]
        factor = (factor.clamp(max=math.log(100)) if capped else factor).exp()
        if cosine:
            content = functional.normalize(q, dim=-1) @ functional.normalize(k, dim=-1).transpose(
                -1, -2) * factor
        else:
            content = q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1])
        return Parts(q, k, v, content + bias,
                     lambda context: linear(merged(context), p, "output.dense"), {"bias": bias})
    return twin


def write_second(name, about, seed, window, trained, cases, mistakes):
    config = {"window_size": list(window), "pretrained_window_size": list(trained),
              "qkv_bias": True, "num_heads": HEADS, "dim": WIDTH,
              "attention_probs_dropout_prob": 0.0}
    with everything_double():
        made = Swinv2Config(qkv_bias=True, attention_probs_dropout_prob=0.0)
        attention = Swinv2Attention(made, WIDTH, HEADS, tuple(window), tuple(trained)).double()
        randomise(attention, seed)
        with torch.no_grad():
            # Small, so that the sigmoid is not saturated; the second factor is above the cap.
            for parameter in attention.self.continuous_position_bias_mlp.parameters():
                parameter.copy_(torch.round(parameter * 16) / 64)
            # Odd multiples of 1/128, so that no unit is at the kink of its ReLU.
            first = attention.self.continuous_position_bias_mlp[0]
            first.bias.add_(1 / 128)
            units = first(attention.self.relative_coords_table)
            if units.abs().min() < 1e-5:
                raise SystemExit("a unit sits on the kink of its ReLU")
            attention.self.logit_scale.copy_(torch.tensor([[[1.5]], [[4.75]]]))
        mask = shift_mask(6, 3, 1)
    call = lambda x, m: attention(x, m)[0]
    tokens = window[0] * window[1]
    made_cases = [case_of(n, call, w, tokens, seed + 1 + i, mask if masked else None, 2)
                  for i, (n, w, masked) in enumerate(cases)]
    layer_file(
        name, about="Cosine of q and k times exp(min(logit_scale, ln 100)), plus 16 sigmoid(net). "
        "The net sees (rows, columns) from key to query, each as sign(z) log2(1 + |z|) / log2(8) "
        "with z = 8 delta / (span - 1). The key has no bias. " + about,
        cls="transformers.models.swinv2.modeling_swinv2.Swinv2Attention",
        package=transformers_package(), config=config, generator=GENERATOR, seed=seed,
        parameters=dict(attention.named_parameters()), cases=made_cases,
        twin=second_version_twin(config),
        mistakes={"offset from query to key": second_version_twin(config, sign=-1),
                  "columns before rows": second_version_twin(config, columns_first=True),
                  "natural logarithm": second_version_twin(config, natural_log=True),
                  "no sigmoid": second_version_twin(config, sigmoid=False),
                  "no cosine": second_version_twin(config, cosine=False),
                  "factor without its cap": second_version_twin(config, capped=False),
                  **{m: second_version_twin(config, **wrong) for m, wrong in mistakes.items()}})


def main():
    write_first(700)
    write_second("swin_v2", "span is the window's side. `mask` is what this class adds in all: "
                 "it adds -100 twice, the authors' code once.", 710, (3, 3), (0, 0),
                 [("shifted", 4, True)], {})
    write_second("swin_v2_pretrained", "A window of 2 rows and 4 columns; span is that of the "
                 "window trained with, 5 x 7.", 720, (2, 4), (5, 7), [("plain", 2, False)],
                 {"spans of this window": {"pretrained": False}})


if __name__ == "__main__":
    main()
