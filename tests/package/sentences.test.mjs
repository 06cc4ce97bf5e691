// Vectors of texts equal those of sentence-transformers (tests/golden/sentences), for every source
// of the folder.

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
import { engines, near, refused, rejected, variants, wf } from "./golden.mjs";
import {
  chosen,
  entryOf,
  fileEntry,
  folderOf,
  handleOf,
  idsOf,
  texts,
  vectors,
} from "./sentence-folders.mjs";

const { cases } = vectors;
const optionsOf = ({ attentionMask, promptTokens }) => ({
  ...(attentionMask && { attentionMask }),
  ...(promptTokens && { promptTokens }),
});
/** Computes a vector; `reader` is the engine that opens the folder. */
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
      test(`${name}: the vector equals that of sentence-transformers`, async () => {
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

/** Returns a folder's files under other paths. */
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
  test(`a folder ${said}, from every kind of source`, async (context) => {
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
      // Dropped items and handles are read before they are sent to the worker.
      close(await vectorOf(remote, source, one), one.vector, `${from}, in a worker`);
    }
  });

/** Returns the folder of texts.json, with another default prompt. */
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
  test(`texts, prompts, lengths and case as in the original, ${where}`, async (context) => {
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

test("layers in 16 and 64 bits are read", async () => {
  const one = cases.two_dense;
  for (const type of ["F16", "BF16"])
    close(await vectorOf(wf, chosen(folderOf(one, "", type)), one), one.vector, type);
});

test("a server may report a missing modules.json in other ways than 404", async (context) => {
  const one = cases.cls;
  const { "modules.json": _, ...without } = folderOf(one);
  const ids = idsOf(one);
  const plain = await modelOf(wf, familyFile(one.model));
  const log = [];
  const model = await wf.model(await serve(context, without, 404, log));
  assert.deepEqual(model.embed(ids), plain.embed(ids));
  const asked = ["config.json", "modules.json", "model.safetensors", "generation_config.json"];
  assert.deepEqual(log, asked);
  // The file may exist: the model opens, but refuses vectors, since they might be wrong.
  const others = { ...without, "generation_config.json": Buffer.from("{}") };
  const forbidden = await wf.model(await serve(context, others, 500));
  assert.equal(forbidden.pooling, undefined);
  refused(() => forbidden.embed(ids), "network", /modules\.json: the server answered 500/);
  for (const status of [401, 403, 410]) {
    const kept = await wf.model(await serve(context, without, status));
    assert.equal(kept.pooling.from, "default", String(status));
  }
});

test("in a worker a list reports progress, and can be aborted", async (context) => {
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
