import numpy as np


def rope(x, base=10000.0):
    """x: [heads, n, d], queries or keys; channel t is paired with t + d/2."""
    n, d = x.shape[-2:]
    angle = np.arange(n)[:, None] * base ** (-np.arange(0, d, 2) / d)
    cos, sin = np.cos(angle), np.sin(angle)
    a, b = x[..., : d // 2], x[..., d // 2 :]
    return np.concatenate([a * cos - b * sin, b * cos + a * sin], axis=-1)
