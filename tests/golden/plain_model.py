"""The project's transformer block in plain PyTorch, from its description.

Pre-norm blocks: RMSNorm (Zhang and Sennrich 2019), attention without biases with grouped key and
value heads (Ainslie et al. 2023), SwiGLU (Shazeer 2020), a final RMSNorm and an output head tied
to the token embedding. Parameters have Hugging Face's names for Llama.
"""

import math

import torch
from torch.nn import functional


def parameter_shapes(config):
    """Shapes by name, in the order of the checkpoint."""
    width, head = config["hidden_size"], config["head_dim"]
    queries = config["num_attention_heads"] * head
    keys = config["num_key_value_heads"] * head
    inner = config["intermediate_size"]
    shapes = {"model.embed_tokens.weight": (config["vocab_size"], width)}
    for layer in range(config["num_hidden_layers"]):
        prefix = f"model.layers.{layer}."
        shapes[prefix + "input_layernorm.weight"] = (width,)
        shapes[prefix + "self_attn.q_proj.weight"] = (queries, width)
        shapes[prefix + "self_attn.k_proj.weight"] = (keys, width)
        shapes[prefix + "self_attn.v_proj.weight"] = (keys, width)
        shapes[prefix + "self_attn.o_proj.weight"] = (width, queries)
        shapes[prefix + "post_attention_layernorm.weight"] = (width,)
        shapes[prefix + "mlp.gate_proj.weight"] = (inner, width)
        shapes[prefix + "mlp.up_proj.weight"] = (inner, width)
        shapes[prefix + "mlp.down_proj.weight"] = (width, inner)
    shapes["model.norm.weight"] = (width,)
    return shapes


def alibi_slopes(heads):
    """Press, Smith and Lewis 2022, section 3, with the authors' rule for other numbers of heads."""
    power = 2 ** math.floor(math.log2(heads))
    slopes = [2.0 ** (-8.0 * k / power) for k in range(1, power + 1)]
    slopes += [2.0 ** (-8.0 * k / (2 * power)) for k in range(1, 2 * power, 2)]
    return torch.tensor(slopes[:heads], dtype=torch.float64)


def rotate_half_split(x, theta):
    """RoPE (Su et al. 2021) on [.., T, D], channel t paired with t + D/2."""
    length, width = x.shape[-2:]
    frequency = theta ** (-torch.arange(0, width, 2, dtype=torch.float64) / width)
    angle = torch.arange(length, dtype=torch.float64)[:, None] * frequency
    cos, sin = angle.cos(), angle.sin()
    first, second = x[..., : width // 2], x[..., width // 2 :]
    return torch.cat((first * cos - second * sin, first * sin + second * cos), dim=-1)


def rms_norm(x, weight, eps):
    return x / torch.sqrt((x * x).mean(-1, keepdim=True) + eps) * weight


def attention(config, parameters, prefix, x):
    batch, length, _ = x.shape
    heads, kv_heads = config["num_attention_heads"], config["num_key_value_heads"]
    head = config["head_dim"]

    def project(name, count):
        y = x @ parameters[prefix + name + ".weight"].T
        return y.view(batch, length, count, head).transpose(1, 2)

    q, k, v = project("q_proj", heads), project("k_proj", kv_heads), project("v_proj", kv_heads)
    scheme = config["schemes"][0]
    if scheme["id"] == "rope":
        theta = scheme["options"]["ropeTheta"]
        q, k = rotate_half_split(q, theta), rotate_half_split(k, theta)
    k = k.repeat_interleave(heads // kv_heads, dim=1)
    v = v.repeat_interleave(heads // kv_heads, dim=1)
    logits = q @ k.transpose(-1, -2) / math.sqrt(head)
    position = torch.arange(length)
    distance = position[:, None] - position[None, :]
    if scheme["id"] == "alibi":
        logits = logits - alibi_slopes(heads)[:, None, None] * distance.abs()
    if config["is_causal"]:
        logits = logits.masked_fill(distance < 0, -math.inf)
    weights = logits.softmax(-1)
    mixed = (weights @ v).transpose(1, 2).reshape(batch, length, heads * head)
    return mixed @ parameters[prefix + "o_proj.weight"].T, weights


def forward(config, parameters, ids):
    """ids [B,T] -> logits [B,T,V] and the attention weights of every layer [L,B,H,T,S]."""
    eps = config["rms_norm_eps"]
    x = parameters["model.embed_tokens.weight"][ids]
    maps = []
    for layer in range(config["num_hidden_layers"]):
        prefix = f"model.layers.{layer}."
        normed = rms_norm(x, parameters[prefix + "input_layernorm.weight"], eps)
        mixed, weights = attention(config, parameters, prefix + "self_attn.", normed)
        maps.append(weights)
        x = x + mixed
        normed = rms_norm(x, parameters[prefix + "post_attention_layernorm.weight"], eps)
        gate = functional.silu(normed @ parameters[prefix + "mlp.gate_proj.weight"].T)
        up = normed @ parameters[prefix + "mlp.up_proj.weight"].T
        x = x + (gate * up) @ parameters[prefix + "mlp.down_proj.weight"].T
    x = rms_norm(x, parameters["model.norm.weight"], eps)
    return x @ parameters["model.embed_tokens.weight"].T, torch.stack(maps)


def mean_loss(logits, labels):
    """Cross-entropy in nats, averaged over the labels that are not -100."""
    return functional.cross_entropy(logits.flatten(0, 1), labels.flatten(), ignore_index=-100)
