"""Maps of attention: what is in view travels to the browser, and nothing else."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np
import traitlets

from ._arrays import Maps, Overview, check_index, narrow, reduced
from ._figure import Figure
from ._tokens import tokens_of


def _numbers(values: Any) -> dict[str, Any]:
    kind, data = narrow(values)
    return {"dtype": kind, "data": data}


class MapsFigure(Figure):
    """A figure of maps of attention that are read here, on request."""

    _shape = traitlets.List(traitlets.Int()).tag(sync=True)
    _version = traitlets.Int(0).tag(sync=True)
    _first = traitlets.Dict().tag(sync=True)
    batch = traitlets.Int(0)
    """Which text of a batch, from 0."""

    def __init__(
        self,
        attn: Any,
        tokens: Any = None,
        key_tokens: Any = None,
        tokenizer: Any = None,
        batch: int = 0,
        minus: Any = None,
        **properties: Any,
    ) -> None:
        self._maps = Maps(attn, minus=minus)
        self._tokenizer = tokenizer
        check_index("layer", properties.get("layer") or 0, self._maps.layers)
        check_index("head", properties.get("head") or 0, self._maps.heads)
        check_index("batch", batch, self._maps.batches)
        rows, columns = self._maps.rows, self._maps.columns
        labels = tokens_of("tokens", tokens, tokenizer, rows)
        keys = tokens_of("key_tokens", key_tokens, tokenizer, columns)
        super().__init__(tokens=labels, key_tokens=keys, **properties)
        with self.hold_sync():
            self.batch = batch
            self._shape = [self._maps.layers, self._maps.heads, rows, columns]
            self._first = self._head_in_view()
        values = self._maps.head(self._layer, self._head, batch)
        gaps = np.isnan(values)
        # Above the diagonal, or a whole row or column: a mask. Elsewhere it is worth a word.
        strange = gaps & ~np.triu(gaps, 1)
        strange &= ~gaps.all(axis=1, keepdims=True) & ~gaps.all(axis=0, keepdims=True)
        if strange.any():
            warnings.warn(
                f"attn: {int(strange.sum())} of {values.size} cells are NaN and shown as masked",
                stacklevel=3,
            )
        self.observe(self._on_view, names=["layer", "head", "reduce", "hide_first", "batch"])
        self.observe(self._on_pick, names=["picked"])

    @traitlets.validate("batch")
    def _valid_batch(self, proposal: Any) -> int:
        check_index("batch", proposal["value"], self._maps.batches)
        return proposal["value"]

    @property
    def attn(self) -> Maps:
        """The maps. Other weights can be assigned, of the same or of another shape."""
        return self._maps

    @attn.setter
    def attn(self, given: Any) -> None:
        maps = Maps(given)
        same = (maps.rows, maps.columns) == (self._maps.rows, self._maps.columns)
        self._maps = maps
        with self.hold_sync():
            if not same:
                for name in ("tokens", "key_tokens"):
                    setattr(self, name, None)
            self.layer = min(self._layer, maps.layers - 1)
            self.head = min(self._head, maps.heads - 1)
            if self.batch >= maps.batches:
                self.batch = 0
            self._shape = list(maps.sizes)
            self._first = self._head_in_view()
            self._version += 1

    @property
    def _layer(self) -> int:
        return min(int(getattr(self, "layer", None) or 0), self._maps.layers - 1)

    @property
    def _head(self) -> int:
        return min(int(getattr(self, "head", None) or 0), self._maps.heads - 1)

    def _view(self) -> dict[str, Any]:
        return {
            "layer": self._layer,
            "head": self._head,
            "reduce": getattr(self, "reduce", None) or "max",
            "hideFirst": bool(getattr(self, "hide_first", None)),
        }

    def _head_in_view(self) -> dict[str, Any]:
        """Returns what the first picture needs, so that it does not wait for the kernel."""
        view = self._view()
        return {
            "view": view,
            "batch": self.batch,
            "head": self._head_answer(view),
            "heads": self._heads_answer(view["layer"]),
        }

    def _on_view(self, change: Any) -> None:
        # What the browser has changed, it requests.
        if change["name"] in self._property_lock:
            return
        if change["name"] == "batch":
            self._version += 1
        self._first = self._head_in_view()

    def _on_pick(self, change: Any) -> None:
        picked = change["new"]
        if not picked or "row" not in picked or "column" not in picked:
            return
        values = self._maps.head(self._layer, self._head, self.batch)
        exact = float(values[picked["row"], picked["column"]])
        value = None if np.isnan(exact) else exact
        if picked.get("value") != value:
            # float32, in place of the float16 that has travelled.
            self.picked = {**picked, "value": value}

    # ------------------------------------------------------------------ answers

    def _head_answer(self, view: Mapping[str, Any]) -> dict[str, Any]:
        found: Overview = self._maps.overview(
            view["layer"], view["head"], self.batch, view["reduce"], view["hideFirst"]
        )
        peak = None if found.peak is None else dict(zip(("row", "column"), found.peak, strict=True))
        return {
            "side": found.side,
            "min": found.min,
            "max": found.max,
            "peak": peak,
            "hasGaps": found.has_gaps,
            "values": _numbers(found.values),
            **({} if found.counts is None else {"counts": _numbers(found.counts)}),
        }

    def _heads_answer(self, layer: int) -> dict[str, Any]:
        small = self._maps.sketches(layer, self.batch)
        return {"rows": small.shape[1], "columns": small.shape[2], "values": _numbers(small)}

    def _part_answer(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        side = int(asked["side"])
        values = self._maps.shown(asked["layer"], asked["head"], self.batch, asked["hideFirst"])
        top, left = int(asked["top"]) * side, int(asked["left"]) * side
        below, right = top + int(asked["rows"]) * side, left + int(asked["columns"]) * side
        return {
            "values": _numbers(reduced(values[top:below, left:right], side, asked["reduce"])[0])
        }

    def _on_message(self, _widget: Any, content: Any, _buffers: Any) -> None:
        kind = content.get("kind")
        answers = {"head": self._head_answer, "part": self._part_answer}
        if kind not in ("head", "part", "heads"):
            super()._on_message(_widget, content, _buffers)
            return
        try:
            if kind == "heads":
                answer = self._heads_answer(int(content["asked"]["layer"]))
            else:
                answer = answers[kind](content["asked"])
        except Exception as reason:
            # A map without numbers, or a tensor that is gone: the figure shows why.
            self.send({"kind": "answer", "id": content["id"], "failure": str(reason)})
            return
        buffers: list[memoryview] = []
        for name in ("values", "counts"):
            if name in answer:
                buffers.append(answer[name].pop("data"))
        self.send({"kind": "answer", "id": content["id"], "answer": answer}, buffers)

    def _given(self) -> dict[str, Any]:
        given = super()._given()
        values = self._maps.head(self._layer, self._head, self.batch)
        kind, data = narrow(values)
        weights = {"dtype": kind, "shape": list(values.shape), "data": data}
        return {**given, "weights": weights, "layer": 0, "head": 0}
