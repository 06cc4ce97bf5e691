// Computes the `sample` of each heads.json a second time: by the package from the committed
// weights, with another implementation than the trainer's, from recorded maps and terms.

import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { headMarks } from "../../scripts/train/heads.mjs";
import { heldOutTexts } from "../../scripts/train/held-out.mjs";
import {
  hasHeads,
  kinds,
  modelFolder,
  readJson,
  readRecipe,
  trainedSchemes,
} from "../../scripts/train/recipe.mjs";
import { near, wf } from "./golden.mjs";

/** Half of the file's fifth decimal, and the error of single precision. */
const tolerance = 1.5e-5;

const { zh } = await heldOutTexts();
const { mark, line, poem } = headMarks();
const sum = (list) => list.reduce((total, value) => total + value, 0);
const mean = (list) => (list.length ? sum(list) / list.length : 0);

/**
 * For each query, the keys for metre: the same position in the line of verse before, if that line
 * is as long.
 */
function metreKeys(ids) {
  const lines = [];
  let begin = -1;
  ids.forEach((id, at) => {
    if (poem.includes(id)) lines.push(undefined);
    else if (!line.includes(id)) return;
    else if (begin >= 0) lines.push({ begin, length: at - begin });
    begin = at + 1;
  });
  const keys = new Map();
  lines.forEach((own, index) => {
    const last = lines[index - 1];
    if (!own || own.length !== last?.length) return;
    for (let slot = 0; slot < own.length; slot++) keys.set(own.begin + slot, last.begin + slot);
  });
  return keys;
}

/** Computes the scores of a map, given as lists of the weights on visible keys. */
function scoresOf(rows, ids, reach, isCausal) {
  const queries = rows.map((_, query) => query);
  const on = (query, keys) => sum(keys.map((key) => rows[query][key]));
  const masses = new Array((isCausal ? 1 : reach + 2) + reach + 1).fill(0);
  const clamped = (key, query) => Math.min(reach + 1, Math.max(-reach - 1, key - query));
  rows.forEach((row, query) => {
    row.forEach((weight, key) => {
      masses[clamped(key, query) + reach + 1] += weight;
    });
  });
  const where = (query, test) => [...rows[query].keys()].filter(test);
  const repeats = queries.map((query) =>
    where(query, (key) => key >= 1 && key < query && ids[key - 1] === ids[query]),
  );
  const metre = [...metreKeys(ids)].map(([query, key]) => rows[query][key]);
  return {
    mass: masses.map((mass) => mass / rows.length),
    previous: mean(queries.slice(1).map((query) => rows[query][query - 1])),
    induction: mean(queries.filter((q) => repeats[q].length).map((q) => on(q, repeats[q]))),
    delimiter: mean(
      queries.map((q) =>
        on(
          q,
          where(q, (key) => mark.includes(ids[key])),
        ),
      ),
    ),
    ...(metre.length && { metre: mean(metre) }),
  };
}

/** Returns the share of each term in the variance of the rows' logits. */
function sharesOf(terms) {
  const names = Object.keys(terms);
  const covariance = Object.fromEntries(names.map((name) => [name, 0]));
  let variance = 0;
  for (let query = 0; query < terms[names[0]].length; query++) {
    const centred = names.map((name) => {
      const row = terms[name][query];
      const middle = mean(row);
      return row.map((value) => value - middle);
    });
    const logit = centred[0].map((_, key) => sum(centred.map((row) => row[key])));
    variance += mean(logit.map((value) => value ** 2));
    names.forEach((name, at) => {
      covariance[name] += mean(logit.map((value, key) => value * centred[at][key]));
    });
  }
  return Object.fromEntries(
    names.map((name) => [name, variance ? covariance[name] / variance : 0]),
  );
}

/** Compares all numbers of both. */
function same(found, expected, what) {
  assert.deepEqual(Object.keys(found).sort(), Object.keys(expected).sort(), what);
  for (const [name, value] of Object.entries(expected)) {
    const here = `${what}, ${name}`;
    if (typeof value === "object" && !Array.isArray(value)) same(found[name], value, here);
    else near([found[name]].flat(), [value].flat(), tolerance, here);
  }
}

for (const kind of kinds)
  for (const id of trainedSchemes(readRecipe(), kind)) {
    const folder = modelFolder(kind, id);
    if (!hasHeads(folder)) continue;
    test(`the sample of ${kind} ${id}`, async () => {
      const { length, reach, results } = readJson(join(folder, "heads.json"));
      const { uniform, ...expected } = results.sample;
      const ids = zh.ids.slice(0, length);
      const model = await wf.model(pathToFileURL(`${folder}/`));
      const { isCausal, numHeads, numLayers } = model.config;
      assert.equal(Object.keys(expected).length, numLayers * numHeads);
      const visible = (query) => (isCausal ? query + 1 : length);
      const even = ids.map((_, query) => new Array(visible(query)).fill(1 / visible(query)));
      same({ windows: 1, ...scoresOf(even, ids, reach, isCausal) }, uniform, "even");

      const recorded = model.run(ids, { record: ["weights", "terms"] });
      const rowsOf = ({ data }, map) =>
        ids.map((_, query) => {
          const begin = (map * length + query) * length;
          return [...data.subarray(begin, begin + visible(query))];
        });
      for (const [name, scores] of Object.entries(expected)) {
        const [layer, head] = name.split(".").map(Number);
        const map = layer * numHeads + head;
        const terms = Object.entries(recorded.terms).map(([term, all]) => [term, rowsOf(all, map)]);
        const found = scoresOf(rowsOf(recorded.weights, map), ids, reach, isCausal);
        same({ ...found, terms: sharesOf(Object.fromEntries(terms)) }, scores, name);
      }
      model.dispose();
    });
  }
