"""Attention with schemes that read the input of a layer: FoX's forget gate, and Inkling's relative
bias.

FoX is implemented twice, from its authors' code (cumulated logarithms of gates, as in the test of
zhixuan-lin/forgetting-transformer, src/forgetting_transformer/ops/forgetting_attention.py; the
gates as in its ForgettingAttentionLayer with fgate_type "full") and pair by pair from the paper's
formula.

Inkling's bias comes from Transformers' InklingRelativeLogits. That projection, bias and scale are
put together here as in Inkling is checked against its whole InklingAttention.

    python3 tests/golden/make_layers_states.py      (PyTorch 2.13.0, Transformers 5.24.0)
"""

import math

import torch
from transformers.models.inkling import modeling_inkling

from double_precision import everything_double
from fixture_file import TRANSFORMERS_LATER, require_versions
from layer_fixture import AGREEMENT, Case, causal, layer_file, normal, transformers_package
from make_layers_papers import DEPTH, HEADS, VALUE, attend, content, parts

GENERATOR = "make_layers_states.py"
WIDTH = 5


def write_one(name, about, cls, package, seed, config, parameters, stepwise, twin_of, mistakes,
              lengths=(4, 12)):
    """As in make_layers_papers, with an input `states` [T,E] beside q, k and v."""
    for tensor in parameters.values():
        tensor.requires_grad_()

    def case(length, at):
        shapes = {"q": (HEADS, length, DEPTH), "k": (HEADS, length, DEPTH),
                  "v": (HEADS, length, VALUE), "states": (length, WIDTH)}
        inputs = {n: normal(shape, at + i) for i, (n, shape) in enumerate(shapes.items())}
        allowed = causal(length, length)

        def run(x):
            return attend(x, stepwise(x, parameters), allowed, lambda weights: 0)
        return Case(f"n{length}", inputs, run, {}, allowed, arrange=lambda x: x)

    layer_file(name, about=about, cls=cls, package=package,
               config={"heads": HEADS, "headDim": DEPTH, "d_model": WIDTH, **config},
               parameters=parameters,
               cases=[case(n, seed + 10 * (1 + i)) for i, n in enumerate(lengths)],
               twin=twin_of(), mistakes={m: twin_of(**w) for m, w in mistakes.items()},
               generator=GENERATOR, seed=seed)


# ---- FoX

def fox_stepwise(inputs, p):
    logit = torch.nn.functional.linear(inputs["states"], p["fgate_proj.weight"],
                                       p["fgate_proj.bias"])
    log_lambda = torch.nn.functional.logsigmoid(logit).T.cumsum(-1)
    return content(inputs) + log_lambda[..., :, None] - log_lambda[..., None, :]


def fox_twin(*, own_gate=False, by_query=True, logarithm=True):
    def twin(inputs, p, _):
        x, length = inputs["states"], inputs["q"].shape[-2]
        gates = 1 / (1 + torch.exp(-(p["fgate_proj.weight"] @ x.T + p["fgate_proj.bias"][:, None])))
        rows = []
        for i in range(length):
            row = []
            for j in range(length):
                first, end = (j if own_gate else j + 1), (i + 1 if by_query else i)
                product = gates[:, first:end].prod(-1)
                row.append(torch.log(product) if logarithm else product - 1)
            rows.append(torch.stack(row, dim=-1))
        bias = torch.stack(rows, dim=-2)
        return parts(inputs, content(inputs) + bias, gates=gates, bias=bias.tril())
    return twin


def write_fox():
    write_one("forget_gate", "Gates are sigmoids of states times fgate_proj; the logarithms of "
              "the gates of tokens j + 1 to i are added to the logit of key j for query i. "
              "Causal; q·k is divided by the root of d; the output is the context with heads side "
              "by side.",
              "our own PyTorch, twice", "after zhixuan-lin/forgetting-transformer 246d5e3", 870, {},
              {"fgate_proj.weight": normal((HEADS, WIDTH), 871, 0.7),
               "fgate_proj.bias": normal((HEADS,), 872) + 1},
              fox_stepwise, fox_twin,
              {"a key's gate counts for itself": {"own_gate": True},
               "the query's gate left out": {"by_query": False},
               "no logarithm": {"logarithm": False}})


# ---- Inkling

CURVES, EXTENT = 4, 6


def tau(length, alpha, floor):
    """The factor of each query's bias; Inkling multiplies the query by it too."""
    count = torch.arange(1, length + 1, dtype=torch.float64)
    return 1 + alpha * torch.log((count / floor).clamp(min=1.0)) if floor else torch.ones(length)


def inkling_stepwise(alpha, floor):
    def logits(inputs, p):
        length = inputs["q"].shape[-2]
        relative = modeling_inkling.InklingRelativeLogits(CURVES, EXTENT)
        states = (inputs["states"] @ p["r_proj.weight"].T).view(1, length, HEADS, CURVES)
        bias = torch.func.functional_call(relative, {"proj": p["rel_logits_proj.proj"]},
                                          (states, torch.arange(length), torch.arange(length)))[0]
        return content(inputs) + bias * tau(length, alpha, floor)[:, None]
    return logits


def inkling_twin(alpha, usual_floor):
    def make(*, extent=EXTENT, clipped=False, by_head=True, floor=usual_floor):
        def twin(inputs, p, _):
            x, length = inputs["states"], inputs["q"].shape[-2]
            weight = p["r_proj.weight"].view(HEADS, CURVES, WIDTH)
            if not by_head:  # the numbers of a curve lie side by side, not those of a head
                weight = p["r_proj.weight"].view(CURVES, HEADS, WIDTH).transpose(0, 1)
            zero = x.sum() * 0
            rows = []
            for h in range(HEADS):
                for i in range(length):
                    count = (i + 1) / floor if floor else 1
                    mixed = (weight[h] @ x[i]) * (1 + alpha * math.log(max(1, count)))
                    for j in range(length):
                        at = min(i - j, extent - 1) if clipped else i - j
                        rows.append(mixed @ p["rel_logits_proj.proj"][:, at]
                                    if 0 <= at < extent else zero)
            bias = torch.stack(rows).view(HEADS, length, length)
            return parts(inputs, content(inputs) + bias, bias=bias.tril())
        return twin
    return make


def same_as_whole_layer(parameters, alpha, floor):
    """Compares the bias with that which Inkling's attention passes on, for other states."""
    config = modeling_inkling.InklingTextConfig(
        hidden_size=WIDTH, num_attention_heads=HEADS, num_key_value_heads=1, head_dim=DEPTH,
        num_hidden_layers=1, layer_types=["hybrid"], d_rel=CURVES, rel_extent=EXTENT,
        log_scaling_alpha=alpha, log_scaling_n_floor=floor)
    config._attn_implementation = "eager"
    found = []

    def catch(_module, query, *_rest, position_bias, **_more):
        found.append(position_bias[0])
        return torch.zeros_like(query).transpose(1, 2), None
    interface = modeling_inkling.ALL_ATTENTION_FUNCTIONS
    with everything_double():
        layer = modeling_inkling.InklingAttention(config, layer_idx=0)
        with torch.no_grad():
            layer.r_proj.weight.copy_(parameters["r_proj.weight"])
            layer.rel_logits_proj.proj.copy_(parameters["rel_logits_proj.proj"])
        states = normal((14, WIDTH), 899)
        caught = type("Caught", (), {"get_interface": lambda *_: catch})()
        modeling_inkling.ALL_ATTENTION_FUNCTIONS = caught
        try:
            layer(states[None], attention_mask=None)
        finally:
            modeling_inkling.ALL_ATTENTION_FUNCTIONS = interface
        nothing = {n: torch.zeros(HEADS, 14, DEPTH) for n in ("q", "k")}
        ours = inkling_stepwise(alpha, floor)({**nothing, "states": states}, parameters)
    difference = (ours - found[0]).abs().max().item()
    if not difference < AGREEMENT:
        raise SystemExit(f"the bias differs by {difference} from that of InklingAttention")


def write_inkling():
    for name, floor, seed in (("conditioned_bias", None, 880), ("conditioned_bias_scaled", 5, 890)):
        alpha = 0.5
        parameters = {"r_proj.weight": normal((HEADS * CURVES, WIDTH), seed + 1, 0.7),
                      "rel_logits_proj.proj": normal((CURVES, EXTENT), seed + 2, 0.7)}
        same_as_whole_layer(parameters, alpha, floor)
        mistakes = {"beyond the last curve its end goes on": {"clipped": True},
                    "one distance less": {"extent": EXTENT - 1},
                    "numbers by curve": {"by_head": False}}
        if floor:
            mistakes["not scaled"] = {"floor": None}
        write_one(name, "r = states times r_proj has d_rel numbers for each head; r times column "
                  "i - j of rel_logits_proj is added to the logit of key j for query i, 0 from "
                  "rel_extent on" + (", times 1 + log_scaling_alpha ln max(1, (i + 1) / "
                                     "log_scaling_n_floor); q is given after its factor" if floor
                                     else "") + ". Causal; q·k is divided by the root of d.",
                  "InklingRelativeLogits", transformers_package(), seed,
                  {"d_rel": CURVES, "rel_extent": EXTENT, "log_scaling_alpha": alpha,
                   "log_scaling_n_floor": floor or 0}, parameters,
                  inkling_stepwise(alpha, floor), inkling_twin(alpha, floor), mistakes)


def main():
    require_versions(TRANSFORMERS_LATER)
    write_fox()
    write_inkling()


if __name__ == "__main__":
    main()
