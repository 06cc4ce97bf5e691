"""Rows of learned tables that models use, and the sinusoidal tables of several models."""

import contextlib
import types

import torch
from transformers.generation.utils import GenerationMixin
from transformers.models.bart.modeling_bart import BartLearnedPositionalEmbedding
from transformers.models.m2m_100.modeling_m2m_100 import M2M100SinusoidalPositionalEmbedding
from transformers.models.marian.modeling_marian import MarianSinusoidalPositionalEmbedding
from transformers.models.opt.modeling_opt import OPTLearnedPositionalEmbedding
from transformers.models.roberta.modeling_roberta import RobertaEmbeddings
from transformers.models.whisper.modeling_whisper import sinusoids
from transformers.models.xlm.modeling_xlm import create_sinusoidal_embeddings
from transformers.models.xlnet.modeling_xlnet import XLNetModel

from double_precision import everything_double
from fixture_file import array
from layer_fixture import transformers_package, write_layer

GENERATOR = "make_layers_embeddings.py"
PAD = 1
ROWS = 32


def counting(module):
    """Fills each row of the table with its index, so that the output shows which row was read."""
    with torch.no_grad():
        module.weight.copy_(torch.arange(len(module.weight), dtype=module.weight.dtype)[:, None])
    return module


def rows(embedded):
    return embedded[0, :, 0].long().tolist()


def index_cases():
    cases = []
    for ids in ([5, 9, 8, 7], [PAD, PAD, 9, 7], [9, 7, PAD, PAD], [5, 9, PAD, 7], [PAD] * 3):
        tokens = torch.tensor([ids])
        mask = (tokens != PAD).long()
        unpadded = GenerationMixin._prepare_position_ids_for_generation(None, tokens,
                                                                        {"attention_mask": mask})
        for past in (0, 3):
            case = {"ids": ids, "mask": mask[0].tolist(), "past": past}
            case["bart"] = rows(counting(BartLearnedPositionalEmbedding(ROWS, 1))(
                tokens, past_key_values_length=past))
            case["roberta"] = RobertaEmbeddings.create_position_ids_from_input_ids(
                tokens, PAD, past)[0].tolist()
            case["m2m100"] = M2M100SinusoidalPositionalEmbedding.create_position_ids_from_input_ids(
                tokens, PAD, past)[0].tolist()
            # OPT and generation get the mask of all tokens so far, including the cached ones.
            longer = torch.cat((torch.ones(1, past, dtype=torch.long), mask), dim=1)
            case["opt"] = rows(counting(OPTLearnedPositionalEmbedding(ROWS, 1))(longer, past))
            case["plain"] = list(range(past, past + len(ids)))
            if past == 0:
                case["generation"] = unpadded[0].tolist()
            cases.append(case)
    return cases


def write_indices():
    content = {
        "about": "For tokens `ids` after `past` cached tokens (all real), the row of the table "
        f"that each token reads; the padding id is {PAD}. bart: past + index + 2, padding or not. "
        "roberta, m2m100: (count of real tokens so far + past), 0 at padding, + padding id. opt: "
        "(count of real tokens so far)·mask - 1 + 2. plain: past + index (BERT, GPT-2 without "
        "position ids). generation: count of real tokens so far - 1, 0 at padding: what GPT-2 gets "
        "from generate() with left padding (older releases wrote 1 at padding).",
        "paddingId": PAD, "cases": index_cases(),
    }
    write_layer("position_indices", content, package=transformers_package(),
                cls="BartLearnedPositionalEmbedding, OPTLearnedPositionalEmbedding, "
                "RobertaEmbeddings, M2M100SinusoidalPositionalEmbedding, GenerationMixin",
                config={"paddingId": PAD, "rows": ROWS}, generator=GENERATOR, seed=None,
                tolerance={"rows": 0})


@contextlib.contextmanager
def double_tensors():
    """XLM and Marian fill their tables through torch.FloatTensor."""
    single = torch.FloatTensor
    torch.FloatTensor = torch.DoubleTensor
    try:
        yield
    finally:
        torch.FloatTensor = single


def table_cases(width, count):
    offsets = torch.arange(count - 1, -count, -1)
    model = types.SimpleNamespace(d_model=width, attn_type="bi", bi_data=False, clamp_len=-1,
                                  positional_embedding=XLNetModel.positional_embedding)
    xlnet = XLNetModel.relative_positional_encoding(model, count, count)[:, 0]
    tables = {
        "xlm": create_sinusoidal_embeddings(count, width, torch.empty(count, width)),
        "marian": MarianSinusoidalPositionalEmbedding(count, width).create_weight(),
        "m2m100": M2M100SinusoidalPositionalEmbedding.get_embedding(count, width, PAD),
        "whisper": sinusoids(count, width),
    }
    case = {"width": width, "positions": list(range(count)),
            **{name: array(table) for name, table in tables.items()}}
    # The first row of XLNet's table is offset `count`; the rest fall to -(count - 1).
    case["xlnetOffsets"] = [count, *offsets.tolist()]
    case["xlnet"] = array(xlnet)
    return case


def write_tables():
    with everything_double(), double_tensors():
        cases = [table_cases(8, 12), table_cases(6, 5)]
    content = {
        "about": "Rows are positions 0, 1, … (xlnet: the offsets listed). xlm: sine and cosine "
        "alternate, base^(-2t/width). marian: [sin | cos], base^(-2t/width). m2m100 (fairseq, "
        f"tensor2tensor): [sin | cos], base^(-t/(width/2 - 1)), row {PAD} (padding) is zero. "
        "whisper: as m2m100 without a padding row. xlnet, Transformer-XL: [sin | cos], "
        "base^(-2t/width), offsets may be negative.",
        "cases": cases,
    }
    write_layer("sinusoidal_tables", content, package=transformers_package(),
                cls="xlm create_sinusoidal_embeddings, MarianSinusoidalPositionalEmbedding, "
                "M2M100SinusoidalPositionalEmbedding, whisper sinusoids, XLNetModel",
                config={"widths": [8, 6], "paddingId": PAD}, generator=GENERATOR, seed=None,
                tolerance={"table": 2e-6})


def main():
    write_indices()
    write_tables()


if __name__ == "__main__":
    main()
