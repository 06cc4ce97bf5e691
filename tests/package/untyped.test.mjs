// Values of unexpected kinds: lists that contain themselves or have holes, numbers that are
// objects, arrays of other kinds. The message names the argument, and no error of JavaScript
// escapes.

import assert from "node:assert/strict";
import { test } from "node:test";
import { refused, rejected, scattered, wf } from "./golden.mjs";
import { attention, config, goesOn, input, invalid, model, rope, sizes, task } from "./spoilt.mjs";
import "./with-training.mjs";

const cyclic = [];
cyclic.push(cyclic, cyclic);
const holes = new Array(1);
const notANumber = JSON.parse('{"toString": 1}');

test("numbers of a config.json that are objects are refused by name", async () => {
  const file = {
    vocab_size: 8,
    hidden_size: 8,
    num_hidden_layers: 1,
    num_attention_heads: 2,
    intermediate_size: 8,
    rope_theta: 1e4,
    model_type: "llama",
  };
  const said = /^[\w.[\]]+: /;
  const keys = [
    ...Object.keys(file),
    "head_dim",
    "num_key_value_heads",
    "rope_scaling",
    "layer_types",
  ];
  for (const key of [
    ...keys,
    "sliding_window",
    "no_rope_layers",
    "num_heads",
    "qk_nope_head_dim",
  ]) {
    for (const value of [notANumber, [notANumber], { a: notANumber }, cyclic, [notANumber, 4n]]) {
      const spoilt = { ...file, qk_rope_head_dim: 4, [key]: value };
      const isRead = (error) => {
        assert.equal(error.name, "WhereformerError", error.stack);
        if (error.code !== "malformed_file") assert.match(error.message, said);
        assert.doesNotMatch(error.message, /threw .* when read/, `${key}: ${error.message}`);
      };
      try {
        wf.schemeFromConfig(spoilt).dispose();
      } catch (error) {
        isRead(error);
      }
      await wf.model({ config: spoilt, weights: new Uint8Array(8) }).catch(isRead);
    }
  }
  const spoilt = { ...file, hidden_size: notANumber };
  refused(() => wf.schemeFromConfig(spoilt), invalid, /^headDim: NaN \(expected/);
  await rejected(
    wf.model({ config: { ...file, vocab_size: notANumber }, weights: new Uint8Array(8) }),
    invalid,
    /^config\.vocab_size: an object \(expected a finite number/,
  );
  const scaled = { ...file, rope_scaling: { rope_type: notANumber, factor: 2 } };
  refused(() => wf.schemeFromConfig(scaled), invalid, /^ropeScaling\.ropeType: an object/);
  const inherited = { ...file, rope_scaling: { rope_type: "constructor", factor: 2 } };
  refused(() => wf.schemeFromConfig(inherited), invalid, /^ropeScaling\.ropeType: "constructor"/);
});

test("lists that contain themselves are shown up to a depth", async () => {
  const shown = "\\[\\[a list of 2, a list of 2\\], \\[a list of 2, a list of 2\\]\\]";
  const said = (name) => new RegExp(`^${name}(\\[0\\])?: ${shown}`);
  refused(() => attention.run({ ...input, q: cyclic }), invalid, said("q"));
  refused(() => attention.run({ ...input, record: cyclic }), invalid, said("record"));
  refused(() => attention.run({ ...input, segments: cyclic }), invalid, said("segments"));
  refused(() => rope.rotate(input.q, cyclic), invalid, said("positions"));
  refused(() => wf.attention({ scheme: cyclic }), invalid, said("scheme"));
  refused(() => model.run(cyclic), invalid, said("input"));
  refused(() => model.run([1], { surgery: { zero: cyclic } }), invalid, said("surgery\\.zero"));
  refused(() => wf.trainer({ config: cyclic, task }), invalid, said("config"));
  refused(() => wf.positionsWithPictures(3, cyclic), invalid, said("blocks"));
  await rejected(wf.model(cyclic), invalid, said("source"));
  await rejected(wf.model({ ...config, scheme: cyclic }), invalid, said("scheme"));
  const stack = { id: "rope", options: { ropeTheta: cyclic } };
  const file = { num_attention_heads: 2, hidden_size: 8, schemes: [stack] };
  refused(() => wf.schemeFromConfig(file), invalid, said("ropeTheta"));
  const layers = { a: { schemes: [stack] }, b: { schemes: [stack] } };
  refused(
    () => wf.schemeFromConfig({ ...file, layers, layer_types: ["a", "b"] }),
    invalid,
    /^layer: undefined \(expected an integer from 0 to 1/,
  );
});

test("holes of a list count as elements", async () => {
  refused(() => wf.attention({ ...sizes, scheme: holes }), invalid, /^scheme\[0\]: undefined/);
  refused(() => attention.run({ ...input, record: holes }), invalid, /^record\[0\]: undefined/);
  refused(() => wf.positionsWithPictures(3, holes), invalid, /^blocks\[0\]: undefined/);
  refused(() => model.run(holes), invalid, /^input\[0\]: undefined/);
  refused(() => model.run([1], { surgery: holes }), invalid, /^surgery\[0\]: undefined/);
  refused(
    () => model.run([1], { surgery: { zero: holes } }),
    invalid,
    /^surgery\.zero\[0\]: undefined/,
  );
  await rejected(wf.model({ ...config, scheme: holes }), invalid, /^scheme: undefined/);
  const layered = { ...config, scheme: undefined, layers: { a: {} }, layerTypes: holes };
  await rejected(wf.model(layered), invalid, /^layerTypes\[0\]: undefined/);
  const file = { num_attention_heads: 2, hidden_size: 8, schemes: holes };
  refused(() => wf.schemeFromConfig(file), invalid, /^config\.schemes\[0\]: undefined/);
  goesOn();
});

test("lists of four thousand million holes cost no time and memory", async () => {
  const many = new Array(2 ** 32 - 1);
  const uses = [
    () => wf.attention({ ...sizes, scheme: many }),
    () => attention.run({ ...input, record: many }),
    () => wf.positionsWithPictures(3, many),
    () => model.run([1], { surgery: many }),
    () => wf.schemeFromConfig({ model_type: "llama", rope_theta: 1e4, layer_types: many }),
    () => rope.rotate({ data: many, shape: [4, 5, 8] }),
    () => rope.rotate({ data: [1], shape: many }),
    () => attention.run({ ...input, segments: many }),
  ];
  for (const use of uses) {
    assert.throws(use, (error) => ["invalid_argument", "out_of_memory"].includes(error.code));
  }
  await rejected(wf.model({ ...config, scheme: many }), invalid, /^scheme: /);
});

test("arrays of another kind are refused by their type", () => {
  const wide = new Float64Array(160);
  const bare = Object.setPrototypeOf(new Float64Array(160), null);
  for (const data of [wide, bare, Object.assign(new Float64Array(160), { constructor: undefined })])
    refused(
      () => attention.run({ ...input, q: { data, shape: [4, 5, 8] } }),
      invalid,
      /^q\.data: a Float64Array \(expected a Float32Array/,
    );
  const like = Object.create(Float32Array.prototype);
  const proxied = new Proxy(new Float32Array(160), {});
  for (const data of [like, proxied])
    refused(
      () => attention.run({ ...input, q: { data, shape: [4, 5, 8] } }),
      invalid,
      /^q\.data: an object \(expected a Float32Array/,
    );
  refused(() => wf.softmax(scattered([2]), { out: like }), invalid, /^out: an object/);
  refused(() => wf.softmax(scattered([2]), { out: proxied }), invalid, /^out: an object/);
  const species = class extends Float32Array {
    static get [Symbol.species]() {
      return Map;
    }
  };
  const batch = (x) => ({ data: new species([...x.data, ...x.data]), shape: [2, ...x.shape] });
  const { output } = attention.run({ q: batch(input.q), k: batch(input.k), v: batch(input.v) });
  const single = attention.run(input).output.data;
  assert.deepEqual(output.data, Float32Array.from([...single, ...single]));
});

test("an error thrown by a getter becomes an error of this package, with its message", () => {
  const throwing = {
    get q() {
      throw new RangeError("spoilt");
    },
  };
  const { cause } = refused(() => attention.run(throwing), invalid, /threw RangeError: spoilt/);
  assert.ok(cause instanceof RangeError);
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  for (const use of [(x) => wf.attention(x), (x) => wf.matmul(x, x), (x) => model.run(x)])
    refused(() => use(proxy), invalid);
  goesOn();
});

test("methods without their object are refused with a typed error", () => {
  const { matmul } = wf;
  refused(() => matmul(scattered([2, 2]), scattered([2, 2])), invalid);
});
