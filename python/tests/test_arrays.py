"""What is read of arrays of any source, and what is said of those that cannot be shown."""

import unittest
import warnings
from typing import Any, cast

import numpy as np

import whereformer as wf
from whereformer._arrays import Maps, narrow, reduced
from whereformer._tokens import tokens_of


def softmax(*shape: int) -> Any:
    """Returns causal weights of this shape."""
    logits = np.random.default_rng(3).normal(size=shape)
    logits[..., ~np.tri(shape[-1], dtype=bool)] = -np.inf
    weights = np.exp(logits - logits.max(-1, keepdims=True))
    return weights / weights.sum(-1, keepdims=True)


class Shapes(unittest.TestCase):
    """Every form of weights is the same map."""

    def setUp(self) -> None:
        self.weights = softmax(2, 3, 4, 5, 5)

    def test_five_to_two_dimensions(self) -> None:
        whole = self.weights
        maps = Maps(whole)
        self.assertEqual(maps.sizes, (2, 4, 5, 5))
        self.assertEqual(maps.batches, 3)
        np.testing.assert_array_equal(maps.head(1, 2, 1), whole[1, 1, 2].astype(np.float32))
        np.testing.assert_array_equal(Maps(whole[:, 0]).head(1, 2), maps.head(1, 2, 0))
        np.testing.assert_array_equal(Maps(whole[1, 0]).head(0, 2), maps.head(1, 2, 0))
        np.testing.assert_array_equal(Maps(whole[1, 0, 2]).head(0, 0), maps.head(1, 2, 0))

    def test_lists(self) -> None:
        maps = Maps(self.weights)
        layers = tuple(self.weights)
        np.testing.assert_array_equal(Maps(layers).head(1, 3, 2), maps.head(1, 3, 2))
        heads = list(self.weights[0, 0])
        np.testing.assert_array_equal(Maps(heads).head(0, 3), maps.head(0, 3))
        nested = self.weights[0, 0].tolist()
        np.testing.assert_array_equal(Maps(nested).head(0, 3), maps.head(0, 3))

    def test_masked_cells_are_nan(self) -> None:
        logits = np.where(np.tri(4), 1.0, -np.inf)
        self.assertEqual(int(np.isnan(Maps(logits).head(0, 0)).sum()), 6)

    def test_attentions_of_generate(self) -> None:
        steps = (
            (np.full((1, 2, 3, 3), 0.5),),
            (np.full((1, 2, 1, 4), 0.25),),
            (np.full((1, 2, 1, 5), 0.125),),
        )
        head = Maps(steps).head(0, 1)
        self.assertEqual(head.shape, (5, 5))
        np.testing.assert_array_equal(head[4], np.full(5, 0.125, np.float32))
        self.assertTrue(np.isnan(head[3, 4]) and head[3, 3] == 0.25 and np.isnan(head[0, 3]))

    def test_difference(self) -> None:
        maps = Maps(self.weights, minus=self.weights[:, ::-1])
        expected = self.weights[0, 0, 1] - self.weights[0, 2, 1]
        np.testing.assert_allclose(maps.head(0, 1), expected, atol=1e-7)


class Refused(unittest.TestCase):
    """The message names the argument, the value and what is expected."""

    def refused(self, message: str, *args: Any, **options: Any) -> None:
        with self.assertRaisesRegex(ValueError, message):
            wf.attention_map(*args, **options)

    def test_shapes(self) -> None:
        self.refused(r"attn: shape 6 \(expected \[T, S\]", np.ones(6))
        self.refused("attn: shape 1 × 1 × 1 × 1 × 2 × 2", np.ones((1, 1, 1, 1, 2, 2)))
        self.refused(r"attn: shape 0 × 5 × 5 \(expected sizes from 1", np.ones((0, 5, 5)))
        self.refused("attn: an empty list", [])
        self.refused("attn: None", None)
        self.refused(r"attn: None for layer 1 .*eager", (np.ones((1, 1, 2, 2)), None))
        self.refused(
            r"attn\[1\]: shape 1 × 2 × 3 × 3 \(expected 1 × 2 × 4 × 4, as attn\[0\] has",
            [np.ones((1, 2, 4, 4)), np.ones((1, 2, 3, 3))],
        )
        self.refused("attn: lists of different lengths", [[1.0], [0.5, 0.5]])
        self.refused("attn: .*expected (?:real )?numbers", [["a", "b"], ["c", "d"]])

    def test_long_maps(self) -> None:
        long = np.broadcast_to(np.float32(0.5), (1, 32, 5000, 5000))
        self.refused(r"shape 32 × 5,000 × 5,000 \(expected at most 4,096 tokens on a side", long)

    def test_numbers(self) -> None:
        self.refused(r"layer 0, head 0: 3 × 3 cells, all NaN", np.full((3, 3), np.nan))
        self.refused(r"layer 0, head 0: inf \(expected finite", np.array([[1.0, np.inf], [0, 1]]))
        holes = softmax(5, 5)
        holes[3, 1] = np.nan
        with self.assertWarnsRegex(UserWarning, "1 of 25 cells are NaN"):
            wf.attention_map(holes)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            wf.attention_map(np.where(np.tri(5), softmax(5, 5), np.nan))

    def test_layer_and_head(self) -> None:
        self.refused(r"head: 4 \(expected 0 to 3", softmax(2, 4, 5, 5), head=4)
        self.refused(r"layer: 2 \(expected 0 to 1", softmax(2, 4, 5, 5), layer=2)
        self.refused(r"head: 1.5 \(expected a whole number", softmax(2, 4, 5, 5), head=1.5)
        self.refused(r"batch: 1 \(expected 0 to 0", softmax(2, 4, 5, 5), batch=1)

    def test_tokens(self) -> None:
        weights = softmax(5, 5)
        self.refused(r"tokens: 2 texts \(expected 5, one for each", weights, ["a", "b"])
        self.refused(r"tokens: 5 ids \(expected texts, or ids together", weights, [1, 2, 3, 4, 5])
        self.refused("tokens: 5 ids", weights, np.arange(5))
        self.refused("tokens: float", weights, 1.5)

    def test_properties(self) -> None:
        self.refused("heed: no such property", softmax(5, 5), heed=1)
        with self.assertRaisesRegex(ValueError, "method: 'both' .expected one of 'none', 'linear'"):
            wf.figure("stretch", method="both")
        with self.assertRaisesRegex(ValueError, "factor: 'two' .expected a number"):
            wf.figure("stretch", factor="two")
        with self.assertRaisesRegex(ValueError, "name: 'maps' .expected one of absorption"):
            wf.figure("maps")
        with self.assertRaisesRegex(ValueError, "values: shape 2 × 2 × 2 .expected"):
            wf.encoding(np.ones((2, 2, 2)))
        with self.assertRaisesRegex(ValueError, r"terms: a has 2, b has 3"):
            wf.logit_terms({"a": [1, 2], "b": [1, 2, 3]})
        with self.assertRaisesRegex(ValueError, r"curves.b: shape 3 .expected 2 numbers"):
            wf.length_curves({"a": [1, 2], "b": [1, 2, 3]})
        with self.assertRaisesRegex(ValueError, r"x: \[3.0, 2.0\] .expected numbers from 0"):
            wf.length_curves([1, 2], [3, 2])

    def test_gigabytes(self) -> None:
        wide = np.broadcast_to(np.float32(1), (16_000, 4_000))
        message = "16,000 × 4,000 numbers, 244 MiB .expected at most"
        with self.assertRaisesRegex(ValueError, message):
            wf.encoding(wide)
        # Three gigabytes, of which nothing is copied.
        heads = np.broadcast_to(np.float32(0.5), (192, 2048, 2048))
        with self.assertRaisesRegex(ValueError, "192 × 2,048 × 2,048 numbers, 3,072 MiB"):
            wf.figure("attention-map", weights=heads)
        self.assertEqual(wf.attention_map(heads, head=191).attn.sizes, (1, 192, 2048, 2048))


class Travelling(unittest.TestCase):
    """What is sent to the browser."""

    def test_blocks(self) -> None:
        values = np.array([[1, -2, np.nan], [3, 4, np.nan], [-9, 5, 6]], dtype=np.float32)
        most, none = reduced(values, 2, "max")
        np.testing.assert_array_equal(most, np.array([[4, np.nan], [-9, 6]], dtype=np.float32))
        self.assertIsNone(none)
        means, counts = reduced(values, 2, "mean")
        np.testing.assert_allclose(means, [[1.5, np.nan], [-2, 6]])
        np.testing.assert_array_equal(cast("Any", counts), [[4, 0], [2, 1]])

    def test_float16_for_shares_alone(self) -> None:
        shares = softmax(64, 64).astype(np.float32)
        kind, data = narrow(shares)
        self.assertEqual((kind, data.nbytes), ("float16", 64 * 64 * 2))
        found = np.frombuffer(data, np.float16).astype(np.float32).reshape(64, 64)
        large = shares > 1e-4
        self.assertLess(float(np.max(np.abs(found - shares)[large] / shares[large])), 1 / 2048)
        self.assertEqual(narrow(shares * 100)[0], "float32")

    def test_overview(self) -> None:
        weights = softmax(700, 700).astype(np.float32)
        found = Maps(weights).overview(0, 0)
        self.assertEqual((found.side, found.values.shape), (2, (350, 350)))
        self.assertEqual(found.max, float(weights.max()))
        self.assertEqual(found.peak, np.unravel_index(int(weights.argmax()), weights.shape))
        hidden = Maps(weights).overview(0, 0, hide_first=True)
        self.assertTrue(hidden.has_gaps and hidden.max == float(weights[:, 1:].max()))

    def test_first_message_has_one_head(self) -> None:
        w = wf.attention_map(np.broadcast_to(softmax(512, 512), (12, 12, 512, 512)), head=2)
        state = cast("dict[str, Any]", w.get_state())
        self.assertEqual(state["_shape"], [12, 12, 512, 512])
        self.assertEqual(state["head"], 2)
        self.assertEqual(state["_first"]["head"]["values"]["data"].nbytes, 512 * 512 * 2)
        self.assertEqual(state["_first"]["heads"]["values"]["dtype"], "float16")

    def test_head_from_python(self) -> None:
        w = wf.attention_map(softmax(2, 4, 5, 5))
        w.head = 3
        state = cast("dict[str, Any]", w.get_state())
        view = {"layer": 0, "head": 3, "reduce": "max", "hideFirst": False}
        self.assertEqual(state["_first"]["view"], view)
        w.attn = softmax(1, 2, 7, 7)
        state = cast("dict[str, Any]", w.get_state())
        self.assertEqual((w.head, state["_shape"]), (1, [1, 2, 7, 7]))

    def test_picked_has_the_exact_number(self) -> None:
        weights = softmax(2, 5, 5)
        w = wf.attention_map(weights, head=1)
        w.picked = {"row": 4, "column": 2, "value": 0.25}
        self.assertEqual(w.picked["value"], float(np.float32(weights[1, 4, 2])))


class Tokens(unittest.TestCase):
    """Texts of ids, as a reader sees them."""

    class WordPiece:
        def convert_ids_to_tokens(self, ids: list[int]) -> list[str]:
            return [["[CLS]", "un", "##seen"][at] for at in ids]

    class Bytes:
        def convert_ids_to_tokens(self, ids: list[int]) -> list[str]:
            return [["The", "ĠcafÃ©", "Ċ"][at] for at in ids]

        def decode(self, ids: list[int], **_: Any) -> str:
            return ["The", " café", "\n"][ids[0]]

    def test_pieces(self) -> None:
        self.assertEqual(
            tokens_of("tokens", [[0, 1, 2]], self.WordPiece(), 3), [" [CLS]", " un", "seen"]
        )
        self.assertEqual(
            tokens_of("tokens", np.array([0, 1, 2]), self.Bytes(), 3), ["The", " café", "\n"]
        )
        self.assertEqual(tokens_of("tokens", "a b c", None, 3), ["a", "b", "c"])


if __name__ == "__main__":
    unittest.main()
