import numpy as np


def kerple(p, a, n):
    """p, a: [heads], positive and trained; the logarithmic kernel, [heads, n, n]."""
    i = np.arange(n)
    distance = np.abs(i[:, None] - i[None, :])
    return -p[:, None, None] * np.log1p(a[:, None, None] * distance)
