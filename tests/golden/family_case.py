"""A model that make_families.py makes, and what prepares it for the comparison."""

from dataclasses import dataclass, field

import torch
import transformers as t
from fixture_file import TRANSFORMERS, TRANSFORMERS_4, TRANSFORMERS_LATER

try:
    from transformers.models.deprecated import transfo_xl
except ImportError:  # cases of the other version are made with that version
    transfo_xl = None


def set_eager(config):
    """Chooses the plain implementations, which work in double precision and return maps."""
    config._attn_implementation = "eager"
    if t.__version__ == TRANSFORMERS_LATER:
        config._experts_implementation = "eager"


@dataclass
class Case:
    name: str
    model: type
    config: type
    options: dict = field(default_factory=dict)
    is_causal: bool = True
    prepare: object = None
    # True if an encoder reads the ids and a decoder reads other ids.
    has_encoder: bool = False
    version: str = TRANSFORMERS
    # (model, ids, output) -> bool: a further condition that must hold before a file is written.
    check: object = None

    def make(self):
        config = self.config(**self.options)
        set_eager(config)
        model = self.model(config)
        if self.prepare:
            self.prepare(model)
        return model


def count_alibi_once(model):
    """Prevents Falcon's eager attention from adding ALiBi a second time to a mask that contains it;
    its default attention does not.
    """
    for block in model.transformer.h:
        forward = block.self_attention.forward

        def without(*values, alibi=None, call=forward, **more):
            none = None if alibi is None else torch.zeros_like(alibi)
            return call(*values, alibi=none, **more)

        block.self_attention.forward = without


def name_class(model):
    """Sets the class name in the config, as a saved file has it."""
    model.config.architectures = [type(model).__name__]


def untie(model):
    """Unties the output head, as in T5 version 1.1: newer code ties that of a new model."""
    model.lm_head.weight = torch.nn.Parameter(model.lm_head.weight.detach().clone())
    model.config.tie_word_embeddings = False


def begin_empty(model):
    """Begins each text with an empty memory, as the authors' code does: by default this class makes
    one of zeros, to which queries attend. 4.57.6 also calls type_as(dtype=…), which PyTorch lacks.
    """
    type_as = torch.Tensor.type_as
    if type_as.__name__ != "of_dtype":
        def of_dtype(tensor, other=None, dtype=None):
            return tensor.to(dtype) if other is None else type_as(tensor, other)
        torch.Tensor.type_as = of_dtype
    forward = model.forward

    def with_memory(input_ids, mems=None, **more):
        empty = [torch.zeros(0, 1, model.config.d_model)] * model.config.n_layer
        return forward(input_ids, mems=empty if mems is None else mems, **more)
    model.forward = with_memory


def score_plainly(model):
    """Makes the model return logits; the class always applies a softmax."""
    begin_empty(model)
    crit = model.crit
    crit.forward = lambda hidden, labels: crit._compute_logit(
        hidden.reshape(-1, hidden.shape[-1]), crit.out_layers[0].weight, crit.out_layers[0].bias,
        crit.out_projs[0])


def reads_in_segments(model, ids, output):
    """True if segments, read with memory, give `output`: that of one text with a window as long as
    the memory makes them."""
    rows, mems = [], None
    for piece in ids.split(4, dim=1):
        result = model(input_ids=piece, mems=mems)
        rows.append(result.logits[0])
        mems = result.mems
    return (torch.cat(rows) - output).abs().max() < 1e-12


TOKENS = {"pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2}
PLAIN_ROPE = {"rope_type": "default", "rope_theta": 500.0}
# Sizes with Llama's names.
SIZES = {"vocab_size": 29, "hidden_size": 15, "num_hidden_layers": 2, "num_attention_heads": 3,
         "num_key_value_heads": 1, "intermediate_size": 22, "max_position_embeddings": 37, **TOKENS}
HEADED = {**SIZES, "head_dim": 6}
# Sizes for families without a key for the width of a head.
DIVIDED = {**SIZES, "hidden_size": 18}


def later(name, model, config, options, **more):
    """A case of the later version; classes that another version lacks are None."""
    classes = getattr(t, model, None), getattr(t, config, None)
    return Case(name, *classes, options, version=TRANSFORMERS_LATER, **more)


def scale_by_sinks(model):
    """Makes the maps of a model with sinks the weights that multiply values: this class returns
    those of a softmax without the sink.
    """
    for block in model.model.layers:
        forward = block.self_attn.forward

        def scaled(*values, call=forward, own=block.self_attn, **more):
            kept = {}
            softmax = torch.nn.functional.softmax

            def of_logits(logits, **how):
                kept["scale"] = (torch.logsumexp(logits, -1) - own.sinks.view(1, -1, 1)).sigmoid()
                return softmax(logits, **how)
            torch.nn.functional.softmax = of_logits
            try:
                output, weights = call(*values, **more)
            finally:
                torch.nn.functional.softmax = softmax
            return output, weights * kept["scale"].unsqueeze(-1)
        block.self_attn.forward = scaled
