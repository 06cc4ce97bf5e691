import torch


def alibi(heads, n):
    """[heads, n, n]: added to the scaled scores, before the mask; heads: a power of two."""
    slopes = 2.0 ** (-8 * torch.arange(1, heads + 1) / heads)
    p = torch.arange(n)
    return -slopes[:, None, None] * (p[:, None] - p[None, :]).abs()
