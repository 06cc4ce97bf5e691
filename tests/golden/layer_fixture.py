"""Runs one attention layer of a published class in double precision and writes it as a golden file.

Neither the class nor our reading of it is trusted alone: every make_layers_*.py implements the
layer a second time, with distances indexed directly, and nothing is written unless both agree to
1e-11 in logits, weights, output and every gradient. Values that a class does not return (q, k,
v, context and their gradients) are then taken from the second implementation. Each also comes
with common mistakes; a file is refused if a mistake would not be detected.
"""

import contextlib
import dataclasses
import json
import math

import torch
import transformers

from double_precision import everything_double
from fixture_file import FOLDER, LARGEST_FILE, array, arrays, config_hash, dyadic

# Stored before everything_double replaces the name torch.float32.
SINGLE = torch.float32
AGREEMENT = 1e-11
SMALLEST_VISIBLE_MISTAKE = 1e-3
LEAST_TOLERANCE = {"q": 5e-6, "logits": 1e-5, "weights": 3e-6, "context": 5e-6, "output": 1e-5,
                   "gradients": 3e-5}


@dataclasses.dataclass
class Parts:
    """Results of a second implementation: q [..,H,T,D], k, v [..,K,S,D], logits [..,H,T,S] before
    any mask, the function from the context [..,H,T,V] to the output, and further arrays to
    store.
    """

    q: torch.Tensor
    k: torch.Tensor
    v: torch.Tensor
    logits: torch.Tensor
    output: callable
    beside: dict = dataclasses.field(default_factory=dict)
    # Term of the context in addition to weights times v, computed from the weights.
    added: callable = lambda weights: 0
    # A logit for each head [H] that takes a share of the weight but has no value.
    sinks: torch.Tensor | None = None


@dataclasses.dataclass
class Case:
    """One run. `run(inputs)` calls the class; `inputs` are float tensors that get gradients."""

    name: str
    inputs: dict
    run: callable
    facts: dict = dataclasses.field(default_factory=dict)
    allowed: torch.Tensor | None = None  # [T,S] booleans
    mask: torch.Tensor | None = None     # added to the logits
    # Rearranges the softmax's output, and its input too by default, as [..,H,T,S].
    arrange: callable = lambda x: x[0]
    # Rearranges the softmax's input, the logits, if they need another function.
    arrange_logits: callable = None
    d_output_seed: int = 0


def normal(shape, seed, scale=1.0):
    generator = torch.Generator().manual_seed(seed)
    return dyadic(scale * torch.randn(shape, generator=generator, dtype=torch.float64))


def randomise(module, seed, scale=0.4):
    """Fills every parameter from one seed; weights of norms lie around 1."""
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, parameter in sorted(module.named_parameters()):
            noise = torch.randn(parameter.shape, generator=generator, dtype=torch.float64)
            around_one = name.lower().endswith("norm.weight")
            parameter.copy_(dyadic(1 + 0.25 * noise if around_one else scale * noise))
    return module.eval()


def heads(x, count):
    """[..,T,H*D] to [..,H,T,D]."""
    return x.reshape(*x.shape[:-1], count, -1).transpose(-2, -3)


def merged(context):
    """[..,H,T,V] to [..,T,H*V]."""
    swapped = context.transpose(-2, -3)
    return swapped.reshape(*swapped.shape[:-2], -1)


def linear(x, parameters, name):
    y = x @ parameters[name + ".weight"].T
    bias = parameters.get(name + ".bias")
    return y if bias is None else y + bias


def layer_norm(x, parameters, name, eps):
    centred = x - x.mean(-1, keepdim=True)
    scaled = centred / torch.sqrt((centred**2).mean(-1, keepdim=True) + eps)
    return scaled * parameters[name + ".weight"] + parameters[name + ".bias"]


def causal(queries, keys):
    """The last query sees every key."""
    return torch.arange(keys)[None] <= torch.arange(queries)[:, None] + keys - queries


def additive(allowed):
    """[1,1,T,S] as transformers masks: the smallest double where attention is forbidden."""
    blocked = torch.finfo(torch.float64).min
    zeros = torch.zeros(allowed.shape, dtype=torch.float64)
    return zeros.masked_fill(~allowed, blocked)[None, None]


@contextlib.contextmanager
def captured_softmax():
    calls, softmax = [], torch.nn.functional.softmax

    def capture(x, *positional, **named):
        result = softmax(x, *positional, **named)
        calls.append((x, result))
        return result

    torch.nn.functional.softmax = capture
    try:
        yield calls
    finally:
        torch.nn.functional.softmax = softmax


def masked(logits, case):
    if case.mask is not None:
        return logits + case.mask.to(logits.dtype)
    if case.allowed is not None:
        return logits.masked_fill(~case.allowed, -math.inf)
    return logits


def softmax_of(logits, sinks):
    if sinks is None:
        return logits.softmax(-1)
    beside = sinks[:, None, None].expand(*logits.shape[:-1], 1)
    return torch.cat((logits, beside), -1).softmax(-1)[..., :-1]


def run_class(case, parameters, d_output):
    with captured_softmax() as calls:
        output = case.run(case.inputs)
    logits = (case.arrange_logits or case.arrange)(calls[-1][0])
    weights = case.arrange(calls[-1][1])
    if case.mask is not None:
        logits = logits - case.mask
    wanted = {**case.inputs, **parameters}
    given = torch.autograd.grad(output, list(wanted.values()), d_output, allow_unused=True)
    gradients = {name: g for name, g in zip(wanted, given) if g is not None}
    return {"logits": logits, "weights": weights, "output": output}, gradients


def run_plain(twin, case, parameters, d_output, dtype=torch.float64):
    inputs = {n: x.detach().to(dtype).requires_grad_() for n, x in case.inputs.items()}
    parameters = {n: x.detach().to(dtype).requires_grad_() for n, x in parameters.items()}
    parts = twin(inputs, parameters, case)
    weights = softmax_of(masked(parts.logits, case), parts.sinks)
    context = weights @ parts.v.repeat_interleave(weights.shape[-3] // parts.v.shape[-3], dim=-3)
    context = context + parts.added(weights)
    output = parts.output(context)
    inner = {"q": parts.q, "k": parts.k, "v": parts.v, "context": context}
    wanted = {**inputs, **parameters, **{"inner " + n: x for n, x in inner.items()}}
    given = torch.autograd.grad(output, list(wanted.values()), d_output.to(dtype),
                                allow_unused=True)
    gradients = {name: g for name, g in zip(wanted, given) if g is not None}
    values = {**inner, "logits": parts.logits, "weights": weights, "output": output}
    return values, gradients, parts.beside


def hidden_by_mask(name, value, case):
    """Logits of forbidden pairs carry no information; they are written as 0."""
    if name != "logits" or case.allowed is None:
        return value
    return value.masked_fill(~case.allowed, 0)


def largest_difference(one, other):
    return (one.detach().double() - other.detach().double()).abs().max().item()


def compare(case, values, gradients, plain_values, plain_gradients):
    for name, value in values.items():
        difference = largest_difference(hidden_by_mask(name, value, case),
                                        hidden_by_mask(name, plain_values[name], case))
        if not difference < AGREEMENT:
            raise SystemExit(f"{case.name}: {name} differs by {difference} from the restatement")
    for name, gradient in gradients.items():
        other = plain_gradients.get(name, torch.zeros_like(gradient))
        difference = largest_difference(gradient, other)
        if not difference < AGREEMENT * max(1, gradient.abs().max().item()):
            raise SystemExit(f"{case.name}: gradient of {name} differs by {difference}")


def single_precision_error(twin, case, parameters, d_output, plain_values, plain_gradients):
    """Returns the deviation of PyTorch's own single precision from the double-precision numbers."""
    values, gradients, _ = run_plain(twin, case, parameters, d_output, SINGLE)
    error = {name: largest_difference(hidden_by_mask(name, value, case),
                                      hidden_by_mask(name, plain_values[name], case))
             for name, value in values.items() if name not in ("k", "v")}
    error["gradients"] = max(largest_difference(gradient, plain_gradients[name])
                             for name, gradient in gradients.items())
    return error


def case_content(case, values, gradients, plain_values, plain_gradients, beside, d_output):
    content = {"name": case.name, **case.facts, **arrays(case.inputs)}
    if case.allowed is not None:
        content["allowed"] = array(case.allowed)
    if case.mask is not None:
        content["mask"] = array(case.mask)
    content |= {name: array(plain_values[name]) for name in ("q", "k", "v")}
    content |= arrays(beside)
    content["logits"] = array(hidden_by_mask("logits", values["logits"], case))
    content["weights"] = array(values["weights"])
    content["context"] = array(plain_values["context"])
    content["output"] = array(values["output"])
    content["d_output"] = array(d_output)
    content["d_context"] = array(plain_gradients["inner context"])
    content["gradients"] = {
        **{name: array(g) for name, g in gradients.items() if name in case.inputs},
        **{name: array(plain_gradients["inner " + name]) for name in ("q", "k", "v")},
        "parameters": {n: array(g) for n, g in gradients.items() if n not in case.inputs},
    }
    return content


def rounded_up(x):
    """Rounds up to one significant digit: 4.2e-6 becomes 5e-6."""
    if x == 0:
        return 0.0
    power = 10.0 ** math.floor(math.log10(x))
    return float(f"{math.ceil(x / power) * power:.0e}")


def layer_file(name, *, about, cls, package, config, parameters, cases, twin, mistakes, generator,
               seed, facts=None, also=None, seen_in="weights"):
    """Runs the cases, checks them and writes layers/`name`.json with its line in manifest.json.
    `also`: tolerances of further arrays. `seen_in`: the result that mistakes change.
    """
    with everything_double():
        written, error, visible = [], {}, dict.fromkeys(mistakes, 0.0)
        for case in cases:
            for tensor in case.inputs.values():
                tensor.requires_grad_()
            with torch.no_grad():
                shape = case.run(case.inputs).shape
            d_output = normal(shape, case.d_output_seed + seed + 1000)
            values, gradients = run_class(case, parameters, d_output)
            plain_values, plain_gradients, beside = run_plain(twin, case, parameters, d_output)
            compare(case, values, gradients, plain_values, plain_gradients)
            errors = single_precision_error(twin, case, parameters, d_output, plain_values,
                                            plain_gradients)
            error = {n: max(e, error.get(n, 0.0)) for n, e in errors.items()}
            for mistake, wrong in mistakes.items():
                off = run_plain(wrong, case, parameters, d_output)[0][seen_in]
                off = largest_difference(off, values[seen_in])
                visible[mistake] = max(visible[mistake], off)
            written.append(case_content(case, values, gradients, plain_values, plain_gradients,
                                        beside, d_output))
    unseen = [m for m, off in visible.items() if not off > SMALLEST_VISIBLE_MISTAKE]
    if unseen:
        raise SystemExit(f"{name}: these mistakes would pass: {unseen}")
    used = set().union(*(c["gradients"]["parameters"] for c in written))
    content = {"about": about, "class": cls, "config": config, **(facts or {}),
               "parameters": arrays({n: p for n, p in parameters.items() if n in used}),
               "cases": written, "mistakes": visible}
    tolerance = {n: max(LEAST_TOLERANCE[n], rounded_up(4 * error[n])) for n in LEAST_TOLERANCE}
    tolerance |= also or {}
    write_layer(name, content, cls=cls, package=package, config=config, generator=generator,
                seed=seed, tolerance=tolerance, single=error)


def write_layer(name, content, *, cls, package, config, generator, seed, tolerance, single=None):
    if not all(math.isfinite(x) for x in tolerance.values()):
        raise SystemExit(f"{name}: a tolerance is not finite")
    content = content if "config" in content else {"config": config, **content}
    text = json.dumps(content, separators=(",", ":"), allow_nan=False, ensure_ascii=False)
    if len(text) > LARGEST_FILE:
        raise SystemExit(f"{name} would take {len(text)} bytes, more than {LARGEST_FILE}")
    (FOLDER / "layers" / f"{name}.json").write_text(text + "\n", "utf-8")
    path = FOLDER / "manifest.json"
    manifest = json.loads(path.read_text("utf-8")) if path.exists() else {}
    row = {
        "generator": generator,
        "source": f"{cls}; {package}; float64",
        "class": cls,
        "package": package,
        "torch": torch.__version__.split("+")[0],
        "configHash": config_hash(config),
        "seed": seed,
        "tolerance": tolerance,
    }
    if single:
        row["singlePrecision"] = {n: float(f"{e:.1e}") for n, e in single.items()}
    manifest[f"layers/{name}.json"] = row
    path.write_text(json.dumps(dict(sorted(manifest.items())), indent=2) + "\n", "utf-8")
    print(f"layers/{name}.json: {len(text)} bytes")


def transformers_package():
    return f"transformers {transformers.__version__}"
