"""Bucket numbers of T5 and DeBERTa v2 at many distances, from the published functions.

Each function runs as published (its logarithms in single precision) and in double precision, and
is compared with the same rule in integers, where rounding cannot change a result.
"""

import os

os.environ["PYTORCH_JIT"] = "0"

import torch
from transformers.models.deberta_v2 import modeling_deberta_v2
from transformers.models.t5.modeling_t5 import T5Attention

from double_precision import everything_double
from layer_fixture import transformers_package, write_layer
from make_layers_deberta import log_bucket
from make_layers_t5 import bucket

GENERATOR = "make_layers_buckets.py"
FARTHEST = 1100


def distances():
    return torch.arange(-FARTHEST, FARTHEST + 1)


def thresholds(of):
    """Returns [distance, bucket] wherever the bucket changes, by increasing distance."""
    rows, last = [], None
    for distance in range(-FARTHEST, FARTHEST + 1):
        value = of(distance)
        if value != last:
            rows.append([distance, value])
        last = value
    return rows


def case(options, published, exact):
    r = distances()
    single = published(r).tolist()
    with everything_double():
        double = published(r).tolist()
    whole = [exact(x) for x in r.tolist()]
    off = [{"distance": d, "single": s, "double": t, "exact": w}
           for d, s, t, w in zip(r.tolist(), single, double, whole) if not s == t == w]
    print(f"  {options}: {len(off)} distances where roundings disagree", off[:4])
    return {**options, "changes": thresholds(exact), "disagreements": off}


def main():
    t5, deberta = [], []
    for two_sided in (True, False):
        for buckets, longest in ((32, 128), (8, 12), (16, 100), (32, 256), (64, 512)):
            t5.append(case(
                {"bidirectional": two_sided, "numBuckets": buckets, "maxDistance": longest},
                lambda r: T5Attention._relative_position_bucket(r, two_sided, buckets, longest),
                lambda r: bucket(r, two_sided, buckets, longest)))
    for buckets, longest in ((256, 512), (6, 10), (8, 16), (32, 128), (64, 1024)):
        deberta.append(case(
            {"positionBuckets": buckets, "maxRelativePositions": longest},
            lambda r: modeling_deberta_v2.make_log_bucket_position(r, buckets, longest).long(),
            lambda r: log_bucket(r, buckets, longest)))
    content = {
        "about": "`changes` lists [distance, bucket] wherever the bucket changes, from the most "
        f"negative distance (-{FARTHEST}) up. T5's distance is j - i (key minus query) and its "
        "bucket is the row of the table; DeBERTa's is i - j and its bucket is signed, before m is "
        "added and the sum clipped to the table. `disagreements` are distances where the "
        "published function in single or double precision falls off the exact rule.",
        "t5": t5, "deberta": deberta,
    }
    write_layer(
        "buckets", content,
        cls="T5Attention._relative_position_bucket, deberta_v2 make_log_bucket_position",
        package=transformers_package(), config={"farthest": FARTHEST}, generator=GENERATOR,
        seed=None, tolerance={"buckets": 0})


if __name__ == "__main__":
    main()
