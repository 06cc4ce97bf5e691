// Scaled rotations in the API: nested options and lists, frequencies and rotation of every type.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { engines, golden, near, scattered, variants, wf } from "./golden.mjs";

const camel = (key) => key.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());
const plainKeys = ["rope_theta", "partial_rotary_factor"];

/** Converts rope_parameters of config.json to this package's options. */
function optionsOf({ ropeParameters, maxPositionEmbeddings }) {
  const given = Object.entries(ropeParameters).filter(([, value]) => value !== null);
  const some = (isPlain) =>
    Object.fromEntries(
      given
        .filter(([key]) => plainKeys.includes(key) === isPlain)
        .map(([key, value]) => [camel(key), value]),
    );
  return { ...some(true), maxPositionEmbeddings, ropeScaling: some(false) };
}

const { cases, tolerance } = golden("rope_frequencies");

for (const variant of variants) {
  describe(variant, () => {
    test("frequencies and attention factors of every type equal those of Transformers", () => {
      const types = new Set();
      for (const item of cases) {
        const { family, name, headDim, sequenceLength, inverseFrequencies, attentionFactor } = item;
        const rope = engines[variant].scheme("rope", { numHeads: 1, headDim, ...optionsOf(item) });
        const found = rope.frequencies(sequenceLength ?? 1);
        assert.equal(found.inverseFrequencies.length, inverseFrequencies.data.length);
        inverseFrequencies.data.forEach((expected, pair) => {
          // Rounding to float32, in addition to the fixture's tolerance.
          const allowed = (tolerance.inverseFrequencies + 6e-8) * expected;
          near([found.inverseFrequencies[pair]], [expected], allowed, `${family} ${name}, ${pair}`);
        });
        near([found.attentionFactor / attentionFactor], [1], tolerance.attentionFactor, name);
        types.add(item.ropeParameters.rope_type);
        rope.dispose();
      }
      const { choices } = wf.schemes
        .find(({ id }) => id === "rope")
        .options.find(({ key }) => key === "ropeScaling.ropeType");
      assert.deepEqual([...types].sort(), [...choices].sort());
    });

    test("rotate uses the frequencies for the largest position's length, and the factor", () => {
      const length = 40;
      const x = scattered([1, length, 8]);
      for (const ropeScaling of [
        { ropeType: "linear", factor: 4 },
        { ropeType: "dynamic", factor: 4 },
        { ropeType: "yarn", factor: 4 },
        { ropeType: "longrope", factor: 4, shortFactor: [1, 1, 1, 1], longFactor: [1, 2, 3, 4] },
      ]) {
        const options = { numHeads: 1, headDim: 8, maxPositionEmbeddings: 16, ropeScaling };
        const rope = engines[variant].scheme("rope", options);
        const turned = rope.rotate(x).data;
        const { inverseFrequencies, attentionFactor } = rope.frequencies(length);
        for (let position = 0; position < length; position++)
          for (let pair = 0; pair < 4; pair++) {
            const [a, b] = [x.data[position * 8 + pair], x.data[position * 8 + pair + 4]];
            const [c, s] = [Math.cos, Math.sin].map((f) => f(position * inverseFrequencies[pair]));
            const expected = [a * c - b * s, a * s + b * c].map((v) => v * attentionFactor);
            const got = [turned[position * 8 + pair], turned[position * 8 + pair + 4]];
            near(got, expected, 2e-5, `${ropeScaling.ropeType} at ${position}`);
          }
        rope.dispose();
      }
    });

    test("decoding equals a prefill of each length if frequencies depend on it", () => {
      for (const ropeType of ["dynamic", "longrope"]) {
        const list = [1, 2, 3, 4];
        const rope = engines[variant].scheme("rope", {
          numHeads: 2,
          headDim: 8,
          maxPositionEmbeddings: 4,
          ropeScaling: { ropeType, factor: 2, shortFactor: [1, 1, 1, 1], longFactor: list },
        });
        const attention = engines[variant].attention({ scheme: rope, isCausal: true });
        const cache = attention.cache({ capacity: 7 });
        const [q, k, v] = [1, 2, 3].map((seed) => scattered([2, 7, 8], seed));
        const rows = ({ data }, from, to) => ({
          data: [0, 1].flatMap((head) => [
            ...data.slice((head * 7 + from) * 8, (head * 7 + to) * 8),
          ]),
          shape: [2, to - from, 8],
        });
        for (let n = 1; n <= 7; n++) {
          const part = (from) => ({
            q: rows(q, from, n),
            k: rows(k, from, n),
            v: rows(v, from, n),
          });
          const step = attention.decode(cache, part(n - 1)).output;
          const whole = attention.run(part(0)).output;
          for (let head = 0; head < 2; head++)
            near(
              step.data.slice(head * 8, head * 8 + 8),
              whole.data.slice((head * n + n - 1) * 8, (head * n + n) * 8),
              2e-6,
              `${ropeType}, length ${n}, head ${head}`,
            );
        }
      }
    });
  });
}

test("nested options are checked by name, and for unknown ones the known ones are listed", () => {
  const make = (options) => wf.scheme("rope", { numHeads: 1, headDim: 8, ...options });
  assert.throws(() => make({ ropeScaling: { ropeTyp: "yarn" } }), {
    code: "unknown_option",
    message: /ropeScaling: unknown option "ropeTyp" \(expected one of ropeType, factor, /,
  });
  assert.throws(() => make({ "ropeScaling.factor": 2 }), {
    code: "unknown_option",
    message:
      /expected one of numHeads, .*ropeTheta, .*ropeScaling\); did you mean "ropeScaling"\?$/,
  });
  const refused = (ropeScaling, message) =>
    assert.throws(() => make({ ropeScaling }), { code: "invalid_argument", message });
  refused(null, /ropeScaling: null \(expected an object/);
  refused({ ropeType: "Yarn" }, /ropeScaling\.ropeType: "Yarn"/);
  refused({ ropeType: "linear" }, /ropeScaling\.factor: 0 \(expected 1 or more/);
  refused({ factor: "4" }, /ropeScaling\.factor: "4"/);
  refused({ shortFactor: 4 }, /ropeScaling\.shortFactor: 4 \(expected a list of numbers/);
  refused({ shortFactor: [1, NaN] }, /ropeScaling\.shortFactor\[1\]: NaN/);
  refused({ ropeType: "longrope", shortFactor: [1, 1] }, /shortFactor: 2 numbers \(expected .* 4/);
});

test("lists are returned unchanged, and nested options are in their group", () => {
  const longFactor = [1, 2.5, 3, 1e5];
  const rope = wf.scheme("rope", {
    numHeads: 1,
    headDim: 8,
    ropeScaling: { ropeType: "longrope", shortFactor: new Float64Array(4).fill(1), longFactor },
  });
  assert.deepEqual(rope.options.ropeScaling.longFactor, longFactor);
  assert.deepEqual(rope.options.ropeScaling.shortFactor, [1, 1, 1, 1]);
  assert.equal(rope.options.ropeScaling.truncate, true);
});

test("a model keeps its scaling through config and options", async () => {
  const scheme = { id: "rope", options: { ropeScaling: { ropeType: "yarn", factor: 8 } } };
  const sizes = { vocabSize: 11, hiddenSize: 16, numLayers: 1, numHeads: 2, intermediateSize: 16 };
  const model = await wf.model({ ...sizes, scheme });
  assert.equal(model.config.scheme[0].options.ropeScaling.factor, 8);
  const again = await wf.model({ ...sizes, scheme: model.config.scheme });
  assert.deepEqual(again.config.scheme[0].options, model.config.scheme[0].options);
});
