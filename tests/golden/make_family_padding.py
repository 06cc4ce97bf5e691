"""The effect of padding in a text on the other tokens, by Transformers: families/padding.json.

Every family's model (families/*.json) reads its ids again, with padding before, between and
after them: once with the attention mask for it, once without, when padding is a token like any
other, except for families whose positions depend on it (RoBERTa, MPNet). The file has the
results of the first and the last token that is no padding: logits or hidden states, for a
decoder those of its own text.

    python3 tests/golden/make_family_padding.py [NAME ...]
"""

import json
import sys

import torch
import transformers

import family_cases
from double_precision import everything_double
from fixture_file import FOLDER, TORCH, TRANSFORMERS, TRANSFORMERS_LATER, require_versions
from make_families import stored_tensors
from make_family_changes import unpacked

MASK = [0, 1, 1, 0, 0, 1, 1, 1, 0, 1, 0]


def model_of(case, file):
    model = case.make().double().eval()
    for name, parameter in stored_tensors(model):
        parameter.data.copy_(unpacked(file["weights"][name]))
    return model


def rows_of(model, texts, kept):
    with torch.no_grad():
        result = model(**texts)
    output = (result.logits if hasattr(result, "logits") else result.last_hidden_state)[0]
    return [[float(f"{x:.7g}") for x in output[row].tolist()] for row in (kept[0], kept[-1])]


def run(case, file):
    with everything_double():
        model = model_of(case, file)
        config = file["config"]
        pad = config.get("pad_token_id")
        ids = [token if seen or pad is None else pad for token, seen in zip(file["ids"], MASK)]
        texts = {"input_ids": torch.tensor([ids])}
        kept = [i for i, seen in enumerate(MASK) if seen]
        if case.has_encoder:
            own = [config["decoder_start_token_id"], *file["labels"][:-1]]
            texts["decoder_input_ids"] = torch.tensor([own])
            kept = [0, len(own) - 1]
        masked = {**texts, "attention_mask": torch.tensor([MASK])}
        return {"ids": ids, "rows": [kept[0], kept[-1]], "masked": rows_of(model, masked, kept),
                "unmasked": rows_of(model, texts, kept)}


def main():
    require_versions(TRANSFORMERS, TRANSFORMERS_LATER)
    transformers.logging.set_verbosity_error()
    path = FOLDER / "families" / "padding.json"
    before = json.loads(path.read_text("utf-8"))["models"] if path.exists() else {}
    found = {}
    for case in family_cases.CASES:
        chosen = sys.argv[1:] or [case.name]
        if case.version != transformers.__version__ or case.name not in chosen:
            if case.name in before:  # made with that version; Transformer-XL takes no mask
                found[case.name] = before[case.name]
            continue
        file = json.loads((FOLDER / "families" / f"{case.name}.json").read_text("utf-8"))
        found[case.name] = run(case, file)
    package = f"transformers {TRANSFORMERS} and {TRANSFORMERS_LATER}"
    text = json.dumps({"torch": TORCH, "package": package,
                       "attentionMask": MASK, "models": found}, separators=(",", ":"))
    path.write_text(text + "\n", "utf-8")
    print(len(text), "bytes")


if __name__ == "__main__":
    main()
