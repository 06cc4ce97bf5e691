import torch


def rope(x, base=10000.0):
    """x: [heads, n, d], queries or keys; channel t is paired with t + d/2."""
    n, d = x.shape[-2:]
    angle = torch.arange(n).float()[:, None] * base ** (-torch.arange(0, d, 2).float() / d)
    cos, sin = angle.cos(), angle.sin()
    a, b = x[..., : d // 2], x[..., d // 2 :]
    return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)
