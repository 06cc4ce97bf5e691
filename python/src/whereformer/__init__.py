"""Live figures of attention and positional encodings in notebooks."""

from ._version import __version__
from .elements import figure
from .figures import (
    attention_map,
    bias_by_distance,
    encoding,
    heads,
    layers,
    length_curves,
    logit_terms,
    rotation,
)

__all__ = [
    "__version__",
    "attention_map",
    "bias_by_distance",
    "encoding",
    "figure",
    "heads",
    "layers",
    "length_curves",
    "logit_terms",
    "rotation",
]
