// Other files given as a model: the message names the kind of file, by its first bytes.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";
import { familyFile, modelOf } from "./families.mjs";
import { ggufModel } from "./gguf.mjs";
import { refused, rejected, wf } from "./golden.mjs";
import { safetensors } from "./safetensors.mjs";

const config = {
  model_type: "llama",
  vocab_size: 8,
  hidden_size: 8,
  num_hidden_layers: 1,
  num_attention_heads: 2,
  num_key_value_heads: 2,
  intermediate_size: 8,
  rms_norm_eps: 1e-6,
  max_position_embeddings: 32,
};
const text = (string) => new TextEncoder().encode(string);
/** A byte for each character, followed by zeros up to a length. */
const bytes = (string, length = string.length) => {
  const all = new Uint8Array(length);
  all.set(Uint8Array.from(string, (letter) => letter.charCodeAt(0)));
  return all;
};
/** A zip archive whose first entry has this name. */
const zip = (name) =>
  bytes(
    `PK\x03\x04\x14\0\0\0\0\0${"\0".repeat(16)}${String.fromCharCode(name.length)}\0\0\0${name}`,
  );
const whole = safetensors({
  "model.embed_tokens.weight": { shape: [8, 8], data: new Array(64).fill(0) },
});

const kinds = {
  "a pointer of Git LFS": text(
    "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a2146\nsize 1",
  ),
  "a page \\(HTML\\)": text("\n<!DOCTYPE html>\n<html><head><title>Sign in</title>"),
  'JSON, .* says "Repository not found"': text('{"error":"Repository not found"}'),
  "XML, .* says AccessDenied": text(
    '<?xml version="1.0" encoding="UTF-8"?><Error><Code>AccessDenied</Code></Error>',
  ),
  "a config \\(JSON\\)": text(JSON.stringify(config)),
  "a tokenizer \\(JSON\\)": text('{"version":"1.0","truncation":null,"added_tokens":[]}'),
  "an index of shards": text('{"metadata":{},"weight_map":{"a":"model-00001.safetensors"}}'),
  "the config of an adapter": text('{"base_model_name_or_path":"a/b","peft_type":"LORA"}'),
  "a zip archive": zip("readme.txt"),
  "a file of PyTorch .*zip": zip("archive/data.pkl"),
  "a file of PyTorch": bytes("\x80\x02}q\0X\x06\0\0\0weight"),
  "arrays of NumPy": zip("weights.npy"),
  "a single array of NumPy": bytes("\x93NUMPY\x01\0v\0{'descr': '<f4'}"),
  "a model of Keras": zip("metadata.json"),
  "a file of HDF5": bytes("\x89HDF\r\n\x1a\n\0\0\0\0"),
  "packed by gzip": bytes("\x1f\x8b\x08\0\0\0\0\0\0\x03"),
  "packed by zstd": bytes("\x28\xb5\x2f\xfd\x04\x58"),
  "packed by xz": bytes("\xfd7zXZ\0\0\x04"),
  "packed by bzip2": bytes("BZh91AY&SY"),
  "a 7-Zip archive": bytes("7z\xbc\xaf\x27\x1c\0\x04"),
  "a tar archive": bytes(`model/${"\0".repeat(251)}ustar\x0000`, 512),
  "a model of ONNX": bytes("\x08\x07\x12\x07pytorch\x1a\x052.1.0"),
  "a model of TensorFlow Lite": bytes("\x1c\0\0\0TFL3\x14\0"),
  "a model of TensorFlow \\(": bytes("\x08\x01\x12\xae\x04\x0a\x05serve"),
  "weights of Flax": bytes("\x81\xa6params\x82\xa5wte"),
  "a vocabulary of SentencePiece": bytes("\x0a\x0e\x0a\x05<unk>\x15\0\0\0\0\x18\x02"),
  "an old GGML file": bytes("tjgg\x03\0\0\0\0\x7d\0\0"),
  "a picture \\(PNG\\)": bytes("\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR"),
  "a picture \\(JPEG\\)": bytes("\xff\xd8\xff\xe0\0\x10JFIF"),
  "a document \\(PDF\\)": bytes("%PDF-1.7\n%\xe2\xe3\xcf\xd3"),
  "a WebAssembly binary": bytes("\0asm\x01\0\0\0"),
  "a program \\(ELF\\)": bytes("\x7fELF\x02\x01\x01\0"),
  'text that begins "Hello': text("Hello, this is a README.\n"),
  "an empty file": new Uint8Array(0),
  "zeros, as of a download": new Uint8Array(4096),
  "of an unknown kind \\(its first bytes: c3 28 00 01": bytes("\xc3\x28\0\x01\xfe"),
  "a safetensors file that ends early: a header of": whole.subarray(0, 20),
};

test("a file that is no weights is named by its kind, in every form of a source", async () => {
  assert.ok(Object.keys(kinds).length >= 30);
  for (const [said, data] of Object.entries(kinds)) {
    const message = (name) => new RegExp(`^${name}: ${said}.*expected a safetensors or GGUF`, "s");
    await rejected(wf.model({ config, weights: data }), "malformed_file", message("weights"));
    await rejected(wf.model({ weights: data }), "malformed_file", message("weights"));
    await rejected(wf.model(data), "malformed_file", message("source"));
    await rejected(wf.model(new Blob([data])), "malformed_file", message("source"));
    const named = [
      new File([JSON.stringify(config)], "config.json"),
      new File([data], "model.safetensors"),
    ];
    await rejected(wf.model(named), "malformed_file", message("model\\.safetensors"));
  }
});

test("GGUF and safetensors files are recognised whatever their names", async () => {
  const { bytes: gguf } = ggufModel("llama");
  const { config: sizes } = await wf.model(new Blob([gguf]));
  const blob = URL.createObjectURL(new Blob([gguf]));
  const sources = {
    bytes: gguf,
    memory: gguf.buffer.slice(gguf.byteOffset, gguf.byteOffset + gguf.byteLength),
    "another name": new File([gguf], "sha256-0a1b"),
    "the name of the other kind": [new File([gguf], "model.safetensors")],
    "in a list without a name": [new Blob([gguf])],
    "a reply": new Response(gguf),
    "weights alone": { weights: gguf },
    "an address that a page made": blob,
  };
  for (const [what, source] of Object.entries(sources)) {
    const model = await wf.model(source);
    assert.deepEqual(model.config, sizes, what);
    model.dispose();
  }
  URL.revokeObjectURL(blob);
  await rejected(
    wf.model({ config, weights: gguf }),
    "invalid_argument",
    /^config: .*undefined with a GGUF file/,
  );
  const other = [new File([whole], "model.gguf")];
  await rejected(
    wf.model(other),
    "malformed_file",
    /^model\.gguf is a safetensors file, and config/,
  );
  await rejected(
    wf.model([new File([gguf], "a.gguf"), new File([whole], "b.gguf")]),
    "malformed_file",
    /^b\.gguf is a safetensors file and a\.gguf a GGUF file/,
  );
});

test("folders of other tools are recognised by their files", async () => {
  const json = (value, name) => new File([JSON.stringify(value)], name);
  await rejected(
    wf.model([
      json({ peft_type: "LORA" }, "adapter_config.json"),
      new File([whole], "a.safetensors"),
    ]),
    "unsupported",
    /^adapter_config\.json: a PEFT adapter, .*merge_and_unload/,
  );
  const pickle = new File([kinds["a file of PyTorch"]], "pytorch_model.bin");
  await rejected(
    wf.model([json(config, "config.json"), pickle]),
    "invalid_argument",
    /^source: \["config\.json", "pytorch_model\.bin"\], where pytorch_model\.bin is a file of/,
  );
  const index = json({ weight_map: { a: "m-1.safetensors" } }, "model.safetensors.index.json");
  await rejected(
    wf.model([json(config, "config.json"), index]),
    "malformed_file",
    /^m-1\.safetensors: model\.safetensors\.index\.json names this file, and it is missing/,
  );
});

test("names with a wrapper's prefix are read, and others are listed", async () => {
  const file = familyFile("llama");
  const opened = (rename) =>
    modelOf(wf, {
      ...file,
      weights: Object.fromEntries(
        Object.entries(file.weights).map(([name, tensor]) => [rename(name), tensor]),
      ),
    });
  const { data } = (await opened((name) => name)).run(file.ids, { record: ["hidden"] }).hidden;
  const wrapped = {
    "of DataParallel": (name) => `module.${name}`,
    "of torch.compile": (name) => `_orig_mod.${name}`,
    "of compiled layers": (name) => name.replace(/(layers\.\d+\.)/, "$1_orig_mod."),
    "of sharded training": (name) => name.replace(/(layers\.\d+\.)/, "$1_fsdp_wrapped_module."),
    "of PEFT": (name) => `base_model.model.${name}`,
    "of a model that sees": (name) => `language_model.${name}`,
    "of one that sees, in version 5": (name) => name.replace(/^model\./, "model.language_model."),
    "of a trainer": (name) => `model.${name}`,
    "one in the other": (name) => `module._orig_mod.model.${name}`,
    "of the model within": (name) => name.replace(/^model\./, ""),
  };
  for (const [what, rename] of Object.entries(wrapped)) {
    const { hidden } = (await opened(rename)).run(file.ids, { record: ["hidden"] });
    assert.deepEqual(hidden.data, data, what);
  }
  await rejected(
    opened((name) => `student.${name}`),
    "malformed_file",
    /^tensor embed_tokens\.weight is missing; the files' names are like student\.(model|lm_head)\./,
  );
  await rejected(
    opened((name) => `base_model.model.${name.replace(/\.weight$/, ".lora_A.weight")}`),
    "unsupported",
    /belongs to an adapter \(LoRA\), which changes another model's weights/,
  );
});

test("a text longer than the table of positions is refused with both lengths", async () => {
  const sizes = { vocabSize: 32, hiddenSize: 16, numLayers: 1, numHeads: 2, intermediateSize: 16 };
  for (const id of ["learned", "one_hot"]) {
    const scheme = { id, options: { maxPositions: 16 } };
    const model = await wf.model({ ...sizes, scheme });
    const long = new Array(18).fill(1);
    const said = (name, count) =>
      new RegExp(`^${name}: a text of ${count} tokens \\(expected at most 16, as `);
    model.run(long.slice(0, 16));
    refused(() => model.run(long), "invalid_argument", said("input", 18));
    model.loss(long.slice(0, 17));
    refused(() => model.loss(long), "invalid_argument", said("ids", 17));
    refused(() => model.generate(long), "invalid_argument", said("prompt", 18));
    const written = [];
    const write = async () => {
      for await (const { id } of model.generate([1, 2], { maxTokens: 30, temperature: 0 }))
        written.push(id);
    };
    await rejected(write(), "invalid_argument", said("prompt", 17));
    assert.equal(written.length, 15);
    // Positions given by the caller are reported individually.
    const positions = long.map((_, i) => i);
    refused(
      () => model.run(long, { positions }),
      "invalid_argument",
      /^positions\[16\]: 16 \(expected /,
    );
    model.dispose();
  }
});

test("an address is judged by its content, not by its ending", async (context) => {
  const { bytes: gguf, ids } = ggufModel("llama");
  const pickle = kinds["a file of PyTorch"];
  const pointer = kinds["a pointer of Git LFS"];
  const adapter = text('{"peft_type":"LORA"}');
  const files = {
    "/m.gguf": gguf,
    "/signed/0a1b": gguf,
    "/M.GGUF": gguf,
    "/w.bin": pickle,
    "/torch/config.json": text(JSON.stringify(config)),
    "/torch/pytorch_model.bin": pickle,
    "/lfs/config.json": text(JSON.stringify(config)),
    "/lfs/model.safetensors": pointer,
    "/lora/adapter_config.json": adapter,
  };
  const server = createServer(({ url }, answer) => {
    const body = files[url.replace(/\?.*/, "")];
    answer.writeHead(body ? 200 : url.includes("signed") ? 403 : 404, {
      "content-length": body?.length ?? 0,
    });
    answer.end(body);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  context.after(() => server.close());
  const at = (path) => `http://127.0.0.1:${server.address().port}${path}`;
  for (const path of ["/m.gguf?download=true", "/signed/0a1b?signature=x&expires=1", "/M.GGUF"]) {
    const model = await wf.model(at(path));
    assert.deepEqual(model.run(ids).ids, ids, path);
    model.dispose();
  }
  const weights = await wf.model({ weights: at("/signed/0a1b?signature=x") });
  assert.deepEqual(weights.run(ids).ids, ids);
  for (const [path, code, message] of [
    ["/w.bin", "malformed_file", /\/w\.bin: a file of PyTorch/],
    ["/torch", "malformed_file", /pytorch_model\.bin: a file of PyTorch/],
    ["/lfs/", "malformed_file", /model\.safetensors: a pointer of Git LFS/],
    ["/lora", "unsupported", /\/lora\/: a PEFT adapter/],
    ["/nothing", "network", /\/nothing\/config\.json: the server answered 404/],
  ])
    await rejected(wf.model(at(path)), code, message);
});
