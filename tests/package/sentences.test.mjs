// Vectors of texts as sentence-transformers makes them (tests/golden/sentences), wherever the
// folder comes from.

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import * as library from "@huggingface/tokenizers";
import { load as loadWorker } from "../../dist/worker.js";
import { familyFile, modelOf } from "./families.mjs";
import { ggufModel } from "./gguf.mjs";
import { engines, near, refused, rejected, variants, wf } from "./golden.mjs";
import {
  chosen,
  entryOf,
  fileEntry,
  folderOf,
  handleOf,
  texts,
  vectors,
} from "./sentence-folders.mjs";

const { cases } = vectors;
const idsOf = ({ model }) => familyFile(model).ids;
const optionsOf = ({ attentionMask, promptTokens }) => ({
  ...(attentionMask && { attentionMask }),
  ...(promptTokens && { promptTokens }),
});
/** `reader`: what opens folders. */
async function vectorOf(reader, source, one) {
  const model = await reader.model(source);
  const vector = await model.embed(idsOf(one), optionsOf(one));
  assert.equal(vector.length, model.pooling.dimensions);
  model.dispose();
  return vector;
}
const close = (actual, expected, what) => near([...actual], expected, 1e-4, what);

for (const variant of variants)
  describe(variant, () => {
    for (const [name, one] of Object.entries(cases))
      test(`${name}: the vector of sentence-transformers`, async () => {
        const vector = await vectorOf(engines[variant], chosen(folderOf(one)), one);
        close(vector, one.vector, name);
      });
  });

async function serve(context, files, status = 404, log = []) {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url.slice(1));
    log.push(path);
    const body = files[path];
    if (!body) return response.writeHead(status).end();
    response.writeHead(200, { "content-length": body.length }).end(body);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  context.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${server.address().port}/`;
}

function onDisk(context, files) {
  const folder = mkdtempSync(join(tmpdir(), "whereformer-"));
  context.after(() => rmSync(folder, { recursive: true }));
  for (const [path, bytes] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), bytes);
  }
  return pathToFileURL(folder);
}

/** A folder's files under paths of the tests' own. */
function moved(one, places) {
  const files = folderOf(one, places[""] ? `${places[""]}/` : "");
  const list = JSON.parse(files["modules.json"]);
  for (const module of list) module.path = places[module.path] ?? module.path;
  const renamed = Object.entries(files).map(([path, bytes]) => {
    const place = Object.keys(places).find((from) => from && path.startsWith(`${from}/`));
    return [place ? places[place] + path.slice(place.length) : path, bytes];
  });
  return { ...Object.fromEntries(renamed), "modules.json": Buffer.from(JSON.stringify(list)) };
}

const layouts = {
  "as it is saved": (one) => folderOf(one),
  "with a transformer's folder and others of any name": (one) =>
    moved(one, { "": "0_Transformer", "1_Pooling": "how/to pool?", "2_Dense": "größer" }),
  "beside a config.json that only says a version": (one) => ({
    ...moved(one, { "": "0_BERT" }),
    "config.json": Buffer.from('{"__version__":"0.2.5"}'),
  }),
};
for (const [said, layout] of Object.entries(layouts))
  test(`a folder ${said}, from everywhere`, async (context) => {
    const one = cases.two_dense;
    const files = layout(one);
    const loose = Object.entries(files)
      .filter(([path]) => !path.includes("/"))
      .map(([path, bytes]) => fileEntry(path, bytes));
    const firsts = Object.keys(files).filter((path) => path.includes("/"));
    const folders = [...new Set(firsts.map((path) => path.split("/")[0]))];
    const within = (name) =>
      entryOf(
        Object.fromEntries(
          Object.entries(files)
            .filter(([path]) => path.startsWith(`${name}/`))
            .map(([path, bytes]) => [path.slice(name.length + 1), bytes]),
        ),
        name,
      );
    const sources = {
      address: await serve(context, files),
      disk: onDisk(context, files),
      chosen: chosen(files),
      "chosen in another order": chosen(files).reverse(),
      handle: handleOf(files),
      dropped: [entryOf(files)],
      "dropped one by one": [...folders.map(within), ...loose],
      "named by paths": Object.entries(files).map(([path, bytes]) => new File([bytes], path)),
    };
    const remote = await loadWorker({ variant: "simd" });
    context.after(() => remote.dispose());
    for (const [from, source] of Object.entries(sources)) {
      close(await vectorOf(wf, source, one), one.vector, from);
      // What was dropped and what a handle gives is read before it goes to the worker.
      close(await vectorOf(remote, source, one), one.vector, `${from}, in a worker`);
    }
  });

/** The folder of texts.json, with other prompts. */
function textFolder(defaultPrompt) {
  const files = { ...texts.files };
  const name = "config_sentence_transformers.json";
  files[name] = { ...files[name], default_prompt_name: defaultPrompt };
  return folderOf({ ...texts, files });
}

for (const [where, start] of [
  ["here", async () => wf],
  ["in a worker", () => loadWorker({ variant: "simd" })],
])
  test(`texts, prompts, lengths and lower case as SentenceTransformer reads them, ${where}`, async (context) => {
    const engine = await start();
    if (engine !== wf) context.after(() => engine.dispose());
    for (const byDefault of [null, "query"]) {
      const source = chosen(textFolder(byDefault));
      const model = await engine.model(source, { tokenizer: library });
      const { prompts, defaultPrompt, maxTokens, lowerCase } = model.pooling;
      assert.deepEqual(prompts, texts.files["config_sentence_transformers.json"].prompts);
      assert.deepEqual([defaultPrompt ?? null, maxTokens, lowerCase], [byDefault, 12, true]);
      const rows = texts.rows.filter((row) => row.default === byDefault);
      for (const { prompt, text, vector } of rows) {
        const options = prompt === null ? {} : { prompt };
        const what = `${byDefault}, ${prompt}, ${text}`;
        close(await model.embed(text, options), vector, what);
        const [, listed] = await model.embed(["dogs", text], options);
        close(listed, vector, what);
      }
    }
  });

test("without such files it is the mean, and the model says so", async () => {
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
  // As in the original: what lies in a folder is read where modules.json names it.
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

test("the model says what its folder says", async () => {
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

test("options stand in the place of what the folder says", async () => {
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
    /2_Dense.*reads 15 numbers; the pooled vector has 30/,
  );
  const before = await wf.model(chosen(folderOf(cases.normalize_before_dense)));
  close(before.embed(ids, { normalize: false }), cases.normalize_before_dense.vector);
});

test("a list of texts has a vector for each, a text one", async () => {
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

test("in a worker a list tells how far it is, and ends where its signal says", async (context) => {
  const remote = await loadWorker({ variant: "simd" });
  context.after(() => remote.dispose());
  const one = cases.two_dense;
  const model = await remote.model(chosen(folderOf(one)));
  assert.deepEqual(model.pooling, (await wf.model(chosen(folderOf(one)))).pooling);
  const ids = idsOf(one);
  const steps = [];
  const list = Array.from({ length: 5 }, () => ids);
  const all = await model.embed(list, { onProgress: (...step) => steps.push(step.slice(0, 2)) });
  assert.equal(all.length, 5);
  close(all[4], one.vector);
  assert.deepEqual(
    steps,
    [1, 2, 3, 4, 5].map((done) => [done, 5]),
  );
  const control = new AbortController();
  const many = Array.from({ length: 20_000 }, () => ids);
  let done = 0;
  const onProgress = (count) => {
    done = count;
    if (count === 3) control.abort();
  };
  const { signal } = control;
  await rejected(model.embed(many, {}, { signal, onProgress }), "aborted");
  close(await model.embed(ids, { normalize: true }), one.vector);
  assert.ok(done < 10_000, `${done}`);
});

const spoiltModules = [
  ["CNN", "unsupported", /^modules\.json: \[1\]\.type: "CNN"; allowed is Pooling, Dense/],
  ["LSTM", "unsupported", /type: "LSTM"; allowed/],
  ["WordWeights", "unsupported", /type: "WordWeights"; allowed/],
  ["WeightedLayerPooling", "unsupported", /type: "WeightedLayerPooling"; allowed/],
  ["Router", "unsupported", /type: "Router"; allowed/],
];
for (const [kind, code, message] of spoiltModules)
  test(`a folder with ${kind} opens for its maps, and is refused by name for vectors`, async () => {
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

/** What `change` makes of the parsed files of a case. */
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
    /^modules\.json: \[0\]\.type: "CLIPModel"; allowed is Transformer/,
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
    /^modules\.json: 1; allowed is a Pooling among them/,
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
    /^9_Pooling\/config\.json: modules\.json names it, and it is not there/,
  ],
  "another pooling": [
    "lasttoken",
    (json) => {
      json["1_Pooling/config.json"].pooling_mode = "attention";
    },
    "unsupported",
    /^1_Pooling\/config\.json: pooling_mode: "attention"; allowed is cls, max/,
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
    /^2_Dense\/config\.json: activation_function: "torch\.nn.*Softmax2d"; allowed is torch's Identity/,
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
    /^2_Dense\/config\.json: its linear\.weight has the shape \[9,15\]; allowed is \[8,15\]/,
  ],
  "no weights": [
    "dense",
    (_, files) => {
      delete files["2_Dense/model.safetensors"];
    },
    "malformed_file",
    /^2_Dense\/model\.safetensors: .*pytorch_model\.bin are not read/,
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
  test(`${said} is refused by name when a vector is asked for`, async () => {
    const model = await spoilt(name, change);
    assert.equal(model.pooling, undefined);
    refused(() => model.embed(idsOf(cases[name])), code, message);
  });

test("layers of 16 and of 64 bits are read as they are", async () => {
  const one = cases.two_dense;
  for (const type of ["F16", "BF16"])
    close(await vectorOf(wf, chosen(folderOf(one, "", type)), one), one.vector, type);
});

test("a server may refuse what is not there in other words, or answer with a page", async (context) => {
  const one = cases.cls;
  const { "modules.json": _, ...without } = folderOf(one);
  const ids = idsOf(one);
  const plain = await modelOf(wf, familyFile(one.model));
  const log = [];
  const model = await wf.model(await serve(context, without, 404, log));
  assert.deepEqual(model.embed(ids), plain.embed(ids));
  assert.deepEqual(log, ["config.json", "modules.json", "model.safetensors"]);
  // Whether there is one is not known: the model opens, and no vector is another in silence.
  const forbidden = await wf.model(await serve(context, without, 500));
  assert.equal(forbidden.pooling, undefined);
  refused(() => forbidden.embed(ids), "network", /modules\.json: the server answered 500/);
  for (const status of [401, 403, 410]) {
    const kept = await wf.model(await serve(context, without, status));
    assert.equal(kept.pooling.from, "default", String(status));
  }
});

/** A GGUF file with one key more; a second one fills up to where its tensors may begin. */
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
  refused(() => reranker.embed(ids), "unsupported", /^bert\.pooling_type: 4; allowed is 0 to 3/);
});

test("options of embed are checked, by name", async () => {
  const model = await wf.model(chosen(folderOf(cases.mean)));
  for (const [options, message, code = "invalid_argument"] of [
    [{ pooling: "first" }, /^pooling: "first"; allowed is "cls", "max", "mean"/],
    [{ pooling: [] }, /^pooling: \[\]/],
    [{ pooling: ["cls", 3] }, /^pooling\[1\]: 3/],
    [{ normalize: 1 }, /^normalize: 1; allowed is true or false/],
    [{ normalise: true }, /unknown option "normalise"/, "unknown_option"],
    [{ prompt: "a" }, /^prompt: "a"; allowed is none beside token ids/],
    [{ attentionMask: [1] }, /^attentionMask\.length: 1; allowed is 3/],
  ])
    refused(() => model.embed([3, 4, 5], options), code, message);
  refused(() => model.embed([]), "invalid_argument", /^input\.length: 0/);
  refused(() => model.embed("text"), "invalid_argument", /^input: "text"; .*no tokenizer/);
  refused(() => model.embed(["a", [3]]), "invalid_argument", /^input: \["a", \[3\]\]/);
  refused(() => model.embed([[3], [400]]), "invalid_argument", /\[0\]: 400/);
  const masks = { attentionMask: [[1]] };
  refused(() => model.embed([[3], [4]], masks), "invalid_argument", /a list of 2 masks/);
  const skipping = await wf.model(chosen(folderOf(cases.all_modes_after_prompt)));
  refused(
    () => skipping.embed([3, 4], { promptTokens: 2 }),
    "invalid_argument",
    /^promptTokens: 2; allowed is less than the tokens/,
  );
});
