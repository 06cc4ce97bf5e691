import torch


def kerple(p, a, n):
    """p, a: [heads], positive and trained; the logarithmic kernel, [heads, n, n]."""
    i = torch.arange(n)
    distance = (i[:, None] - i[None, :]).abs()
    return -p[:, None, None] * torch.log1p(a[:, None, None] * distance)
