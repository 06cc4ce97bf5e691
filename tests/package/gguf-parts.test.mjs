// GGUF models in several files: every question about tensors concerns all parts, and wrong parts
// are refused with the reason.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load as loadWorker } from "whereformer/worker";
import { bothForms, ggufBytes } from "./gguf-bytes.mjs";
import { fromConfig, fromFile, numbersOf, u32 } from "./gguf-forms.mjs";
import { rejected, wf } from "./golden.mjs";

const i32 = (value) => ({ type: "i32", value });
const u16 = (value) => ({ type: "u16", value });
const numbered = (number) => String(number).padStart(5, "0");
const partName = (i, count, name = "m") => `${name}-${numbered(i + 1)}-of-${numbered(count)}.gguf`;

/**
 * Returns a model as files: `place` gives a tensor's part; the first part has all keys. `more`
 * replaces the keys that number the parts.
 */
function partsOf(form, count, place, { nameOf = partName, more } = {}) {
  const all = Object.entries(form.tensors);
  return Array.from({ length: count }, (_, i) => {
    const said = {
      "split.no": u16(i),
      "split.count": u16(count),
      "split.tensors.count": i32(all.length),
    };
    const keys = { ...(i === 0 ? form.keys : {}), ...(more ? more(i, said) : said) };
    const tensors = Object.fromEntries(all.filter(([name], j) => place(name, j) === i));
    return new File([ggufBytes({ keys, tensors })], nameOf(i, count));
  });
}

const inTurn = (count) => (_, i) => i % count;
const opens = async (files, form) => {
  const right = await fromFile("llama", form);
  for (const order of [files, [...files].reverse()])
    assert.deepEqual(numbersOf(await wf.model(order), "llama", form.ids), right);
};

test("an output head in another part than the embedding is read, in any order", async () => {
  const form = bothForms("llama");
  assert.ok(form.tensors["output.weight"]);
  for (const head of [0, 1]) {
    const place = (name) => (name === "output.weight" ? head : 1 - head);
    const files = partsOf(form, 2, place);
    await opens(files, form);
    const model = await wf.model(files);
    assert.equal(model.configFile.tie_word_embeddings, false);
    model.dispose();
  }
  assert.deepEqual(await fromFile("llama", form), await fromConfig("llama", form));
});

test("biases and divisors of frequencies are found in any part", async () => {
  const form = bothForms("llama", { attention_bias: true, mlp_bias: true });
  const sizes = { attn_q: 18, attn_k: 6, attn_v: 6, attn_output: 15 };
  const feed = { ffn_gate: 22, ffn_up: 22, ffn_down: 15 };
  for (const [name, length] of Object.entries({ ...sizes, ...feed }))
    for (const layer of [0, 1])
      form.tensors[`blk.${layer}.${name}.bias`] = {
        shape: [length],
        data: Float32Array.from({ length }, (_, i) => Math.sin(i + layer)),
      };
  for (const part of [0, 1])
    await opens(
      partsOf(form, 2, (name) => (name.endsWith("bias") ? part : 1 - part)),
      form,
    );
  form.tensors["rope_freqs.weight"] = { shape: [3], data: [1, 2, 9] };
  for (const part of [0, 1]) {
    const place = (name) => (name === "rope_freqs.weight" ? part : 1 - part);
    await rejected(wf.model(partsOf(form, 2, place)), "unsupported", /rope_freqs\.weight/);
  }
});

test("parts are recognised by their keys or, without these, by their names", async () => {
  const form = bothForms("llama");
  await opens(partsOf(form, 3, inTurn(3)), form);
  // A first part with keys only, as converters write it.
  await opens(
    partsOf(form, 3, (_, i) => 1 + (i % 2)),
    form,
  );
  await opens(partsOf(form, 3, inTurn(3), { nameOf: (i) => `${"cab"[i]}.gguf` }), form);
  await opens(partsOf(form, 3, inTurn(3), { more: () => ({}) }), form);
  await opens(partsOf(form, 2, inTurn(2), { more: () => ({}), nameOf: (i) => `${i}.gguf` }), form);
  const types = (i, said) => ({
    "split.no": { ...said["split.no"], type: "u64" },
    "split.count": { ...said["split.count"], type: "u8" },
    "split.tensors.count": { ...said["split.tensors.count"], type: i ? "u32" : "i64" },
  });
  await opens(partsOf(form, 3, inTurn(3), { more: types }), form);
  // The count is 0 in a file joined from parts, and 1 in one that was never split.
  for (const count of [0, 1]) {
    const whole = { ...form, keys: { ...form.keys, "split.count": u16(count) } };
    assert.deepEqual(await fromFile("llama", whole), await fromFile("llama", form));
  }
  const remote = await loadWorker({ variant: "simd" });
  const far = await remote.model(partsOf(form, 3, inTurn(3)));
  const { vocabularyLogits } = await far.run(form.ids, { record: ["vocabularyLogits"] });
  remote.dispose();
  assert.deepEqual(vocabularyLogits.data, await fromFile("llama", form));
});

test("a single part is refused with its number, in every form of a source", async () => {
  const form = bothForms("llama");
  const files = partsOf(form, 3, inTurn(3));
  for (const [i, file] of files.entries()) {
    const message = new RegExp(`part ${i + 1} of 3, the others are missing`);
    await rejected(wf.model([file]), "malformed_file", message);
    await rejected(wf.model({ weights: file }), "malformed_file", message);
    await rejected(wf.model(new Blob([file])), "malformed_file", message);
  }
  const [named] = partsOf(form, 3, () => 0, { more: () => ({}) });
  await rejected(wf.model([named]), "malformed_file", /m-00001-of-00003\.gguf: part 1 of 3, the/);
});

test("parts that are missing are listed", async () => {
  const files = partsOf(bothForms("llama"), 5, inTurn(5));
  await rejected(
    wf.model([files[2], files[0]]),
    "malformed_file",
    /^parts 1, 3 of 5 are there, parts 2, 4, 5 missing$/,
  );
  await rejected(
    wf.model(files.slice(1)),
    "malformed_file",
    /parts 2, 3, 4, 5 of 5.*part 1 missing/,
  );
  const many = partsOf(bothForms("llama"), 60, inTurn(60));
  await rejected(
    wf.model(many.slice(0, 2)),
    "malformed_file",
    /parts 3, 4, 5, 6, 7, 8, 9, 10 and 50 more missing/,
  );
});

test("parts of different models are refused with the reason", async () => {
  const form = bothForms("llama");
  const two = partsOf(form, 2, inTurn(2));
  const [first, second] = two;
  const again = new File([first], "copy.gguf");
  await rejected(
    wf.model([first, again, second]),
    "malformed_file",
    /m-00001-of-00002\.gguf and copy\.gguf: both are part 1 of 2|copy\.gguf and m-00001/,
  );
  const three = partsOf(form, 3, inTurn(3), { nameOf: (i) => `n${i}.gguf` });
  await rejected(
    wf.model([first, three[1]]),
    "malformed_file",
    /one of 2 parts and n1\.gguf one of 3: they are of different models/,
  );
  const named = partsOf(form, 2, inTurn(2), { nameOf: (i, n) => partName(i, n, "other") });
  await rejected(wf.model([first, named[1]]), "malformed_file", /named after different models/);
  const whole = new File([ggufBytes(form)], "whole.gguf");
  await rejected(
    wf.model([whole, second]),
    "malformed_file",
    /whole\.gguf is whole and m-00002-of-00002\.gguf part 2 of 2/,
  );
  const less = { ...form, tensors: { ...form.tensors } };
  delete less.tensors["output.weight"];
  const [, other] = partsOf(less, 2, inTurn(2));
  await rejected(
    wf.model([first, other]),
    "malformed_file",
    /different models: split\.tensors\.co/,
  );
  const short = partsOf(less, 2, inTurn(2), {
    more: (_, said) => ({ ...said, "split.tensors.count": i32(99) }),
  });
  await rejected(
    wf.model(short),
    "malformed_file",
    /split\.tensors\.count: 99 \(expected \d+, the number of the tensors\)$/,
  );
  const plain = { more: () => ({}), nameOf: (i) => `p${i}.gguf` };
  const both = partsOf(form, 2, inTurn(2), plain);
  const twice = [both[0], new File([both[0]], "p2.gguf"), both[1]];
  await rejected(wf.model(twice), "malformed_file", /p0\.gguf and p2\.gguf: tensor .* is in both/);
  const pictures = ggufBytes({
    keys: {
      "general.architecture": { type: "text", value: "clip" },
      "general.type": { type: "text", value: "mmproj" },
    },
  });
  const besides = [new File([pictures], "mmproj.gguf"), whole];
  await rejected(
    wf.model(besides),
    "malformed_file",
    /mmproj\.gguf and whole\.gguf are of different models: general\.architecture is clip in one/,
  );
});

test("the numbers and counts in parts are checked", async () => {
  const form = bothForms("llama");
  const said = (key, value) => ({
    nameOf: (i) => `${i}.gguf`,
    more: (_, others) => ({ ...others, [key]: value }),
  });
  for (const [key, value, message] of [
    ["split.no", u16(2), /split\.no: 2 \(expected an integer from 0 to 1/],
    ["split.no", { type: "f32", value: 0.5 }, /split\.no: 0\.5/],
    ["split.no", { type: "text", value: "0" }, /split\.no: "0" \(expected a number/],
    ["split.count", { type: "f32", value: 2.5 }, /split\.count: 2\.5 \(expected an integer/],
    ["split.count", { type: "text", value: "2" }, /split\.count: "2" \(expected a number/],
    ["split.tensors.count", { type: "text", value: "2" }, /split\.tensors\.count: "2"/],
  ])
    await rejected(
      wf.model(partsOf(form, 2, inTurn(2), said(key, value))),
      "malformed_file",
      message,
    );
  const [only] = partsOf(form, 1, () => 0, said("split.no", u32(7)));
  assert.deepEqual(
    numbersOf(await wf.model([only]), "llama", form.ids),
    await fromFile("llama", form),
  );
});
