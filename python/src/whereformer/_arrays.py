"""Maps of attention from any source, read one head at a time.

Nothing is copied before it is shown: a tensor on a GPU stays there, and one head of it is converted
to float32 when it is requested.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float32]

LONGEST_SIDE = 4096
"""Largest number of tokens on a side of a map."""
OVERVIEW_SIDE = 512
"""Rows and columns in which the whole of a map is first shown."""
SKETCH_SIDE = 16
"""Rows and columns of the small map of a head."""
_KEPT = 4


def unexpected(name: str, value: object, expected: str) -> ValueError:
    """Returns the error about a value, in the one form of such messages."""
    return ValueError(f"{name}: {value} (expected {expected})")


def shape_text(shape: Sequence[int]) -> str:
    """Returns a shape as text: 12 × 512 × 512."""
    return " × ".join(f"{size:,}" for size in shape) if shape else "a single number"


def check_index(name: str, value: Any, count: int) -> None:
    """Raises ValueError if the value is no whole number from 0 to below the count."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)):
        raise unexpected(name, repr(value), f"a whole number from 0 to {count - 1}")
    if not 0 <= value < count:
        raise unexpected(name, int(value), f"0 to {count - 1}")


_SHAPES = (
    "[T, S], [H, T, S], [L, H, T, S] or [L, B, H, T, S], a list with such an array for each layer, "
    "or outputs.attentions of Transformers"
)


def _is_array(value: Any) -> bool:
    return hasattr(value, "shape") and hasattr(value, "dtype")


def _is_tensor(value: Any) -> bool:
    return type(value).__module__.split(".")[0] == "torch"


def to_numpy(value: Any, name: str) -> NDArray[Any]:
    """Returns an array of NumPy for one of PyTorch, JAX or NumPy, or for nested lists of numbers.

    bfloat16 becomes float32, and a tensor with gradients is detached and brought to the CPU.
    """
    if _is_tensor(value):
        tensor = value.detach()
        if tensor.is_floating_point():
            tensor = tensor.float()
        return cast("NDArray[Any]", tensor.cpu().numpy())
    try:
        array = np.asarray(value)
    except ValueError:
        raise unexpected(name, "lists of different lengths", "lists of equal lengths") from None
    if array.dtype.name == "bfloat16":
        return array.astype(np.float32)
    if array.dtype.kind not in "fiub":
        if array.dtype == object:
            found = type(value[0] if isinstance(value, (list, tuple)) and value else value).__name__
            raise unexpected(name, f"values of type {found}", "numbers")
        raise unexpected(name, f"an array of {array.dtype.name}", "real numbers")
    return array


@dataclass(frozen=True)
class Overview:
    """One head, reduced to a few hundred rows and columns, and facts about all of its cells."""

    side: int
    values: Numbers
    counts: Numbers | None
    min: float
    max: float
    peak: tuple[int, int] | None
    has_gaps: bool


def reduced(values: Numbers, side: int, reduce: str) -> tuple[Numbers, Numbers | None]:
    """Returns one number for each block of side × side cells, and for means the cells in each.

    It is that farthest from zero, or the mean; NaN where a block has no number. At the edges
    blocks are smaller.
    """
    rows, columns = values.shape
    down, across = -(-rows // side), -(-columns // side)
    if side == 1:
        counts = None if reduce == "max" else (~np.isnan(values)).astype(np.float32)
        return values, counts
    if (down * side, across * side) != values.shape:
        padded = np.full((down * side, across * side), np.nan, dtype=np.float32)
        padded[:rows, :columns] = values
        values = padded
    blocks = values.reshape(down, side, across, side)
    if reduce == "mean":
        counts = (~np.isnan(blocks)).sum(axis=(1, 3)).astype(np.float32)
        sums = np.where(np.isnan(blocks), np.float32(0), blocks).sum(axis=(1, 3), dtype=np.float64)
        means = np.divide(sums, counts, out=np.full(sums.shape, np.nan), where=counts > 0)
        return means.astype(np.float32), counts
    high = np.fmax.reduce(np.fmax.reduce(blocks, axis=3), axis=1)
    low = np.fmin.reduce(np.fmin.reduce(blocks, axis=3), axis=1)
    return np.where(np.abs(low) > np.abs(high), low, high), None


def are_shares(values: Numbers) -> bool:
    """Returns whether the numbers can be shares of attention, for which float16 is enough."""
    with np.errstate(invalid="ignore"):
        return not bool(np.any((values < 0) | (values > 1.001)))


def narrow(values: Numbers) -> tuple[str, memoryview]:
    """Returns the bytes of an array and their type: float16 for shares of attention.

    Their relative error is at most 1/2048, and they take half the time to travel.
    """
    kind = "float16" if values.size > 1024 and are_shares(values) else "float32"
    flat: Any = np.ascontiguousarray(values, dtype=kind).reshape(-1)
    return kind, memoryview(flat).cast("B")


class Maps:
    """Maps of attention of some layers and heads, one of which is converted at a time."""

    layers: int
    heads: int
    rows: int
    columns: int
    batches: int

    def __init__(self, given: Any, name: str = "attn", minus: Any = None) -> None:
        self.name = name
        self._kept: OrderedDict[tuple[int, int, int], Numbers] = OrderedDict()
        self._read, shape = _reader(given, name)
        self.layers, self.batches, self.heads, self.rows, self.columns = shape
        if min(shape) < 1:
            raise unexpected(name, f"shape {shape_text(_spoken(shape))}", "sizes from 1")
        if max(self.rows, self.columns) > LONGEST_SIDE:
            raise unexpected(
                name,
                f"shape {shape_text(_spoken(shape))}",
                f"at most {LONGEST_SIDE:,} tokens on a side; a part of it is "
                f"{name}[..., :{LONGEST_SIDE}, :{LONGEST_SIDE}]",
            )
        self._minus: Maps | None = None
        if minus is not None:
            self._minus = Maps(minus, "minus")
            if self._minus.sizes != self.sizes:
                raise unexpected(
                    "minus", f"shape {shape_text(self._minus.sizes)}", shape_text(self.sizes)
                )

    @property
    def sizes(self) -> tuple[int, int, int, int]:
        """Layers, heads, rows and columns."""
        return self.layers, self.heads, self.rows, self.columns

    def head(self, layer: int, head: int, batch: int = 0) -> Numbers:
        """Returns one map, [rows, columns], with NaN in masked cells.

        Raises ValueError for a map without a number, or with an infinite one.
        """
        key = (layer, head, batch)
        known = self._kept.get(key)
        if known is not None:
            self._kept.move_to_end(key)
            return known
        values = np.array(to_numpy(self._read(layer, batch, head, 1), self.name), dtype=np.float32)
        where = f"{self.name}, layer {layer}, head {head}"
        values[np.isneginf(values)] = np.nan
        if np.isposinf(values).any():
            raise unexpected(where, "inf", "finite numbers, NaN or −inf in masked cells")
        if np.isnan(values).all():
            size = shape_text(values.shape)
            raise unexpected(where, f"{size} cells, all NaN", "at least one number")
        if self._minus is not None:
            values -= self._minus.head(layer, head, batch)
        self._kept[key] = values
        while len(self._kept) > _KEPT:
            self._kept.popitem(last=False)
        return values

    def shown(self, layer: int, head: int, batch: int = 0, hide_first: bool = False) -> Numbers:
        """Returns one map; with `hide_first` its first column is NaN."""
        values = self.head(layer, head, batch)
        if hide_first:
            values = values.copy()
            values[:, 0] = np.nan
        return values

    def overview(
        self,
        layer: int,
        head: int,
        batch: int = 0,
        reduce: str = "max",
        hide_first: bool = False,
    ) -> Overview:
        """Returns the whole of one map in at most 512 rows and columns."""
        values = self.shown(layer, head, batch, hide_first)
        side = 1
        while max(values.shape) > OVERVIEW_SIDE * side:
            side *= 2
        blocks, counts = reduced(values, side, reduce)
        is_empty = bool(np.isnan(values).all())
        low = 0.0 if is_empty else float(np.nanmin(values))
        high = 0.0 if is_empty else float(np.nanmax(values))
        peak = None
        if not is_empty:
            farthest = low if abs(low) > abs(high) else high
            row, column = divmod(int(np.argmax(values == np.float32(farthest))), self.columns)
            peak = (row, column)
        return Overview(side, blocks, counts, low, high, peak, bool(np.isnan(values).any()))

    def sketches(self, layer: int, batch: int = 0) -> Numbers:
        """Returns a small map of every head of a layer, [heads, rows, columns].

        Of long texts only some rows and columns are read: a sketch.
        """
        step = max(1, max(self.rows, self.columns) // (8 * SKETCH_SIDE))
        small: list[Numbers] = []
        for head in range(self.heads):
            values = np.array(to_numpy(self._read(layer, batch, head, step), self.name), np.float32)
            values[~np.isfinite(values)] = np.nan
            if self._minus is not None:
                other = self._minus._read(layer, batch, head, step)
                values -= np.asarray(to_numpy(other, "minus"), np.float32)
            side = -(-max(values.shape) // SKETCH_SIDE)
            small.append(reduced(values, side, "max")[0])
        return np.stack(small)


_Reader = Callable[[int, int, int, int], Any]
_Shape = tuple[int, int, int, int, int]


def _spoken(shape: _Shape) -> Sequence[int]:
    """Leaves out a single layer and a single batch."""
    layers, batches, *rest = shape
    if layers > 1 and batches > 1:
        return shape
    return (max(layers, batches), *rest) if max(layers, batches) > 1 else rest


def _reader(given: Any, name: str) -> tuple[_Reader, _Shape]:
    """Returns a function that reads one map, and layers, batches, heads, rows and columns.

    The function takes layer, batch, head, and the step in which rows and columns are read.
    """
    if given is None:
        raise unexpected(
            name,
            "None",
            'attention weights; Transformers returns them with attn_implementation="eager" '
            "and output_attentions=True",
        )
    if not _is_array(given) and hasattr(given, "attentions"):
        return _reader(given.attentions, name)
    if isinstance(given, (list, tuple)):
        items = cast("Sequence[Any]", given)
        if len(items) == 0:
            raise unexpected(name, "an empty list", _SHAPES)
        if any(item is None for item in items):
            raise unexpected(
                name,
                f"None for layer {next(at for at, item in enumerate(items) if item is None)}",
                "attention weights of every layer: a model returns them with "
                'attn_implementation="eager"',
            )
        if _is_array(items[0]):
            return _layers_reader(items, name)
        if isinstance(items[0], (list, tuple)) and items[0] and _is_array(items[0][0]):
            return _steps_reader(items, name)
    array = given if _is_array(given) else to_numpy(given, name)
    return _array_reader(array, name)


def _array_reader(array: Any, name: str) -> tuple[_Reader, _Shape]:
    shape = tuple(int(size) for size in array.shape)
    if not 2 <= len(shape) <= 5:
        raise unexpected(name, f"shape {shape_text(shape)}", _SHAPES)
    rows, columns = shape[-2:]
    heads = shape[-3] if len(shape) > 2 else 1
    layers = shape[0] if len(shape) > 3 else 1
    batches = shape[1] if len(shape) > 4 else 1

    def read(layer: int, batch: int, head: int, step: int) -> Any:
        indices = {2: (), 3: (head,), 4: (layer, head), 5: (layer, batch, head)}
        part = array
        for at in indices[len(shape)]:
            part = part[at]
        return part[::step, ::step]

    return read, (layers, batches, heads, rows, columns)


def _layers_reader(items: Sequence[Any], name: str) -> tuple[_Reader, _Shape]:
    first = tuple(int(size) for size in items[0].shape)
    for at, item in enumerate(items):
        if not _is_array(item):
            raise unexpected(f"{name}[{at}]", type(item).__name__, "an array as the others are")
        if tuple(item.shape) != first:
            raise unexpected(
                f"{name}[{at}]",
                f"shape {shape_text(tuple(item.shape))}",
                f"{shape_text(first)}, as {name}[0] has",
            )
    if not 2 <= len(first) <= 4:
        raise unexpected(f"{name}[0]", f"shape {shape_text(first)}", _SHAPES)
    rows, columns = first[-2:]
    if len(first) == 2:
        # A list of heads.
        return (
            lambda _layer, _batch, head, step: items[head][::step, ::step],
            (1, 1, len(items), rows, columns),
        )
    batches = first[0] if len(first) == 4 else 1

    def read(layer: int, batch: int, head: int, step: int) -> Any:
        part = items[layer][batch] if len(first) == 4 else items[layer]
        return part[head][::step, ::step]

    return read, (len(items), batches, first[-3], rows, columns)


def _steps_reader(steps: Sequence[Any], name: str) -> tuple[_Reader, _Shape]:
    """Reads attentions of `generate`: for each step the layers' [B, H, rows, keys so far]."""
    layers = len(steps[0])
    for at, step in enumerate(steps):
        if len(step) != layers or any(item is None for item in step):
            raise unexpected(f"{name}[{at}]", f"{len(step)} layers", f"{layers}, as {name}[0] has")
    batches, heads = (int(size) for size in steps[0][0].shape[:2])
    rows = sum(int(step[0].shape[2]) for step in steps)
    columns = max(int(step[0].shape[3]) for step in steps)

    def read(layer: int, batch: int, head: int, step: int) -> Any:
        whole = np.full((rows, columns), np.nan, dtype=np.float32)
        at = 0
        for items in steps:
            part = to_numpy(items[layer][batch, head], name)
            whole[at : at + part.shape[0], : part.shape[1]] = part
            at += part.shape[0]
        return whole[::step, ::step]

    return read, (layers, batches, heads, rows, columns)
