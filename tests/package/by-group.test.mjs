// Maps by word: which tokens are one word, and what their rows and columns become.

import assert from "node:assert/strict";
import { test } from "node:test";
import { byGroup } from "../../dist/index.js";
import { refused, scattered, wf } from "./golden.mjs";

const texts = ["the", " c", "at", ",", " 猫", "追", " it", "’s", " 12", "3", " é", "·", "t"];
const tokenizer = {
  encode: (text) => text.split(" ").map(Number),
  decode: (ids) => ids.map((id) => texts[id].replace("·", "")).join(""),
};

test("letters that follow letters without a space belong to one word, 汉字 to none", async () => {
  const config = {
    vocabSize: texts.length,
    hiddenSize: 16,
    numLayers: 1,
    numHeads: 2,
    intermediateSize: 16,
    scheme: "rope",
  };
  const model = await wf.model(config, { tokenizer });
  const ids = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
  const { groups, weights } = model.run(ids.join(" "), { record: ["weights"] });
  assert.deepEqual(groups, [0, 1, 1, 2, 3, 4, 5, 5, 6, 6]);
  const words = byGroup(weights, groups);
  assert.deepEqual(words.shape, [1, 2, 7, 7]);
  for (let row = 0; row < 14; row++) {
    const sum = words.data.slice(row * 7, row * 7 + 7).reduce((a, b) => a + b);
    assert.ok(Math.abs(sum - 1) < 1e-5, `${sum}`);
  }
  model.dispose();
});

test("columns are summed and rows averaged, map by map", () => {
  const maps = scattered([2, 3, 3]);
  const { data, shape } = byGroup(maps, [0, 1, 1]);
  assert.deepEqual(shape, [2, 2, 2]);
  const at = (map, row, column) => maps.data[map * 9 + row * 3 + column];
  for (const map of [0, 1])
    assert.deepEqual(
      [...data.slice(map * 4, map * 4 + 4)],
      [
        at(map, 0, 0),
        at(map, 0, 1) + at(map, 0, 2),
        (at(map, 1, 0) + at(map, 2, 0)) / 2,
        (at(map, 1, 1) + at(map, 1, 2) + at(map, 2, 1) + at(map, 2, 2)) / 2,
      ].map(Math.fround),
    );
});

test("what cannot be grouped is refused by name", () => {
  const maps = scattered([2, 2]);
  refused(() => byGroup(maps, [0, 2]), "invalid_argument", /^groups\[1\]: 2 \(expected 0 or 1\)/);
  refused(() => byGroup(maps, [1, 1]), "invalid_argument", /^groups\[0\]: 1 \(expected 0\)/);
  refused(() => byGroup(maps, [0]), "invalid_argument", /^maps\.shape: \[2, 2\]/);
  refused(() => byGroup(maps, []), "invalid_argument", /^maps\.shape/);
  refused(() => byGroup([[1]], [0]), "invalid_argument", /^maps/);
  refused(() => byGroup(maps, "ab"), "invalid_argument", /^groups/);
  refused(() => byGroup(maps, [0, 0], {}), "invalid_argument", /^byGroup, argument 3/);
});
