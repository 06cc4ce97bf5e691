"""Labels of a map's rows and columns, from texts or from a tokenizer's ids."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from ._arrays import shape_text, to_numpy, unexpected


def _ids_of(value: Any) -> list[int] | None:
    """Returns ids as a list; None for anything else."""
    if isinstance(value, (list, tuple)):
        items = cast("Sequence[Any]", value)
        if len(items) == 1 and isinstance(items[0], (list, tuple)):
            return _ids_of(items[0])
        if items and all(hasattr(item, "item") or isinstance(item, int) for item in items):
            return [int(item) for item in items]
        return None
    if not hasattr(value, "shape"):
        return None
    array = to_numpy(value, "tokens")
    if array.dtype.kind not in "iu":
        return None
    if array.ndim == 2 and array.shape[0] == 1:
        array = array[0]
    if array.ndim != 1:
        raise unexpected(
            "tokens", f"ids of shape {shape_text(array.shape)}", "the ids of one text: ids[0]"
        )
    return [int(item) for item in array]


def _texts(ids: list[int], tokenizer: Any) -> list[str]:
    """Returns the text of each id, with a space before the beginning of a word."""
    pieces = [str(piece) for piece in tokenizer.convert_ids_to_tokens(ids)]
    if any(piece.startswith("##") for piece in pieces):
        return [piece[2:] if piece.startswith("##") else f" {piece}" for piece in pieces]
    texts: list[str] = []
    for piece, at in zip(pieces, ids, strict=True):
        if piece.startswith("▁"):
            texts.append(piece.replace("▁", " "))
        else:
            text = tokenizer.decode([at], clean_up_tokenization_spaces=False)
            texts.append(str(text) or piece)
    return texts


def tokens_of(name: str, given: Any, tokenizer: Any, size: int) -> list[str] | None:
    """Returns one label for each of `size` rows or columns; None if none are given.

    `given` is texts, a text with spaces between its tokens, or ids for which there is a tokenizer;
    also what a tokenizer of Transformers returns.
    """
    if given is None:
        return None
    if hasattr(given, "input_ids"):
        given = given.input_ids
    elif isinstance(given, dict) and "input_ids" in given:
        given = cast("dict[str, Any]", given)["input_ids"]
    texts: list[str] | None = None
    if isinstance(given, str):
        texts = given.split()
    elif isinstance(given, (list, tuple)) and all(
        isinstance(item, str) for item in cast("Sequence[Any]", given)
    ):
        texts = [str(item) for item in cast("Sequence[Any]", given)]
    else:
        ids = _ids_of(given)
        if ids is not None:
            if tokenizer is None:
                raise unexpected(name, f"{len(ids)} ids", "texts, or ids together with tokenizer=…")
            texts = _texts(ids, tokenizer)
    if texts is None:
        raise unexpected(name, type(given).__name__, "a list of texts, or ids with tokenizer=…")
    if len(texts) != size:
        raise unexpected(name, f"{len(texts)} texts", f"{size}, one for each row or column")
    return texts
