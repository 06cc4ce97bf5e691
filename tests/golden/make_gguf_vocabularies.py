"""Tiny vocabularies in GGUF files, and the ids that their own libraries give.

SentencePiece's are trained here and read by sentencepiece itself, WordPiece's by Transformers'
BERT tokenizer; the files contain them as written by llama.cpp's converter (scores and types of
pieces; words with a mark before them in place of BERT's "##" before other pieces).

    pip install torch==2.13.0 transformers gguf==0.19.0 sentencepiece
    python3 tests/golden/make_gguf_vocabularies.py
"""

import base64
import io
import json
import pathlib
import tempfile

import gguf
import numpy as np
import sentencepiece
import transformers
from tokenizers import BertWordPieceTokenizer

from fixture_file import FOLDER

ROOT = FOLDER.parent.parent
TEXTS = ["The cat chased the mouse, and then the cat chased the", " two  spaces, three   of them ",
         "In the beginning God created", "Uпper Ünïcode 猫追老鼠 🐱", "line\none\ttab", "don't! (a-b)",
         "1234 x² ＡＢ", ""]
KINDS = gguf.TokenType


def corpus():
    english = (ROOT / "models/length/genesis.txt").read_text("utf-8").split("\n")[:400]
    return english + ["Don't (a-b) 1234."] * 4


def sentence_pieces(prefix):
    """Trains a byte-pair vocabulary with bytes for missing characters, as in Llama and Gemma."""
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(corpus()), model_writer=model, vocab_size=420, model_type="bpe",
        byte_fallback=True, normalization_rule_name="identity", add_dummy_prefix=prefix,
        remove_extra_whitespaces=False, split_digits=True, allow_whitespace_only_pieces=True,
        user_defined_symbols=["<turn>"], minloglevel=2)
    reader = sentencepiece.SentencePieceProcessor(model_proto=model.getvalue())
    count = reader.get_piece_size()

    def kind(i):
        if reader.is_unknown(i):
            return KINDS.UNKNOWN
        if reader.is_control(i):
            return KINDS.CONTROL
        if reader.is_byte(i):
            return KINDS.BYTE
        return KINDS.USER_DEFINED if reader.id_to_piece(i) == "<turn>" else KINDS.NORMAL

    def write(writer):
        writer.add_tokenizer_model("llama")
        writer.add_token_list([reader.id_to_piece(i) for i in range(count)])
        writer.add_token_scores([reader.get_score(i) for i in range(count)])
        writer.add_token_types([kind(i) for i in range(count)])
        writer.add_bos_token_id(1)
        writer.add_eos_token_id(2)
        writer.add_unk_token_id(0)
        writer.add_add_space_prefix(prefix)
    texts = TEXTS + ["a <turn>"]
    return write, count, [{"text": text, "ids": [1, *reader.encode(text)],
                           "decoded": reader.decode(reader.encode(text))} for text in texts]


def word_pieces(lowercase):
    trainer = BertWordPieceTokenizer(lowercase=lowercase)
    trainer.train_from_iterator(corpus(), vocab_size=300, show_progress=False)
    tokens = [token for token, _ in sorted(trainer.get_vocab().items(), key=lambda one: one[1])]
    reader = transformers.BertTokenizer(
        vocab={token: i for i, token in enumerate(tokens)}, do_lower_case=lowercase)

    def marked(token):
        if token.startswith("[") and token.endswith("]"):
            return token
        return token[2:] if token.startswith("##") else "\u2581" + token

    def write(writer):
        writer.add_tokenizer_model("bert")
        writer.add_token_list([marked(token) for token in tokens])
        writer.add_token_types([KINDS.CONTROL if token.startswith("[") and len(token) > 1
                                else KINDS.NORMAL for token in tokens])
        # As in llama.cpp's converter: the first token of a text is "bos".
        for name, token in (("unk", "UNK"), ("sep", "SEP"), ("pad", "PAD"), ("bos", "CLS"),
                            ("mask", "MASK")):
            getattr(writer, f"add_{name}_token_id")(tokens.index(f"[{token}]"))
    return write, len(tokens), [
        {"text": text, "ids": reader(text)["input_ids"],
         "decoded": reader.decode(reader(text, add_special_tokens=False)["input_ids"],
                                  clean_up_tokenization_spaces=False)} for text in TEXTS]


def write_model(writer, count):
    """Returns the smallest model with such a vocabulary."""
    wide = 8
    writer.add_context_length(64)
    writer.add_embedding_length(wide)
    writer.add_block_count(1)
    writer.add_head_count(1)
    writer.add_feed_forward_length(wide)
    writer.add_layer_norm_rms_eps(1e-6)
    writer.add_tensor("token_embd.weight", np.ones((count, wide), np.float16))
    for name in ("output_norm", "blk.0.attn_norm", "blk.0.ffn_norm"):
        writer.add_tensor(f"{name}.weight", np.ones(wide, np.float32))
    for name in ("attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate", "ffn_up", "ffn_down"):
        writer.add_tensor(f"blk.0.{name}.weight", np.ones((wide, wide), np.float16))


CASES = {"llama": lambda: sentence_pieces(True), "gemma": lambda: sentence_pieces(False),
         "bert": lambda: word_pieces(True), "bert_cased": lambda: word_pieces(False)}


def main():
    content = {"package": f"transformers {transformers.__version__}, gguf 0.19.0, "
                          f"sentencepiece {sentencepiece.__version__}"}
    for name, make in CASES.items():
        write, count, texts = make()
        with tempfile.TemporaryDirectory() as folder:
            path = f"{folder}/vocabulary.gguf"
            writer = gguf.GGUFWriter(path, "llama")
            write(writer)
            write_model(writer, count)
            writer.write_header_to_file()
            writer.write_kv_data_to_file()
            writer.write_tensors_to_file()
            writer.close()
            data = pathlib.Path(path).read_bytes()
        content[name] = {"count": count, "texts": texts, "bytes": base64.b64encode(data).decode()}
    path = FOLDER / "vocabularies" / "gguf.json"
    path.write_text(json.dumps(content, separators=(",", ":"), ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    main()
