// Golden numbers, the engines under test, and helpers to compare numbers.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { load } from "../../dist/index.js";

export { scattered } from "./scattered.mjs";

const folder = new URL("../golden/", import.meta.url);
const read = (name) => JSON.parse(readFileSync(new URL(name, folder), "utf8"));
const manifest = read("manifest.json");

/** Reads a golden file, with the absolute difference that a single-precision result may have. */
export function golden(name) {
  return { ...read(`${name}.json`), tolerance: manifest[`${name}.json`].tolerance };
}

export const variants = ["simd", "relaxed"];
/** An engine of each variant. Node 20 needs --experimental-wasm-relaxed-simd for the second. */
export const engines = Object.fromEntries(
  await Promise.all(variants.map(async (variant) => [variant, await load({ variant })])),
);
export const wf = engines.simd;

export function near(actual, expected, tolerance, what = "value") {
  assert.equal(actual.length, expected.length, `${what}: length`);
  for (let i = 0; i < expected.length; i++) {
    const difference = Math.abs(actual[i] - expected[i]);
    assert.ok(
      difference <= tolerance,
      `${what}[${i}]: ${actual[i]}, expected ${expected[i]} to ${tolerance}`,
    );
  }
}

export function nearTensor(actual, expected, tolerance, what) {
  assert.deepEqual(actual.shape, expected.shape, `${what}: shape`);
  near(actual.data, expected.data, tolerance, what);
}

/** Returns the error that an action throws; its code must be equal and its message must match. */
export function refused(action, code, message) {
  let error;
  try {
    action();
  } catch (caught) {
    error = caught;
  }
  assert.ok(error, "nothing was thrown");
  return isError(error, code, message);
}

export async function rejected(promise, code, message) {
  const error = await promise.then(
    () => assert.fail("nothing was thrown"),
    (caught) => caught,
  );
  return isError(error, code, message);
}

function isError(error, code, message) {
  assert.equal(error.name, "WhereformerError", String(error.stack));
  assert.equal(error.code, code, error.message);
  if (message) assert.match(error.message, message);
  return error;
}
