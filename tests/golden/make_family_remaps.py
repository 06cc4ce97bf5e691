"""Models of several families with other positions for distant keys, by Transformers:
families/remaps.json.

A model's own code computes everything but attention: its rotation is replaced by none, and an
attention function in its place rotates queries and keys, by the model's own rotary embedding and
its own function, at the positions of each method (make_layers_remapped.py has the methods, with
sources), and chooses among the products. So partial, interleaved and scaled rotations are the
family's. The file has logits of a few tokens of a longer text; "none" is every method's model
without any rotation, which DroPE trains further.

    python3 tests/golden/make_family_remaps.py      (PyTorch 2.13.0, Transformers 5.24.0)
"""

import json
import sys

import torch
import transformers
from transformers.masking_utils import ALL_MASK_ATTENTION_FUNCTIONS, eager_mask
from transformers.modeling_utils import ALL_ATTENTION_FUNCTIONS

import family_cases
from double_precision import everything_double
from fixture_file import FOLDER, TORCH, TRANSFORMERS_LATER, require_versions
from make_family_padding import model_of
from make_layers_remapped import allowed_of

FAMILIES = ["llama", "llama_llama3", "gpt_neox", "cohere", "qwen3", "phi"]
LENGTH, ROWS = 30, [8, 19, 29]
METHODS = {
    "rerope": {"window": 6},
    "leaky_rerope": {"window": 5, "group": 4},
    "self_extend": {"window": 7, "group": 3},
    "dual_chunk": {"window": 3, "chunk": 11},
    "lm_infinite": {"window": 6, "kept": 2},
    "none": {},
}


def chosen_products(method, product, length, *, window=0, group=1, chunk=0, kept=0):
    """`product(query_positions, key_positions)` gives logits [..,T,T]."""
    at = torch.arange(length)
    far = at[:, None] - at[None] >= window
    near = product(at, at)
    if method == "dual_chunk":
        size = chunk - window
        apart = at[:, None] // size - at[None] // size
        following = product((at % size + size).clamp(max=chunk), at % size)
        others = product(torch.full_like(at, min(2 * size - 1, chunk)), at % size)
        return torch.where(apart < 1, near, torch.where(apart == 1, following, others))
    query, key = at * 0 + window, at * 0
    if method == "leaky_rerope":
        query, key = at / group + window - window / group, at / group
    if method == "self_extend":
        query, key = at // group + window - window // group, at // group
    return torch.where(far, product(query, key), near)


class Remapped:
    """Attention of one method in a model, while it is in use."""

    def __init__(self, model, method):
        self.model = model
        self.module = sys.modules[type(model).__module__]
        self.embedding = next(m for n, m in model.named_modules() if n.endswith("rotary_emb"))
        self.method, self.turn = method, self.module.apply_rotary_pos_emb

    def __enter__(self):
        self.module.apply_rotary_pos_emb = lambda q, k, *_, **__: (q, k)
        ALL_ATTENTION_FUNCTIONS["remapped"] = self.attend
        ALL_MASK_ATTENTION_FUNCTIONS["remapped"] = eager_mask
        self.model.set_attn_implementation("remapped")

    def __exit__(self, *_):
        self.module.apply_rotary_pos_emb = self.turn

    def rotated(self, x, positions):
        cos, sin = self.embedding(x, positions.to(torch.float64)[None])
        width = cos.shape[-1]
        turned, _ = self.turn(x[..., :width], x[..., :width], cos, sin)
        return torch.cat((turned, x[..., width:]), -1)

    def attend(self, module, query, key, value, mask, scaling=None, **_):
        groups = query.shape[1] // key.shape[1]
        key, value = (x.repeat_interleave(groups, 1) for x in (key, value))
        length = query.shape[-2]
        scale = query.shape[-1]**-0.5 if scaling is None else scaling

        def product(queries, keys):
            return self.rotated(query, queries) @ self.rotated(key, keys).mT * scale
        options = METHODS[self.method]
        if self.method == "none":
            logits = query @ key.mT * scale
            allowed = allowed_of("rerope", length, window=length)
        else:
            logits = chosen_products(self.method, product, length, **options)
            allowed = allowed_of(self.method, length, **options)
        weights = logits.masked_fill(~allowed, -torch.inf).softmax(-1)
        return (weights @ value).transpose(1, 2).contiguous(), weights


def logits_of(model, ids):
    with torch.no_grad():
        found = model(input_ids=torch.tensor([ids])).logits[0]
    return [[float(f"{x:.7g}") for x in found[row].tolist()] for row in ROWS]


def run(case):
    file = json.loads((FOLDER / "families" / f"{case.name}.json").read_text("utf-8"))
    generator = torch.Generator().manual_seed(47)
    ids = torch.randint(file["config"]["vocab_size"], (LENGTH,), generator=generator).tolist()
    with everything_double():
        model = model_of(case, file)
        plain = logits_of(model, ids)
        METHODS["plain"] = {"window": LENGTH}
        found = {}
        for method in METHODS:
            with Remapped(model, method):
                found[method] = logits_of(model, ids)
        # Checks the replaced attention itself.
        apart = (torch.tensor(found.pop("plain")) - torch.tensor(plain)).abs().max().item()
        if not apart < 1e-6:
            raise SystemExit(f"{case.name}: attention in place of its own differs by {apart}")
        for method, rows in found.items():
            changed = (torch.tensor(rows) - torch.tensor(plain)).abs().max().item()
            if not changed > 1e-2:
                raise SystemExit(f"{case.name}: {method} changes nothing")
    return {"ids": ids, "logits": found}


def main():
    require_versions(TRANSFORMERS_LATER)
    transformers.logging.set_verbosity_error()
    found = {case.name: run(case) for case in family_cases.CASES if case.name in FAMILIES}
    options = {method: METHODS[method] for method in METHODS if method not in ("plain", "none")}
    text = json.dumps({"torch": TORCH, "package": f"transformers {TRANSFORMERS_LATER}",
                       "rows": ROWS, "options": options, "models": found}, separators=(",", ":"))
    (FOLDER / "families" / "remaps.json").write_text(text + "\n", "utf-8")
    print(len(text), "bytes")


if __name__ == "__main__":
    main()
