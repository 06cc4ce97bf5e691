"""Vectors of texts by sentence-transformers: sentences/vectors.json and sentences/texts.json.

vectors.json: folders of modules (modules.json and the files of each module), with the models of
families/*.json. Each is loaded by sentence-transformers' own classes, which compute the vector
from the results of Transformers' model in double precision.

texts.json: a complete folder with a tokenizer, and the results of
SentenceTransformer(...).encode for texts, prompts and lengths.

    python3 tests/golden/make_sentences.py

Needs sentence-transformers (the version below) beside torch and transformers.
"""

import json
import pathlib
import tempfile

import sentence_transformers
import torch
import transformers
from safetensors.torch import save_file
from sentence_transformers.util import import_from_string

import family_cases
from double_precision import everything_double
from fixture_file import FOLDER, TORCH, TRANSFORMERS, require_versions
from make_families import packed, stored_tensors
from make_family_changes import unpacked

VERSION = "6.2.0"
MASK = [0, 1, 1, 0, 0, 1, 1, 1, 0, 1, 0]
OLD = "sentence_transformers.models"
NEW = "sentence_transformers.sentence_transformer.modules"
BASE = "sentence_transformers.base.modules"
LEGACY = ["pooling_mode_cls_token", "pooling_mode_mean_tokens", "pooling_mode_max_tokens",
          "pooling_mode_mean_sqrt_len_tokens", "pooling_mode_weightedmean_tokens",
          "pooling_mode_lasttoken"]
ALL = ["cls", "max", "mean", "mean_sqrt_len_tokens", "weightedmean", "lasttoken"]


def random(shape, seed):
    """Random values, rounded to sixteenths."""
    values = torch.randn(shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)
    return torch.round(values * 0.6 * 16) / 16


def legacy(width, *chosen, **more):
    """A pooling module in the form that versions before 5.3 write."""
    return ("Pooling", {"word_embedding_dimension": width, **{key: key in chosen for key in LEGACY},
                        **more})


def pooling(width, mode, **more):
    return ("Pooling", {"embedding_dimension": width, "pooling_mode": mode, "include_prompt": True,
                        **more})


def dense(width, to, activation="torch.nn.modules.activation.Tanh", bias=True, seed=1, **more):
    tensors = {"linear.weight": random((to, width), seed)}
    if bias:
        tensors["linear.bias"] = random((to,), seed + 1)
    if more.get("use_residual") and width != to:
        tensors["residual.weight"] = random((to, width), seed + 2)
    return ("Dense", {"in_features": width, "out_features": to, "bias": bias,
                      "activation_function": activation, **more}, tensors)


def layer_norm(width):
    return ("LayerNorm", {"dimension": width},
            {"norm.weight": 1 + random((width,), 7), "norm.bias": random((width,), 8)})


NORMALIZE = ("Normalize", None)
IDENTITY = "torch.nn.modules.linear.Identity"


def activation(name, width=15):
    return [pooling(width, "mean"), dense(width, 6, f"torch.nn.modules.activation.{name}")]


# Name, family's model, modules after the transformer, and other options.
CASES = [
    ("mean", "bert", [legacy(15, "pooling_mode_mean_tokens"), NORMALIZE], {}),
    ("cls", "bert", [legacy(15, "pooling_mode_cls_token"), NORMALIZE], {}),
    ("cls_alone", "xlm_roberta", [legacy(15, "pooling_mode_cls_token")], {}),
    ("lasttoken", "qwen3", [pooling(15, "lasttoken"), NORMALIZE], {}),
    ("max", "mpnet", [legacy(15, "pooling_mode_max_tokens")], {}),
    ("weightedmean", "llama", [legacy(15, "pooling_mode_weightedmean_tokens")], {}),
    ("mean_sqrt_len", "t5_encoder", [pooling(15, "mean_sqrt_len_tokens")], {}),
    ("no_mode", "bert", [("Pooling", {"word_embedding_dimension": 15})], {}),
    ("no_mode_flag", "bert", [legacy(15)], {}),
    ("several_flags", "bert", [legacy(15, "pooling_mode_mean_tokens", "pooling_mode_cls_token",
                                      "pooling_mode_max_tokens")], {}),
    ("several_modes", "bert", [pooling(15, ["mean", "cls"]), NORMALIZE], {}),
    ("all_modes_padded", "roberta", [pooling(15, ALL)], {"attentionMask": MASK}),
    ("all_modes_after_prompt", "bert", [pooling(15, ALL, include_prompt=False)],
     {"promptTokens": 4}),
    ("prompt_included", "bert", [pooling(15, ALL)], {"promptTokens": 4}),
    ("padded_after_prompt", "modernbert", [legacy(15, *LEGACY, include_prompt=False)],
     {"attentionMask": MASK, "promptTokens": 3}),
    ("dense", "t5_encoder", [legacy(15, "pooling_mode_mean_tokens"),
                             dense(15, 9, IDENTITY, bias=False), NORMALIZE], {}),
    ("two_dense", "bert", [pooling(15, "mean"), dense(15, 20), dense(20, 7, IDENTITY, False, 3),
                           NORMALIZE], {}),
    ("normalize_before_dense", "bert", [pooling(15, "cls"), NORMALIZE, dense(15, 7)], {}),
    ("default_activation", "bert", [pooling(15, "mean"), (
        "Dense", {"in_features": 15, "out_features": 4}, dense(15, 4)[2])], {}),
    ("residual", "bert", [pooling(15, "mean"), dense(15, 15, use_residual=True),
                          dense(15, 6, use_residual=True, seed=5)], {}),
    ("of_tokens", "bert", [dense(15, 6, module_input_name="token_embeddings"),
                           ("Normalize", {"module_input_name": "token_embeddings",
                                          "module_output_name": "token_embeddings"}),
                           pooling(6, ["max", "lasttoken"])], {}),
    ("norm_and_dropout", "bert", [pooling(15, "mean"), ("Dropout", {"dropout": 0.3}),
                                  layer_norm(15)], {}),
    *[(name.lower(), "bert", activation(name), {})
      for name in ["ReLU", "GELU", "Sigmoid", "SiLU", "LeakyReLU", "ELU", "Softplus", "Mish"]],
]
# Names of the classes in older and newer versions.
TYPES = [
    lambda kind: f"{OLD}.{kind}",
    lambda kind: f"{NEW}.{kind}",
    lambda kind: f"{BASE}.{kind.lower()}.{kind}" if kind in ("Dense", "Normalize", "Transformer")
    else f"{NEW}.{'layer_norm' if kind == 'LayerNorm' else kind.lower()}.{kind}",
]


def folder_of(modules, type_of):
    """Returns the files of a folder besides the transformer's: JSON by path, tensors by path."""
    files, tensors = {}, {}
    listed = [{"idx": 0, "name": "0", "path": "", "type": type_of("Transformer")}]
    for i, (kind, config, *weights) in enumerate(modules, 1):
        place = f"{i}_{kind}"
        listed.append({"idx": i, "name": str(i), "path": place, "type": type_of(kind)})
        if config is not None:
            files[f"{place}/config.json"] = config
        if weights:
            tensors[f"{place}/model.safetensors"] = weights[0]
    return {"modules.json": listed, **files}, tensors


def write(folder, files, tensors):
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(content), "utf-8")
    for name, named in tensors.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        save_file({key: value.float().contiguous() for key, value in named.items()}, str(path))


def model_of(family):
    case = next(case for case in family_cases.CASES if case.name == family)
    file = json.loads((FOLDER / "families" / f"{family}.json").read_text("utf-8"))
    model = case.make().double().eval()
    for name, parameter in stored_tensors(model):
        parameter.data.copy_(unpacked(file["weights"][name]))
    return file, model


def states_of(model, ids, mask):
    """Returns the states after the last norm."""
    base = model.base_model if hasattr(model, "lm_head") else model
    with torch.no_grad():
        return base(input_ids=torch.tensor([ids]),
                    attention_mask=torch.tensor([mask])).last_hidden_state


def vector_of(folder, listed, states, mask, prompt):
    features = {"token_embeddings": states, "attention_mask": torch.tensor([mask])}
    if prompt is not None:
        features["prompt_length"] = prompt
    for module in listed[1:]:
        made = import_from_string(module["type"]).load(str(folder), subfolder=module["path"])
        with torch.no_grad():
            features = made.double().eval()(features)
    return features["sentence_embedding"][0]


def short(values):
    return [float(f"{x:.8g}") for x in values.tolist()]


def vectors():
    found = {}
    for number, (name, family, modules, more) in enumerate(CASES):
        with everything_double(), tempfile.TemporaryDirectory() as place:
            file, model = model_of(family)
            files, tensors = folder_of(modules, TYPES[number % len(TYPES)])
            write(pathlib.Path(place), files, tensors)
            mask = more.get("attentionMask", [1] * len(file["ids"]))
            states = states_of(model, file["ids"], mask)
            vector = vector_of(place, files["modules.json"], states, mask,
                               more.get("promptTokens"))
        found[name] = {
            "model": family, **more, "files": files,
            "tensors": {path: {key: packed(value) for key, value in named.items()}
                        for path, named in tensors.items()},
            "vector": short(vector)}
    return found


WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "find", "a", "text", ":", "the", "cat",
         "sat", "on", "mat", "dog", "ran", "##s", "."]
SENTENCES = ["the cat sat on the mat .", "The CAT sat", "dogs", "",
             "the cat sat on the mat . the dog ran on the mat . a cat ran ."]
PROMPTS = {"query": "find a text: ", "document": ""}


def texts():
    """A folder with a tokenizer that keeps case, with max_seq_length, do_lower_case and prompts."""
    file, model = model_of("bert")
    modules = [legacy(15, "pooling_mode_mean_tokens", "pooling_mode_cls_token",
                      include_prompt=False), dense(30, 8), NORMALIZE]
    files, tensors = folder_of(modules, TYPES[0])
    files["config_sentence_transformers.json"] = {
        "__version__": {"sentence_transformers": "3.0.0"}, "prompts": PROMPTS,
        "default_prompt_name": None, "similarity_fn_name": "cosine"}
    files["sentence_bert_config.json"] = {"max_seq_length": 12, "do_lower_case": True}
    rows = []
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        write(folder, files, tensors)
        (folder / "vocab.txt").write_text("\n".join(WORDS), "utf-8")
        tokenizer = transformers.BertTokenizer(str(folder / "vocab.txt"), do_lower_case=False)
        tokenizer.save_pretrained(place)
        (folder / "vocab.txt").unlink(missing_ok=True)
        model.save_pretrained(place)
        for default in (None, "query"):
            config = {**files["config_sentence_transformers.json"], "default_prompt_name": default}
            write(folder, {"config_sentence_transformers.json": config}, {})
            encoder = sentence_transformers.SentenceTransformer(
                place, device="cpu", model_kwargs={"dtype": torch.float32})
            for prompt in (None, "", PROMPTS["query"], "on "):
                given = encoder.encode(SENTENCES, prompt=prompt)
                rows += [{"default": default, "prompt": prompt, "text": text, "vector": short(row)}
                         for text, row in zip(SENTENCES, given)]
        for name in ("tokenizer.json", "tokenizer_config.json"):
            files[name] = json.loads((folder / name).read_text("utf-8"))
    return {"model": "bert", "files": files,
            "tensors": {path: {key: packed(value) for key, value in named.items()}
                        for path, named in tensors.items()}, "rows": rows}


def main():
    require_versions(TRANSFORMERS)
    if sentence_transformers.__version__ != VERSION:
        raise SystemExit(f"wanted sentence-transformers {VERSION}")
    said = {"package": f"sentence-transformers {VERSION}", "torch": TORCH, "unit": 16}
    both = {"vectors": {"cases": vectors()}, "texts": texts()}
    for name, content in both.items():
        text = json.dumps({**said, **content}, separators=(",", ":"), ensure_ascii=False)
        (FOLDER / "sentences" / f"{name}.json").write_text(text + "\n", "utf-8")
        print(f"{name}: {len(text)} bytes")


if __name__ == "__main__":
    main()
