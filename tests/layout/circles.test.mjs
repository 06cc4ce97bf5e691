// No file depends on itself through others: imports of types count, and in C++ a header and its
// source are one unit, since a cycle through a source file is as much a cycle as one through
// headers alone.

import assert from "node:assert/strict";
import { posix } from "node:path";
import { test } from "node:test";
import { below, files, importsOf, includesOf } from "./tree.mjs";

/** Returns groups of nodes that reach each other, as sorted lists (Tarjan 1972). */
function circlesIn(edges) {
  const circles = [];
  const order = new Map();
  const lowest = new Map();
  const path = [];
  const visit = (node) => {
    order.set(node, order.size);
    lowest.set(node, order.get(node));
    path.push(node);
    for (const next of edges.get(node) ?? []) {
      if (!order.has(next)) visit(next);
      if (path.includes(next)) lowest.set(node, Math.min(lowest.get(node), lowest.get(next)));
    }
    if (lowest.get(node) !== order.get(node)) return;
    const group = path.splice(path.indexOf(node));
    if (group.length > 1 || edges.get(node)?.has(node)) circles.push(group.sort());
  };
  for (const node of edges.keys()) if (!order.has(node)) visit(node);
  return circles.sort();
}

const areas = ["bindings", "web", "bench", "scripts", "tests"];

function scriptEdges() {
  const known = new Set(files);
  const edges = new Map();
  for (const file of areas.flatMap((area) => below(area, ".ts", ".mts", ".mjs"))) {
    const targets = importsOf(file)
      .filter((name) => name.startsWith("."))
      .map((name) => posix.join(posix.dirname(file), name))
      .map((path) => [path, path.replace(/\.js$/, ".ts"), path.replace(/\.mjs$/, ".d.mts")])
      .flatMap((names) => names.find((name) => known.has(name)) ?? []);
    edges.set(file, new Set(targets));
  }
  return edges;
}

const unitOf = (file) => file.replace(/\.(?:cpp|h)$/, "");

const sources = ["src", "bindings", "tests", "models", "bench"].flatMap((area) =>
  below(area, ".cpp", ".h", ".def"),
);
const known = new Set(sources);
// Folders in which the build looks for a quoted include, besides that of the including file.
const places = ["src", "bindings", "tests", "models"];

/** Returns the path, in the checkout, of the file that a quoted include means. */
const included = (file, include) =>
  [posix.dirname(file), ...places]
    .map((place) => posix.join(place, include))
    .find((at) => known.has(at));

function cppEdges() {
  const edges = new Map(sources.map((file) => [unitOf(file), new Set()]));
  for (const file of sources)
    for (const include of includesOf(file)) {
      const target = included(file, include);
      if (target && unitOf(target) !== unitOf(file)) edges.get(unitOf(file)).add(unitOf(target));
    }
  return edges;
}

test("a cycle is found, however long", () => {
  const edges = new Map(
    Object.entries({ a: ["b"], b: ["c", "d"], c: ["a"], d: ["d"], e: ["a", "d"] }).map(
      ([node, targets]) => [node, new Set(targets)],
    ),
  );
  assert.deepEqual(circlesIn(edges), [["a", "b", "c"], ["d"]]);
});

test("no cycle among TypeScript and JavaScript files, types included", () => {
  const edges = scriptEdges();
  const count = [...edges.values()].reduce((sum, targets) => sum + targets.size, 0);
  assert.ok(count > 300, `${count} imports were followed`);
  assert.ok(edges.get("bindings/ts/types/engine.ts").has("bindings/ts/types/model.ts"));
  assert.deepEqual(circlesIn(edges), []);
});

// Generated and third-party headers are included with angle brackets.
test("each quoted include is a file of the checkout", () => {
  const lost = sources.flatMap((file) =>
    includesOf(file)
      .filter((include) => !included(file, include))
      .map((include) => `${file} includes ${include}`),
  );
  assert.deepEqual(lost, []);
});

test("no cycle among C++ files, with a header and its source as one unit", () => {
  const edges = cppEdges();
  const count = [...edges.values()].reduce((sum, targets) => sum + targets.size, 0);
  assert.ok(count > 300, `${count} includes were followed`);
  assert.ok(edges.get("bindings/embind/model").has("bindings/calls/model"));
  assert.ok(edges.get("models/trainer/main").has("models/trainer/verbs"));
  assert.deepEqual(circlesIn(edges), []);
});
