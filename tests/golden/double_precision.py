"""Runs transformers' own code in double precision throughout.

Its models compute norms, angles and the softmax in single precision whatever the weights' type.
Inside `everything_double` the names torch.float32, torch.float and Tensor.float stand for their
double-precision counterparts, so those steps are exact to about 1e-16 and the published formulas
are tested, not their rounding.
"""

import contextlib

import torch


@contextlib.contextmanager
def everything_double():
    single, to_single, default = torch.float32, torch.Tensor.float, torch.get_default_dtype()
    torch.float32 = torch.float = torch.float64
    torch.Tensor.float = torch.Tensor.double
    torch.set_default_dtype(torch.float64)
    try:
        yield
    finally:
        torch.set_default_dtype(default)
        torch.Tensor.float = to_single
        torch.float32 = torch.float = single
