"""AdamW with clipping on given gradients, and ten steps of training the tiny rope model."""

import torch

from double_precision import everything_double
from fixture_file import array, arrays, dyadic, write
from make_models import LLAMA, llama, rope_case
from plain_model import mean_loss

BETAS = (0.9, 0.95)
EPSILON = 1e-8


def write_adamw():
    """Five steps; two groups, one with decay; the norm for clipping is that over both groups."""
    generator = torch.Generator().manual_seed(60)

    def draw(*shape, scale=1.0):
        value = torch.randn(shape, generator=generator, dtype=torch.float64)
        return dyadic(scale * value)

    decayed, plain = draw(2, 3).requires_grad_(), draw(4).requires_grad_()
    groups = [{"params": [decayed], "weight_decay": 0.1}, {"params": [plain], "weight_decay": 0.0}]
    optimizer = torch.optim.AdamW(groups, lr=0.0, betas=BETAS, eps=EPSILON)
    content = {
        "betas": list(BETAS), "eps": EPSILON, "clipNorm": 1.0,
        "weightDecay": {"decayed": 0.1, "plain": 0.0},
        "initial": arrays({"decayed": decayed, "plain": plain}),
        "steps": [],
    }
    # Warm-up, maximum and decay; the second gradient is small enough not to be clipped.
    for rate, scale in zip((0.01, 0.02, 0.02, 0.015, 0.005), (1.0, 0.125, 2.0, 0.5, 1.0)):
        decayed.grad, plain.grad = draw(2, 3, scale=scale), draw(4, scale=scale)
        gradients = arrays({"decayed": decayed.grad, "plain": plain.grad})
        norm = torch.nn.utils.clip_grad_norm_([decayed, plain], 1.0)
        for group in optimizer.param_groups:
            group["lr"] = rate
        optimizer.step()
        content["steps"].append({
            "learningRate": rate,
            "gradients": gradients,
            "normBeforeClipping": norm.item(),
            "parameters": arrays({"decayed": decayed, "plain": plain}),
        })
    write("adamw.json", content, generator="make_training.py",
          source="torch.optim.AdamW and clip_grad_norm_, float64", seed=60,
          cls="torch.optim.AdamW", package="torch 2.13.0",
          config={key: content[key] for key in ("betas", "eps", "clipNorm", "weightDecay")},
          tolerance={"parameters": 2e-6, "normBeforeClipping": 1e-6})


def write_training_losses():
    """Weights and batch are those of model_rope.json."""
    config, parameters, ids, labels = rope_case()
    rate, decay, clip, steps = 1e-2, 0.1, 1.0, 10
    with everything_double():
        model = llama(config, parameters)
        trained = list(model.parameters())
        groups = [
            {"params": [p for p in trained if p.dim() > 1], "weight_decay": decay},
            {"params": [p for p in trained if p.dim() == 1], "weight_decay": 0.0},
        ]
        optimizer = torch.optim.AdamW(groups, lr=rate, betas=BETAS, eps=EPSILON)
        losses, norms = [], []
        for _ in range(steps):
            optimizer.zero_grad()
            loss = mean_loss(model(input_ids=ids, use_cache=False).logits, labels)
            loss.backward()
            norms.append(torch.nn.utils.clip_grad_norm_(trained, clip).item())
            losses.append(loss.item())
            optimizer.step()
        with torch.no_grad():
            final = mean_loss(model(input_ids=ids, use_cache=False).logits, labels).item()
    content = {
        "about": "Model, weights, ids and labels of model_rope.json, the same batch every step. "
        "Weight decay on every matrix, the tied embedding included, and on no norm weight. "
        "losses[s] and gradientNorms[s] are before step s, finalLoss is after the last.",
        "model": "model_rope.json",
        "steps": steps, "learningRate": rate, "betas": list(BETAS), "eps": EPSILON,
        "weightDecay": decay, "clipNorm": clip,
        "losses": losses, "gradientNorms": norms, "finalLoss": final,
        "finalNormWeight": array(dict(model.named_parameters())["model.norm.weight"]),
    }
    write("training_losses.json", content, generator="make_training.py",
          source="transformers LlamaForCausalLM with torch.optim.AdamW, float64", seed=20,
          cls=LLAMA, config=config,
          tolerance={"losses": 1e-5, "finalLoss": 1e-5, "gradientNorms": 3e-4,
                     "finalNormWeight": 1e-5})


def main():
    write_adamw()
    write_training_losses()


if __name__ == "__main__":
    main()
