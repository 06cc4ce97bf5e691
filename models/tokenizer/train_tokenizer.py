"""Trains models/tokenizer.json: readable byte-free BPE for English, one token a Chinese character.

    node scripts/corpus.mjs --text-only
    pip install tokenizers==0.22.2
    python3 models/tokenizer/train_tokenizer.py

Needed only to make a new tokenizer; the committed tokenizer.json is what everything uses.

Vocabulary, in order of id: <|unk|>, <|end|>, newline, the 95 printable ASCII characters, English
pieces in merge order up to ENGLISH_UNITS, then the characters of required.txt and the most
frequent other characters of the Chinese text up to VOCABULARY. Merges happen inside a run of
ASCII letters with the space before it, so a token is a word, a piece of one, or one character,
and joining the tokens gives the text back exactly.
"""

import collections
import json
import pathlib
import re

import tokenizers

TOKENIZERS_VERSION = "0.22.2"
VOCABULARY = 4736
ENGLISH_UNITS = 1800
WORD = " ?[A-Za-z]+"
SPECIAL = ["<|unk|>", "<|end|>"]
ASCII = ["\n"] + [chr(code) for code in range(0x20, 0x7F)]

ROOT = pathlib.Path(__file__).resolve().parents[2]
CORPUS = ROOT / "build" / "corpus"


def learn_merges(text, count):
    """The first `count` BPE merges over the words of `text`, as [left, right] pairs."""
    words = re.findall(WORD, text)
    model = tokenizers.Tokenizer(tokenizers.models.BPE())
    trainer = tokenizers.trainers.BpeTrainer(
        vocab_size=len(ASCII) + count, initial_alphabet=ASCII, show_progress=False
    )
    model.train_from_iterator(words, trainer)
    merges = json.loads(model.to_str())["model"]["merges"]
    return merges[:count]


def required_characters():
    lines = (ROOT / "models" / "tokenizer" / "required.txt").read_text("utf-8").splitlines()
    text = "".join(line for line in lines if not line.startswith("#"))
    return list(dict.fromkeys(text))


def chinese_characters(text, count):
    """`count` characters: the required ones, then the rest by frequency (ties by code point)."""
    frequency = collections.Counter(text)
    ranked = sorted(frequency, key=lambda c: (-frequency[c], ord(c)))
    required = required_characters()
    chosen = [c for c in ranked if ord(c) > 0x7F and c not in set(required)]
    chosen = set(required) | set(chosen[: count - len(required)])
    absent = [c for c in required if frequency[c] == 0]
    order = [c for c in ranked if c in chosen] + absent
    kept = sum(frequency[c] for c in order)
    share = kept / sum(n for c, n in frequency.items() if ord(c) > 0x7F)
    print(f"{len(order)} Chinese characters cover {share:.4%} of the training text")
    print(f"{len(absent)} required ones never occur in it: {''.join(absent)}")
    return order


def added_token(token, index):
    return {
        "id": index, "content": token, "single_word": False, "lstrip": False,
        "rstrip": False, "normalized": False, "special": True,
    }


def main():
    if tokenizers.__version__ != TOKENIZERS_VERSION:
        raise SystemExit(f"needs tokenizers {TOKENIZERS_VERSION}, found {tokenizers.__version__}")
    english = (CORPUS / "train.en.txt").read_text("utf-8").replace("<|end|>", "\n")
    chinese = (CORPUS / "train.zh.txt").read_text("utf-8").replace("<|end|>", "\n")
    base = SPECIAL + ASCII
    merges = learn_merges(english, ENGLISH_UNITS - len(base))
    pieces = ["".join(pair) for pair in merges]
    tokens = base + pieces
    tokens += chinese_characters(chinese, VOCABULARY - len(tokens))
    if len(tokens) != VOCABULARY or len(set(tokens)) != VOCABULARY:
        raise SystemExit(f"{len(tokens)} tokens, {len(set(tokens))} distinct; wanted {VOCABULARY}")
    tokenizer = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [added_token(token, index) for index, token in enumerate(SPECIAL)],
        "normalizer": None,
        "pre_tokenizer": {
            "type": "Split",
            "pattern": {"Regex": WORD + "|[^A-Za-z]"},
            "behavior": "Isolated",
            "invert": False,
        },
        "post_processor": None,
        "decoder": {"type": "Fuse"},
        "model": {
            "type": "BPE", "dropout": None, "unk_token": SPECIAL[0],
            "continuing_subword_prefix": None, "end_of_word_suffix": None,
            "fuse_unk": False, "byte_fallback": False, "ignore_merges": False,
            "vocab": {token: index for index, token in enumerate(tokens)},
            "merges": merges,
        },
    }
    config = {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "unk_token": SPECIAL[0],
        "eos_token": SPECIAL[1],
        "clean_up_tokenization_spaces": False,
        "model_max_length": 128,
    }
    models = ROOT / "models"
    (models / "tokenizer.json").write_text(json.dumps(tokenizer, ensure_ascii=False, indent=0))
    (models / "tokenizer_config.json").write_text(json.dumps(config, indent=2) + "\n")


if __name__ == "__main__":
    main()
