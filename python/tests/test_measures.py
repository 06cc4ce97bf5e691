"""Measures of heads, and the figures of all heads and layers."""

import unittest
from typing import Any, cast

import numpy as np

import whereformer as wf
from whereformer import _measures

SIDE = 8


def even() -> Any:
    """Returns weights of a head that attends evenly to all that it sees."""
    return np.where(np.tri(SIDE), 1 / np.arange(1, SIDE + 1)[:, None], np.nan)


def before() -> Any:
    """Returns weights of a head that attends to the token before."""
    weights = np.eye(SIDE, k=-1)
    weights[0, 0] = 1
    return np.where(np.tri(SIDE), weights, np.nan)


class Measured(unittest.TestCase):
    """Means over the queries after the first."""

    def test_even_attention(self) -> None:
        found = _measures.of_head(even().astype(np.float32))
        rows = np.arange(1, SIDE)
        expected = {
            "previous": np.mean(1 / (rows + 1)),
            "self": np.mean(1 / (rows + 1)),
            "first": np.mean(1 / (rows + 1)),
            "entropy": np.mean(np.log2(rows + 1)),
            "distance": np.mean(rows / 2),
        }
        self.assertEqual(list(found), list(expected))
        for name, value in expected.items():
            self.assertAlmostEqual(found[name], float(value), places=6)

    def test_token_before(self) -> None:
        found = _measures.of_head(before().astype(np.float32))
        self.assertEqual((found["previous"], found["self"], found["entropy"]), (1, 0, 0))
        self.assertEqual(found["distance"], 1)

    def test_cross_attention(self) -> None:
        found = _measures.of_head(np.full((3, 4), 0.25, np.float32))
        self.assertEqual(found, {"first": 0.25, "entropy": 2.0})

    def test_long_texts_are_sampled(self) -> None:
        side = 1500
        weights = np.tri(side, dtype=np.float32) / np.arange(1, side + 1, dtype=np.float32)[:, None]
        found = _measures.of_head(weights)
        # The mean of i / 2 over evenly spread queries is that over all.
        self.assertAlmostEqual(found["distance"], side / 4, delta=1)


class Heads(unittest.TestCase):
    """All heads in one figure."""

    def setUp(self) -> None:
        self.weights = np.stack([[even(), before()], [before(), even()]])

    def test_measures_and_small_maps(self) -> None:
        w = wf.heads(self.weights)
        self.assertEqual(w.measures["previous"].shape, (2, 2))
        self.assertEqual(w.measures["previous"][0, 1], 1)
        self.assertEqual(w.weights.shape, (2, 2, SIDE, SIDE))
        self.assertEqual((w.x, w.y, w.layer, w.head), ("previous", "entropy", None, None))
        state = cast("dict[str, Any]", w.get_state())
        self.assertEqual(state["measures"]["self"]["shape"], [2, 2])
        self.assertIn("</svg>", w.svg())

    def test_own_measures(self) -> None:
        scores = np.array([[0.1, 0.9], [0.2, 0.3]])
        w = wf.heads(self.weights, measures={"induction": scores}, y="induction")
        self.assertEqual(list(w.measures)[-1], "induction")
        alone = wf.heads(measures={"a": scores, "b": -scores})
        self.assertEqual((alone.x, alone.y), ("a", "b"))
        self.assertIn("</svg>", alone.svg())

    def test_layers(self) -> None:
        w = wf.layers(self.weights, measure="distance")
        self.assertEqual((w.x, w.y), ("layer", "distance"))
        loss = wf.layers({"loss": [3.0, 2.5, 2.0]})
        self.assertEqual((loss.y, loss.measures["loss"].shape), ("loss", (3, 1)))
        self.assertIn("</svg>", loss.svg())

    def test_refused(self) -> None:
        for message, work in [
            (r"y: 'loss' .expected one of 'previous'", lambda: wf.heads(self.weights, y="loss")),
            ("attn: None", wf.heads),
            ("head: 2 .expected 0 to 1", lambda: wf.heads(self.weights, head=2)),
            ("batch: 1 .expected 0 to 0", lambda: wf.heads(self.weights, batch=1)),
            (
                "measures.a: shape 3 .expected 2 × 2",
                lambda: wf.heads(self.weights, measures={"a": [1, 2, 3]}),
            ),
            ("measures: no arrays", lambda: wf.layers({})),
            ("measures.a: 2 numbers, all NaN", lambda: wf.layers({"a": [np.nan, np.inf]})),
            ("layer 0, head 0: numbers from -1 to", lambda: wf.heads(-self.weights)),
            ("attn: shape 5 ", lambda: wf.layers(np.ones(5))),
        ]:
            with self.assertRaisesRegex(ValueError, message):
                work()


if __name__ == "__main__":
    unittest.main()
