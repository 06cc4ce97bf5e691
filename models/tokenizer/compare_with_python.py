"""Checks that Python's tokenizers gives the ids that scripts/corpus.mjs wrote with JavaScript's.

    node scripts/corpus.mjs && pip install tokenizers==0.22.2
    python3 models/tokenizer/compare_with_python.py
"""

import array
import pathlib
import sys

import tokenizers

ROOT = pathlib.Path(__file__).resolve().parents[2]


def main():
    tokenizer = tokenizers.Tokenizer.from_file(str(ROOT / "models" / "tokenizer.json"))
    unknown = tokenizer.token_to_id("<|unk|>")
    failed = False
    for name in ("heldout.en", "heldout.zh", "train.en", "train.zh"):
        path = ROOT / "build" / "corpus" / name
        ids = array.array("H", path.with_suffix(path.suffix + ".bin").read_bytes())
        if sys.byteorder == "big":
            ids.byteswap()
        text = path.with_suffix(path.suffix + ".txt").read_text("utf-8")
        own = tokenizer.encode(text).ids
        same = own == ids.tolist()
        exact = unknown in own or tokenizer.decode(own, skip_special_tokens=False) == text
        print(f"{name}: {len(ids)} ids, {'equal' if same else 'DIFFERENT'}")
        failed |= not (same and exact)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
