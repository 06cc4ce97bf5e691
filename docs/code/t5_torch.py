import math

import torch


def buckets(n, count=32, limit=128):
    """[n, n]: the bucket of each distance, in a decoder; keys after the query have bucket 0."""
    distance = (torch.arange(n)[:, None] - torch.arange(n)[None, :]).clamp(min=0)
    half = count // 2
    far = (distance.clamp(min=1) / half).log() / math.log(limit / half) * (count - half)
    far = (half + far.long()).clamp(max=count - 1)
    return torch.where(distance < half, distance, far)


def t5(table, n):
    """table: [buckets, heads], trained; returns the bias [heads, n, n]."""
    return table[buckets(n, len(table))].permute(2, 0, 1)
