"""Attention with schemes that read the input of a layer: FoX's forget gate.

FoX is implemented twice, from its authors' code (cumulated logarithms of gates, as in the test of
zhixuan-lin/forgetting-transformer, src/forgetting_transformer/ops/forgetting_attention.py; the
gates as in its ForgettingAttentionLayer with fgate_type "full") and pair by pair from the paper's
formula.

    python3 tests/golden/make_layers_states.py      (PyTorch 2.13.0, Transformers 5.24.0)
"""

import torch

from fixture_file import TRANSFORMERS_LATER, require_versions
from layer_fixture import Case, causal, layer_file, normal
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


def main():
    require_versions(TRANSFORMERS_LATER)
    write_fox()


if __name__ == "__main__":
    main()
