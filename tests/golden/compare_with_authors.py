"""Compares layers/{xpos,kerple_log,kerple_power,cope,cope_scaled_bias,fire,sandwich}.json with the
code published by their authors or users, none of which is stored here.

    python tests/golden/compare_with_authors.py FOLDER

FOLDER has checkouts named torchscale (microsoft), KERPLE (chijames), RAM (facebookresearch),
arithmetic (mcleish7, who copied FIRE from its paper's appendix) and NeMo (NVIDIA). Classes are
extracted from their files and run in double precision on the files' inputs and parameters; the
logits must agree to 1e-11. If a checkout is missing, the script names it and fails.
"""

import ast
import json
import math
import pathlib
import sys
import types
import typing

import torch
from torch.nn import Parameter

from double_precision import everything_double
from fixture_file import FOLDER

AGREEMENT = 1e-11
FILES = {
    "torchscale": "torchscale/component/xpos_relative_position.py",
    "KERPLE": "megatron/mpu/layers.py",
    "RAM": "projects/cope/src/cope/context_position.py",
    "arithmetic": "cramming/architectures/embeddings.py",
    "NeMo": "nemo/collections/nlp/modules/common/megatron/position_embedding/"
            "sandwich_relative_position_embedding.py",
}


def cut_out(checkouts, name, *wanted, **given):
    """Extracts the functions and classes `wanted` from a file, with these names predefined."""
    tree = ast.parse((checkouts / name / FILES[name]).read_text("utf-8"))
    tree.body = [node for node in tree.body if getattr(node, "name", None) in wanted]
    if len(tree.body) != len(wanted):
        raise SystemExit(f"{name}: not all of {wanted} found")
    space = {"torch": torch, "nn": torch.nn, "math": math, "Parameter": Parameter, **given}
    exec(compile(tree, name, "exec"), space)
    return [space[key] for key in wanted]


def tensor(entry):
    return torch.tensor(entry["data"], dtype=torch.float64).reshape(entry["shape"])


def hold_against(name, logits_of):
    """Compares published code, `logits_of(config, parameters, q, k, scaled products)`."""
    file = json.loads((FOLDER / "layers" / f"{name}.json").read_text("utf-8"))
    parameters = {key: tensor(value) for key, value in file["parameters"].items()}
    most = 0.0
    for case in file["cases"]:
        q, k = tensor(case["q"]), tensor(case["k"])
        plain = q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1])
        with everything_double(), torch.no_grad():
            theirs = logits_of(file["config"], parameters, q, k, plain)
        seen = tensor(case["allowed"]).bool()
        difference = (theirs - tensor(case["logits"])).abs().masked_fill(~seen, 0).max().item()
        most = max(most, difference)
    print(f"{name}: {most:.1e}")
    if not most < AGREEMENT:
        raise SystemExit(f"{name} differs from the published code by {most}")


def xpos(checkouts):
    names = ("fixed_pos_embedding", "rotate_every_two", "duplicate_interleave",
             "apply_rotary_pos_emb", "XPOS")
    made = cut_out(checkouts, "torchscale", *names)[-1]

    def logits(config, _, q, k, __):
        scheme = made(q.shape[-1], config["scaleBase"])
        turned = scheme(q), scheme(k, downscale=True)
        return turned[0] @ turned[1].transpose(-1, -2) / math.sqrt(q.shape[-1])
    hold_against("xpos", logits)


def kerple(checkouts):
    both = cut_out(checkouts, "KERPLE", "ParallelKerpleLog", "ParallelKerplePower",
                   get_model_parallel_world_size=lambda: 1, get_model_parallel_rank=lambda: 0)
    torch.cuda.current_device = lambda: "cpu"
    for made, name in zip(both, ("kerple_log", "kerple_power")):
        def logits(config, parameters, q, k, plain, made=made):
            arguments = types.SimpleNamespace(num_attention_heads=config["heads"],
                                              params_dtype=torch.float64, pos_emb="kerple_ap_")
            scheme = made(arguments)
            scheme.bias_p.data = parameters["bias_p"][:, None, None].clone()
            scheme.bias_a.data = parameters["bias_a"][:, None, None].clone()
            return scheme(plain[None])[0]
        hold_against(name, logits)


def fire(checkouts):
    made, = cut_out(checkouts, "arithmetic", "FIRE")

    def logits(config, parameters, q, k, plain):
        scheme = made(config["heads"], config["width"], init_L=config["initialL"]).double().eval()
        scheme.load_state_dict(parameters, strict=False)
        return plain + scheme(q.shape[-2], "cpu")[0]
    hold_against("fire", logits)


def sandwich(checkouts):
    def distances(length, full):
        at = torch.arange(length)
        return at[None, :] - at[:, None]
    made, = cut_out(checkouts, "NeMo", "SandwichRelativePositionEmbedding",
                    build_relative_position=distances)
    torch.cuda.current_device = lambda: "cpu"

    def logits(config, _, q, k, plain):
        scheme = made(False, config["heads"], None, config["width"])
        return plain + scheme(q.shape[-2], k.shape[-2])[0]
    hold_against("sandwich", logits)


def cope(checkouts):
    """With and without --cope-nodiv: without it the authors' training code divides the table's term
    by the root of the width too; their paper's listing does not.
    """
    made, = cut_out(checkouts, "RAM", "ContextPosSelfAttn", Optional=typing.Optional)

    def logits(config, parameters, q, k, _):
        told = types.SimpleNamespace(
            drop=0.0, cope_layers=1, pos_emb="cope", cope_npos=config["rows"],
            head_dim=config["headDim"], cope_val_gates=False, cope_sep_key=False,
            cope_nodiv=not config.get("scaledBias", False))
        scheme = made(told, 0).eval()
        scheme.pos_emb.data = parameters["pos_emb"][None]
        kept = []
        softmax = torch.softmax
        torch.softmax = lambda x, dim: kept.append(x) or softmax(x, dim=dim)
        length = q.shape[-2]
        mask = torch.ones(length, length).tril()
        try:
            scheme(q, k.clone(), k, torch.zeros_like(q), mask.expand(len(q), -1, -1))
        finally:
            torch.softmax = softmax
        return kept[-1]
    hold_against("cope", logits)
    hold_against("cope_scaled_bias", logits)


def main():
    checkouts = pathlib.Path(sys.argv[1])
    missing = [name for name, path in FILES.items() if not (checkouts / name / path).exists()]
    if missing:
        raise SystemExit(f"no checkout of {missing}")
    for compare in (xpos, kerple, sandwich, fire, cope):
        compare(checkouts)


if __name__ == "__main__":
    main()
