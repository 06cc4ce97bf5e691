"""The base of all figures: a widget that shows one element, in any notebook with anywidget."""

from __future__ import annotations

import contextlib
import functools
import json
import pathlib
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, cast

import anywidget
import numpy as np
import traitlets

from . import _still
from ._arrays import Numbers, narrow, to_numpy, unexpected

_folder = pathlib.Path(__file__).parent / "static"
_BYTES = 64 * 2**20
"""Largest array that travels to the browser as a whole."""
_PAGE_WIDTH = 580
"""Width of a picture in a page, in pixels; the sheets that nbconvert prints cut off wider ones."""


@functools.cache
def _compressed_elements() -> bytes:
    return (_folder / "elements.js.gz").read_bytes()


def _is_array(value: Any) -> bool:
    return hasattr(value, "shape") and hasattr(value, "dtype")


def sendable(name: str, value: Any) -> Any:
    """Returns a value as it travels: JSON, with arrays as their bytes.

    Raises ValueError for what an element cannot be given.
    """
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, Mapping):
        return {
            str(key): sendable(f"{name}.{key}", item)
            for key, item in cast("Mapping[Any, Any]", value).items()
        }
    if isinstance(value, pathlib.PurePath):
        raise unexpected(name, repr(str(value)), "an address that the browser can open")
    is_list = isinstance(value, (list, tuple, range))
    items = list(cast("Sequence[Any]", value)) if is_list else []
    are_numbers = all(type(item) in (int, float) for item in items)
    if is_list and (not are_numbers or not any(isinstance(item, float) for item in items)):
        return [sendable(f"{name}[{at}]", item) for at, item in enumerate(items)]
    if not is_list and not _is_array(value):
        raise unexpected(name, f"a value of type {type(value).__name__}", "numbers, texts or lists")
    array = to_numpy(value, name)
    if array.ndim == 0:
        return array.item()
    if array.size == 0:
        raise unexpected(name, "an array without numbers", "at least one number")
    if array.nbytes > _BYTES:
        shape = " × ".join(f"{size:,}" for size in array.shape)
        raise unexpected(
            name, f"{shape} numbers, {array.nbytes / 2**20:,.0f} MiB", f"at most {_BYTES >> 20} MiB"
        )
    numbers: Numbers = array.astype(np.float32)
    if np.isnan(numbers).all():
        raise unexpected(name, f"{numbers.size:,} numbers, all NaN", "at least one number")
    kind, data = narrow(numbers)
    return {"dtype": kind, "shape": list(numbers.shape), "data": data}


def _to_json(value: Any, widget: Any) -> Any:
    return sendable("", value) if value is not None else None


class Property(traitlets.TraitType[Any, Any]):
    """A property of the element: None until it is given, or until the reader changes it."""

    def __init__(self, kind: str, help: str) -> None:
        super().__init__(None, allow_none=True, help=help)
        self.kind = kind
        self.tag(sync=True, to_json=_to_json)

    def validate(self, obj: Any, value: Any) -> Any:
        if value is None:
            return value
        name = self.name or ""
        checked = _checked(name, value, self.kind)
        sendable(name, checked)
        return checked


def _checked(name: str, value: Any, kind: str) -> Any:
    """Checks a value by the property's type in TypeScript."""
    kinds = [part.strip() for part in kind.split("|")]
    choices = [json.loads(part) for part in kinds if part.startswith('"')]
    if hasattr(value, "item") and getattr(value, "ndim", 0) == 0:
        value = value.item()
    if choices and len(choices) == len([part for part in kinds if part != "undefined"]):
        if value not in choices:
            raise unexpected(name, repr(value), "one of " + ", ".join(map(repr, choices)))
        return value
    simple = {"number": (int, float), "string": (str,), "boolean": (bool,)}
    named = [part for part in kinds if part in simple]
    if len(named) == 1 and len([part for part in kinds if part != "undefined"]) == 1:
        is_flag = isinstance(value, bool)
        is_right = isinstance(value, simple[named[0]]) and is_flag == (named[0] == "boolean")
        if not is_right or (isinstance(value, float) and not np.isfinite(value)):
            what = {"number": "a number", "string": "a text", "boolean": "True or False"}[named[0]]
            raise unexpected(name, repr(value)[:80], what)
    return value


class Figure(anywidget.AnyWidget):
    """One element of Whereformer in a notebook.

    Its properties are traits: setting one changes the picture, and what a reader changes in the
    picture arrives here (`observe`). `picked` has the cell, bar or point that the reader chose.
    """

    _esm = _folder / "widget.mjs"
    _css = ""
    _sends_elements: ClassVar[bool] = True

    _tag = traitlets.Unicode("").tag(sync=True)
    _names: ClassVar[tuple[str, ...]] = ()
    _is_drawn: ClassVar[bool] = True

    picked = traitlets.Dict(allow_none=True, default_value=None).tag(sync=True)
    """What the reader picked, by name; None before that."""
    failure = traitlets.Unicode("").tag(sync=True)
    """Why the element draws nothing; empty if it does."""
    _elements = traitlets.Bytes(b"").tag(sync=True)
    _properties = traitlets.List(traitlets.Unicode()).tag(sync=True)
    _keeps_picture = traitlets.Bool(False).tag(sync=True)
    _picture = traitlets.Unicode("").tag(sync=True)

    def __init__(self, **properties: Any) -> None:
        known = self._names
        # A name that every widget has already, `log`, ends in `_` as a trait.
        for name in [name for name in properties if f"{name}_" in known]:
            properties[f"{name}_"] = properties.pop(name)
        for name in properties:
            if name not in known:
                raise unexpected(name, "no such property", "one of " + ", ".join(known))
        # The script of the elements travels with the first figure; the others of a page use it, and
        # a page without it requests it.
        first = Figure._sends_elements
        super().__init__(
            _properties=list(known),
            _elements=_compressed_elements() if first else b"",
            _keeps_picture=not _still.is_available(),
            **{name: value for name, value in properties.items() if value is not None},
        )
        Figure._sends_elements = False
        self.on_msg(self._on_message)
        if not _still.is_available():
            self.observe(self._forget_picture, names=list(known))

    def _forget_picture(self, _change: Any) -> None:
        self._picture = ""

    def _on_message(self, _widget: Any, content: Any, _buffers: Any) -> None:
        if content.get("kind") == "elements":
            self.send({"kind": "elements"}, [_compressed_elements()])

    # ------------------------------------------------------------------ as a picture

    def _given(self) -> dict[str, Any]:
        """Returns the properties that are set, as the element is given them."""
        values = {name: getattr(self, name) for name in self._names}
        return {name: sendable(name, value) for name, value in values.items() if value is not None}

    def svg(self, *, width: int = 720, theme: str = "light", language: str | None = None) -> str:
        """Returns the picture as SVG, drawn by the code that draws it in the browser.

        Node.js runs that code: it is found on the PATH, or comes with
        `pip install "whereformer[static]"`. Without Node.js, a figure that is displayed can be
        saved from the next cell on.
        """
        if theme not in ("light", "dark"):
            raise unexpected("theme", repr(theme), "'light' or 'dark'")
        if not 200 <= width <= 4000:
            raise unexpected("width", width, "200 to 4000")
        if _still.is_available():
            spoken = language or getattr(self, "lang", None) or "en"
            return _still.draw(self._tag, self._given(), width, theme, spoken)
        if self._picture:
            return self._picture
        raise RuntimeError(
            "The picture is not there yet: display the figure in an earlier cell, or install "
            'Node.js with pip install "whereformer[static]".'
        )

    def save(self, path: str | pathlib.Path, **options: Any) -> None:
        """Writes the picture to a file: `w.save("map.svg")`. Takes what `svg` takes."""
        file = pathlib.Path(path)
        if file.suffix != ".svg":
            raise unexpected("path", repr(str(path)), "a name that ends in .svg")
        file.write_text(self.svg(**options), encoding="utf-8")

    def static(self, *, width: int = _PAGE_WIDTH, **options: Any) -> Any:
        """Returns the picture for `display`, without a widget. Takes what `svg` takes."""
        from IPython.display import SVG

        return SVG(self.svg(width=width, **options))

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        found: Any = super()._repr_mimebundle_(**kwargs)
        data = found[0] if isinstance(found, tuple) else found
        if isinstance(data, dict) and self._is_drawn and _still.is_available():
            # For pages that have no kernel: nbconvert, and sites that show notebooks.
            with contextlib.suppress(_still.NotDrawn):
                cast("dict[str, Any]", data)["image/svg+xml"] = self.svg(width=_PAGE_WIDTH)
        return cast("Any", found)
