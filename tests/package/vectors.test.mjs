// Runs of vectors in place of ids (`{ vectors }`).

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { load as loadWorker } from "../../dist/worker.js";
import { familyFile, modelOf } from "./families.mjs";
import { near, refused, rejected, wf } from "./golden.mjs";
import { config, goesOn, invalid } from "./spoilt.mjs";

const table = /(?:embed_tokens|word_embeddings|wte|shared|tok_embeddings)\.weight$/;

/** The rows of a file's token table that ids name. */
function rowsOf({ weights }, ids) {
  const [, { data, shape }] = Object.entries(weights).find(([name]) => table.test(name));
  const width = shape[1];
  const rows = ids.map((id) => Array.from(data.subarray(id * width, (id + 1) * width)));
  return { data: rows.flat(), shape: [ids.length, width] };
}

const record = ["hidden", "weights", "residual"];
const same = (found, wanted) => {
  for (const name of record) {
    assert.deepEqual(found[name].shape, wanted[name].shape);
    near(found[name].data, wanted[name].data, 0, name);
  }
};

describe("vectors equal ids whose rows they are", () => {
  // With rotation, a factor on the rows, learned positions, types of tokens and a norm.
  for (const name of ["llama", "gemma", "gpt2", "bert", "bloom"])
    test(name, async () => {
      const file = familyFile(name);
      const model = await modelOf(wf, file);
      const vectors = rowsOf(file, file.ids);
      const wanted = model.run(file.ids, { record });
      const found = model.run({ vectors }, { record });
      same(found, wanted);
      assert.deepEqual(found.ids, []);
      assert.deepEqual(found.tokens, []);
      same(model.run({ vectors: Float32Array.from(vectors.data) }, { record }), wanted);
      const region = { rows: [2], heads: [1], layers: [0] };
      const part = model.run({ vectors }, { record, region });
      same(part, model.run(file.ids, { record, region }));
      // A run of ids afterwards reads the table again.
      same(model.run(file.ids, { record }), wanted);
      model.dispose();
    });

  test("with padding that a family does not count", async () => {
    for (const name of ["opt", "bloom"]) {
      const file = familyFile(name);
      const model = await modelOf(wf, file);
      const attentionMask = file.ids.map((_, i) => Number(i > 2));
      const vectors = rowsOf(file, file.ids);
      const wanted = model.run(file.ids, { record, attentionMask });
      same(model.run({ vectors }, { record, attentionMask }), wanted);
      model.dispose();
    }
  });

  test("in an encoder with a decoder", async () => {
    const file = familyFile("t5");
    const model = await modelOf(wf, file);
    const vectors = rowsOf(file, file.ids);
    same(model.encode({ vectors }, { record }), model.encode(file.ids, { record }));
    const options = { record, decoderTokens: [file.config.decoder_start_token_id, 5] };
    same(model.run({ vectors }, options), model.run(file.ids, options));
    model.dispose();
  });

  test("under a surgery, a bend and an ablation", async () => {
    const file = familyFile("llama");
    const model = await modelOf(wf, file);
    const vectors = rowsOf(file, file.ids);
    const options = { record, ablate: { layers: [0], heads: [0], with: "mean" } };
    const bent = model.bend({ ropeTheta: 50 });
    same(bent.run({ vectors }, options), bent.run(file.ids, options));
    model.dispose();
  });

  test("in a worker", async () => {
    const worker = await loadWorker();
    after(() => worker.dispose());
    const file = familyFile("gpt2");
    const model = await modelOf(worker, file);
    const vectors = rowsOf(file, file.ids);
    same(await model.run({ vectors }, { record }), await model.run(file.ids, { record }));
    await rejected(model.run({ vectors: [1] }), invalid, /^vectors/);
  });
});

describe("refused vectors", () => {
  const width = config.hiddenSize;
  const numbers = (count) => new Float32Array(count).fill(0.5);
  const tensor = (shape) => ({ data: numbers(shape.reduce((a, b) => a * b, 1)), shape });
  const detached = numbers(2 * width);
  structuredClone(detached.buffer, { transfer: [detached.buffer] });
  const infinite = numbers(2 * width);
  infinite[width] = Number.POSITIVE_INFINITY;
  for (const [vectors, message] of [
    [undefined, /^vectors: undefined/],
    ["text", /^vectors: "text"/],
    [numbers(0), /^vectors\.shape/],
    [numbers(width - 1), /^vectors\.shape/],
    [tensor([2, width + 1]), /^vectors\.shape: \[2, 9\] \(expected rows of 8 numbers/],
    [tensor([1, 2, width]), /^vectors\.shape: \[1, 2, 8\] \(expected \[T,8\]/],
    [tensor([width]), /^vectors\.shape/],
    [{ data: numbers(width), shape: [2, width] }, /^vectors\.shape/],
    [{ data: infinite, shape: [2, width] }, /^vectors\.data\[8\]: Infinity/],
    [detached, /^vectors/],
  ])
    test(`${message}`, async () => {
      const model = await wf.model(config);
      refused(() => model.run({ vectors }), invalid, message);
      goesOn();
    });

  test("where only ids are read, and beside other keys", async () => {
    const model = await wf.model(config);
    const given = { vectors: tensor([2, width]) };
    refused(() => model.run({ ...given, ids: [1] }), "unknown_option", /ids/);
    refused(() => model.loss(given), invalid, /^ids/);
    refused(() => model.generate(given), invalid, /^prompt/);
    refused(() => model.embed(given), invalid, /^input/);
    refused(() => model.heads(given), invalid, /^input/);
    refused(() => model.run(given, { attentionMask: [1] }), invalid, /^attentionMask\.length/);
    goesOn();
  });

  test("memory that is lost while further arguments are read", async () => {
    const model = await wf.model(config);
    const data = numbers(3 * width);
    const vectors = { data, shape: [3, width] };
    const wanted = model.run({ vectors }, { record: ["hidden"] }).hidden.data;
    const options = {
      get record() {
        if (data.length) structuredClone(data.buffer, { transfer: [data.buffer] });
        return ["hidden"];
      },
    };
    try {
      near(model.run({ vectors }, options).hidden.data, wanted, 0);
    } catch (error) {
      assert.equal(error.code, invalid);
    }
    goesOn();
  });
});
