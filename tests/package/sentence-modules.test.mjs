// The modules that make vectors of texts: a model's description of them, options, and refused
// modules.

import assert from "node:assert/strict";
import { test } from "node:test";
import { familyFile, modelOf } from "./families.mjs";
import { ggufModel } from "./gguf.mjs";
import { near, refused, wf } from "./golden.mjs";
import { chosen, folderOf, idsOf, vectors } from "./sentence-folders.mjs";

const { cases } = vectors;
const close = (actual, expected, what) => near([...actual], expected, 1e-4, what);

test("without such files the pooling is the mean, as the model describes", async () => {
  const file = familyFile("bert");
  const model = await modelOf(wf, file);
  assert.deepEqual(model.pooling, {
    from: "default",
    mode: "mean",
    dense: [],
    normalize: false,
    includePrompt: true,
    prompts: {},
    lowerCase: false,
    dimensions: 15,
  });
  // As in the original, modules are read from the folders that modules.json names.
  const { "modules.json": _, ...rest } = folderOf(cases.cls);
  const other = await wf.model(chosen(rest));
  assert.deepEqual(other.pooling, model.pooling);
  assert.deepEqual(other.embed(file.ids), model.embed(file.ids));
  const fresh = await wf.model({
    vocabSize: 8,
    hiddenSize: 8,
    numLayers: 1,
    numHeads: 2,
    intermediateSize: 8,
  });
  assert.equal(fresh.pooling.from, "default");
});

test("the model's description matches its folder", async () => {
  const pooling = async (name) => (await wf.model(chosen(folderOf(cases[name])))).pooling;
  assert.deepEqual(await pooling("two_dense"), {
    from: "modules.json",
    mode: "mean",
    dense: [
      { inFeatures: 15, outFeatures: 20, bias: true, activation: "Tanh", residual: false },
      { inFeatures: 20, outFeatures: 7, bias: false, activation: "Identity", residual: false },
    ],
    normalize: true,
    includePrompt: true,
    prompts: {},
    maxTokens: 17,
    lowerCase: false,
    dimensions: 7,
  });
  const { mode, normalize, dimensions } = await pooling("several_modes");
  assert.deepEqual([mode, normalize, dimensions], [["mean", "cls"], true, 30]);
  assert.deepEqual((await pooling("several_flags")).mode, ["cls", "max", "mean"]);
  assert.equal((await pooling("normalize_before_dense")).normalize, false);
});

const lengthOf = (vector) => Math.hypot(...vector);

test("options replace the folder's settings", async () => {
  const one = cases.cls;
  const ids = idsOf(one);
  const model = await wf.model(chosen(folderOf(one)));
  const plain = await modelOf(wf, familyFile(one.model));
  const { data, shape } = plain.run(ids, { record: ["hidden"] }).hidden;
  const first = data.subarray(0, shape[1]);
  close(model.embed(ids, { normalize: false }), first);
  close(plain.embed(ids, { pooling: "cls" }), first);
  close(plain.embed(ids, { pooling: "lasttoken" }), data.subarray(-shape[1]));
  close(plain.embed(ids, { pooling: ["mean", "cls"] }).subarray(shape[1]), first);
  assert.ok(Math.abs(lengthOf(plain.embed(ids, { normalize: true })) - 1) < 1e-6);
  close(plain.embed(ids, { pooling: "cls", normalize: true }), one.vector);
  const mean = model.embed(ids, { pooling: "mean" });
  close(mean, plain.embed(ids, { pooling: "mean", normalize: true }));
  const layered = await wf.model(chosen(folderOf(cases.two_dense)));
  assert.equal(layered.embed(ids, { pooling: "max" }).length, 7);
  assert.ok(lengthOf(layered.embed(ids, { normalize: false })) !== 1);
  refused(
    () => layered.embed(ids, { pooling: ["max", "cls"] }),
    "invalid_argument",
    /2_Dense.*pooled vector: 30 numbers \(expected 15\)/,
  );
  const before = await wf.model(chosen(folderOf(cases.normalize_before_dense)));
  close(before.embed(ids, { normalize: false }), cases.normalize_before_dense.vector);
});

test("a list of texts gives a vector for each, a single text one vector", async () => {
  const one = cases.mean;
  const ids = idsOf(one);
  const model = await wf.model(chosen(folderOf(one)));
  const lists = [
    [ids, ids.slice(0, 4)],
    [Int32Array.from(ids), Int32Array.from(ids.slice(0, 4))],
  ];
  for (const list of lists) {
    const all = model.embed(list);
    assert.ok(Array.isArray(all) && all.every((vector) => vector instanceof Float32Array));
    assert.deepEqual(all, [model.embed(ids), model.embed(ids.slice(0, 4))]);
  }
  assert.equal(model.embed([ids]).length, 1);
  const attentionMask = [ids.map(() => 1), [1, 1, 0, 0]];
  const masked = model.embed([ids, ids.slice(0, 4)], { attentionMask });
  assert.deepEqual(masked[0], model.embed(ids));
  close(masked[1], model.embed(ids.slice(0, 2)));
});

const spoiltModules = [
  ["CNN", "unsupported", /^modules\.json: \[1\]\.type: "CNN" \(expected one of Pooling, Dense/],
  ["LSTM", "unsupported", /type: "LSTM" \(expected one of /],
  ["WordWeights", "unsupported", /type: "WordWeights" \(expected one of /],
  ["WeightedLayerPooling", "unsupported", /type: "WeightedLayerPooling" \(expected one of /],
  ["Router", "unsupported", /type: "Router" \(expected one of /],
];
for (const [kind, code, message] of spoiltModules)
  test(`a folder with ${kind} opens for its maps, but vectors are refused`, async () => {
    const files = folderOf(cases.mean);
    const list = JSON.parse(files["modules.json"]);
    list[1].type = `sentence_transformers.models.${kind}`;
    files["modules.json"] = Buffer.from(JSON.stringify(list));
    const model = await wf.model(chosen(files));
    assert.equal(model.pooling, undefined);
    const ids = idsOf(cases.mean);
    assert.ok(model.run(ids, { record: ["weights"] }).weights);
    refused(() => model.embed(ids), code, message);
    assert.equal(model.embed(ids, { pooling: "mean" }).length, 15);
  });

/** Changes the parsed files of a case. */
async function spoilt(name, change) {
  const files = folderOf(cases[name]);
  const json = {};
  for (const [path, bytes] of Object.entries(files))
    if (path.endsWith(".json")) json[path] = JSON.parse(bytes);
  change(json, files);
  for (const [path, value] of Object.entries(json))
    files[path] = Buffer.from(JSON.stringify(value));
  for (const path of Object.keys(files)) if (files[path] === undefined) delete files[path];
  return wf.model(chosen(files));
}

const faults = {
  "another first module": [
    "mean",
    (json) => {
      json["modules.json"][0].type = "sentence_transformers.models.CLIPModel";
    },
    "unsupported",
    /^modules\.json: \[0\]\.type: "CLIPModel" \(expected Transformer/,
  ],
  "a class of the folder's own code": [
    "mean",
    (json) => {
      json["modules.json"][1].type = "custom_st.Pooling";
    },
    "unsupported",
    /custom_st\.Pooling/,
  ],
  "no Pooling": [
    "mean",
    (json) => {
      json["modules.json"].splice(1);
    },
    "unsupported",
    /^modules\.json: \["Transformer"\] \(expected a Pooling module among them/,
  ],
  "no list": [
    "mean",
    (json) => {
      json["modules.json"] = { modules: [] };
    },
    "malformed_file",
    /^modules\.json: not a list of modules/,
  ],
  "a path outside": [
    "mean",
    (json) => {
      json["modules.json"][1].path = "../1_Pooling";
    },
    "malformed_file",
    /^modules\.json: not a list of modules/,
  ],
  "a Pooling that is not there": [
    "mean",
    (json) => {
      json["modules.json"][1].path = "9_Pooling";
    },
    "malformed_file",
    /^9_Pooling\/config\.json: modules\.json names this file, and it is missing/,
  ],
  "another pooling": [
    "lasttoken",
    (json) => {
      json["1_Pooling/config.json"].pooling_mode = "attention";
    },
    "unsupported",
    /^1_Pooling\/config\.json: pooling_mode: "attention" \(expected one of cls, max/,
  ],
  "another flag": [
    "mean",
    (json) => {
      json["1_Pooling/config.json"].pooling_mode_median = true;
    },
    "unsupported",
    /^1_Pooling\/config\.json: pooling_mode_median: true/,
  ],
  "another activation": [
    "dense",
    (json) => {
      json["2_Dense/config.json"].activation_function = "torch.nn.modules.activation.Softmax2d";
    },
    "unsupported",
    /^2_Dense\/config\.json: activation_function: "torch.*Softmax2d" \(expected one of torch's/,
  ],
  "an activation of other code": [
    "dense",
    (json) => {
      json["2_Dense/config.json"].activation_function = "custom.Tanh";
    },
    "unsupported",
    /activation_function: "custom\.Tanh"/,
  ],
  "another size": [
    "dense",
    (json) => {
      json["2_Dense/config.json"].out_features = 8;
    },
    "malformed_file",
    /^2_Dense\/config\.json: linear\.weight: shape \[9,15\] \(expected shape \[8,15\]/,
  ],
  "no weights": [
    "dense",
    (_, files) => {
      delete files["2_Dense/model.safetensors"];
    },
    "malformed_file",
    /^2_Dense\/model\.safetensors: .*pytorch_model\.bin are not supported/,
  ],
  "weights that are cut": [
    "dense",
    (_, files) => {
      files["2_Dense/model.safetensors"] = files["2_Dense/model.safetensors"].subarray(0, 300);
    },
    "malformed_file",
    /^2_Dense\/model\.safetensors: /,
  ],
  "a Dense before the Pooling": [
    "of_tokens",
    (json) => {
      delete json["1_Dense/config.json"].module_input_name;
    },
    "unsupported",
    /module_input_name/,
  ],
};
for (const [said, [name, change, code, message]] of Object.entries(faults))
  test(`${said} is refused by name when a vector is requested`, async () => {
    const model = await spoilt(name, change);
    assert.equal(model.pooling, undefined);
    refused(() => model.embed(idsOf(cases[name])), code, message);
  });

/** Returns a GGUF file with one key more; a second key pads it to the tensors' alignment. */
function withKey(bytes, type) {
  if (type === undefined) return bytes;
  const text = (words) => {
    const length = Buffer.alloc(8);
    length.writeUInt32LE(words.length);
    return Buffer.concat([length, Buffer.from(words)]);
  };
  const word = (value) => {
    const four = Buffer.alloc(4);
    four.writeUInt32LE(value);
    return four;
  };
  const added = [text("bert.pooling_type"), word(4), word(type), text("general.url"), word(8)];
  const both = Buffer.concat([...added, text("")]);
  assert.equal(both.length % 32, 0);
  const head = Buffer.from(bytes.subarray(0, 24));
  head.writeUInt32LE(head.readUInt32LE(16) + 2, 16);
  return new Uint8Array(Buffer.concat([head, both, bytes.subarray(24)]));
}

test("a GGUF file's pooling_type", async () => {
  const { bytes, ids } = ggufModel("bert");
  for (const [type, mode] of [
    [undefined, "mean"],
    [0, "mean"],
    [1, "mean"],
    [2, "cls"],
    [3, "lasttoken"],
  ]) {
    const model = await wf.model(new Blob([withKey(bytes, type)]));
    const { hidden } = model.run(ids, { record: ["hidden"] });
    assert.equal(model.pooling.mode, mode);
    assert.equal(model.pooling.from, type ? "GGUF" : "default");
    const rows = { cls: hidden.data.subarray(0, hidden.shape[1]) };
    rows.lasttoken = hidden.data.subarray(-hidden.shape[1]);
    if (rows[mode]) close(model.embed(ids), rows[mode]);
    else assert.deepEqual(model.embed(ids), model.embed(ids, { pooling: "mean" }));
  }
  const reranker = await wf.model(new Blob([withKey(bytes, 4)]));
  assert.equal(reranker.pooling, undefined);
  refused(() => reranker.embed(ids), "unsupported", /^bert\.pooling_type: 4 \(expected 0 to 3/);
});

test("options of embed are checked and reported by name", async () => {
  const model = await wf.model(chosen(folderOf(cases.mean)));
  for (const [options, message, code = "invalid_argument"] of [
    [{ pooling: "first" }, /^pooling: "first" \(expected one of "cls", "max", "mean"/],
    [{ pooling: [] }, /^pooling: \[\]/],
    [{ pooling: ["cls", 3] }, /^pooling\[1\]: 3/],
    [{ normalize: 1 }, /^normalize: 1 \(expected true or false/],
    [{ normalise: true }, /unknown option "normalise"/, "unknown_option"],
    [{ prompt: "a" }, /^prompt: "a" \(expected undefined with token ids/],
    [{ attentionMask: [1] }, /^attentionMask\.length: 1 \(expected 3/],
  ])
    refused(() => model.embed([3, 4, 5], options), code, message);
  refused(() => model.embed([]), "invalid_argument", /^input\.length: 0/);
  refused(() => model.embed("text"), "invalid_argument", /^input: "text" .*no tokenizer/);
  refused(() => model.embed(["a", [3]]), "invalid_argument", /^input: \["a", \[3\]\]/);
  refused(() => model.embed([[3], [400]]), "invalid_argument", /\[0\]: 400/);
  const masks = { attentionMask: [[1]] };
  refused(() => model.embed([[3], [4]], masks), "invalid_argument", /a list of 2 masks/);
  const skipping = await wf.model(chosen(folderOf(cases.all_modes_after_prompt)));
  refused(
    () => skipping.embed([3, 4], { promptTokens: 2 }),
    "invalid_argument",
    /^promptTokens: 2 \(expected fewer than the text/,
  );
});
