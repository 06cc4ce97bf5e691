"""Rotary frequencies and attention factors of every scaling type, in double precision.

They come from the functions that transformers' rotary classes call. `ntk` (one fixed base) and
`ntk_by_parts` (the YaRN paper's ramp, linear in rotations) do not exist there: the former
follows the authors' repository (jquesnelle/yarn, LlamaNTKScaledRotaryEmbedding), the latter
arXiv 2309.00071, equations 17 to 19; both are implemented a second time below, with tensors.
"""

import json
import math

import torch
from transformers import (DeepseekV2Config, DeepseekV3Config, Gemma3TextConfig, Gemma4TextConfig,
                          GPTNeoXConfig, GptOssConfig, LlamaConfig, ModernBertConfig, Phi3Config,
                          PhiConfig, Qwen2Config, SmolLM3Config)
from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS
from transformers.models.gemma3.modeling_gemma3 import Gemma3RotaryEmbedding
from transformers.models.gpt_neox.modeling_gpt_neox import GPTNeoXRotaryEmbedding
from transformers.models.llama.modeling_llama import LlamaRotaryEmbedding
from transformers.models.modernbert.modeling_modernbert import ModernBertRotaryEmbedding
from transformers.models.phi.modeling_phi import PhiRotaryEmbedding
from transformers.models.smollm3.modeling_smollm3 import SmolLM3RotaryEmbedding

import rope_formulas
from double_precision import everything_double
from fixture_file import array, write

AGREEMENT = 1e-12  # relative
VISIBLE = 1e-3     # relative; a common mistake must deviate by more than this in some case


def from_transformers(config, rope, length, layer_type, default_class):
    if rope["rope_type"] == "default":
        compute, name = default_class.compute_default_rope_parameters, default_class.__name__
    else:
        compute = ROPE_INIT_FUNCTIONS[rope["rope_type"]]
        name = compute.__name__
    more = {"layer_type": layer_type} if layer_type else {}
    w, amplitude = compute(config, seq_len=length, **more)
    return name, w, float(amplitude)


def from_authors(head_dim, rope):
    width = int(head_dim * rope.get("partial_rotary_factor", 1.0))
    index = torch.arange(0, width, 2).double() / width
    base, scale = rope["rope_theta"], rope["factor"]
    if rope["rope_type"] == "ntk":
        return "jquesnelle/yarn LlamaNTKScaledRotaryEmbedding", \
            1.0 / (base * scale ** (width / (width - 2))) ** index, 1.0
    w = 1.0 / base**index
    wavelength = 2 * math.pi / w
    turns = rope["original_max_position_embeddings"] / wavelength
    slow, fast = rope.get("beta_slow", 1), rope.get("beta_fast", 32)
    gamma = ((turns - slow) / (fast - slow)).clamp(0, 1)
    return "arXiv 2309.00071, equations 17 to 19", (1 - gamma) * w / scale + gamma * w, 1.0


def relative(one, other):
    return max((abs(a - b) / max(abs(b), 1e-300) for a, b in zip(one, other)), default=0)


class Cases:
    def __init__(self):
        self.written = []
        self.visible = dict.fromkeys(rope_formulas.MISTAKES, 0.0)

    def add(self, name, family, head_dim, rope, *, most=4096, lengths=(None,), config=None,
            layer_type=None, default_class=LlamaRotaryEmbedding):
        """Computes one type of one model at each length; `config` may be the model's own."""
        given = json.loads(json.dumps(rope))
        if rope["rope_type"] not in ("ntk", "ntk_by_parts") and config is None:
            config = LlamaConfig(hidden_size=4 * head_dim, num_attention_heads=4, head_dim=head_dim,
                                 max_position_embeddings=most, rope_parameters=dict(rope))
        for length in lengths:
            if rope["rope_type"] in ("ntk", "ntk_by_parts"):
                source, w, amplitude = from_authors(head_dim, rope)
            else:
                source, w, amplitude = from_transformers(config, rope, length, layer_type,
                                                         default_class)
            assert w.dtype is torch.float64, name
            wanted, factor = rope_formulas.frequencies(head_dim, given, most=most, length=length)
            off = max(relative(w.tolist(), wanted), abs(factor / amplitude - 1))
            if len(wanted) != len(w) or not off < AGREEMENT:
                raise SystemExit(f"{name}: differs by {off} from the restatement")
            for mistake in self.visible:
                wrong, wrong_factor = rope_formulas.frequencies(head_dim, given, most=most,
                                                                length=length, mistakes=[mistake])
                seen = max(relative(wrong, wanted), abs(wrong_factor / factor - 1))
                self.visible[mistake] = max(self.visible[mistake], seen)
            self.written.append({
                "name": name if length is None else f"{name}, {length} tokens",
                "family": family, "source": source, "headDim": head_dim, "ropeParameters": given,
                "maxPositionEmbeddings": most, "sequenceLength": length,
                "inverseFrequencies": array(w), "attentionFactor": amplitude})


def plain_and_partial(cases):
    cases.add("plain", "Llama 2", 128, {"rope_type": "default", "rope_theta": 10000.0})
    cases.add("plain", "Llama 3", 128, {"rope_type": "default", "rope_theta": 500000.0}, most=8192)
    cases.add("plain, small", "Llama", 8, {"rope_type": "default", "rope_theta": 10000.0})
    for family, make, cls, head_dim, part in (
            ("Pythia", GPTNeoXConfig, GPTNeoXRotaryEmbedding, 64, 0.25),
            ("Phi-2", PhiConfig, PhiRotaryEmbedding, 80, 0.4)):
        rope = {"rope_type": "default", "rope_theta": 10000.0, "partial_rotary_factor": part}
        cases.add("a part of the head", family, head_dim, rope, most=2048, default_class=cls,
                  config=make(hidden_size=head_dim * 4, num_attention_heads=4,
                              rope_parameters=dict(rope)))
    rope = {"rope_type": "default", "rope_theta": 5e6}
    cases.add("plain", "SmolLM3", 128, rope, most=65536, default_class=SmolLM3RotaryEmbedding,
              config=SmolLM3Config(hidden_size=2048, num_attention_heads=16,
                                   rope_parameters=dict(rope)))
    two = {"sliding_attention": {"rope_type": "default", "rope_theta": 10000.0},
           "full_attention": {"rope_type": "default", "rope_theta": 160000.0}}
    modern = ModernBertConfig(hidden_size=256, num_attention_heads=4,
                              rope_parameters={k: dict(v) for k, v in two.items()})
    for layer_type, rope in two.items():
        cases.add(f"two bases, {layer_type}", "ModernBERT", 64, rope, most=8192, config=modern,
                  layer_type=layer_type, default_class=ModernBertRotaryEmbedding)


def linear_and_ntk(cases):
    for head_dim, factor in ((128, 4.0), (8, 2.5)):
        cases.add("linear", "Llama 2", head_dim,
                  {"rope_type": "linear", "rope_theta": 10000.0, "factor": factor})
    two = {"sliding_attention": {"rope_type": "default", "rope_theta": 10000.0},
           "full_attention": {"rope_type": "linear", "rope_theta": 1e6, "factor": 8.0}}
    gemma = Gemma3TextConfig(hidden_size=512, num_attention_heads=2, head_dim=256,
                             max_position_embeddings=131072,
                             rope_parameters={k: dict(v) for k, v in two.items()})
    for layer_type, rope in two.items():
        cases.add(f"two bases, {layer_type}", "Gemma 3", 256, rope, most=131072, config=gemma,
                  layer_type=layer_type, default_class=Gemma3RotaryEmbedding)
    cases.add("linear, a part of the head", "Llama", 16,
              {"rope_type": "linear", "rope_theta": 10000.0, "factor": 4.0,
               "partial_rotary_factor": 0.5})
    for head_dim in (128, 8):
        cases.add("one fixed base", "Llama 2", head_dim,
                  {"rope_type": "ntk", "rope_theta": 10000.0, "factor": 4.0})
    for head_dim, most, factor, lengths in ((128, 2048, 2.0, (None, 1, 2048, 2049, 4096, 8192)),
                                            (8, 64, 4.0, (64, 65, 200))):
        cases.add("dynamic", "Llama 2", head_dim,
                  {"rope_type": "dynamic", "rope_theta": 10000.0, "factor": factor}, most=most,
                  lengths=lengths)
    cases.add("dynamic, a part of the head", "Llama", 16,
              {"rope_type": "dynamic", "rope_theta": 10000.0, "factor": 2.0,
               "partial_rotary_factor": 0.5}, most=64, lengths=(100,))


def yarn(cases):
    def add(name, family, head_dim, length, *, base=10000.0, most=None, config=None, **more):
        rope = {"rope_type": "yarn", "rope_theta": base, "original_max_position_embeddings": length,
                **more}
        made = config(rope_parameters=dict(rope)) if config else None
        cases.add(name, family, head_dim, rope, most=most or int(length * (more["factor"] or 4)),
                  config=made)

    add("yarn", "Llama 2", 128, 4096, factor=16.0)
    add("yarn, small", "Llama 2", 16, 2048, factor=4.0)
    add("yarn", "Qwen2.5", 128, 32768, base=1e6, factor=4.0, config=lambda **more: Qwen2Config(
        hidden_size=3584, num_attention_heads=28, max_position_embeddings=131072, **more))
    add("yarn, not truncated", "gpt-oss", 64, 4096, base=150000.0, factor=32.0, truncate=False,
        beta_fast=32.0, beta_slow=1.0, most=131072, config=lambda **more: GptOssConfig(
            head_dim=64, max_position_embeddings=131072, **more))
    add("yarn, truncated all the same", "gpt-oss", 64, 4096, base=150000.0, factor=32.0,
        truncate=True, most=131072)
    add("yarn, mscale = mscale_all_dim", "DeepSeek-V3", 64, 4096, factor=40.0, beta_fast=32.0,
        beta_slow=1.0, mscale=1.0, mscale_all_dim=1.0, config=lambda **more: DeepseekV3Config(
            qk_rope_head_dim=64, max_position_embeddings=163840, **more))
    add("yarn, mscale = mscale_all_dim", "DeepSeek-V2-Lite", 64, 4096, factor=40.0, mscale=0.707,
        mscale_all_dim=0.707, config=lambda **more: DeepseekV2Config(
            qk_rope_head_dim=64, max_position_embeddings=163840, **more))
    add("yarn, mscale over mscale_all_dim", "Llama", 8, 4096, factor=40.0, mscale=1.0,
        mscale_all_dim=0.707)
    add("yarn, mscale alone does nothing", "Llama", 8, 4096, factor=40.0, mscale=0.707)
    add("yarn, attention_factor given", "Llama", 8, 4096, factor=8.0, attention_factor=1.25,
        mscale=1.0, mscale_all_dim=0.707)
    add("yarn, no factor", "Llama", 8, 4096, factor=None, most=65536)
    add("yarn, factor 1", "Llama", 8, 4096, factor=1.0)
    add("yarn, other betas", "Llama", 32, 4096, factor=4.0, beta_fast=64.0, beta_slow=4.0)
    add("yarn, low end below 0", "Llama", 8, 64, factor=4.0)
    add("yarn, high end past the last pair", "Llama", 8, 32768, base=100.0, factor=4.0)
    add("yarn, ends equal", "Llama", 16, 4096, factor=4.0, beta_fast=32.0, beta_slow=32.0,
        truncate=False)
    add("yarn, both ends 0", "Llama", 16, 6, factor=4.0)
    add("yarn, a part of the head", "Llama", 32, 2048, factor=4.0, partial_rotary_factor=0.5)
    for head_dim, length, factor in ((16, 2048, 4.0), (128, 4096, 16.0)):
        cases.add("the paper's ramp", "Llama 2", head_dim,
                  {"rope_type": "ntk_by_parts", "rope_theta": 10000.0, "factor": factor,
                   "original_max_position_embeddings": length, "beta_fast": 32.0,
                   "beta_slow": 1.0}, most=int(length * factor))


def longrope(cases):
    """Made-up lists that increase like the published ones."""
    def lists(pairs):
        return {"short_factor": [1 + t / 64 for t in range(pairs)],
                "long_factor": [1 + round(64 * 40 * (t / pairs) ** 2) / 64 for t in range(pairs)]}

    def add(name, family, head_dim, length, *, most, make, lengths, **more):
        pairs = int(head_dim * more.get("partial_rotary_factor", 1.0)) // 2
        rope = {"rope_type": "longrope", "rope_theta": 10000.0,
                "original_max_position_embeddings": length, **lists(pairs), **more}
        cases.add(name, family, head_dim, rope, most=most, lengths=lengths,
                  config=make(rope_parameters=dict(rope), max_position_embeddings=most))

    def phi(width, count, length):
        return lambda **more: Phi3Config(hidden_size=width, num_attention_heads=count,
                                         num_key_value_heads=count,
                                         original_max_position_embeddings=length, **more)

    def llama(**more):
        return LlamaConfig(hidden_size=32, num_attention_heads=4, head_dim=8, **more)

    add("longrope", "Phi-3", 96, 4096, most=131072, make=phi(384, 4, 4096),
        lengths=(None, 4096, 4097))
    add("longrope, a part of the head", "Phi-4-mini", 128, 4096, most=131072,
        make=phi(512, 4, 4096), lengths=(100, 5000), partial_rotary_factor=0.75)
    add("longrope, factor given", "Llama", 8, 64, most=256, make=llama, lengths=(64, 65),
        factor=8.0)
    add("longrope, attention_factor given", "Llama", 8, 64, most=256, make=llama, lengths=(65,),
        factor=8.0, attention_factor=1.5)
    add("longrope, no longer than trained", "Llama", 8, 64, most=64, make=llama, lengths=(64,))


def llama3_and_proportional(cases):
    for family, head_dim, factor in (("Llama 3.1", 128, 8.0), ("Llama 3.2", 64, 32.0),
                                     ("Llama 3.1, small", 16, 8.0)):
        cases.add("llama3", family, head_dim,
                  {"rope_type": "llama3", "rope_theta": 500000.0, "factor": factor,
                   "low_freq_factor": 1.0, "high_freq_factor": 4.0,
                   "original_max_position_embeddings": 8192}, most=131072)
    two = {"sliding_attention": {"rope_type": "default", "rope_theta": 10000.0},
           "full_attention": {"rope_type": "proportional", "rope_theta": 1e6,
                              "partial_rotary_factor": 0.25}}
    gemma = Gemma4TextConfig(head_dim=256, global_head_dim=512,
                             rope_parameters={k: dict(v) for k, v in two.items()})
    cases.add("proportional", "Gemma 4", 512, two["full_attention"], most=131072,
              config=gemma, layer_type="full_attention")
    for part, factor in ((0.5, None), (0.5, 4.0), (0.3, None), (1.0, None)):
        rope = {"rope_type": "proportional", "rope_theta": 1e6, "partial_rotary_factor": part}
        if factor:
            rope["factor"] = factor
        cases.add("proportional, small", "Llama", 8, rope)


def main():
    cases = Cases()
    with everything_double():
        for part in (plain_and_partial, linear_and_ntk, yarn, longrope, llama3_and_proportional):
            part(cases)
    unseen = [m for m, off in cases.visible.items() if not off > VISIBLE]
    if unseen:
        raise SystemExit(f"rope_frequencies: these mistakes would pass: {unseen}")
    content = {
        "about": "ropeParameters as config.json has them (version 5), for one kind of layer; "
        "inverseFrequencies in radians a position for each pair that turns (proportional: 0 for "
        "those that do not). Cosine and sine are multiplied by attentionFactor. sequenceLength "
        "null: what a model starts with. Tolerances are relative.",
        "cases": cases.written, "mistakes": cases.visible}
    write("rope_frequencies.json", content, generator="make_rope_frequencies.py",
          source="transformers ROPE_INIT_FUNCTIONS and compute_default_rope_parameters; "
          "ntk and ntk_by_parts from their authors' code and paper, float64",
          cls="transformers.modeling_rope_utils.ROPE_INIT_FUNCTIONS",
          config=[c["ropeParameters"] for c in cases.written],
          seed=None, tolerance={"inverseFrequencies": 1e-12, "attentionFactor": 1e-12})
    print(f"rope_frequencies.json: {len(cases.written)} cases, seen: {cases.visible}")


if __name__ == "__main__":
    main()
