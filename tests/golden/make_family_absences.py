"""Results of Transformers for configs with a missing or null key: families/absences.json.

Every model of families/*.json is made again from its config.json without one key, and with null
for it; keys inside rope_parameters and attn_config too; and from the same config with the names
of version 4: rope_theta, rope_scaling and patterns of layers. The file has the result:

- "same": the numbers of the unchanged config;
- "refused" by Transformers;
- "other": some numbers of the last token, evenly spaced;
- "shaped": the tensors that change their shape, and such numbers. The weights of these tensors
  are computed from their names by `made_weights`;
- "large": too many tensors for a test.

    python3 tests/golden/make_family_absences.py [NAME ...]
"""

import copy
import json
import math
import re
import sys
import warnings

import numpy
import torch
import transformers

import family_cases
from double_precision import everything_double
from family_case import set_eager
from fixture_file import (FOLDER, TORCH, TRANSFORMERS, TRANSFORMERS_4, TRANSFORMERS_LATER,
                          require_versions)
from make_families import stored_tensors
from make_family_changes import last_row, unpacked

# Keys that name the class that reads the file, or concern only the Python call.
PASSED_OVER = {"model_type", "transformers_version", "architectures", "_name_or_path", "id2label",
               "label2id", "return_dict", "output_attentions", "output_hidden_states", "use_cache",
               "chunk_size_feed_forward", "problem_type", "dtype"}
OPENED = {"rope_parameters", "rope_scaling", "attn_config", "full_attention", "sliding_attention"}
LARGE = 400_000
NUMBERS = 4


def made_weights(name, shape):
    """Weights that a reader in another language can compute too: a hash of name and index."""
    state = 0x811C9DC5
    for byte in name.encode():
        state = (state ^ byte) * 0x01000193 & 0xFFFFFFFF
    x = numpy.uint64(state) + numpy.arange(math.prod(shape), dtype=numpy.uint64) * 0x9E3779B1
    x &= 0xFFFFFFFF
    x = (x ^ x >> 15) * 0x85EBCA6B & 0xFFFFFFFF
    x ^= x >> 13
    return torch.tensor(((x & 255).astype(numpy.float64) - 128) / 512).reshape(shape)


def paths_of(config, before=()):
    for key, value in config.items():
        if key in PASSED_OVER:
            continue
        yield (*before, key)
        if key in OPENED and isinstance(value, dict):
            yield from paths_of(value, (*before, key))


def without(config, path):
    changed = copy.deepcopy(config)
    inner = changed
    for key in path[:-1]:
        inner = inner[key]
    del inner[path[-1]]
    return changed


def with_null(config, path):
    changed = copy.deepcopy(config)
    inner = changed
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = None
    return changed


def older(config):
    """Returns the same config with the names of version 4; None if no name differs."""
    rotary = config.get("rope_parameters")
    if not isinstance(rotary, dict):
        return None
    rest = {key: value for key, value in config.items() if key != "rope_parameters"}
    if "full_attention" in rotary:
        full, sliding = (rotary[key]["rope_theta"] for key in
                         ("full_attention", "sliding_attention"))
        if config["model_type"] == "olmo3":
            return None  # version 4 has no base for its layers with a window
        if config["model_type"].startswith("modernbert"):
            del rest["layer_types"]
            return {**rest, "global_rope_theta": full, "local_rope_theta": sliding,
                    "global_attn_every_n_layers": 3}
        del rest["layer_types"], rest["_sliding_window_pattern"]
        return {**rest, "rope_theta": full, "rope_local_base_freq": sliding,
                "sliding_window_pattern": 2}
    if config["model_type"] == "cohere2":
        del rest["layer_types"]
        rest["sliding_window_pattern"] = 4
    if config["model_type"] == "gpt_neox":
        return {**rest, "rotary_emb_base": rotary["rope_theta"],
                "rotary_pct": rotary["partial_rotary_factor"]}
    scaling = {key: value for key, value in rotary.items()
               if key not in ("rope_theta", "partial_rotary_factor")}
    beside = {key: rotary[key] for key in ("rope_theta", "partial_rotary_factor") if key in rotary}
    if scaling["rope_type"] != "default" or "mrope_section" in scaling:
        beside["rope_scaling"] = scaling
    return {**rest, **beside}


def made(case, config):
    """Returns a copy, because the class writes into the dictionary that it gets."""
    read = case.config(**copy.deepcopy(config))
    set_eager(read)
    model = case.model(read).double().eval()
    if case.prepare:
        case.prepare(model)
    return model


def size(case, config):
    read = case.config(**copy.deepcopy(config))
    with torch.device("meta"):
        return sum(value.numel() for _, value in stored_tensors(case.model(read)))


def grouped(shapes):
    """Groups names that differ only in their layer, as [name with #, shape, first, last]."""
    rows = {}
    for name, shape in shapes.items():
        found = re.search(r"\.(\d+)\.", name)
        key = (re.sub(r"\.\d+\.", ".#.", name, count=1), tuple(shape or ()), shape is None)
        rows.setdefault(key, []).append(int(found[1]) if found else None)
    lines = []
    for (name, shape, is_gone), numbers in rows.items():
        own = None if is_gone else list(shape)
        if numbers == [None]:
            lines.append([name, own])
        elif numbers == list(range(numbers[0], numbers[-1] + 1)):
            lines.append([name, own, numbers[0], numbers[-1]])
        else:
            lines += [[name, own, number, number] for number in numbers]
    return lines


def some(row):
    step = (len(row) - 1) / (NUMBERS - 1)
    return [float(f"{row[round(i * step)].item():.6g}") for i in range(NUMBERS)]


class Walk:
    def __init__(self, case, file):
        self.case = case
        self.weights = {name: unpacked(tensor) for name, tensor in file["weights"].items()}
        self.texts = {"input_ids": torch.tensor([file["ids"]])}
        if case.has_encoder:
            self.texts["decoder_input_ids"] = torch.tensor(
                [[file["config"]["decoder_start_token_id"], *file["labels"][:-1]]])
        self.base = self.run(file["config"])

    def run(self, config):
        """Returns kind and value as in the file; the last token's numbers for unchanged tensors."""
        with everything_double(), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                if size(self.case, config) > LARGE:
                    return "large"
                model = made(self.case, config)
                own = dict(stored_tensors(model))
                shapes = {name: list(value.shape) for name, value in own.items()}
                before = {name: list(value.shape) for name, value in self.weights.items()}
                changed = {name: shape for name, shape in shapes.items()
                           if before.get(name) != shape}
                gone = {name: None for name in before if name not in shapes}
                for name, parameter in own.items():
                    parameter.data.copy_(made_weights(name, shapes[name]) if name in changed
                                         else self.weights[name])
                row = last_row(model, self.texts)
            except Exception:
                return "refused"
        if not torch.isfinite(row).all():
            return "refused"
        if changed or gone:
            return {"tensors": grouped({**changed, **gone}), "row": some(row)}
        return row

    def of(self, config, change):
        found = {"same": [], "refused": [], "large": [], "other": {}, "shaped": {}}
        for path in paths_of(config):
            result, name = self.run(change(config, path)), ".".join(path)
            if isinstance(result, str):
                found[result].append(name)
            elif isinstance(result, dict):
                found["shaped"][name] = result
            elif bool((result - self.base).abs().max() < 1e-9):
                found["same"].append(name)
            else:
                found["other"][name] = some(result)
        for kind in ("same", "refused", "large"):
            found[kind] = " ".join(found[kind])
        return {kind: value for kind, value in found.items() if value}


def main():
    require_versions(TRANSFORMERS, TRANSFORMERS_4, TRANSFORMERS_LATER)
    transformers.logging.set_verbosity_error()
    path = FOLDER / "families" / "absences.json"
    before = json.loads(path.read_text("utf-8"))["files"] if path.exists() else {}
    files = {}
    for case in family_cases.CASES:
        chosen = sys.argv[1:] or [case.name]
        if case.version != transformers.__version__ or case.name not in chosen:
            files[case.name] = before.get(case.name, {})  # made with that version
            continue
        file = json.loads((FOLDER / "families" / f"{case.name}.json").read_text("utf-8"))
        walk = Walk(case, file)
        rows = {"absent": walk.of(file["config"], without),
                "null": walk.of(file["config"], with_null)}
        words = older(file["config"])
        if words:
            result = walk.run(words)
            if isinstance(result, (str, dict)) or (result - walk.base).abs().max() > 1e-9:
                raise SystemExit(f"{case.name}: version 4's words say something else")
            rows["older"] = {"config": {key: value for key, value in words.items()
                                        if file["config"].get(key) != value},
                             "gone": [key for key in file["config"] if key not in words]}
            new = {key for key in rows["older"]["config"]}
            only = {key: words[key] for key in new}
            for name, change in (("absent", without), ("null", with_null)):
                rest = {key: value for key, value in words.items() if key not in new}
                rows["older"][name] = walk.of(
                    only, lambda part, at, rest=rest, change=change: {**rest, **change(part, at)})
        files[case.name] = rows
        print(case.name, len(json.dumps(rows)), flush=True)
    text = json.dumps({"torch": TORCH, "files": files}, separators=(",", ":"), allow_nan=False)
    path.write_text(text + "\n", "utf-8")
    print(len(text), "bytes")


if __name__ == "__main__":
    main()
