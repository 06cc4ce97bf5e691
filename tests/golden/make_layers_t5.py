"""T5's relative bias: encoder, decoder, and a decoder with a cache and released sizes."""

import torch
from transformers import DynamicCache, T5Config
from transformers.models.t5.modeling_t5 import T5Attention

from layer_fixture import (Case, Parts, additive, causal, heads, layer_file, linear, merged, normal,
                           randomise, transformers_package)

GENERATOR = "make_layers_t5.py"
CLASS = "transformers.models.t5.modeling_t5.T5Attention"
ABOUT = ("Row bucket(j - i) of relative_attention_bias, one number a head; queries times keys are "
         "not divided by the root of d. ")


def bucket(relative, bidirectional, buckets, longest):
    """The published rule in integers: a distance reaches the c-th logarithmic bucket when
    (distance/exact)^n >= (longest/exact)^c, so no rounded logarithm can change the bucket.
    """
    first = 0
    if bidirectional:
        buckets //= 2
        first = buckets if relative > 0 else 0
        distance = abs(relative)
    else:
        distance = max(-relative, 0)
    exact = buckets // 2
    if distance < exact:
        return first + distance
    n = buckets - exact
    c = 0
    while c + 1 < n and distance**n * exact ** (c + 1) >= longest ** (c + 1) * exact**n:
        c += 1
    return first + exact + c


def twin_of(config, bidirectional, *, sign=1, scaled=False, both_ways=None):
    two_sided = bidirectional if both_ways is None else both_ways

    def twin(inputs, p, case):
        x = inputs["hiddenStates"]
        offset = case.facts["queryOffset"]
        q, k, v = heads(linear(x[offset:], p, "q"), 2), heads(linear(x, p, "k"), 2), \
            heads(linear(x, p, "v"), 2)
        rows = torch.tensor([[bucket(sign * (j - i - offset), two_sided,
                                     config["relative_attention_num_buckets"],
                                     config["relative_attention_max_distance"])
                              for j in range(len(x))] for i in range(len(x) - offset)])
        bias = p["relative_attention_bias.weight"][rows].movedim(-1, 0)
        scale = q.shape[-1] ** -0.5 if scaled else 1
        return Parts(q, k, v, scale * q @ k.transpose(-1, -2) + bias,
                     lambda context: linear(merged(context), p, "o"))
    return twin


def case_of(attention, length, seed, offset=0):
    """With an offset, earlier tokens are cached first; only the others are queries."""
    decoder = attention.is_decoder
    allowed = causal(length - offset, length) if decoder else None

    def run(inputs):
        x, cache = inputs["hiddenStates"][None], None
        if offset:
            cache = DynamicCache()
            early = torch.ones(offset, offset, dtype=torch.bool).tril()
            attention(x[:, :offset], mask=additive(early), past_key_values=cache)
        mask = additive(allowed) if decoder else None
        return attention(x[:, offset:], mask=mask, past_key_values=cache)[0][0]

    return Case(f"n{length}", {"hiddenStates": normal((length, 6), seed)}, run,
                {"queryOffset": offset}, allowed)


def attention_of(config, seed):
    made = T5Config(**config)
    made._attn_implementation = "eager"
    return randomise(T5Attention(made, has_relative_attention_bias=True, layer_idx=0).double(),
                     seed)


def write_one(name, about, config, seed, cases, mistakes):
    attention = attention_of(config, seed)
    layer_file(name, about=ABOUT + about, cls=CLASS, package=transformers_package(), config=config,
               parameters=dict(attention.named_parameters()),
               cases=[case_of(attention, *settings) for settings in cases],
               twin=twin_of(config, not config["is_decoder"]), mistakes=mistakes,
               generator=GENERATOR, seed=seed)


def main():
    small = {"d_model": 6, "d_kv": 4, "num_heads": 2, "dropout_rate": 0.0,
             "relative_attention_num_buckets": 8, "relative_attention_max_distance": 12}
    encoder = {**small, "is_decoder": False}
    write_one("t5_encoder", "Bidirectional: half of the buckets for each side; some distances lie "
              "beyond the largest.", encoder, 200, [(4, 201), (17, 202)],
              {"distance is i - j": twin_of(encoder, True, sign=-1),
               "queries times keys over the root of d": twin_of(encoder, True, scaled=True)})
    decoder = {**small, "is_decoder": True}
    write_one("t5_decoder", "Causal: all buckets look back; some distances lie beyond the largest.",
              decoder, 210, [(4, 211), (17, 212)],
              {"distance is i - j": twin_of(decoder, False, sign=-1),
               "queries times keys over the root of d": twin_of(decoder, False, scaled=True),
               "bidirectional buckets": twin_of(decoder, False, both_ways=True)})
    released = {**decoder, "relative_attention_num_buckets": 32,
                "relative_attention_max_distance": 128}
    write_one("t5_decoder_cached", "The last two of 140 tokens as queries with the rest in a "
              "cache, at the buckets of the released models.", released, 220, [(140, 221, 138)],
              {"distance is i - j": twin_of(released, False, sign=-1),
               "bidirectional buckets": twin_of(released, False, both_ways=True)})


if __name__ == "__main__":
    main()
