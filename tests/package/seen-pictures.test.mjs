// Compares models of pictures with Transformers (tests/golden/pictures): their vectors, states and
// maps, and what Pillow's processors do with a picture.

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { load as loadWorker } from "../../dist/worker.js";
import { engines, near, refused, rejected, variants, wf } from "./golden.mjs";
import {
  filesOf,
  pictureDeviations,
  pictureFile,
  pictureManifest,
  pictureNames,
  processingCases,
} from "./pictures.mjs";

const rows = pictureManifest();
/** Allowed factor between deviations on different processors and builds. */
const factor = 10;
const noise = 3e-2;

for (const variant of variants)
  describe(variant, () => {
    for (const name of pictureNames)
      test(`${name}: equals Transformers within the recorded deviations`, async () => {
        const found = await pictureDeviations(engines[variant], name);
        const { tolerance, deviation } = rows[name];
        for (const [quantity, value] of Object.entries(found)) {
          assert.ok(value <= tolerance[quantity], `${quantity}: ${value}`);
          const recorded = Math.max(deviation[quantity], noise * tolerance[quantity]);
          assert.ok(value <= factor * recorded, `${quantity}: ${value}, recorded ${recorded}`);
        }
      });
  });

test("a picture is resized, cropped and normalised as Pillow's processors do it", async () => {
  const file = pictureFile("vit");
  for (const { processor, picture, pixels } of processingCases()) {
    const model = await wf.model(filesOf({ ...file, processor }));
    const found = model.look(picture, { pixels: true }).pixels;
    assert.deepEqual(found.shape, pixels.shape);
    near(found.data, pixels.data, 1e-6, processor.image_processor_type);
    model.dispose();
  }
});

test("weights of 16 bits are read as those of 32, scales of layers included", async () => {
  for (const name of ["dinov2", "clip"])
    for (const stored of ["BF16", "F16"]) {
      const { output, attention } = await pictureDeviations(wf, name, {}, stored);
      assert.ok(output < 1e-4 && attention < 1e-5, `${name} ${stored}: ${output} ${attention}`);
    }
});

test("the grid says where patches are in the picture", async () => {
  const model = await wf.model(filesOf(pictureFile("dinov2_with_registers")));
  const { picture } = pictureFile("dinov2_with_registers");
  const { grid, weights, ids, tokens } = model.look(picture, { record: ["weights"] });
  assert.deepEqual([grid.rows, grid.columns], [4, 4]);
  assert.deepEqual(grid.special, ["class", "register 1", "register 2", "register 3"]);
  assert.deepEqual(weights.shape, [2, 3, 20, 20]);
  assert.deepEqual([ids, tokens], [[], []]);
  // 19 by 23 pixels become 13 by 15, of which the middle 12 by 12 are seen.
  const { x, y, width, height } = grid.area;
  near([x, y, width, height], [0, (1 * 23) / 15, (12 * 19) / 13, (12 * 23) / 15], 1e-9);
});

test("a moved pixel moves its own patch's vector, and no other", async () => {
  const file = pictureFile("vit");
  const processor = { ...file.processor, do_resize: false };
  const model = await wf.model(filesOf({ ...file, processor }));
  const picture = { data: new Uint8Array(12 * 12 * 3).fill(100), width: 12, height: 12 };
  const stream = () => {
    const { residual } = model.look(picture, { record: ["residual"] });
    return residual.data.slice(0, 17 * 18);
  };
  const before = stream();
  // Row 4, column 10: the patch in row 1 and column 3.
  picture.data[(4 * 12 + 10) * 3] = 250;
  const after = stream();
  const moved = [...Array(17).keys()].filter((token) =>
    before
      .subarray(token * 18, token * 18 + 18)
      .some((value, i) => value !== after[token * 18 + i]),
  );
  assert.deepEqual(moved, [1 + 4 + 3]);
});

test("blocks that rotate need the positions that look returns, and move with them", async () => {
  const file = pictureFile("dinov3_vit");
  const model = await wf.model(filesOf(file));
  const size = { height: 9, width: 15 };
  const seen = model.look(file.picture, { record: ["hidden", "residual"], size });
  const { positions, grid } = seen;
  assert.deepEqual(positions.shape, [2, 18]);
  const half = 2 ** 28;
  // The class token and two registers; the first row of 3, the last column of 5.
  assert.deepEqual([...positions.data.subarray(0, 4)], [0, 0, 0, Math.round((-2 / 3) * half)]);
  assert.equal(positions.data[18 + 7], Math.round(0.8 * half));
  assert.deepEqual(grid.special, ["class", "register 1", "register 2"]);
  const tokens = 18;
  const width = seen.residual.shape.at(-1);
  const vectors = { data: seen.residual.data.slice(0, tokens * width), shape: [tokens, width] };
  const again = model.run({ vectors }, { positions, record: ["hidden"] });
  near(again.hidden.data, seen.hidden.data, 0);
  refused(() => model.run({ vectors }), "invalid_argument", /^positions: undefined.*as look/);
  // Tokens in the other order, each with its position, give the same states in that order.
  const order = [...Array(tokens).keys()].reverse();
  const pick = (data, count) =>
    order.flatMap((i) => [...data.subarray(i * count, (i + 1) * count)]);
  const turned = model.run(
    { vectors: { data: pick(vectors.data, width), shape: [tokens, width] } },
    {
      positions: {
        data: [0, 1].flatMap((axis) => order.map((i) => positions.data[axis * tokens + i])),
        shape: [2, tokens],
      },
      record: ["hidden"],
    },
  );
  near(turned.hidden.data, pick(seen.hidden.data, width), 1e-5);
});

test("opacity lies over white; lists, views and clamped arrays are one picture", async () => {
  const model = await wf.model(filesOf(pictureFile("siglip")));
  const { picture } = pictureFile("siglip");
  const { data, width, height } = picture;
  const states = (given) => model.look(given, { record: ["hidden"] }).hidden.data;
  const wanted = states(picture);
  near(states({ ...picture, data: [...data] }), wanted, 0);
  near(states({ data: new Uint8ClampedArray(data), width, height }), wanted, 0);
  const count = width * height;
  const opaque = Uint8ClampedArray.from({ length: 4 * count }, (_, i) =>
    i % 4 === 3 ? 255 : data[(i >> 2) * 3 + (i % 4)],
  );
  near(states({ data: opaque, width, height }), wanted, 0);
  const clear = opaque.map((value, i) => (i % 4 === 3 ? 0 : value));
  near(
    states({ data: clear, width, height }),
    states({ data: new Uint8Array(3 * count).fill(255), width, height }),
    0,
  );
});

test("parts of a source, a folder's parts and a worker give the same", async () => {
  const file = pictureFile("clip");
  const [config, processor, weights] = filesOf(file);
  const model = await wf.model([config, processor, weights]);
  const wanted = model.look(file.picture, { record: ["hidden"] });
  assert.equal(model.family, "clip");
  // Without a file of its own, the size is that of the config.
  const parts = await wf.model({ config: file.config, weights });
  near(parts.look(file.picture, { record: ["hidden"] }).hidden.data, wanted.hidden.data, 0);
  const worker = await loadWorker({ variant: "simd" });
  after(() => worker.dispose());
  const far = await worker.model([config, processor, weights]);
  const found = await far.look(file.picture, { record: ["hidden"], pixels: true });
  near(found.hidden.data, wanted.hidden.data, 0);
  assert.deepEqual(found.grid, wanted.grid);
  const rotating = pictureFile("dinov3_vit");
  const [near3, far3] = [await wf.model(filesOf(rotating)), await worker.model(filesOf(rotating))];
  const placed = near3.look(rotating.picture).positions;
  assert.deepEqual((await far3.look(rotating.picture)).positions, placed);
  await rejected(far.look("picture"), "invalid_argument", /^picture/);
});

const numbers = (count) => new Uint8Array(count);
for (const [picture, message] of [
  [undefined, /^picture: undefined/],
  ["cat.png", /^picture: "cat\.png"/],
  [{}, /^picture\.width/],
  [{ data: numbers(12), width: 2 }, /^picture\.height/],
  [{ data: numbers(12), width: 2, height: 3 }, /^picture\.data\.length: 12 \(expected 3 or 4/],
  [{ data: numbers(12), width: 0, height: 2 }, /^picture\.width: 0/],
  [{ data: [0, 1, 256], width: 1, height: 1 }, /^picture\.data\[2\]: 256/],
  [{ data: Float32Array.of(0, 0.5, 1), width: 1, height: 1 }, /^picture\.data\[1\]: 0\.5/],
  [{ data: numbers(3), width: 2 ** 31, height: 1 }, /^picture\.width/],
])
  test(`refused: ${message}`, async () => {
    const model = await wf.model(filesOf(pictureFile("vit")));
    refused(() => model.look(picture), "invalid_argument", message);
  });

test("other calls and options are refused by name", async () => {
  const file = pictureFile("vit");
  const model = await wf.model(filesOf(file));
  const { picture } = file;
  for (const [call, code, message] of [
    [() => model.run([0]), "unsupported", /^input: .*look reads this model's pictures/],
    [() => model.embed([0]), "unsupported", /look reads/],
    [() => model.heads([0]), "unsupported", /look reads/],
    [() => model.save(), "unsupported", /^save: "vit"/],
    [() => model.look(picture, { sizes: 1 }), "unknown_option", /sizes/],
    [() => model.look(picture, { positions: [1] }), "unknown_option", /positions/],
    [() => model.look(picture, { pixels: 1 }), "invalid_argument", /^pixels: 1/],
    [() => model.look(picture, { size: { height: 7, width: 6 } }), "invalid_argument", /height: 7/],
    [() => model.look(picture, { size: 12 }), "invalid_argument", /^size/],
  ])
    refused(call, code, message);
  const text = await wf.model({
    vocabSize: 8,
    hiddenSize: 8,
    numLayers: 1,
    numHeads: 1,
    intermediateSize: 8,
  });
  refused(() => text.look(picture), "unsupported", /^look: "model" \(expected a model that reads/);
  await rejected(wf.model(file.config), "unsupported", /^config\.model_type: "vit"/);
});

describe("refused files", () => {
  const file = pictureFile("dinov2");
  const opened = (changes) => wf.model(filesOf({ ...file, ...changes }));
  for (const [processor, message] of [
    [{ do_pad: true }, /^preprocessor_config\.json: do_pad: true/],
    [{ resample: 0 }, /resample: 0 \(expected 1 \(Lanczos\)/],
    [{ size: { longest_edge: 9 } }, /size: an object/],
    [{ image_mean: [1, 2] }, /image_mean/],
    [{ image_std: [1, 0, 1] }, /image_std/],
    [{ image_processor_type: "ConvNextImageProcessor" }, /image_processor_type: "ConvNext/],
  ])
    test(`${message}`, () =>
      rejected(opened({ processor: { ...file.processor, ...processor } }), "unsupported", message));
  for (const [config, message] of [
    [{ num_channels: 1 }, /^config\.num_channels: 1 \(expected 3/],
    [{ hidden_act: "tanh" }, /^config\.hidden_act/],
    [{ patch_size: "3" }, /^config\.patch_size/],
    [{ window: 3 }, /^config\.window: 3 \(expected no such key/],
  ])
    test(`${message}`, async () => {
      const error = await opened({ config: { ...file.config, ...config } }).catch((cause) => cause);
      assert.match(error.message, message);
    });

  test("a tensor that is missing, misshapen or not finite is named", async () => {
    const without = ({ [`embeddings.cls_token`]: _, ...weights }) => weights;
    const named = Object.keys(file.weights).find((name) => name.endsWith("cls_token"));
    const prefix = named.slice(0, -"embeddings.cls_token".length);
    assert.equal(prefix, "");
    await rejected(
      opened({ weights: without(file.weights) }),
      "malformed_file",
      /^tensor dinov2\.embeddings\.cls_token: missing \(expected shape \[1,18\]/,
    );
    const weights = { ...file.weights };
    weights[named] = { shape: [1, 1, 2], data: new Float32Array(2) };
    await rejected(opened({ weights }), "malformed_file", /^tensor embeddings\.cls_token: shape/);
    weights[named] = { shape: [1, 1, 18], data: new Float32Array(18).fill(Number.NaN) };
    await rejected(opened({ weights }), "malformed_file", /NaN or infinity/);
    const { "encoder.layer.0.norm1.weight": _, ...rest } = file.weights;
    await rejected(opened({ weights: rest }), "malformed_file", /norm1\.weight/);
    const more = { shape: [2], data: new Float32Array(2) };
    await rejected(
      opened({ weights: { ...file.weights, "encoder.layer.0.more.weight": more } }),
      "malformed_file",
      /more\.weight/,
    );
  });
});
