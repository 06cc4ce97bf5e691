// Opens models from every kind of source: safetensors in shards, GGUF, tokenizers.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import * as library from "@huggingface/tokenizers";
import { load as loadWorker } from "whereformer/worker";
import { familyFile } from "./families.mjs";
import { ggufModel, ggufNames } from "./gguf.mjs";
import { engines, near, refused, rejected, variants, wf } from "./golden.mjs";
import { safetensors } from "./safetensors.mjs";

const logitsOf = (model, ids) =>
  model.run(ids, { record: ["vocabularyLogits"] }).vocabularyLogits.data;
const blob = (bytes) => new Blob([bytes]);
const readVocabularies = () =>
  JSON.parse(readFileSync(new URL("../golden/vocabularies/gguf.json", import.meta.url), "utf8"));

for (const variant of variants) {
  describe(`GGUF, ${variant}`, () => {
    for (const name of ggufNames) {
      test(`${name}: the same numbers as Transformers from the same file`, async () => {
        const { bytes, ids, logits, tolerance, output = "vocabularyLogits" } = ggufModel(name);
        const model = await engines[variant].model(blob(bytes));
        const found = model.run(ids, { record: [output] })[output].data;
        near([...found], logits.data, tolerance.logits, name);
        model.dispose();
      });
    }
  });
}

test("a GGUF file gives its family and its config with the names of Hugging Face", async () => {
  const model = await wf.model(blob(ggufModel("llama3").bytes));
  assert.equal(model.family, "llama");
  const { rope_theta, rope_scaling, tie_word_embeddings, rms_norm_eps } = model.configFile;
  assert.deepEqual([rope_theta, tie_word_embeddings, rms_norm_eps], [1e6, false, 1e-6]);
  assert.deepEqual(rope_scaling, {
    rope_type: "llama3",
    factor: 8,
    low_freq_factor: 1,
    high_freq_factor: 4,
    original_max_position_embeddings: 8192,
  });
});

/** Serves files from memory; `log` records the requests. */
async function serve(context, files, log = []) {
  const server = createServer((request, response) => {
    const body = files[request.url.slice(1)];
    log.push(`${request.url.slice(1)} ${request.headers.range ?? ""}`.trim());
    if (!body) return response.writeHead(404).end();
    const first = Number(/bytes=(\d+)-/.exec(request.headers.range ?? "")?.[1] ?? 0);
    const part = body.subarray(first);
    response.writeHead(first ? 206 : 200, { "content-length": part.length }).end(part);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  context.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${server.address().port}/`;
}

test("a GGUF file is the same by address, as a file, as bytes and in a worker", async (context) => {
  const { bytes, ids } = ggufModel("qwen3");
  const expected = logitsOf(await wf.model(blob(bytes)), ids);
  const origin = await serve(context, { "m.gguf": Buffer.from(bytes) });
  const folder = mkdtempSync(join(tmpdir(), "whereformer-"));
  context.after(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "m.gguf"), bytes);
  const sources = [
    `${origin}m.gguf`,
    pathToFileURL(join(folder, "m.gguf")),
    [new File([bytes], "m.gguf"), new File(["{}"], "config.json")],
    { weights: bytes },
    { weights: `${origin}m.gguf` },
  ];
  for (const source of sources)
    assert.deepEqual(logitsOf(await wf.model(source), ids), expected, String(source));
  const remote = await loadWorker({ variant: "simd" });
  context.after(() => remote.dispose());
  const model = await remote.model([new File([bytes], "m.gguf")]);
  assert.equal(model.family, "qwen3");
  const { vocabularyLogits } = await model.run(ids, { record: ["vocabularyLogits"] });
  assert.deepEqual(vocabularyLogits.data, expected);
});

test("in a chosen folder, only the files beside the weights are read", async (context) => {
  const { config, weights, ids } = familyFile("llama");
  const at = (path, content) => {
    const file = new File([content], path.split("/").at(-1));
    return Object.defineProperty(file, "webkitRelativePath", { value: path });
  };
  const list = [
    at("mini/config.json", JSON.stringify(config)),
    at("mini/model.safetensors", safetensors(weights)),
    at("mini/1_Pooling/config.json", "{}"),
    at("mini/onnx/model.safetensors", "older"),
  ];
  const expected = logitsOf(await wf.model({ config, weights: safetensors(weights) }), ids);
  assert.deepEqual(logitsOf(await wf.model(list), ids), expected);
  const remote = await loadWorker({ variant: "simd" });
  context.after(() => remote.dispose());
  const far = await (await remote.model(list)).run(ids, { record: ["vocabularyLogits"] });
  assert.deepEqual(far.vocabularyLogits.data, expected);
});

/** Returns a checkpoint in two files, with the index of tensors. */
function shards() {
  const { config, weights, ids } = familyFile("llama");
  const names = Object.keys(weights);
  const half = (part) =>
    Object.fromEntries(names.filter((_, i) => i % 2 === part).map((name) => [name, weights[name]]));
  const place = (part) => `model-0000${part + 1}-of-00002.safetensors`;
  const files = {
    "config.json": Buffer.from(JSON.stringify(config)),
    "model.safetensors.index.json": Buffer.from(
      JSON.stringify({
        weight_map: Object.fromEntries(names.map((name, i) => [name, place(i % 2)])),
      }),
    ),
    [place(0)]: Buffer.from(safetensors(half(0))),
    [place(1)]: Buffer.from(safetensors(half(1))),
  };
  return { files, ids, whole: { config, weights: safetensors(weights) } };
}

test("encoder and decoder are read from one file larger than a single read", async (context) => {
  const { config, weights, ids, labels } = familyFile("t5");
  // A table of two megabytes at the end: Transformers sorts by name, so the decoder comes first.
  const rows = 40_000;
  const { data, shape } = weights["shared.weight"];
  const table = new Float32Array(rows * shape[1]);
  table.set(data);
  const names = Object.keys(weights).filter((name) => name !== "shared.weight");
  const ordered = Object.fromEntries(names.sort().map((name) => [name, weights[name]]));
  const bytes = safetensors({
    ...ordered,
    "shared.weight": { shape: [rows, shape[1]], data: table },
  });
  const small = await wf.model({ config, weights: safetensors(weights) });
  const record = { record: ["hidden"], decoderTokens: [0, ...labels] };
  const expected = small.run(ids, record).hidden.data;
  const larger = JSON.stringify({ ...config, vocab_size: rows });
  const files = { "config.json": Buffer.from(larger), "model.safetensors": Buffer.from(bytes) };
  const list = Object.entries(files).map(([name, file]) => new File([file], name));
  const log = [];
  const origin = await serve(context, files, log);
  const folder = mkdtempSync(join(tmpdir(), "whereformer-"));
  context.after(() => rmSync(folder, { recursive: true }));
  for (const [name, file] of Object.entries(files)) writeFileSync(join(folder, name), file);
  for (const source of [list, origin, pathToFileURL(folder)]) {
    const model = await wf.model(source);
    assert.deepEqual(model.run(ids, record).hidden.data, expected, String(source));
    model.dispose();
  }
});

test("shards give the same model as the whole file, by address and as files", async (context) => {
  const { files, ids, whole } = shards();
  const expected = logitsOf(await wf.model(whole), ids);
  const steps = [];
  const origin = await serve(context, files);
  const onProgress = (loaded, total) => steps.push([loaded, total]);
  assert.deepEqual(logitsOf(await wf.model(origin, { onProgress }), ids), expected);
  const bytes = Object.entries(files)
    .filter(([name]) => name.endsWith(".safetensors"))
    .reduce((sum, [, file]) => sum + file.length, 0);
  assert.deepEqual(steps.at(-1), [bytes, bytes]);
  assert.ok(steps.every(([loaded], i) => loaded >= (steps[i - 1]?.[0] ?? 0)));
  const list = Object.entries(files).map(([name, file]) => new File([file], name));
  assert.deepEqual(logitsOf(await wf.model(list), ids), expected);
  const without = list.filter(({ name }) => !name.includes("00002-of"));
  await rejected(wf.model(without), "malformed_file", /00002-of-00002.*and it is missing/);
  const noConfig = list.filter(({ name }) => name !== "config.json");
  await rejected(wf.model(noConfig), "malformed_file", /config\.json is missing/);
  await rejected(wf.model([new File(["a"], "a.txt")]), "malformed_file", /^a\.txt: text .*GGUF/);
  await rejected(wf.model([3]), "invalid_argument");
});

test("a directory's handle gives the same model as its files", async () => {
  const { bytes, ids } = ggufModel("llama");
  const handle = {
    [Symbol.toStringTag]: "FileSystemDirectoryHandle",
    kind: "directory",
    async *values() {
      yield { kind: "directory", name: "other" };
      yield { kind: "file", getFile: async () => new File([bytes], "m.gguf") };
    },
  };
  assert.deepEqual(
    logitsOf(await wf.model(handle), ids),
    logitsOf(await wf.model(blob(bytes)), ids),
  );
});

test("a truncated, damaged or other GGUF file is refused, and the engine still works", async () => {
  const { bytes, ids } = ggufModel("llama");
  const isTyped = (error) =>
    ["malformed_file", "unsupported", "invalid_argument"].includes(error.code);
  for (const length of [0, 3, 4, 8, 24, 100, 1000, bytes.length - 1])
    await assert.rejects(wf.model(blob(bytes.subarray(0, length))), isTyped, String(length));
  for (let at = 4; at < 600; at += 7) {
    const spoilt = bytes.slice();
    spoilt[at] ^= 255;
    await wf
      .model(blob(spoilt))
      .catch((error) => assert.ok(isTyped(error), `${at}: ${error.message}`));
  }
  const renamed = bytes.slice();
  const word = new TextEncoder().encode("general.architecture");
  const at = Buffer.from(renamed).indexOf(word) + word.length + 4 + 8;
  renamed[at] = "k".charCodeAt(0);
  await rejected(
    wf.model(blob(renamed)),
    "unsupported",
    /general\.architecture: "klama".*llama, qwen2/,
  );
  await rejected(wf.model({ weights: safetensors({}) }), "malformed_file", /GGUF/);
  assert.equal(logitsOf(await wf.model(blob(bytes)), ids).length, 48 * ids.length);
});

test("a tokenizer is read from a file or folder, by the library that is given", async (context) => {
  const { bytes } = ggufModel("llama");
  const model = await wf.model(blob(bytes), { tokenizer: library });
  const { ids, tokens } = model.run('0"!A');
  assert.deepEqual(
    [ids, tokens],
    [
      [15, 1, 0, 32],
      ["0", '"', "!", "A"],
    ],
  );
  // Tokens of the vocabulary that its merges would join would not be tokens here.
  assert.equal(model.tokenizer.decode(ids), '0"!A');
  const files = await model.tokenizerFiles();
  assert.equal(files.tokenizer.model.type, "BPE");
  const later = await wf.model(blob(bytes), { tokenizer: import("@huggingface/tokenizers") });
  assert.deepEqual(later.tokenizer.encode("0A"), [15, 32]);
  const remote = await loadWorker({ variant: "simd" });
  context.after(() => remote.dispose());
  const far = await remote.model(blob(bytes), { tokenizer: library });
  assert.deepEqual((await far.run("0A")).tokens, ["0", "A"]);
  const { files: folder } = shards();
  const list = Object.entries(folder).map(([name, file]) => new File([file], name));
  await rejected(wf.model(list, { tokenizer: library }), "invalid_argument", /no tokenizer\.json/);
  const json = new File([JSON.stringify(files.tokenizer)], "tokenizer.json");
  const own = await wf.model([...list, json], { tokenizer: library });
  assert.deepEqual(own.tokenizer.encode("0A"), [15, 32]);
  await rejected(wf.model(blob(bytes), { tokenizer: {} }), "invalid_argument", /^tokenizer/);
});

const vocabularies = readVocabularies();
for (const [name, of] of [
  ["llama", "sentencepiece"],
  ["gemma", "sentencepiece, no space before a text"],
  ["bert", "Transformers' BERT"],
  ["bert_cased", "Transformers' BERT, capitals kept"],
])
  test(`a GGUF vocabulary gives the ids of its original library: ${of}`, async () => {
    const { bytes, count, texts } = vocabularies[name];
    const model = await wf.model(blob(Buffer.from(bytes, "base64")), { tokenizer: library });
    assert.equal(model.config.vocabSize, count);
    for (const { text, ids, decoded } of texts) {
      assert.deepEqual(model.tokenizer.encode(text), ids, text);
      const own = name.startsWith("bert") ? ids.slice(1, -1) : ids.slice(1);
      // The library cannot decode an empty list.
      if (own.length) assert.equal(model.tokenizer.decode(own), decoded);
    }
    model.dispose();
  });

test("a chat template is found in either file of a folder", async () => {
  const { config, weights } = familyFile("llama");
  const { tokenizer } = await (await wf.model(blob(ggufModel("llama").bytes))).tokenizerFiles();
  const folder = {
    "config.json": JSON.stringify(config),
    "model.safetensors": safetensors(weights),
    "tokenizer.json": JSON.stringify(tokenizer),
  };
  const template = async (more) => {
    const files = Object.entries({ ...folder, ...more });
    const model = await wf.model(files.map(([name, file]) => new File([file], name)));
    return (await model.tokenizerFiles()).config;
  };
  const jinja = "{{ messages[0].content }}";
  const own = JSON.stringify({ chat_template: "older", bos_token: "!" });
  assert.deepEqual(await template({}), {});
  assert.deepEqual(await template({ "chat_template.jinja": jinja }), { chat_template: jinja });
  assert.deepEqual(
    await template({ "tokenizer_config.json": '{"bos_token":"!"}', "chat_template.jinja": jinja }),
    { bos_token: "!", chat_template: jinja },
  );
  const both = { "tokenizer_config.json": own, "chat_template.jinja": jinja };
  const newer = { chat_template: jinja, bos_token: "!" };
  assert.deepEqual(await template(both), newer);
  const none = JSON.stringify({ chat_template: null, bos_token: "!" });
  assert.deepEqual(await template({ ...both, "tokenizer_config.json": none }), newer);
  assert.deepEqual(await template({ "tokenizer_config.json": own }), JSON.parse(own));
});

test("weights that do not fit are refused with the names that are expected", async () => {
  const config = { ...familyFile("llama").config, hidden_size: 8192, intermediate_size: 32768 };
  const huge = { ...config, num_attention_heads: 64, num_key_value_heads: 64, head_dim: 128 };
  const weights = safetensors({});
  const full = wf.model({ config: { ...huge, num_hidden_layers: 64 }, weights });
  await rejected(full, "out_of_memory", /2 GB.*smaller/);
});

test("an aborted model stops between two reads", async () => {
  const { bytes } = ggufModel("llama");
  const control = new AbortController();
  const onProgress = () => control.abort();
  await rejected(wf.model(blob(bytes), { signal: control.signal, onProgress }), "aborted");
});

describe("bend", () => {
  const ids = [5, 6, 7, 8, 9, 10];

  test("changes positions like the equivalent surgery, and is neutral by default", async () => {
    const model = await wf.model(blob(ggufModel("llama").bytes));
    const { mean } = model.loss(ids);
    assert.equal(model.bend({}).loss(ids).mean, mean);
    assert.equal(model.bend({ ropeTheta: 5000 }).loss(ids).mean, mean);
    const bent = model.bend({ ropeTheta: 20, layers: [1] });
    assert.notEqual(bent.loss(ids).mean, mean);
    assert.equal(bent.loss(ids).mean, model.loss(ids, { surgery: bent.surgery }).mean);
    const record = { record: ["weights"] };
    const [was, is] = [model, bent].map((one) => one.run(ids, record).weights.data);
    const layer = was.length / 2;
    assert.deepEqual(is.subarray(0, layer), was.subarray(0, layer));
    assert.notDeepEqual(is.subarray(layer), was.subarray(layer));
    assert.equal(model.loss(ids).mean, mean);
  });

  test("no positions are rotations by zero; a factor of 2 halves each position", async () => {
    const model = await wf.model(blob(ggufModel("qwen2").bytes));
    const none = model.bend({ positions: "none" }).loss(ids).mean;
    near([none], [model.loss(ids, { surgery: { zero: ["rotation"] } }).mean], 1e-5);
    const linear = model.bend({ ropeScaling: { ropeType: "linear", factor: 2 } });
    const doubled = ids.map((_, i) => 2 * i);
    near([linear.loss(ids, { positions: doubled }).mean], [model.loss(ids).mean], 1e-5);
    const stretched = model.bend({ positions: doubled });
    near([stretched.loss(ids).mean], [model.loss(ids, { positions: doubled }).mean], 0);
  });

  test("models without rotation and unknown options are refused", async () => {
    const model = await wf.model(blob(ggufModel("gpt2").bytes));
    refused(() => model.bend({ ropeTheta: 5 }), "unsupported", /no layer rotates/);
    refused(() => model.bend({ theta: 5 }), "unknown_option");
    refused(() => model.bend({ ropeTheta: "5" }), "invalid_argument", /^ropeTheta/);
    refused(() => model.bend({ positions: "none", layers: [9] }), "invalid_argument", /^layers/);
  });

  test("works in a worker", async (context) => {
    const { bytes } = ggufModel("llama");
    const remote = await loadWorker({ variant: "simd" });
    context.after(() => remote.dispose());
    const [far, near] = [await remote.model(blob(bytes)), await wf.model(blob(bytes))];
    const bent = await far.bend({ ropeTheta: 20 });
    assert.equal((await bent.loss(ids)).mean, near.bend({ ropeTheta: 20 }).loss(ids).mean);
  });
});
