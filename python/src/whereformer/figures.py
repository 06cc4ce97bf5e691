"""Functions for the figures that draw one's own numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

import numpy as np

from . import _measures, elements
from ._arrays import Maps, check_index, shape_text, to_numpy, unexpected
from ._attention import MapsFigure
from ._tokens import tokens_of


class AttentionMap(MapsFigure, elements.AttentionMap):
    """A map of attention to zoom into, of which only what is in view travels to the browser."""


def attention_map(
    attn: Any,
    tokens: Any = None,
    layer: int = 0,
    head: int = 0,
    *,
    batch: int = 0,
    key_tokens: Any = None,
    tokenizer: Any = None,
    minus: Any = None,
    **properties: Any,
) -> AttentionMap:
    """Returns a map of attention: `attention_map(outputs.attentions, ids, tokenizer=tokenizer)`.

    `w.layer`, `w.head` and `w.batch` choose the map, here or in the picture; `w.picked` is the cell
    that the reader chose. The weights stay where they are, and are read when they are shown: what
    is done to them in place shows from then on. NaN and −inf are masked cells.

    Args:
        attn: Weights [T, S], [H, T, S], [L, H, T, S] or [L, B, H, T, S], of NumPy, PyTorch (any
            dtype and device, with or without gradients) or JAX, or nested lists of numbers;
            `outputs.attentions` of Transformers, or of `generate`; at most 4,096 tokens on a side.
        tokens: Texts of the rows, or ids if there is a tokenizer; of the columns too, if there are
            as many.
        layer: Layer, from 0.
        head: Head, from 0.
        batch: Which text of a batch, from 0.
        key_tokens: Texts or ids of the columns, if those are not the rows'.
        tokenizer: A tokenizer of Transformers, for ids.
        minus: Weights of the same shape: the map is then the difference.
        properties: Others of the element: `log_`, `hide_first`, `reduce`, `theme`, `heading`,
            `compact` (`help(whereformer.elements.AttentionMap)`).
    """
    return AttentionMap(
        attn,
        tokens=tokens,
        key_tokens=key_tokens,
        tokenizer=tokenizer,
        batch=batch,
        minus=minus,
        layer=layer,
        head=head,
        **properties,
    )


def _named_rows(name: str, given: Mapping[str, Any], row: int | None) -> dict[str, Any]:
    """Returns a list of numbers for each name: a row of each array, if those have rows."""
    found: dict[str, Any] = {}
    for key, value in given.items():
        array = to_numpy(value, f"{name}.{key}")
        if array.ndim == 2:
            at = array.shape[0] - 1 if row is None else row
            if not 0 <= at < array.shape[0]:
                raise unexpected("row", at, f"0 to {array.shape[0] - 1}")
            array = array[at]
        if array.ndim != 1 or array.size == 0:
            shape = shape_text(array.shape)
            raise unexpected(f"{name}.{key}", f"shape {shape}", "[keys], or [queries, keys]")
        numbers = array.astype(np.float64)
        numbers[~np.isfinite(numbers)] = np.nan
        found[str(key)] = numbers
    if not found:
        raise unexpected(name, "no terms", "arrays by name")
    counts = {key: value.size for key, value in found.items()}
    if len(set(counts.values())) > 1:
        said = ", ".join(f"{key} has {count}" for key, count in counts.items())
        raise unexpected(name, said, "arrays of one length")
    return found


def logit_terms(
    terms: Mapping[str, Any],
    tokens: Any = None,
    *,
    row: int | None = None,
    tokenizer: Any = None,
    **properties: Any,
) -> elements.LogitTerms:
    """Returns the scores of one query as stacks of terms.

    Args:
        terms: Arrays by name, {"content": …, "position": …}: [keys], or [queries, keys]. Keys that
            the query does not see are −inf or NaN, and left out at the end.
        tokens: Texts of the keys, or ids if there is a tokenizer.
        row: Which query, from 0, of arrays with rows; the last one if it is not given.
        tokenizer: A tokenizer of Transformers, for ids.
        properties: Others of the element (`help(whereformer.elements.LogitTerms)`).
    """
    if not isinstance(cast("Any", terms), Mapping):
        raise unexpected("terms", type(terms).__name__, "arrays by name: {'content': …}")
    rows = _named_rows("terms", terms, row)
    whole = next(iter(rows.values())).size
    labels = tokens_of("tokens", tokens, tokenizer, whole)
    seen = np.flatnonzero(~np.all([np.isnan(values) for values in rows.values()], axis=0))
    if seen.size == 0:
        raise unexpected("terms", f"{whole} keys, all masked", "a key that the query sees")
    count = int(seen[-1]) + 1
    if count > 512:
        raise unexpected("terms", f"{count} keys", "at most 512")
    return elements.LogitTerms(
        terms={name: values[:count] for name, values in rows.items()},
        tokens=labels and labels[:count],
        **properties,
    )


def encoding(
    values: Any = None, *, scheme: str | None = None, **properties: Any
) -> elements.EncodingHeatmap:
    """Returns a map of what positions add to token vectors.

    Args:
        values: Rows of one's own, [positions, channels].
        scheme: Without values, the id of a scheme ("sinusoidal", "learned" …), whose rows are
            computed in the page.
        properties: Others of the element: `length`, `dim`, `base`, `options`
            (`help(whereformer.elements.EncodingHeatmap)`).
    """
    if values is not None:
        array = to_numpy(values, "values")
        if array.ndim != 2 or array.size == 0:
            shape = shape_text(array.shape)
            raise unexpected("values", f"shape {shape}", "[positions, channels]")
        if array.shape[0] > 16_384 or array.shape[1] > 4096:
            shape = shape_text(array.shape)
            raise unexpected("values", f"shape {shape}", "at most 16,384 × 4,096")
        values = array
    return elements.EncodingHeatmap(values=values, scheme=scheme, **properties)


def _curves(name: str, given: Any, x: Any) -> Any:
    """Returns curves as the element takes them: lists by name over one axis."""
    if isinstance(given, Mapping):
        named = {str(key): value for key, value in cast("Mapping[Any, Any]", given).items()}
    else:
        array = to_numpy(given, name)
        if array.ndim not in (1, 2) or array.size == 0:
            shape = shape_text(array.shape)
            raise unexpected(name, f"shape {shape}", "[points], [curves, points], or a dict")
        named = {str(at + 1): row for at, row in enumerate(np.atleast_2d(array))}
    if not 1 <= len(named) <= 64:
        raise unexpected(name, f"{len(named)} curves", "1 to 64")
    lines: list[dict[str, Any]] = []
    axis = None if x is None else to_numpy(x, "x").astype(np.float64)
    count = None if axis is None else axis.size
    for key, value in named.items():
        numbers = np.asarray(
            [np.nan if one is None else one for one in cast("Sequence[Any]", value)]
            if isinstance(value, (list, tuple))
            else to_numpy(value, f"{name}.{key}"),
            dtype=np.float64,
        )
        count = numbers.size if count is None else count
        if numbers.ndim != 1 or numbers.size != count or count == 0:
            shape = shape_text(numbers.shape)
            raise unexpected(f"{name}.{key}", f"shape {shape}", f"{count} numbers in a row")
        lines.append({"name": key if isinstance(given, Mapping) else "", "values": numbers})
    if axis is None:
        return {"lines": lines}
    if axis[0] < 0 or np.any(np.diff(axis) <= 0):
        raise unexpected("x", axis.tolist()[:8], "numbers from 0 that rise")
    return {"x": axis, "lines": lines}


def bias_by_distance(
    curves: Any = None,
    *,
    scheme: str | None = None,
    heads: int | None = None,
    x: Any = None,
    **properties: Any,
) -> elements.BiasByDistance:
    """Returns curves of what is added to scores by distance, head by head.

    Args:
        curves: Numbers of one's own: [heads, distances], or lists by name.
        scheme: Without curves, the id of a scheme ("alibi", "t5", "kerple" …), whose bias is
            computed in the page.
        heads: Without curves, the number of heads.
        x: The distances; 0, 1, 2 … if they are not given.
        properties: Others of the element: `length`, `head`, `options`
            (`help(whereformer.elements.BiasByDistance)`).
    """
    given = None if curves is None else _curves("curves", curves, x)
    return elements.BiasByDistance(curves=given, scheme=scheme, heads=heads, **properties)


def length_curves(
    curves: Any, lengths: Any = None, *, trained: float | None = None, **properties: Any
) -> elements.LossByLength:
    """Returns curves of loss, or of another measure, by the length of the text.

    Args:
        curves: A list of numbers for each name, {"RoPE": […], "ALiBi": […]}; None is a gap.
        lengths: The lengths, rising: one for each number.
        trained: The trained length, marked by a line.
        properties: Others of the element: `unit` names the measure
            (`help(whereformer.elements.LossByLength)`).
    """
    given = _curves("curves", curves, lengths)
    return elements.LossByLength(curves=given, trained=trained, **properties)


def rotation(
    config: Any = None, *, position: int = 12, **properties: Any
) -> elements.RotationDials:
    """Returns where the pairs of channels of a rotary head point at a position.

    Args:
        config: A config of Transformers, a model that has one, or a dict as `config.json` is.
        position: The position, from 0.
        properties: Without a config: `base`, `dim`, `scaling`, `factor`, `trained`
            (`help(whereformer.elements.RotationDials)`).
    """
    if config is not None:
        config = getattr(config, "config", config)
        if hasattr(config, "to_dict"):
            config = config.to_dict()
        if not isinstance(config, Mapping):
            raise unexpected("config", type(config).__name__, "a config, a model, or a dict")
        # What is no JSON, such as a dtype, says nothing of positions.
        config = _only_json(cast("Mapping[str, Any]", config))
    return elements.RotationDials(config=config, position=position, **properties)


def _only_json(value: Any) -> Any:
    if isinstance(value, Mapping):
        items = cast("Mapping[Any, Any]", value).items()
        return {
            str(key): _only_json(item)
            for key, item in items
            if item is None or isinstance(item, (bool, int, float, str, list, tuple, Mapping))
        }
    if isinstance(value, (list, tuple)):
        return [_only_json(item) for item in cast("Sequence[Any]", value)]
    return value


def _heads(
    attn: Any, measures: Any, batch: int, x: str, y: str, **properties: Any
) -> elements.Heads:
    """Returns the element with measures of every head, and with small maps if there are any."""
    found: _measures.Measures = {}
    small = None
    sizes = None
    if attn is not None:
        maps = Maps(attn)
        check_index("batch", batch, maps.batches)
        found = _measures.of_maps(maps, batch)
        small = np.stack([maps.sketches(layer, batch) for layer in range(maps.layers)])
        sizes = (maps.layers, maps.heads)
    if measures is not None:
        found |= _measures.given("measures", measures, sizes)
    for name, value in (("x", x), ("y", y)):
        names = [*found, "layer"] if name == "x" else [*found]
        if value not in names:
            raise unexpected(name, repr(value), "one of " + ", ".join(map(repr, names)))
    counts = next(iter(found.values())).shape
    for name, count in zip(("layer", "head"), counts, strict=True):
        if properties.get(name) is not None:
            check_index(name, properties[name], count)
    return elements.Heads(measures=found, weights=small, x=x, y=y, **properties)


def heads(
    attn: Any = None,
    *,
    measures: Any = None,
    x: str | None = None,
    y: str | None = None,
    batch: int = 0,
    **properties: Any,
) -> elements.Heads:
    """Returns all heads of a model: a small map of each, and a dot for each by two measures.

    A click on a map or a dot chooses a head: `w.layer` and `w.head`, None before that, which
    `w.observe` hears.

    The measures of a head are means over the queries of the text, without the first query:
    `previous`, `self` and `first` are the shares of attention on the token before, on the token
    itself and on the first token; `entropy` is in bits, `distance` in tokens. Of more than 512
    queries, 512 are read.

    Args:
        attn: Attention weights of any form that `attention_map` takes.
        measures: Numbers of one's own by name, [layers, heads] each: they are added to the others,
            or shown alone if there are no weights.
        x: The measure across, or `"layer"`; by default the share on the token before.
        y: The measure upwards; by default the entropy.
        batch: Which text of a batch, from 0.
        properties: Others of the element: `layer`, `head`, `theme`, `heading`, `compact`
            (`help(whereformer.elements.Heads)`).
    """
    if attn is None and measures is None:
        raise unexpected("attn", "None", "attention weights, or measures by name")
    names = ["previous", "entropy"]
    if attn is None and isinstance(measures, Mapping):
        # The first two of one's own; one alone is shown by layer.
        own = [str(name) for name in cast("Mapping[Any, Any]", measures)]
        names = own[:2] if len(own) > 1 else ["layer", *own]
    across, up = names if len(names) == 2 else ("layer", "")
    return _heads(attn, measures, batch, x or across, y or up, **properties)


def layers(
    values: Any, *, measure: str | None = None, batch: int = 0, **properties: Any
) -> elements.Heads:
    """Returns a measure by layer: a dot for each head above its layer, and a line of their means.

    Args:
        values: Attention weights of any form that `attention_map` takes, of which the measures of
            `heads` are computed; or numbers of one's own by name, [layers] each (the loss after
            each layer, the norm of what it adds) or [layers, heads].
        measure: Which of them; by default the entropy, or the first of one's own.
        batch: Which text of a batch, from 0.
        properties: Others of the element, as of `heads`.
    """
    is_own = isinstance(values, Mapping) and not hasattr(values, "attentions")
    attn, measures = (None, values) if is_own else (values, None)
    first = next(iter(cast("Mapping[Any, Any]", values)), "") if is_own else "entropy"
    return _heads(attn, measures, batch, "layer", measure or str(first), **properties)
