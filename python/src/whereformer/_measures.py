"""Measures of attention heads: where a head looks on average, and how widely."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from ._arrays import Maps, Numbers, are_shares, shape_text, to_numpy, unexpected

Measures = dict[str, NDArray[np.float64]]

NAMES = ("previous", "self", "first", "entropy", "distance")
"""Shares on three tokens, the entropy in bits, and the mean distance in tokens."""
QUERIES = 512
"""Queries that are read of a longer text, evenly spread."""
_TINY = np.finfo(np.float32).tiny


def of_head(values: Numbers) -> dict[str, float]:
    """Returns the means over the queries of one map, without the first one.

    The first query of a causal model sees only itself. A map that is not square has only the
    measures of the first token and of the entropy.
    """
    rows, columns = values.shape
    first = min(1, rows - 1)
    queries = np.unique(np.linspace(first, rows - 1, min(QUERIES, rows - first)).astype(int))
    queries = queries[~np.isnan(values[queries]).all(axis=1)]
    shares = np.nan_to_num(values[queries])
    # The logarithm of the smallest number times zero is zero.
    logs = np.log2(np.maximum(shares, _TINY))
    found = {"first": shares[:, 0], "entropy": -np.einsum("qk,qk->q", shares, logs)}
    if rows == columns:
        at = np.arange(len(queries))
        before = np.where(queries > 0, shares[at, np.maximum(queries - 1, 0)], 0.0)
        across = np.arange(columns, dtype=np.float32)
        far = np.abs(queries.astype(np.float32)[:, None] - across)
        found |= {
            "previous": before,
            "self": shares[at, queries],
            "distance": np.einsum("qk,qk->q", shares, far),
        }
    return {
        name: float(found[name].mean()) if len(queries) else float("nan")
        for name in NAMES
        if name in found
    }


def of_maps(maps: Maps, batch: int) -> Measures:
    """Returns the measures of every head, [layers, heads] each."""
    found: list[dict[str, float]] = []
    for layer in range(maps.layers):
        for head in range(maps.heads):
            values = maps.head(layer, head, batch)
            if not are_shares(values):
                low, high = float(np.nanmin(values)), float(np.nanmax(values))
                raise unexpected(
                    f"{maps.name}, layer {layer}, head {head}",
                    f"numbers from {low:.3g} to {high:.3g}",
                    "shares of attention, from 0 to 1",
                )
            found.append(of_head(values))
    sizes = (maps.layers, maps.heads)
    return {name: np.reshape([one[name] for one in found], sizes) for name in found[0]}


def given(name: str, measures: Any, sizes: tuple[int, int] | None = None) -> Measures:
    """Returns numbers of one's own by name, [layers, heads] each.

    Args:
        name: The argument's name.
        measures: Arrays by name, [layers] or [layers, heads].
        sizes: Layers and heads, if there are maps of attention.
    """
    if not isinstance(measures, Mapping) or not measures:
        found = "no arrays" if isinstance(measures, Mapping) else type(measures).__name__
        forms = "[layers] or [layers, heads]"
        raise unexpected(name, found, f"arrays by name, {{'score': …}}, of the shape {forms}")
    arrays: Measures = {}
    for key, value in cast("Mapping[Any, Any]", measures).items():
        array = to_numpy(value, f"{name}.{key}").astype(np.float64)
        shape = shape_text(array.shape)
        if array.ndim not in (1, 2) or array.size == 0:
            raise unexpected(f"{name}.{key}", f"shape {shape}", "[layers] or [layers, heads]")
        if array.ndim == 1:
            array = array[:, None]
        sizes = sizes or cast("tuple[int, int]", array.shape)
        if array.shape != sizes:
            raise unexpected(f"{name}.{key}", f"shape {shape}", shape_text(sizes))
        array[~np.isfinite(array)] = np.nan
        if np.isnan(array).all():
            raise unexpected(f"{name}.{key}", f"{array.size} numbers, all NaN", "a finite number")
        arrays[str(key)] = array
    return arrays
