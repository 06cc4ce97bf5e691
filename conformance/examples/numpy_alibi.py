"""ALiBi and rotation in NumPy: an implementation of ten lines, compared with the vectors.

    python examples/numpy_alibi.py
"""

import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
from conformance import check  # noqa: E402


def slopes(inputs, facts, parameters):
    heads = int(inputs["heads"])
    power = 2 ** int(np.log2(heads))
    first = 2.0 ** (-8.0 * np.arange(1, power + 1) / power)
    rest = 2.0 ** (-4.0 * np.arange(1, 2 * (heads - power), 2) / power)
    return {"slopes": np.concatenate([first, rest])}


def rotate(inputs, facts, parameters):
    options, x = inputs["options"], inputs["x"]
    width = int(inputs["headDim"] * options["partialRotaryFactor"])
    frequencies = options["ropeTheta"] ** (-np.arange(0, width, 2) / width)
    angle = np.outer(inputs["positions"], frequencies)
    even = options["interleaved"]
    a = x[:, 0:width:2] if even else x[:, : width // 2]
    b = x[:, 1:width:2] if even else x[:, width // 2 : width]
    turned = a * np.cos(angle) - b * np.sin(angle), a * np.sin(angle) + b * np.cos(angle)
    rotated = x.copy()
    rotated[:, :width] = (
        np.stack(turned, -1).reshape(len(x), width) if even else np.concatenate(turned, -1)
    )
    return {"inverseFrequencies": frequencies, "rotated": rotated}


if __name__ == "__main__":
    sys.exit(check({"alibi": slopes, "rope": rotate}))
