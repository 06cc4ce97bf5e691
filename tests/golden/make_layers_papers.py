"""Attention with schemes that no installed package has: Shaw's with values, xPos, KERPLE, Sandwich,
FIRE and CoPE.

Each is implemented twice: step by step on whole matrices, like the published code, and pair by
pair from the paper's formula. Both must agree to 1e-11, gradients too. compare_with_authors.py
compares the files with published code: on 21 November 2026 their logits agreed to 1e-15 with
microsoft/torchscale 4d1e0e8 (xPos), chijames/KERPLE 25be3d7, NVIDIA/NeMo 000b931 (Sandwich),
facebookresearch/RAM e6f051f (CoPE, with --cope-nodiv and without) and mcleish7/arithmetic
86022a5 (a copy of FIRE's appendix). Shaw's follows the paper only.
"""

import math

import torch
from torch.nn import functional

from layer_fixture import Case, Parts, causal, layer_file, merged, normal

GENERATOR = "make_layers_papers.py"
HEADS, DEPTH, VALUE = 2, 6, 3


def attend(inputs, logits, allowed, added):
    blocked = torch.finfo(logits.dtype).min
    weights = functional.softmax(logits.masked_fill(~allowed, blocked), dim=-1)
    return merged(weights @ inputs["v"] + added(weights))


def distance_of(length):
    return torch.arange(length)[:, None] - torch.arange(length)[None, :]


def content(inputs):
    return inputs["q"] @ inputs["k"].transpose(-1, -2) / math.sqrt(inputs["q"].shape[-1])


def parts(inputs, logits, **beside):
    return Parts(inputs["q"], inputs["k"], inputs["v"], logits, merged, beside)


def write_one(name, about, source, seed, config, parameters, stepwise, twin_of, mistakes,
              lengths=(4, 12), added=lambda parameters, weights: 0, one_way=True):
    """`stepwise(inputs, parameters)` gives logits [H,T,T]; `twin_of(**wrong)` a second
    implementation; `added` the term of the context besides values.
    """
    config = {"heads": HEADS, "headDim": DEPTH, **config}
    for tensor in parameters.values():
        tensor.requires_grad_()

    def case(length, at):
        inputs = {n: normal((HEADS, length, width), at + i)
                  for i, (n, width) in enumerate((("q", DEPTH), ("k", DEPTH), ("v", VALUE)))}
        allowed = causal(length, length) | (not one_way)

        def run(x):
            return attend(x, stepwise(x, parameters), allowed,
                          lambda weights: added(parameters, weights))
        return Case(f"n{length}", inputs, run, {}, allowed, arrange=lambda x: x)

    layer_file(name, about=about + (" Causal" if one_way else " Every token sees every other")
               + "; q·k is divided by the root of d; positions from 0; "
               "the output is the context with heads side by side.",
               cls="our own PyTorch, twice", package=source, config=config, parameters=parameters,
               cases=[case(n, seed + 10 * (1 + i)) for i, n in enumerate(lengths)],
               twin=twin_of(), mistakes={m: twin_of(**w) for m, w in mistakes.items()},
               generator=GENERATOR, seed=seed)


# ---- Shaw, Uszkoreit, Vaswani

def shaw_rows(length, longest):
    return (-distance_of(length)).clamp(-longest, longest) + longest


def shaw_stepwise(longest):
    def logits(inputs, p):
        """Multiplies all rows of the table with every query at once, then gathers."""
        q = inputs["q"]
        answers = q @ p["w_key"].T
        index = shaw_rows(q.shape[-2], longest).expand(HEADS, -1, -1)
        return (q @ inputs["k"].transpose(-1, -2) + answers.gather(-1, index)) / math.sqrt(DEPTH)
    return logits


def shaw_added(longest):
    def added(p, weights):
        """Sums weights by row of the table, then multiplies once."""
        index = shaw_rows(weights.shape[-1], longest).expand(HEADS, -1, -1)
        by_row = torch.zeros(*weights.shape[:-1], 2 * longest + 1, dtype=weights.dtype)
        return by_row.scatter_add(-1, index, weights) @ p["w_value"]
    return added


def shaw_twin(longest):
    def make(*, sign=1, limit=longest, scaled=True):
        def twin(inputs, p, _):
            q, k = inputs["q"], inputs["k"]
            rows = (sign * -distance_of(q.shape[-2])).clamp(-limit, limit) + longest
            position = torch.einsum("htd,tsd->hts", q, p["w_key"][rows])
            root = math.sqrt(DEPTH)
            logits = (q @ k.transpose(-1, -2)) / root + (position / root if scaled else position)
            result = parts(inputs, logits)
            result.added = lambda w: torch.einsum("hts,tsv->htv", w, p["w_value"][rows])
            return result
        return twin
    return make


def write_shaw():
    longest = 3
    write_one("shaw", "Row clip(j - i, -k, k) + k of w_key is added to key j for query i, inside "
              "the division; the same row of w_value is added to value j. Both tables are shared "
              "by heads. The context is the sum of weights times (value + row).",
              "after arXiv 1803.02155", 790, {"maxDistance": longest},
              {"w_key": normal((2 * longest + 1, DEPTH), 791, 0.7),
               "w_value": normal((2 * longest + 1, VALUE), 792, 0.7)},
              shaw_stepwise(longest), shaw_twin(longest),
              {"distance is i - j": {"sign": -1}, "clipped one earlier": {"limit": longest - 1},
               "positions are not divided by the root of d": {"scaled": False}},
              lengths=(3, 10), added=shaw_added(longest), one_way=False)


# ---- xPos

def zeta():
    return (torch.arange(0, DEPTH, 2, dtype=torch.float64) + 0.4 * DEPTH) / (1.4 * DEPTH)


def xpos_stepwise(base):
    def turned(x, sign):
        """Exponents of the scale are centred on the sequence, angles are not."""
        length = x.shape[-2]
        exponent = (torch.arange(length, dtype=torch.float64) + -length // 2) / base
        amplitude = (zeta() ** (sign * exponent[:, None])).repeat_interleave(2, dim=-1)
        w = 10000.0 ** (-torch.arange(0, DEPTH, 2, dtype=torch.float64) / DEPTH)
        angle = (torch.arange(length)[:, None] * w).repeat_interleave(2, dim=-1)
        other = torch.stack((-x[..., 1::2], x[..., ::2]), dim=-1).flatten(-2)
        return (x * angle.cos() + other * angle.sin()) * amplitude

    def logits(inputs, _):
        return turned(inputs["q"], 1) @ turned(inputs["k"], -1).transpose(-1, -2) / math.sqrt(DEPTH)
    return logits


def xpos_twin(base):
    def make(*, decay=1, half_split=False):
        def twin(inputs, _, __):
            q, k = inputs["q"], inputs["k"]
            distance = distance_of(q.shape[-2]).to(torch.float64)
            logits = 0
            for t in range(DEPTH // 2):
                a, b = (t, t + DEPTH // 2) if half_split else (2 * t, 2 * t + 1)
                angle = distance * 10000.0 ** (-2 * t / DEPTH)
                amplitude = zeta()[t] ** (decay * distance / base)
                cos, sin = ((amplitude * f(angle)).to(q.dtype) for f in (torch.cos, torch.sin))
                qa, qb, ka, kb = q[..., :, None, a], q[..., :, None, b], k[..., None, :, a], \
                    k[..., None, :, b]
                logits = logits + (qa * ka + qb * kb) * cos + (qa * kb - qb * ka) * sin
            return parts(inputs, logits / math.sqrt(DEPTH))
        return twin
    return make


def write_xpos():
    base = 16
    write_one("xpos", "Pair t of the logit is turned by (i - j) w_t and multiplied by zeta_t to "
              "the power (i - j)/scaleBase; neighbours make a pair. A small base makes the decay "
              "visible.", "after microsoft/torchscale and arXiv 2212.10554", 800,
              {"scaleBase": base}, {}, xpos_stepwise(base), xpos_twin(base),
              {"growth instead of decay": {"decay": -1}, "no decay": {"decay": 0},
               "pairs are t and t + d/2": {"half_split": True}})


# ---- KERPLE

def kerple_stepwise(power):
    def logits(inputs, p):
        distance = torch.tril(distance_of(inputs["q"].shape[-2])).to(torch.float64)
        a, exponent = p["bias_a"][:, None, None], p["bias_p"][:, None, None]
        bias = -distance.pow(exponent) * a if power else -exponent * torch.log(1 + a * distance)
        return content(inputs) + bias
    return logits


def kerple_twin(power):
    def make(*, scaled=False, exchanged=False, signed=1):
        def twin(inputs, p, _):
            a, e = p["bias_a"][:, None, None], p["bias_p"][:, None, None]
            if exchanged:
                a, e = e, a
            distance = distance_of(inputs["q"].shape[-2]).clamp(min=0).to(a.dtype)
            if power:
                far = distance.clamp(min=1)
                bias = -a * torch.where(distance > 0, torch.exp(e * far.log()), 0)
            else:
                bias = -e * torch.log1p(a * distance)
            bias = signed * bias
            return parts(inputs, content(inputs) + (bias / math.sqrt(DEPTH) if scaled else bias),
                         bias=bias)
        return twin
    return make


def write_kerple():
    for power, formula in ((False, "-p ln(1 + a(i - j))"), (True, "-a (i - j)^p")):
        name = "power" if power else "log"
        values = {"bias_p": torch.tensor([1.5, 0.75], dtype=torch.float64),
                  "bias_a": torch.tensor([0.25, 0.8125], dtype=torch.float64)}
        write_one(f"kerple_{name}", f"{formula} for each head is added after the division. Nothing "
                  "is clamped at these values (the code keeps both at 0.01 or more, and p of the "
                  "power at 2 or less). At distance 0 the power's derivative by p is 0.",
                  "after chijames/KERPLE and arXiv 2205.09921", 810 + 100 * power,
                  {"kernel": name}, values, kerple_stepwise(power), kerple_twin(power),
                  {"bias divided by the root of d": {"scaled": True},
                   "p and a exchanged": {"exchanged": True}, "bias grows": {"signed": -1}})


# ---- Sandwich

def sandwich_stepwise(width):
    def logits(inputs, _):
        """Inner products of the sinusoidal vectors themselves."""
        length = inputs["q"].shape[-2]
        w = 10000.0 ** (-2 * torch.arange(1, width // 2 + 1, dtype=torch.float64) / width)
        angle = torch.arange(length)[:, None] * w
        table = torch.cat((angle.sin(), angle.cos()), dim=-1)
        ratio = torch.arange(1, HEADS + 1, dtype=torch.float64)[:, None, None] * 8 / HEADS
        return content(inputs) + (table @ table.T - width / 2) / ratio
    return logits


def sandwich_twin(width):
    def make(*, first=1, multiplied=False):
        def twin(inputs, _, __):
            distance = distance_of(inputs["q"].shape[-2]).to(torch.float64)
            bias = sum(torch.cos(distance * 10000.0 ** (-2 * t / width))
                       for t in range(first, first + width // 2)) - width / 2
            ratios = torch.tensor([8 * h / HEADS for h in range(1, HEADS + 1)],
                                  dtype=torch.float64)[:, None, None]
            bias = (bias * ratios if multiplied else bias / ratios).to(inputs["q"].dtype)
            return parts(inputs, content(inputs) + bias, bias=bias)
        return twin
    return make


def write_sandwich():
    width = 8
    write_one("sandwich", "(sum of cos((i - j) 10000^(-2t/width)) over t = 1 … width/2, minus "
              "width/2) divided by 8h/H for head h = 1 … H. Indices start at 1 as in NeMo.",
              "after NVIDIA NeMo and arXiv 2212.10356", 820, {"width": width}, {},
              sandwich_stepwise(width), sandwich_twin(width),
              {"indices from 0": {"first": 0}, "ratio multiplies": {"multiplied": True}},
              lengths=(4, 20))


# ---- FIRE

EPS = 1e-6


def fire_stepwise(initial):
    def logits(inputs, p):
        at = torch.arange(inputs["q"].shape[-2], dtype=torch.float64)
        threshold = torch.abs(p["L_multiplier"] * initial)
        top = torch.log(torch.abs(p["c"] * (at[:, None] - at[None, :])) + 1)
        bottom = torch.log(torch.abs(p["c"] * torch.max(at, threshold)[:, None]) + 1) + EPS
        hidden = functional.relu(functional.linear((top / bottom)[..., None], p["mlp.0.weight"],
                                                   p["mlp.0.bias"]))
        bias = functional.linear(hidden, p["mlp.2.weight"], p["mlp.2.bias"])
        return content(inputs) + bias.permute(2, 0, 1)
    return logits


def fire_twin(initial):
    def make(*, smaller=False, logarithm=True, by_key=False):
        def twin(inputs, p, _):
            length = inputs["q"].shape[-2]
            threshold = p["L_multiplier"].abs() * initial
            psi = (lambda x: torch.log1p(p["c"].abs() * x)) if logarithm else (lambda x: x)
            rows, arguments = [], []
            for i in range(length):
                row = []
                for j in range(length):
                    own = torch.tensor(float(j if by_key else i), dtype=p["c"].dtype)
                    floor = torch.minimum(own, threshold) if smaller \
                        else torch.maximum(own, threshold)
                    distance = torch.tensor(float(abs(i - j)), dtype=p["c"].dtype)
                    x = psi(distance) / (psi(floor) + EPS)
                    hidden = torch.relu(p["mlp.0.weight"][:, 0] * x + p["mlp.0.bias"])
                    row.append(p["mlp.2.weight"] @ hidden + p["mlp.2.bias"])
                    arguments.append(x)
                rows.append(torch.stack(row))
            bias = torch.stack(rows).permute(2, 0, 1)
            normalised = torch.stack(arguments).reshape(length, length)
            return parts(inputs, content(inputs) + bias, bias=bias.tril(),
                         normalised=normalised.tril())
        return twin
    return make


def write_fire():
    initial, width = 6.0, 8
    values = {"mlp.0.weight": normal((width, 1), 831),
              # Odd multiples of 1/128: at i = j, no unit is at the kink of its ReLU.
              "mlp.0.bias": normal((width,), 832, 0.5) + 1 / 128,
              "mlp.2.weight": normal((HEADS, width), 833, 0.7), "mlp.2.bias": normal((HEADS,), 834),
              "c": torch.tensor(0.375, dtype=torch.float64),
              "L_multiplier": torch.tensor(0.90625, dtype=torch.float64)}
    write_one("fire", "f(psi(i - j) / (psi(max(i, L)) + 1e-6)), psi(x) = ln(|c| x + 1), f: 1 → "
              "width → heads with ReLU and biases, L = |L_multiplier| times initialL. i is the "
              "query's position; some rows lie below L and some above.",
              "after arXiv 2310.04418, public copies of its appendix code", 830,
              {"width": width, "initialL": initial}, values, fire_stepwise(initial),
              fire_twin(initial),
              {"the smaller of i and L": {"smaller": True}, "no logarithm": {"logarithm": False},
               "the key's position below": {"by_key": True}})


# ---- CoPE

def cope_stepwise(rows, scaled_table):
    def logits(inputs, p):
        plain = content(inputs)
        allowed = causal(*plain.shape[-2:])
        gates = torch.sigmoid(plain.masked_fill(~allowed, -math.inf))
        at = gates.flip(-1).cumsum(-1).flip(-1).clamp(max=rows - 1)
        low, high = at.floor().long(), at.ceil().long()
        table = inputs["q"] @ p["pos_emb"]
        part = at - low
        bias = table.gather(-1, high) * part + table.gather(-1, low) * (1 - part)
        if scaled_table:  # in the training code's order: sum, then divide everything
            return (inputs["q"] @ inputs["k"].transpose(-1, -2) + bias) / math.sqrt(DEPTH)
        return plain + bias
    return logits


def cope_twin(rows, usually_scaled):
    def make(*, scaled_gates=True, own_gate=True, masked_gates=True, scaled_table=usually_scaled):
        def twin(inputs, p, _):
            q, k = inputs["q"], inputs["k"]
            plain, length = content(inputs), q.shape[-2]
            gates = torch.sigmoid(plain if scaled_gates else q @ k.transpose(-1, -2))
            if masked_gates:
                gates = gates * causal(length, length)
            at = torch.stack([gates[..., j if own_gate else j + 1:].sum(-1)
                              for j in range(length)], dim=-1)
            at = torch.minimum(at, torch.tensor(rows - 1, dtype=at.dtype))
            # Interpolation between neighbours is a triangular weight around each integer.
            whole = torch.arange(rows, dtype=at.dtype)
            hats = (1 - (at[..., None] - whole).abs()).clamp(min=0)
            answers = q @ p["pos_emb"]
            bias = torch.einsum("htsp,htp->hts", hats, answers)
            if scaled_table:
                bias = bias / math.sqrt(DEPTH)
            return parts(inputs, plain + bias, gates=gates, contextPositions=at.tril(),
                         bias=bias.tril())
        return twin
    return make


def write_cope():
    rows = 4
    for name, scaled, divided, source, seed in (
            ("cope", False, "and not divided by the root of d",
             "after arXiv 2405.18719, public copies of its appendix code", 840),
            ("cope_scaled_bias", True, "and divided by the root of d like q·k",
             "after facebookresearch/RAM e6f051f without --cope-nodiv", 850)):
        other = ("table term not over the root of d" if scaled else
                 "table term over the root of d")
        write_one(name, "Gates are sigmoids of the scaled logits, 0 where masked; the position of "
                  "key j is the sum of gates from j to i, at most rows - 1; between whole numbers "
                  f"q·pos_emb is interpolated, {divided}. pos_emb is [d, rows], "
                  "shared by heads. `gates`, `contextPositions` and `bias` are 0 where masked.",
                  source, seed, {"rows": rows, **({"scaledBias": True} if scaled else {})},
                  {"pos_emb": normal((DEPTH, rows), seed + 1, 0.7)}, cope_stepwise(rows, scaled),
                  cope_twin(rows, scaled),
                  {"gates of unscaled products": {"scaled_gates": False},
                   "a key's own gate left out": {"own_gate": False},
                   "gates of masked keys": {"masked_gates": False},
                   other: {"scaled_table": not scaled}})


def main():
    write_shaw()
    write_xpos()
    write_kerple()
    write_sandwich()
    write_fire()
    write_cope()


if __name__ == "__main__":
    main()
