"""States of the tiny rope model by transformers: the residual stream after each layer, the outputs
of the heads, logits read off each layer, and logits after heads or states are replaced.

Weights and texts are those of model_rope.json. Hooks of PyTorch read and replace.
"""

import torch

from double_precision import everything_double
from fixture_file import array, write
from make_models import LLAMA, llama, rope_case

TOLERANCE = {"residual": 3e-5, "headOutputs": 1e-5, "lens": 2e-5, "logits": 2e-5}
ABLATIONS = [
    {"heads": [1], "with": "zero"},
    {"layers": [1], "heads": [0, 3], "with": "zero"},
    {"layers": [0], "heads": [2], "with": "mean"},
    {"with": "mean"},
    {"with": "zero"},
]
# The stream of the other text after a layer (-1: before the first), or the output of a head.
PATCHES = [
    {"layer": -1, "rows": [3]},
    {"layer": 0, "rows": [2, 5]},
    {"layer": 0},
    {"layer": 1, "rows": [6]},
    {"layer": 0, "head": 3},
    {"layer": 1, "head": 0, "rows": [0, 4]},
]


def every(count):
    return list(range(count))


class Hooks:
    """Reads and replaces states of one forward pass over one text."""

    def __init__(self, model, change_heads=None, change_stream=None):
        self.model = model
        self.heads = model.config.num_attention_heads
        self.streams, self.outputs = {}, {}
        self.change_heads, self.change_stream = change_heads, change_stream

    def on_stream(self, layer, stream):
        if self.change_stream:
            stream = self.change_stream(layer, stream.clone())
        self.streams[layer] = stream[0].detach()
        return stream

    def on_heads(self, layer, mixed):
        split = mixed.view(*mixed.shape[:-1], self.heads, -1).transpose(1, 2)
        if self.change_heads:
            split = self.change_heads(layer, split.clone())
        self.outputs[layer] = split[0].detach()
        return split.transpose(1, 2).reshape(mixed.shape)

    def run(self, ids):
        model = self.model.model
        handles = [model.embed_tokens.register_forward_hook(
            lambda module, args, result: self.on_stream(-1, result))]
        for index, layer in enumerate(model.layers):
            handles.append(layer.register_forward_hook(
                lambda module, args, result, index=index: self.on_stream(index, result)))
            handles.append(layer.self_attn.o_proj.register_forward_pre_hook(
                lambda module, args, index=index: (self.on_heads(index, args[0]),)))
        with torch.no_grad():
            result = self.model(input_ids=ids, use_cache=False, output_hidden_states=True)
        for handle in handles:
            handle.remove()
        return result


def ablated(model, ids, layers=None, heads=None, **how):
    def change(layer, outputs):
        if layer in (every(2) if layers is None else layers):
            for head in every(4) if heads is None else heads:
                mean = outputs[:, head].mean(1, keepdim=True)
                outputs[:, head] = mean if how["with"] == "mean" else 0
        return outputs

    return Hooks(model, change_heads=change).run(ids).logits[0]


def patched(model, ids, other, layer, head=None, rows=None):
    rows = every(ids.shape[1]) if rows is None else rows

    def change_stream(index, stream):
        if head is None and index == layer:
            stream[0, rows] = other.streams[layer][rows]
        return stream

    def change_heads(index, outputs):
        if head is not None and index == layer:
            outputs[0, head, rows] = other.outputs[layer][head, rows]
        return outputs

    return Hooks(model, change_heads, change_stream).run(ids).logits[0]


def main():
    config, parameters, ids, _ = rope_case()
    first, second = ids[:1], ids[1:]
    with everything_double():
        model = llama(config, parameters).eval()
        hooks, other = Hooks(model), Hooks(model)
        result = hooks.run(first)
        other.run(second)
        layers = config["num_hidden_layers"]
        residual = torch.stack([hooks.streams[layer] for layer in range(-1, layers)])
        # transformers' own list, whose last entry is after the final norm.
        for own, theirs in zip(residual[:-1], result.hidden_states[:-1]):
            torch.testing.assert_close(own, theirs[0], rtol=0, atol=0)
        with torch.no_grad():
            lens = model.lm_head(model.model.norm(residual))
        torch.testing.assert_close(lens[-1], result.logits[0], rtol=0, atol=1e-12)
        content = {
            "config": config,
            "inputIds": array(first),
            "otherIds": array(second),
            "residual": array(residual),
            "headOutputs": array(torch.stack([hooks.outputs[layer] for layer in range(layers)])),
            "lens": array(lens),
            "ablations": [{"ablate": one, "logits": array(ablated(model, first, **one))}
                          for one in ABLATIONS],
            "patches": [{"patch": one, "logits": array(patched(model, first, other, **one))}
                        for one in PATCHES],
        }
    write("model_states.json", content, generator="make_model_states.py",
          source="transformers LlamaForCausalLM, eager, with hooks", cls=LLAMA, seed=20,
          tolerance=TOLERANCE)


if __name__ == "__main__":
    main()
