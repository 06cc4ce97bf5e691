"""Whole tiny models: weights, logits, loss, every gradient, every attention map."""

import torch
import transformers

import plain_model
from double_precision import everything_double
from fixture_file import array, arrays, dyadic, write

TOLERANCE = {"logits": 2e-5, "loss": 5e-6, "gradients": 2e-5, "attention": 5e-6}
LLAMA = "transformers.models.llama.modeling_llama.LlamaForCausalLM"
ROPE = {"id": "rope", "options": {"ropeTheta": 10000.0}}


def tiny_config(scheme, is_causal):
    return {
        "model_type": "whereformer",
        "vocab_size": 19,
        "hidden_size": 16,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "head_dim": 4,
        "intermediate_size": 24,
        "rms_norm_eps": 1e-5,
        "is_causal": is_causal,
        "tie_word_embeddings": True,
        "max_training_length": 7,
        "schemes": [scheme],
    }


def random_parameters(config, generator):
    """Large enough that logits and maps are far from uniform."""
    parameters = {}
    for name, shape in plain_model.parameter_shapes(config).items():
        value = torch.randn(shape, generator=generator, dtype=torch.float64)
        value = 1 + 0.2 * value if len(shape) == 1 else 0.4 * value
        parameters[name] = dyadic(value).requires_grad_()
    return parameters


def random_batch(config, generator):
    """Two sequences of seven tokens and their next tokens, one of them ignored."""
    sequence = torch.randint(0, config["vocab_size"], (2, 8), generator=generator)
    labels = sequence[:, 1:].clone()
    labels[1, 2] = -100
    return sequence[:, :-1], labels


def llama(config, parameters):
    """transformers' LlamaForCausalLM with the given weights, in double precision."""
    options = {
        key: config[key]
        for key in ("vocab_size", "hidden_size", "num_hidden_layers", "num_attention_heads",
                    "num_key_value_heads", "head_dim", "intermediate_size", "rms_norm_eps",
                    "tie_word_embeddings")
    }
    theta = config["schemes"][0]["options"]["ropeTheta"]
    model = transformers.LlamaForCausalLM(
        transformers.LlamaConfig(
            **options,
            rope_parameters={"rope_type": "default", "rope_theta": theta},
            attention_bias=False, mlp_bias=False, max_position_embeddings=64,
            pad_token_id=None, bos_token_id=None, eos_token_id=None,
            attn_implementation="eager",
        )
    ).double()
    state = {name: value.detach().clone() for name, value in parameters.items()}
    missing, unexpected = model.load_state_dict(state, strict=False)
    if unexpected or missing not in ([], ["lm_head.weight"]):
        raise SystemExit(f"weights do not fit: {missing} {unexpected}")
    return model.train()


def run_llama(config, parameters, ids, labels):
    with everything_double():
        model = llama(config, parameters)
        result = model(input_ids=ids, output_attentions=True, use_cache=False)
        loss = plain_model.mean_loss(result.logits, labels)
        loss.backward()
        gradients = {
            name: value.grad for name, value in model.named_parameters() if name in parameters
        }
        return result.logits, loss, gradients, torch.stack(result.attentions)


def run_plain(config, parameters, ids, labels):
    logits, maps = plain_model.forward(config, parameters, ids)
    loss = plain_model.mean_loss(logits, labels)
    gradients = dict(zip(parameters, torch.autograd.grad(loss, list(parameters.values()))))
    return logits, loss, gradients, maps


def require_equal(ours, theirs):
    """Checks that the plain model equals transformers' model, which the other fixtures rely on."""
    for a, b in zip((ours[0], ours[1], ours[3]), (theirs[0], theirs[1], theirs[3])):
        torch.testing.assert_close(a, b, rtol=0, atol=1e-12)
    for name, gradient in ours[2].items():
        torch.testing.assert_close(gradient, theirs[2][name], rtol=0, atol=1e-12)


def rope_case():
    """The rope model's configuration, weights, ids and labels, also for training."""
    generator = torch.Generator().manual_seed(20)
    config = tiny_config(ROPE, True)
    return config, random_parameters(config, generator), *random_batch(config, generator)


def write_model(name, seed, cls, source, config, parameters, ids, labels, results):
    logits, loss, gradients, maps = results
    content = {
        "config": config,
        "weights": arrays(parameters),
        "inputIds": array(ids),
        "labels": array(labels),
        "logits": array(logits),
        "loss": loss.item(),
        "gradients": arrays({key: gradients[key] for key in parameters}),
        "attention": array(maps),
    }
    write(name, content, generator="make_models.py", source=source, cls=cls, seed=seed,
          tolerance=TOLERANCE)


def main():
    case = rope_case()
    results = run_llama(*case)
    require_equal(run_plain(*case), results)
    source = "transformers LlamaForCausalLM, eager"
    write_model("model_rope.json", 20, LLAMA, source, *case, results)
    plain = (
        ("model_alibi.json", 21, {"id": "alibi", "options": {}}, True),
        ("model_nope.json", 22, {"id": "nope", "options": {}}, True),
        ("encoder_nope.json", 23, {"id": "nope", "options": {}}, False),
    )
    for name, seed, scheme, is_causal in plain:
        generator = torch.Generator().manual_seed(seed)
        config = tiny_config(scheme, is_causal)
        case = (config, random_parameters(config, generator), *random_batch(config, generator))
        source = "plain_model.py, equal to LlamaForCausalLM with rope to 1e-12"
        write_model(name, seed, "plain_model.forward", source, *case, run_plain(*case))


if __name__ == "__main__":
    main()
