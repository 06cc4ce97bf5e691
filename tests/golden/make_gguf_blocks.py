"""Random blocks of every type of numbers in GGUF files, and their values as floats.

Any bytes are a block of any type, except that the scales, which are in half precision, must be
finite: they are drawn such that values stay near one, as are MXFP4's exponents. The reference is
ggml's own package for Python, gguf.

    pip install gguf==0.19.0; python3 tests/golden/make_gguf_blocks.py
"""

import base64

import numpy as np
from gguf import GGML_QUANT_SIZES, GGMLQuantizationType
from gguf.quants import dequantize

from fixture_file import write

BLOCKS = 3
SEED = 17
# By type: offsets of the half-precision numbers in a block, and their largest magnitude.
TYPES = {
    "F32": ([], 0), "F16": ([0], 1), "BF16": ([], 0),
    "Q4_0": ([0], 0.1), "Q4_1": ([0, 2], 0.1), "Q5_0": ([0], 0.1), "Q5_1": ([0, 2], 0.1),
    "Q8_0": ([0], 0.01), "Q4_K": ([0, 2], 2e-3), "Q5_K": ([0, 2], 1e-3), "Q6_K": ([208], 5e-4),
    "IQ4_NL": ([0], 0.01), "MXFP4": ([], 0),
}


def main():
    random = np.random.default_rng(SEED)
    cases = {}
    for name, (halves, largest) in TYPES.items():
        kind = GGMLQuantizationType[name]
        block, size = GGML_QUANT_SIZES[kind]
        if block == 1:
            values = random.normal(size=40).astype(np.float32)
            if name == "F32":
                data = values.view(np.uint8)
            elif name == "F16":
                data = values.astype(np.float16).view(np.uint8)
            else:
                data = (values.view(np.uint32) >> 16).astype(np.uint16).view(np.uint8)
        else:
            data = random.integers(0, 256, size=(BLOCKS, size), dtype=np.uint8)
            if name == "MXFP4":  # exponents from the smallest, which is subnormal, to 0
                data[:, 0] = [0, 127, random.integers(110, 127)]
            for at in halves:
                scales = random.uniform(-largest, largest, size=BLOCKS).astype(np.float16)
                data[:, at:at + 2] = scales.view(np.uint8).reshape(BLOCKS, 2)
        data = np.ascontiguousarray(data.reshape(-1))
        values = dequantize(data, kind).reshape(-1)
        assert np.isfinite(values).all() and np.abs(values).max() < 8, name
        cases[name] = {"number": int(kind), "block": block, "blockBytes": size,
                       "bytes": base64.b64encode(data.tobytes()).decode(),
                       "values": [float(f"{float(x):.9g}") for x in values]}
    write("gguf_blocks.json", {"cases": cases}, generator="make_gguf_blocks.py",
          source="random bytes, dequantised by ggml's package for Python",
          cls="gguf.quants.dequantize", package="gguf 0.19.0", seed=SEED,
          config={"blocks": BLOCKS, "types": sorted(TYPES)},
          tolerance={name: 1e-6 for name in TYPES})


if __name__ == "__main__":
    main()
