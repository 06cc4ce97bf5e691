"""The effect of each key of every family's config, by Transformers: families/changes.json.

For every family one of its models (families/*.json) is made again with one key of config.json
changed. The file has the result: "same" numbers, other numbers (those of the last token, to
compare), "refused" by Transformers, or "shape" if other tensors are needed. A reader of
config.json must give the same numbers or refuse.

    python3 tests/golden/make_family_changes.py [NAME ...]
"""

import json
import sys
import warnings

import torch
import transformers

import family_cases
from double_precision import everything_double
from fixture_file import (FOLDER, TORCH, TRANSFORMERS, TRANSFORMERS_4, TRANSFORMERS_LATER,
                          require_versions)
from family_case import set_eager
from make_families import UNIT, stored_tensors

# Returns another value of the same kind: another size, the opposite, another known word.
WORDS = {"hidden_act": ["relu", "gelu_new"], "activation_function": ["silu", "gelu"],
         "hidden_activation": ["relu", "gelu"], "activation": ["relu", "gelu_new"]}
# Keys that name the class that reads the file, or that concern only the Python call.
PASSED_OVER = {"model_type", "transformers_version", "architectures", "_name_or_path", "id2label",
               "label2id", "return_dict", "output_attentions", "output_hidden_states", "use_cache",
               "chunk_size_feed_forward"}


def unpacked(tensor):
    import base64

    import numpy
    steps = numpy.frombuffer(base64.b64decode(tensor["data"]), dtype=numpy.int8)
    return torch.tensor(steps.astype(numpy.float64) / UNIT).reshape(tensor["shape"])


def changes_of(key, value):
    if key in PASSED_OVER:
        return []
    if key in WORDS:
        return WORDS[key]
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [value + 1, 2 * value + 2]
    if isinstance(value, float):
        return [2 * value + 0.5]
    return []


def last_row(model, texts):
    with torch.no_grad():
        result = model(**texts)
    output = result.logits if hasattr(result, "logits") else result.last_hidden_state
    return output[0, -1]


def run(case, config, weights, texts):
    """Returns the last token's numbers, or a word for the failure."""
    with everything_double(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            made = case.config(**config)
            set_eager(made)
            model = case.model(made).double().eval()
            if case.prepare:
                case.prepare(model)
        except Exception:
            return "refused"
        own = dict(stored_tensors(model))
        if {n: list(p.shape) for n, p in own.items()} != {n: list(w.shape)
                                                         for n, w in weights.items()}:
            return "shape"
        for name, parameter in own.items():
            parameter.data.copy_(weights[name])
        try:
            return last_row(model, texts)
        except Exception:
            return "refused"


def main():
    require_versions(TRANSFORMERS, TRANSFORMERS_4, TRANSFORMERS_LATER)
    transformers.logging.set_verbosity_error()
    path = FOLDER / "families" / "changes.json"
    before = json.loads(path.read_text("utf-8"))["families"] if path.exists() else {}
    found = {}
    for case in family_cases.CASES:
        file = json.loads((FOLDER / "families" / f"{case.name}.json").read_text("utf-8"))
        config = file["config"]
        family = config["model_type"]
        if family in found:
            continue
        chosen = sys.argv[1:] or [case.name]
        if case.version != transformers.__version__ or case.name not in chosen:
            found[family] = before.get(family, {})  # made with that version
            continue
        weights = {name: unpacked(tensor) for name, tensor in file["weights"].items()}
        texts = {"input_ids": torch.tensor([file["ids"]])}
        if case.has_encoder:
            texts["decoder_input_ids"] = torch.tensor(
                [[config["decoder_start_token_id"], *file["labels"][:-1]]])
        base = run(case, config, weights, texts)
        rows = []
        for key, value in config.items():
            for other in changes_of(key, value):
                result = run(case, {**config, key: other}, weights, texts)
                if not isinstance(result, str):
                    is_same = bool((result - base).abs().max() < 1e-9)
                    result = "same" if is_same else [float(f"{x:.7g}") for x in result.tolist()]
                rows.append([key, other, result])
        found[family] = {"file": case.name, "package": f"transformers {case.version}",
                         "changes": rows}
        print(case.name, len(rows))
    text = json.dumps({"torch": TORCH, "families": found}, separators=(",", ":"))
    path.write_text(text + "\n", "utf-8")
    print(len(text), "bytes")


if __name__ == "__main__":
    main()
