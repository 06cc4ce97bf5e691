"""Writes one golden file and its line in manifest.json.

Arrays are {"shape": [...], "data": [...]}, row-major. Python prints a double with the fewest
digits that give the same double back, so nothing is lost.
"""

import hashlib
import json
import pathlib

import torch
import transformers

FOLDER = pathlib.Path(__file__).resolve().parent
LARGEST_FILE = 200_000
TORCH = "2.13.0"
TRANSFORMERS = "5.18.0"
# The version of families that came later.
TRANSFORMERS_LATER = "5.24.0"


# The last version with Transformer-XL.
TRANSFORMERS_4 = "4.57.6"


def require_versions(*versions):
    """Asserts that Transformers has one of `versions`; by default that of most files."""
    allowed = versions or (TRANSFORMERS,)
    found = (torch.__version__.split("+")[0], transformers.__version__)
    if found[0] != TORCH or found[1] not in allowed:
        raise SystemExit(f"needs torch {TORCH} and transformers {' or '.join(allowed)}, "
                         f"found {found}")


def array(tensor):
    """A tensor as {"shape", "data"}; integers and booleans become integers."""
    tensor = tensor.detach()
    if tensor.dtype is torch.bool:
        tensor = tensor.to(torch.int64)
    elif tensor.is_floating_point() and tensor.dtype is not torch.float64:
        raise TypeError("golden values are computed in double precision")
    return {"shape": list(tensor.shape), "data": tensor.reshape(-1).tolist()}


def arrays(named):
    return {name: array(tensor) for name, tensor in named.items()}


def dyadic(tensor, denominator=64):
    """Rounds to a multiple of 1/denominator: exact in single precision, short in JSON."""
    return torch.round(tensor * denominator) / denominator


def canonical(config):
    return json.dumps(config, sort_keys=True, separators=(",", ":"), allow_nan=False)


def config_hash(config):
    return hashlib.sha256(canonical(config).encode()).hexdigest()


def write(name, content, *, generator, source, cls, seed, tolerance, config=None,
          package=f"transformers {TRANSFORMERS}"):
    """Writes tests/golden/`name` and records how it was made.

    `cls` is the class or function that ran, `package` its package, `config` its configuration
    (by default the content's). `tolerance` maps a key of the file to the maximum absolute
    difference of a single-precision computation.
    """
    if config is not None:
        content = {"config": config, **content}
    text = json.dumps(content, separators=(",", ":"), allow_nan=False, ensure_ascii=False)
    if len(text) > LARGEST_FILE:
        raise SystemExit(f"{name} would take {len(text)} bytes, more than {LARGEST_FILE}")
    (FOLDER / name).write_text(text + "\n", "utf-8")
    path = FOLDER / "manifest.json"
    manifest = json.loads(path.read_text("utf-8")) if path.exists() else {}
    manifest[name] = {
        "generator": generator,
        "source": source,
        "class": cls,
        "package": package,
        "torch": TORCH,
        "configHash": config_hash(content["config"]),
        "seed": seed,
        "tolerance": tolerance,
    }
    path.write_text(json.dumps(dict(sorted(manifest.items())), indent=2) + "\n", "utf-8")
    print(f"{name}: {len(text)} bytes")
