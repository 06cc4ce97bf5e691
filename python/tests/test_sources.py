"""Tensors of PyTorch and JAX, and attentions of Transformers, if those are installed."""

import importlib.util
import unittest
from typing import Any

import numpy as np

import whereformer as wf
from whereformer._arrays import Maps


def has(*names: str) -> bool:
    """Returns whether these modules are installed."""
    return all(importlib.util.find_spec(name) for name in names)


@unittest.skipUnless(has("torch"), "PyTorch is not installed")
class Tensors(unittest.TestCase):
    """A tensor is read as it is: of any dtype, with gradients."""

    def test_bfloat16_with_gradients(self) -> None:
        import torch

        scores = torch.randn(2, 3, 8, 8, requires_grad=True)
        weights = scores.softmax(-1).to(torch.bfloat16)
        head = Maps(weights).head(1, 2)
        np.testing.assert_array_equal(head, weights[1, 2].detach().float().numpy())
        half = Maps(weights.detach().half()).head(1, 2)
        np.testing.assert_allclose(half, head, atol=1e-3)
        self.assertIn("</svg>", wf.attention_map(weights).svg())

    def test_nothing_is_copied_before_it_is_shown(self) -> None:
        import torch

        weights = torch.zeros(1, 8, 8)
        w = wf.attention_map(weights + 1)
        self.assertEqual(float(w.attn.head(0, 0)[0, 0]), 1)


@unittest.skipUnless(has("jax"), "JAX is not installed")
class JaxArrays(unittest.TestCase):
    """Arrays of JAX, in bfloat16 too."""

    def test_bfloat16(self) -> None:
        import jax.numpy as jnp

        weights: Any = jnp.full((2, 4, 4), 0.25, dtype=jnp.bfloat16)
        np.testing.assert_array_equal(Maps(weights).head(1, 0), np.full((4, 4), 0.25, np.float32))


@unittest.skipUnless(has("torch", "transformers"), "Transformers is not installed")
class Attentions(unittest.TestCase):
    """`outputs.attentions` of a Llama, a BERT and a T5, and of `generate`."""

    def test_llama(self) -> None:
        import torch
        from transformers import LlamaConfig, LlamaForCausalLM

        make: Any = LlamaConfig
        config = make(
            vocab_size=64,
            hidden_size=32,
            intermediate_size=64,
            num_hidden_layers=2,
            num_attention_heads=4,
            num_key_value_heads=2,
            attn_implementation="eager",
        )
        torch.manual_seed(0)
        model: Any = LlamaForCausalLM(config).eval()
        ids = torch.arange(10)[None]
        outputs = model(ids, output_attentions=True)
        w = wf.attention_map(outputs.attentions, list("abcdefghij"), layer=1, head=3)
        self.assertEqual(w.attn.sizes, (2, 4, 10, 10))
        np.testing.assert_array_equal(
            w.attn.head(1, 3), outputs.attentions[1][0, 3].detach().numpy()
        )
        self.assertEqual(wf.attention_map(outputs).attn.sizes, (2, 4, 10, 10))
        said = model.generate(
            ids,
            max_new_tokens=3,
            do_sample=False,
            output_attentions=True,
            return_dict_in_generate=True,
        )
        self.assertEqual(wf.attention_map(said.attentions).attn.sizes[1:], (4, 12, 12))
        dials = wf.rotation(model)
        self.assertEqual(dials.config["model_type"], "llama")
        self.assertIn("</svg>", dials.svg())

    def test_without_eager_attention(self) -> None:
        with self.assertRaisesRegex(ValueError, "eager"):
            wf.attention_map((None, None))


if __name__ == "__main__":
    unittest.main()
