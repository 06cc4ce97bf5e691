import numpy as np


def sinusoidal(n, d, base=10000.0):
    """[n, d]: added to the word vectors; sines in even channels, cosines in odd ones."""
    p = np.arange(n)[:, None]
    angle = p * base ** (-np.arange(0, d, 2) / d)
    out = np.empty((n, d))
    out[:, 0::2] = np.sin(angle)
    out[:, 1::2] = np.cos(angle)
    return out
