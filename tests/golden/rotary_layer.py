"""Shared by the rotary families: one attention layer of a published class as a golden file.

The second implementation uses only the names of the class's weights. q and k of a file are after
projection and, if they exist, the norms of queries and keys, but before rotation.
"""

import copy
import dataclasses
import math

import torch
from transformers.masking_utils import (create_bidirectional_sliding_window_mask,
                                        create_causal_mask, create_chunked_causal_mask,
                                        create_sliding_window_causal_mask)

import rope_formulas
from double_precision import everything_double
from layer_fixture import (Case, Parts, additive, heads, layer_file, linear, merged, normal,
                           randomise, transformers_package)

# Contiguous at first, then with gaps: rotation depends on positions, masks on order.
POSITIONS = [0, 1, 2, 5, 40, 700, 5000]


@dataclasses.dataclass
class Layer:
    """A layer's settings."""

    heads: int
    kv_heads: int
    head_dim: int
    rope: dict | None              # rope_parameters of this layer; None: not rotated
    most: int = 4096               # max_position_embeddings
    interleaved: bool = False
    packing: str = "separate"      # or "per head": q, k, v of each head in turn; or "blocks"
    projection: str = "qkv_proj"   # name of the packed projection
    output: str = "o_proj"
    norm: callable = None          # (x [H,T,D], weight) -> [H,T,D]
    norms: tuple = ("q_norm", "k_norm")
    scale: float = None            # of q·k; None: 1/√D
    window: int = 0                # number of visible keys, including the query's own; 0: all
    chunk: int = 0                 # size of the chunks within which keys are visible; 0: all
    temperature: callable = None   # of a position: multiplies the query
    causal: bool = True
    sinks: str = ""
    # Axis that rotates each pair, if positions have several: 0 time, 1 row, 2 column.
    axes: tuple = ()
    grid: str = ""                 # layout of two axes, 0 row, 1 column: rope_formulas.grid_pairs


def rms_norm(x, weight, eps=1e-6):
    return x / torch.sqrt((x**2).mean(-1, keepdim=True) + eps) * weight


def per_head_norm(x, weight, eps=1e-5):
    centred = x - x.mean(-1, keepdim=True)
    return centred / torch.sqrt((centred**2).mean(-1, keepdim=True) + eps) * weight[:, None]


def turned(x, positions, layer, mistakes):
    """Rotates pairs of x [..,T,D]: as complex numbers times factor · e^(i · position · w)."""
    rope = layer.rope
    if "a wrong base" in mistakes:
        rope = {**rope, "rope_theta": rope["rope_theta"] * 3}
    if "not scaled" in mistakes:
        rope = {"rope_type": "default", **{n: rope[n] for n in rope if n in (
            "rope_theta", "partial_rotary_factor")}}
    axes = layer.axes or [0] * layer.head_dim
    positions = [p if layer.axes else (p,) for p in positions]
    if "one axis for every pair" in mistakes:
        axes = [0] * len(axes)
    if "rows and columns exchanged" in mistakes:
        axes = [((1, 0) if layer.grid else (0, 2, 1))[a] for a in axes]
    if "the other layout of axes" in mistakes and not layer.grid:
        axes = rope_formulas.mrope_axes(rope["mrope_section"], not rope.get("mrope_interleaved"))
    longest = max(max(p) for p in positions) + 1
    w, factor = rope_formulas.frequencies(layer.head_dim, rope, most=layer.most, length=longest,
                                          mistakes=mistakes)
    if layer.grid:
        other = "the other layout of axes" in mistakes
        w, of_layout = rope_formulas.grid_pairs(layer.grid, rope["rope_theta"], layer.head_dim,
                                                other=other)
        axes = of_layout if other else axes
    if "no factor on cosine and sine" in mistakes:
        factor = 1
    angle = torch.tensor([[p[a] * f for f, a in zip(w, axes)] for p in positions],
                         dtype=torch.float64)
    cos, sin = ((factor * f(angle)).to(x.dtype) for f in (torch.cos, torch.sin))
    part, rest = x[..., :2 * len(w)], x[..., 2 * len(w):]
    together = layer.interleaved != ("the other pairing" in mistakes)
    a, b = (part[..., 0::2], part[..., 1::2]) if together else part.chunk(2, dim=-1)
    one, other = a * cos - b * sin, a * sin + b * cos
    part = torch.stack((one, other), -1).flatten(-2) if together else torch.cat((one, other), -1)
    return torch.cat((part, rest), dim=-1)


def projected(x, p, layer):
    h, k, d = layer.heads, layer.kv_heads, layer.head_dim
    if layer.packing == "separate":
        return (heads(linear(x, p, name), n)
                for name, n in (("q_proj", h), ("k_proj", k), ("v_proj", k)))
    packed = linear(x, p, layer.projection)
    if layer.packing == "per head":
        return heads(packed, h).split(d, dim=-1)
    q, k_, v = packed.split([h * d, k * d, k * d], dim=-1)
    return heads(q, h), heads(k_, k), heads(v, k)


def seen(layer, count, window):
    at = torch.arange(count)
    back = at[:, None] - at[None]
    allowed = back >= 0 if layer.causal else torch.ones(count, count, dtype=torch.bool)
    if layer.chunk:
        allowed = allowed & (at[:, None] // layer.chunk == at[None] // layer.chunk)
    return allowed & (back.abs() < window) if window else allowed


def twin_of(layer, mistakes=()):
    def twin(inputs, p, case):
        q, k, v = projected(inputs["hiddenStates"], p, layer)
        positions = case.facts["positions"]

        def normed(x, name):
            return layer.norm(x, name and p[name + ".weight"]) if layer.norm else x

        def rotated(x):
            return turned(x, positions, layer, mistakes) if layer.rope else x

        late = "normalised after rotation" in mistakes
        if not late:
            q, k = normed(q, layer.norms[0]), normed(k, layer.norms[1])
        if layer.rope is None and "rotated" in mistakes:
            q_turned, k_turned = (turned(x, positions, dataclasses.replace(
                layer, rope={"rope_type": "default", "rope_theta": 1e4}), ()) for x in (q, k))
        else:
            q_turned, k_turned = rotated(q), rotated(k)
        if late:
            q_turned, k_turned = normed(q_turned, layer.norms[0]), normed(k_turned, layer.norms[1])
        if layer.temperature and "no temperature" not in mistakes:
            by = [layer.temperature(position) for position in positions]
            q_turned = q_turned * torch.tensor(by, dtype=torch.float64).to(q.dtype)[:, None]
        scale = layer.scale or layer.head_dim**-0.5
        if "scale of the head's width" in mistakes:
            scale = layer.head_dim**-0.5
        each = k_turned.repeat_interleave(layer.heads // layer.kv_heads, dim=0)
        if "key heads in turn" in mistakes:
            each = k_turned.repeat(layer.heads // layer.kv_heads, 1, 1)
        logits = (q_turned @ each.transpose(-1, -2)) * scale
        if "a window narrower by one" in mistakes:
            inside = seen(layer, len(positions), layer.window - 1)
            logits = logits.masked_fill(~inside, -math.inf)
        sinks = p[layer.sinks] if layer.sinks and "no sink" not in mistakes else None
        return Parts(q, k, v, logits, lambda context: linear(merged(context), p, layer.output),
                     sinks=sinks)
    return twin


def mistakes_of(layer, more):
    found = list(more)
    found += ["the other pairing"] if layer.rope else ["rotated"]
    if layer.rope:
        found += ["a wrong base"]
        if layer.rope["rope_type"] != "default":
            found += ["not scaled"]
    if layer.temperature:
        found += ["no temperature"]
    if layer.rope and layer.norm and layer.norms[0]:
        found += ["normalised after rotation"]
    if layer.scale:
        found += ["scale of the head's width"]
    if layer.axes:
        found += ["one axis for every pair", "rows and columns exchanged",
                  "the other layout of axes"]
    if layer.sinks:
        found += ["no sink"]
    if layer.window:
        found += ["a window narrower by one"]
    if layer.heads > layer.kv_heads > 1:
        found += ["key heads in turn"]
    return found


def check_mask(layer, config, allowed):
    """Returns the visible keys by transformers' own masks."""
    count = len(allowed)
    make = create_chunked_causal_mask if layer.chunk else create_causal_mask
    if layer.window:
        make = (create_sliding_window_causal_mask if layer.causal
                else create_bidirectional_sliding_window_mask)
    if not layer.causal and not layer.window:
        return
    more = {"past_key_values": None} if layer.causal else {}
    mask = make(config=config, inputs_embeds=torch.zeros(1, count, 4), attention_mask=None, **more)
    visible = mask[0, 0] if mask.dtype is torch.bool else mask[0, 0] == 0
    if not torch.equal(visible, allowed):
        raise SystemExit("the window is not the class's")


def rotary_file(name, *, about, layer, config_class, attention_class, config, seed, generator,
                rotary_class=None, layer_index=0, layer_type=None, cases=(POSITIONS,), mistakes=(),
                call=None, width=None):
    """Runs `attention_class` at each list of positions and writes layers/`name`.json.

    call: how to call the class, if not like decoders: (attention, x [N,E], cosines and sines) ->
    [N,E]. width: E, if the configuration uses hidden_size for something else.
    """
    with everything_double():
        made = config_class(**copy.deepcopy(config))
        made._attn_implementation = "eager"
        index = () if layer_index is None else (layer_index,)
        attention = randomise(attention_class(made, *index).double(), seed, 0.5)

    def angles(x, positions):
        # A new object each time: dynamic ones store the longest length so far.
        of_type = (layer_type,) if layer_type else ()
        if layer.grid:
            return rotary_class(made)(x, torch.tensor(positions))
        at = torch.tensor(positions).T[:, None] if layer.axes else torch.tensor([positions])
        return rotary_class(made)(x, at, *of_type)

    def case_at(positions, index):
        allowed = seen(layer, len(positions), layer.window)
        check_mask(layer, made, allowed)

        def run(inputs):
            x = inputs["hiddenStates"][None]
            if call:
                return call(attention, x[0], angles(x, positions))
            if rotary_class is None:
                return attention(x, attention_mask=additive(allowed),
                                 position_ids=torch.tensor([positions]))[0][0]
            return attention(hidden_states=x, attention_mask=additive(allowed),
                             position_embeddings=angles(x, positions))[0][0]

        def without_sink(x):
            return x[0][..., :-1]

        def logits(x):
            # The class subtracts the maximum of a row, which is computed from the sink's own logit.
            sinks = dict(attention.named_parameters())[layer.sinks]
            return without_sink(x) + (sinks[:, None, None] - x[0][..., -1:])

        more = {"arrange": without_sink, "arrange_logits": logits} if layer.sinks else {}
        shape = (len(positions), width or made.hidden_size)
        inputs = {"hiddenStates": normal(shape, seed + 1 + index)}
        return Case(f"n{len(positions)}", inputs, run, {"positions": positions}, allowed, **more)

    with everything_double():
        runs = [case_at(positions, i) for i, positions in enumerate(cases)]
    rope = layer.rope
    if layer.grid:
        rope = {"rope_theta": rope["rope_theta"], "layout": layer.grid}
    facts = {"rope": rope, "interleaved": layer.interleaved,
             "maxPositionEmbeddings": layer.most, "scale": layer.scale or layer.head_dim**-0.5,
             "window": layer.window, "chunk": layer.chunk, "causal": layer.causal}
    if layer.temperature:
        facts["temperatures"] = [layer.temperature(position) for position in cases[0]]
    layer_file(
        name, about="q and k are after projection and norm, before rotation. " + about,
        cls=f"{attention_class.__module__}.{attention_class.__name__}",
        package=transformers_package(), config=config,
        parameters=dict(attention.named_parameters()), cases=runs, twin=twin_of(layer),
        mistakes={m: twin_of(layer, (m,)) for m in mistakes_of(layer, mistakes)},
        generator=generator, seed=seed, facts=facts)
