import torch


def sinusoidal(n, d, base=10000.0):
    """[n, d]: added to the word vectors; sines in even channels, cosines in odd ones."""
    p = torch.arange(n).float()[:, None]
    angle = p * base ** (-torch.arange(0, d, 2).float() / d)
    out = torch.empty(n, d)
    out[:, 0::2] = angle.sin()
    out[:, 1::2] = angle.cos()
    return out
