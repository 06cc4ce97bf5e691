"""Sinusoidal tables and rules for learned positions from transformers' own classes."""

import torch
from transformers.models.bart import modeling_bart
from transformers.models.m2m_100 import modeling_m2m_100
from transformers.models.marian import modeling_marian
from transformers.models.opt import modeling_opt
from transformers.models.pegasus import modeling_pegasus
from transformers.models.roberta import modeling_roberta
from transformers.models.whisper import modeling_whisper
from transformers.models.xglm import modeling_xglm

from double_precision import everything_double
from fixture_file import array, write

POSITIONS = [0, 1, 2, 3, 7, 100, 500]
PAD = 1


def case(source, layout, width, offset, table):
    return {
        "source": source,
        "layout": layout,
        "width": width,
        "positionOffset": offset,
        "positions": POSITIONS,
        "table": array(table),
    }


def sinusoids():
    most = max(POSITIONS) + 1
    cases = []
    for source, module, name in (
        ("Marian", modeling_marian, "MarianSinusoidalPositionalEmbedding"),
        ("Pegasus", modeling_pegasus, "PegasusSinusoidalPositionalEmbedding"),
    ):
        for width in (8, 64):
            embedding = getattr(module, name)(most, width)
            table = embedding.create_weight().double()[POSITIONS]
            cases.append(case(source, "marian", width, 0, table))
    for source, module, name in (
        ("M2M100", modeling_m2m_100, "M2M100SinusoidalPositionalEmbedding"),
        ("XGLM", modeling_xglm, "XGLMSinusoidalPositionalEmbedding"),
    ):
        for width in (8, 63):
            embedding = getattr(module, name)(most, width, PAD)
            # No padding among these ids: row t is the pattern of the t-th token.
            ids = torch.full((1, most), 9)
            positions = module_positions(embedding, ids)
            table = embedding.weights.index_select(0, positions[0]).double()[POSITIONS]
            cases.append(case(source, "tensor2tensor", width, PAD + 1, table))
    for width in (8, 64):
        table = modeling_whisper.sinusoids(most, width).double()[POSITIONS]
        cases.append(case("Whisper", "whisper", width, 0, table))
    return cases


def module_positions(embedding, ids):
    """Returns the rows that M2M100 and XGLM use for ids without padding."""
    if hasattr(embedding, "create_position_ids_from_input_ids"):
        return embedding.create_position_ids_from_input_ids(ids, PAD)
    return torch.arange(ids.shape[1])[None] + PAD + 1


def rows_asked_for(embedding, *arguments, **named):
    """Fills the table with its own row numbers, and reads them back."""
    rows = embedding.weight.shape[0]
    embedding.weight.data = torch.arange(rows, dtype=torch.float64)[:, None]
    return embedding(*arguments, **named).reshape(-1).to(torch.int64).tolist()


def index_rules():
    cases = []
    for matters in ([1, 1, 1, 1], [0, 0, 1, 1], [1, 1, 1, 0], [1, 0, 1, 1, 0]):
        mask = torch.tensor([matters])
        opt = modeling_opt.OPTLearnedPositionalEmbedding(16, 1)
        bart = modeling_bart.BartLearnedPositionalEmbedding(16, 1)
        ids = torch.where(mask == 1, 9, PAD)
        roberta = modeling_roberta.RobertaEmbeddings.create_position_ids_from_input_ids(ids, PAD)
        for rule, rows in (
            ("opt", rows_asked_for(opt, mask)),
            ("bart", rows_asked_for(bart, ids)),
            ("roberta", roberta[0].tolist()),
        ):
            cases.append({"rule": rule, "matters": matters, "rows": rows})
    return cases


def main():
    with everything_double():
        content = {"sinusoids": sinusoids(), "indexRules": index_rules()}
    # Angles up to 500 radians, which some of these classes compute in single precision.
    write("absolute.json", content, generator="make_absolute.py",
          source="transformers Marian, Pegasus, M2M100, XGLM, Whisper, OPT, BART and RoBERTa "
          "classes",
          cls="the position embeddings of transformers.models marian, pegasus, m2m_100, xglm, "
          "whisper, opt, bart, roberta",
          config={"sinusoids": [{k: c[k] for k in ("source", "width")}
                                for c in content["sinusoids"]], "paddingId": PAD},
          seed=None, tolerance={"sinusoids": 1e-6})


if __name__ == "__main__":
    main()
