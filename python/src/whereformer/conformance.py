"""Compares an implementation of positional encodings with the vectors beside this file.

    from whereformer.conformance import check
    check({"alibi": slopes, "rope": rotate, "shaw": attention})

A function has the name of a file of vectors (or of a kind, for all files of it) and takes
(inputs, facts, parameters), where arrays are NumPy's, float64. It returns a dict with some of the
expected results, of which each is compared; or None for a case that it does not compute.
"""

from __future__ import annotations

import json
import pathlib
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TextIO

import numpy

_folder = pathlib.Path(__file__).parent / "vectors"


def _arrays(value: Any) -> Any:
    """Returns an array for {"shape", "data"}, at any depth."""
    if isinstance(value, dict):
        if set(value) == {"shape", "data"}:
            return numpy.array(value["data"], dtype=numpy.float64).reshape(value["shape"])
        return {key: _arrays(each) for key, each in value.items()}
    return value


def vectors() -> Iterator[dict[str, Any]]:
    """Yields every file of vectors, as a dict."""
    for path in sorted(_folder.glob("*.json")):
        yield json.loads(path.read_text(encoding="utf-8"))


def _allowed(
    tolerance: Mapping[str, Any], name: str, expected: Any, inputs: Mapping[str, Any]
) -> Any:
    if tolerance["isRelative"]:
        return tolerance[name] * numpy.abs(expected)
    allowed = tolerance.get(name)
    if allowed is None:
        others = {"isRelative", "rotatedPerPosition"}
        allowed = max(value for key, value in tolerance.items() if key not in others)
    per_position = tolerance.get("rotatedPerPosition")
    if name == "rotated" and per_position is not None:
        positions = numpy.abs(numpy.array(inputs["positions"], dtype=numpy.float64))
        return allowed + per_position * positions.reshape(-1, 1)
    return allowed


def _compare(
    tolerance: Mapping[str, Any],
    inputs: Mapping[str, Any],
    expected: Mapping[str, Any],
    answer: Mapping[str, Any],
    path: str = "",
) -> Iterator[tuple[str, float, float]]:
    """Yields (name, deviation, share of what is allowed)."""
    for name, value in answer.items():
        wanted = expected[name]
        if isinstance(wanted, dict):
            inner = {**tolerance, **{key: tolerance.get(name, 0) for key in wanted}}
            yield from _compare(inner, inputs, wanted, value, f"{path}{name}.")
            continue
        wanted = numpy.asarray(wanted, dtype=numpy.float64)
        value = numpy.asarray(value, dtype=numpy.float64)
        if value.shape != wanted.shape:
            yield path + name, float("inf"), float("inf")
            continue
        off = numpy.abs(value - wanted)
        off = numpy.where(numpy.isnan(off), numpy.inf, off)
        allowed = numpy.broadcast_to(_allowed(tolerance, name, wanted, inputs), off.shape)
        share = numpy.where(off == 0, 0, off / numpy.maximum(allowed, 1e-300))
        yield path + name, float(off.max(initial=0)), float(share.max(initial=0))


def check(
    implementations: Mapping[str, Callable[..., Mapping[str, Any] | None]],
    out: TextIO = sys.stdout,
    slack: float = 1.0,
) -> int:
    """Compares, prints a line for each file, and returns the number of files that disagree.

    Args:
        implementations: Functions by the name of a file, or of a kind.
        out: Where the lines are printed.
        slack: How many times the tolerance (that of single precision) is allowed; for half
            precision 1000.
    """
    wrong = 0
    for vector in vectors():
        run = implementations.get(vector["name"]) or implementations.get(vector["kind"])
        if not run:
            continue
        worst, done, skipped = ("", 0.0, 0.0), 0, 0
        facts, parameters = _arrays(vector["facts"]), _arrays(vector["parameters"])
        for case in vector["cases"]:
            inputs = _arrays(case["inputs"])
            answer = run(inputs, facts, parameters)
            if answer is None:
                skipped += 1
                continue
            done += 1
            expected = _arrays(case["expected"])
            for name, off, share in _compare(vector["tolerance"], inputs, expected, answer):
                if share >= worst[2]:
                    worst = (f"{name} of {case['name']}", off, share)
        agrees = worst[2] <= slack
        wrong += 0 if agrees or done == 0 else 1
        verdict = "nothing done" if done == 0 else "agrees" if agrees else "DISAGREES"
        left = f", {skipped} left out" if skipped else ""
        where = f": {worst[0]} off by {worst[1]:.2e}" if done else ""
        print(f"{vector['name']:28} {verdict:12} {done} cases{left}{where}", file=out)
    return wrong
