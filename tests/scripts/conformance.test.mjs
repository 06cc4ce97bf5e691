// The conformance kit for other implementations: every file has one shape, and the runner reports
// right, wrong and missing answers.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";
import { writeConformance } from "../../scripts/build/conformance.mjs";

const folder = mkdtempSync(join(tmpdir(), "whereformer-conformance-"));
after(() => rmSync(folder, { recursive: true, force: true }));
const counts = writeConformance(folder);
const { check, vectors } = await import(pathToFileURL(join(folder, "conformance.mjs")).href);
const schema = JSON.parse(readFileSync(join(folder, "schema.json"), "utf8"));

const isArray = (value) =>
  typeof value === "object" && value && "shape" in value && "data" in value;

/** Returns every array inside a value, with its path. */
function arraysBelow(value, path = "") {
  if (typeof value !== "object" || value === null) return [];
  if (isArray(value)) return [[path, value]];
  return Object.entries(value).flatMap(([key, each]) => arraysBelow(each, `${path}/${key}`));
}

test("there are files of each kind", () => {
  assert.deepEqual(Object.keys(counts).sort(), [...schema.properties.kind.enum].sort());
  assert.ok(counts.attention.files >= 92, `${counts.attention.files}`);
  const files = Object.values(counts).reduce((sum, { files }) => sum + files, 0);
  assert.ok(files >= 106, `${files}`);
  assert.ok(counts.frequencies.cases >= 62, `${counts.frequencies.cases}`);
});

test("every file has the form of the schema, and every array the size of its shape", () => {
  const keys = [...schema.required].sort();
  for (const vector of vectors()) {
    assert.deepEqual(Object.keys(vector).sort(), keys, vector.name);
    assert.ok(schema.properties.kind.enum.includes(vector.kind), vector.name);
    for (const { name, inputs, expected } of vector.cases) {
      assert.equal(typeof name, "string", vector.name);
      assert.ok(Object.keys(inputs).length > 0, vector.name);
      assert.ok(Object.keys(expected).length > 0, vector.name);
    }
    for (const [path, { shape, data }] of arraysBelow(vector)) {
      const size = shape.reduce((product, length) => product * length, 1);
      assert.equal(data.length, size, `${vector.name}${path}`);
    }
  }
});

const quiet = { print: () => {} };

/** Slopes by the footnote of the ALiBi paper, for any number of heads. */
function slopesOf(heads) {
  const power = 2 ** Math.floor(Math.log2(heads));
  const first = Array.from({ length: power }, (_, i) => 2 ** ((-8 * (i + 1)) / power));
  const rest = Array.from({ length: heads - power }, (_, i) => 2 ** ((-4 * (2 * i + 1)) / power));
  return [...first, ...rest];
}

/** Shaw's logits, for either sign of the distance. */
const shaw =
  (sign) =>
  ({ q, k }, { config: { maxDistance } }, { w_key: table }) => {
    const [H, T, D] = q.shape;
    const data = [];
    for (let h = 0; h < H; h++)
      for (let i = 0; i < T; i++)
        for (let j = 0; j < T; j++) {
          const clipped = Math.max(-maxDistance, Math.min(maxDistance, sign * (j - i)));
          let sum = 0;
          for (let d = 0; d < D; d++)
            sum +=
              q.data[(h * T + i) * D + d] *
              (k.data[(h * T + j) * D + d] + table.data[(clipped + maxDistance) * D + d]);
          data.push(sum / Math.sqrt(D));
        }
    return { logits: { shape: [H, T, T], data } };
  };

test("the kit leaves out only the files that its page lists as left out", () => {
  const manifest = JSON.parse(readFileSync(new URL("../golden/manifest.json", import.meta.url)));
  const published = vectors().map(({ name }) => name);
  const left = Object.keys(manifest)
    .map((file) => basename(file, ".json"))
    .filter((name) => !published.includes(name));
  const said = /^(?:model_\w+|encoder_nope|adamw|training_losses|gguf_blocks|query_scale)$/;
  assert.deepEqual(
    left.filter((name) => !said.test(name)),
    [],
  );
});

/** T5's bucket of a distance (key minus query), by the paper's code. */
function bucketOfT5({ bidirectional, numBuckets, maxDistance }, distance) {
  const half = bidirectional ? numBuckets / 2 : numBuckets;
  const first = bidirectional && distance > 0 ? half : 0;
  const far = bidirectional ? Math.abs(distance) : Math.max(0, -distance);
  const exact = Math.floor(half / 2);
  if (far < exact) return first + far;
  const share = Math.log(far / exact) / Math.log(maxDistance / exact);
  return first + Math.min(half - 1, exact + Math.floor(share * (half - exact) + 1e-9));
}

test("buckets, tables and positions agree with a straightforward implementation", () => {
  const buckets = ({ rule, distances, ...options }) =>
    rule === "t5" ? { buckets: distances.map((each) => bucketOfT5(options, each)) } : undefined;
  assert.equal(check({ buckets }, quiet), 0);
  const flipped = ({ rule, distances, ...options }) =>
    rule === "t5" ? { buckets: distances.map((each) => bucketOfT5(options, -each)) } : undefined;
  assert.equal(check({ buckets: flipped }, quiet), 1);

  const rows = ({ ids, past }) => ({ plain: ids.map((_, index) => past + index) });
  assert.equal(check({ position_indices: rows }, quiet), 0);

  const turned =
    (swap) =>
    ({ width, positions }) => {
      const data = positions.flatMap((position) =>
        Array.from({ length: width }, (_, channel) => {
          const pair = channel % (width / 2);
          const angle = position * 10000 ** ((-2 * pair) / width);
          return channel < width / 2 !== swap ? Math.sin(angle) : Math.cos(angle);
        }),
      );
      return { marian: { shape: [positions.length, width], data } };
    };
  assert.equal(check({ sinusoidal_tables: turned(false) }, quiet), 0);
  assert.equal(check({ sinusoidal_tables: turned(true) }, quiet), 1);
});

test("right answers agree, wrong ones do not, and missing ones are not counted", () => {
  assert.equal(check({ alibi: ({ heads }) => ({ slopes: slopesOf(heads) }) }, quiet), 0);
  assert.equal(check({ shaw: shaw(1) }, quiet), 0);
  assert.equal(check({ shaw: shaw(-1) }, quiet), 1);
  assert.equal(check({ alibi: () => ({ slopes: [0.5] }) }, quiet), 1);
  assert.equal(check({ attention: () => undefined }, quiet), 0);
  const nan = ({ heads }) => ({ slopes: slopesOf(heads).fill(Number.NaN, 0, 1) });
  assert.equal(check({ alibi: nan }, quiet), 1);
});
