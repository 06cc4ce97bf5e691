// Weights with NaN or infinity, which would spoil every result.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { load as loadWorker } from "../../dist/worker.js";
import { engines, golden, rejected, wf } from "./golden.mjs";
import { safetensors } from "./safetensors.mjs";
import { config as small, task } from "./spoilt.mjs";
import "./with-training.mjs";

const { config, weights } = golden("model_rope");
const far = await loadWorker({ training: true });
after(() => far.dispose());

/** Returns where the bytes of a tensor begin and end in a file. */
function placeOf(bytes, name) {
  const length = Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true));
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + length)));
  return { ...header[name], first: 8 + length + header[name].data_offsets[0] };
}

/** Returns the file with the bits of one number of a tensor replaced. */
function spoilt(bytes, name, index, bits) {
  const copy = bytes.slice();
  const { dtype, first } = placeOf(copy, name);
  const view = new DataView(copy.buffer);
  if (dtype === "F32") view.setUint32(first + 4 * index, bits, true);
  else view.setUint16(first + 2 * index, bits, true);
  return copy;
}

const name = "model.layers.0.mlp.gate_proj.weight";
const f32 = safetensors(weights);
const half = (await wf.model({ config, weights: f32 })).save({ dtype: "f16" });
const bad = {
  "a NaN in F32": [f32, 0x7fc00000],
  "a NaN with a sign and a payload": [f32, 0xff800001],
  "an infinity in F32": [f32, 0x7f800000],
  "-Infinity in F32": [f32, 0xff800000],
  "a NaN in F16": [half, 0x7e00],
  "an infinity in F16": [half, 0xfc00],
};

for (const [what, [bytes, bits]] of Object.entries(bad)) {
  test(`${what} is refused with its tensor's name, and accepted on request`, async () => {
    const source = { config, weights: spoilt(bytes, name, 7, bits) };
    const said = new RegExp(`^tensor ${name}: NaN or infinity at 7 \\(expected finite numbers`);
    for (const engine of [...Object.values(engines), far]) {
      await rejected(engine.model(source), "malformed_file", said);
      await rejected(engine.model(source, { allowNotFinite: false }), "malformed_file", said);
      const model = await engine.model(source, { allowNotFinite: true });
      const { vocabularyLogits } = await model.run([1, 2], { record: ["vocabularyLogits"] });
      assert.ok(vocabularyLogits.data.some(Number.isNaN));
      model.dispose();
    }
  });
}

test("the first and the last number of every tensor are checked", async () => {
  for (const [tensor, { data }] of Object.entries(weights))
    for (const index of [0, data.length - 1]) {
      const source = { config, weights: spoilt(f32, tensor, index, 0x7fc00000) };
      const said = `tensor ${tensor}: NaN or infinity at ${index} (expected finite`;
      const error = await rejected(wf.model(source), "malformed_file");
      assert.ok(error.message.startsWith(said), error.message);
    }
});

test("the largest and smallest numbers of a type are accepted", async () => {
  for (const bits of [0x7f7fffff, 0xff7fffff, 1, 0x80000000])
    (await wf.model({ config, weights: spoilt(f32, name, 3, bits) })).dispose();
});

test("training does not resume from numbers that are not finite", () => {
  const options = { config: small, task, length: 12 };
  const trainer = wf.trainer(options);
  trainer.step(2);
  const state = trainer.save();
  for (const tensor of ["values", "first_moments", "second_moments"]) {
    const resume = spoilt(state, tensor, 5, 0x7fc00000);
    assert.throws(() => wf.trainer({ ...options, resume }), {
      code: "malformed_file",
      message: new RegExp(`^tensor ${tensor}: NaN or infinity at 5 `),
    });
  }
  assert.equal(wf.trainer({ ...options, resume: state }).stepsDone, 2);
});

test("allowNotFinite is true or false", async () => {
  const said = /^allowNotFinite: 1 \(expected true or false/;
  for (const engine of [wf, far])
    await rejected(engine.model(small, { allowNotFinite: 1 }), "invalid_argument", said);
});
