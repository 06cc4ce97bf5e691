"""The gated delta rule in double precision, with its gradients: delta_rule.json.

From the plain functions of Qwen3-Next in Transformers, token by token and in chunks, which must
agree. The weights of the tokens come from values that are rows of the identity: then each output
is a row of weights. `models` has those of whole models (families/*.json).

    python3 tests/golden/make_delta_rule.py      (Transformers 5.24.0)
"""

import json

import torch
from transformers.models.qwen3_next import modeling_qwen3_next
from transformers.models.qwen3_next.modeling_qwen3_next import (
    l2norm, torch_chunk_gated_delta_rule, torch_recurrent_gated_delta_rule)

import family_cases
from double_precision import everything_double
from fixture_file import (FOLDER, TRANSFORMERS_LATER, array, arrays, dyadic, require_versions,
                          write)
from make_family_padding import model_of

AGREEMENT = 1e-12
TOKENS, KEYS, VALUES, SEED = 11, 6, 37, 48


def run(function, inputs, **options):
    """One text and one head; `inputs` as the functions take them, without those two dimensions."""
    query, key, value, decay, write_ = (x[None, :, None] for x in inputs.values())
    return function(query, key, value, g=decay, beta=write_, **options)[0][0, :, 0]


def weights_of_model(name):
    """The weights in each layer with the rule of families/NAME.json, [layers, heads, T, T]."""
    file = json.loads((FOLDER / "families" / f"{name}.json").read_text("utf-8"))
    case = next(case for case in family_cases.CASES if case.name == name)
    layers = []

    def keep(query, key, value, **options):
        tokens = torch.eye(value.shape[1])[None, :, None].expand(-1, -1, value.shape[2], -1)
        layers.append(torch_recurrent_gated_delta_rule(query, key, tokens, **options)[0][0])
        return torch_chunk_gated_delta_rule(query, key, value, **options)
    modeling_qwen3_next.torch_chunk_gated_delta_rule = keep
    with torch.no_grad():
        model_of(case, file)(input_ids=torch.tensor([file["ids"]]), use_cache=False)
    modeling_qwen3_next.torch_chunk_gated_delta_rule = torch_chunk_gated_delta_rule
    return torch.stack(layers).transpose(1, 2)


def main():
    require_versions(TRANSFORMERS_LATER)
    generator = torch.Generator().manual_seed(SEED)

    def normal(*shape):
        return dyadic(torch.randn(shape, generator=generator, dtype=torch.float64))
    with everything_double():
        inputs = {"q": normal(TOKENS, KEYS), "k": l2norm(normal(TOKENS, KEYS)),
                  "v": normal(TOKENS, VALUES), "g": -normal(TOKENS).abs() / 2,
                  "beta": torch.sigmoid(normal(TOKENS))}
        for tensor in inputs.values():
            tensor.requires_grad_()
        output = run(torch_recurrent_gated_delta_rule, inputs)
        for size in (4, 64):
            chunked = run(torch_chunk_gated_delta_rule, inputs, chunk_size=size)
            assert (chunked - output).abs().max() < AGREEMENT, size
        identity = {**inputs, "v": torch.eye(TOKENS)}
        weights = run(torch_recurrent_gated_delta_rule, identity)
        assert (weights @ inputs["v"] - output).abs().max() < AGREEMENT
        d_output = normal(TOKENS, VALUES)
        output.backward(d_output)
        models = {name: array(weights_of_model(name))
                  for name in ("qwen3_next", "qwen3_next_dense")}
    write("delta_rule.json",
          {**arrays(inputs), "output": array(output), "weights": array(weights),
           "dOutput": array(d_output), "models": models,
           "gradients": {name: array(tensor.grad) for name, tensor in inputs.items()}},
          generator="make_delta_rule.py", source="models/qwen3_next/modeling_qwen3_next.py",
          cls="torch_recurrent_gated_delta_rule, torch_chunk_gated_delta_rule", seed=SEED,
          config={"seed": SEED}, package=f"transformers {TRANSFORMERS_LATER}",
          tolerance={"output": 2e-6, "weights": 1e-6, "models": 2e-6, "gradients": 1e-5})


if __name__ == "__main__":
    main()
