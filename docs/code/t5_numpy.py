import numpy as np


def buckets(n, count=32, limit=128):
    """[n, n]: the bucket of each distance, in a decoder; keys after the query have bucket 0."""
    distance = np.maximum(np.arange(n)[:, None] - np.arange(n)[None, :], 0)
    half = count // 2
    far = np.log(np.maximum(distance, 1) / half) / np.log(limit / half) * (count - half)
    far = np.minimum(half + far.astype(int), count - 1)
    return np.where(distance < half, distance, far)


def t5(table, n):
    """table: [buckets, heads], trained; returns the bias [heads, n, n]."""
    return table[buckets(n, len(table))].transpose(2, 0, 1)
