"""Rotary frequencies computed from the papers, with Python's own arithmetic and no tensors.

`frequencies` takes rope_parameters of config.json. `mistakes` are common misreadings; generators
refuse to write a file that would not detect one.
"""

import math


def plain(base, width):
    return [base ** (-2 * t / width) for t in range(width // 2)]


def temper(factor, mscale=1.0):
    """YaRN (arXiv 2309.00071), the square root of 1/t."""
    return 0.1 * mscale * math.log(factor) + 1 if factor > 1 else 1.0


def base_for(base, width, ratio):
    """Returns the base that divides the lowest frequency by `ratio` and keeps the highest."""
    return base * ratio ** (width / (width - 2))


def yarn_ramp(width, base, length, rope, mistakes):
    """1 if a pair is interpolated, 0 if it is unchanged; linear in the pair's index."""
    def pair_turning(times):
        return width * math.log(length / (2 * math.pi * times)) / (2 * math.log(base))

    low = pair_turning(rope.get("beta_fast") or 32)
    high = pair_turning(rope.get("beta_slow") or 1)
    truncate = rope.get("truncate", True)
    if "truncate turned round" in mistakes:
        truncate = not truncate
    if truncate:
        low, high = math.floor(low), math.ceil(high)
    low = max(low, 0)
    last = width // 2 - 1 if "high end clamped at the last pair" in mistakes else width - 1
    high = min(high, last)
    if low == high:
        high += 0.001
    return [min(max((t - low) / (high - low), 0), 1) for t in range(width // 2)]


def paper_ramp(turns, low, high):
    """0 up to `low` rotations within the trained length, 1 from `high` rotations."""
    return [min(max((r - low) / ((high - low) or 0.001), 0), 1) for r in turns]


def frequencies(head_dim, rope, *, most=None, length=None, mistakes=()):
    """Returns frequencies in radians per position, and the factor of cosine and sine.

    rope: rope_theta, rope_type and the type's parameters; most: max_position_embeddings; length:
    of the present sequence, None for the initial frequencies of a model.
    """
    base, kind = rope["rope_theta"], rope["rope_type"]
    part = rope.get("partial_rotary_factor", 1.0)
    factor = rope.get("factor")
    trained = rope.get("original_max_position_embeddings", most)
    width = int(head_dim * part)
    if "exponent over the whole head" in mistakes and kind != "proportional":
        return [base ** (-2 * t / head_dim) for t in range(width // 2)], 1.0
    if kind == "proportional":
        turned = int(part * head_dim // 2)
        over = 2 * turned if "exponent over the turned part" in mistakes else head_dim
        return [base ** (-2 * t / over) / (factor or 1) if t < turned else 0.0
                for t in range(head_dim // 2)], 1.0
    w = plain(base, width)
    if kind == "default":
        return w, 1.0
    if kind == "linear":
        return [f / factor for f in w], 1.0
    if kind == "ntk":
        return plain(base_for(base, width, factor), width), 1.0
    if kind == "dynamic":
        n = max(length or most, most)
        ratio = factor * n / most - (factor - 1)
        if "the factor is the ratio" in mistakes:
            ratio = max(n / most, 1) * factor
        return plain(base_for(base, width, ratio), width), 1.0
    if kind == "llama3":
        low, high = rope["low_freq_factor"], rope["high_freq_factor"]
        keep = paper_ramp([trained * f / (2 * math.pi) for f in w], low, high)
        return [(1 - k) * f / factor + k * f for f, k in zip(w, keep)], 1.0
    if kind == "longrope":
        is_long = length is not None and length > trained
        if "long from the trained length on" in mistakes:
            is_long = length is not None and length >= trained
        over = rope["long_factor" if is_long else "short_factor"]
        ratio = factor or most / trained
        amplitude = rope.get("attention_factor")
        if amplitude is None:
            amplitude = math.sqrt(1 + math.log(ratio) / math.log(trained)) if ratio > 1 else 1.0
        return [f / o for f, o in zip(w, over)], amplitude
    factor = factor or most / trained
    if kind == "ntk_by_parts":
        keep = paper_ramp([trained * f / (2 * math.pi) for f in w], rope.get("beta_slow", 1),
                          rope.get("beta_fast", 32))
        return [(1 - k) * f / factor + k * f for f, k in zip(w, keep)], 1.0
    if kind == "yarn":
        if "the paper's ramp" in mistakes:
            keep = paper_ramp([trained * f / (2 * math.pi) for f in w],
                              rope.get("beta_slow") or 1, rope.get("beta_fast") or 32)
            ramp = [1 - k for k in keep]
        else:
            ramp = yarn_ramp(width, base, trained, rope, mistakes)
        one, everywhere = rope.get("mscale"), rope.get("mscale_all_dim")
        amplitude = rope.get("attention_factor")
        if amplitude is None or "attention_factor ignored" in mistakes:
            both = one and everywhere and "mscale ignored" not in mistakes
            amplitude = temper(factor, one) / temper(factor, everywhere) if both else temper(factor)
        return [f / factor * r + f * (1 - r) for f, r in zip(w, ramp)], amplitude
    raise ValueError(kind)


def mrope_axes(sections, interleaved):
    """Returns the axis (time, row or column) that rotates each pair."""
    time, row, column = sections
    if not interleaved:
        return [0] * time + [1] * row + [2] * column
    axes = [0] * sum(sections)
    for t in range(sum(sections)):
        if t % 3 == 1 and t < 3 * row:
            axes[t] = 1
        if t % 3 == 2 and t < 3 * column:
            axes[t] = 2
    return axes


def grid_pairs(layout, base, width, *, other=False):
    """Returns the frequency of each pair of a head, and its axis: row (0) or column (1)."""
    if (layout == "pixtral") != other:  # one list of frequencies, assigned to the axes in turn
        w = plain(base, width)
        return w[0::2] + w[1::2], [0] * (width // 4) + [1] * (width // 4)
    return plain(base, width // 2) * 2, [0] * (width // 4) + [1] * (width // 4)


MISTAKES = ["truncate turned round", "high end clamped at the last pair", "the paper's ramp",
            "exponent over the whole head", "exponent over the turned part",
            "the factor is the ratio", "long from the trained length on",
            "attention_factor ignored", "mscale ignored"]
