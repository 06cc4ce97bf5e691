// Writes the golden numbers as data for other implementations, to dist-conformance/: in one format,
// with its schema, the runners and a page that explains it:
//   node scripts/build/conformance.mjs

import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { root } from "../setup/ensure.mjs";
import { runMain } from "../setup/process.mjs";
import { say } from "../setup/progress.mjs";

const golden = join(root, "tests/golden");
const read = (path) => JSON.parse(readFileSync(path, "utf8"));

/** Inputs of a case, beside its expected results, by kind. */
const inputsOf = {
  attention: [
    "q",
    "k",
    "v",
    "allowed",
    "mask",
    "bias",
    "positions",
    "queryOffset",
    "memoryLength",
    "hiddenStates",
    "memory",
    "ids",
    "tokenTypes",
    "d_output",
    "d_context",
    "latent",
    "ropeKey",
    "rule",
    "tablePositions",
  ],
  rotation: ["x", "positions", "options", "headDim", "source", "class", "family", "interleaved"],
  frequencies: [
    "name",
    "family",
    "source",
    "headDim",
    "ropeParameters",
    "maxPositionEmbeddings",
    "sequenceLength",
  ],
  slopes: ["heads"],
  table: [
    "source",
    "layout",
    "width",
    "positionOffset",
    "positions",
    "xlnetOffsets",
    "rows",
    "columns",
    "offset",
    "normalize",
    "valid",
  ],
  angles: ["family", "headDim", "ropeParameters", "positions"],
  positions: ["family", "kinds", "images", "videos", "secondsPerFrame", "ids", "mask", "past"],
  buckets: [
    "rule",
    "bidirectional",
    "numBuckets",
    "maxDistance",
    "positionBuckets",
    "maxRelativePositions",
    "distances",
  ],
};
inputsOf.rotation.push("theta", "layout", "section");

// In whole layers and single schemes the bias is computed by a scheme; in plain attention the
// caller passes it.
const computed = (file) => (file.startsWith("layers/") ? ["bias"] : []);

const kindOfFile = {
  "rope_frequencies.json": "frequencies",
  "alibi.json": "slopes",
  "absolute.json": "table",
  "layers/sinusoidal_tables.json": "table",
  "layers/grid_sinusoids.json": "table",
  "layers/grid_sinusoids_v4.json": "table",
  "layers/grid_interpolation.json": "table",
  "layers/mrope_angles.json": "angles",
  "layers/mrope_positions.json": "positions",
  "layers/mrope_positions_v4.json": "positions",
  "layers/position_indices.json": "positions",
  "layers/buckets.json": "buckets",
};

function kindOf(file, { cases, q }) {
  if (q || cases?.[0]?.q) return "attention";
  if (cases?.[0]?.rotated) return "rotation";
  return kindOfFile[file];
}

/**
 * Distances on both sides of each bucket's boundary, and the farthest; others test nothing more.
 */
function bucketsOf({ changes, disagreements: _, ...options }, rule, farthest) {
  const known = new Map();
  changes.forEach(([distance, bucket], index) => {
    if (index > 0) known.set(distance - 1, changes[index - 1][1]);
    known.set(distance, bucket);
  });
  known.set(farthest, changes.at(-1)[1]);
  const buckets = [...known.values()];
  return {
    name: `${rule} ${Object.values(options).join(" ")}`,
    rule,
    ...options,
    distances: [...known.keys()],
    buckets: { shape: [buckets.length], data: buckets },
  };
}

/** Files whose list of cases has another name than `cases`. */
const withCases = {
  "absolute.json": ({ sinusoids, indexRules: _, ...rest }) => ({ ...rest, cases: sinusoids }),
  "layers/buckets.json": (content) => {
    const isRule = (key) => content[key]?.[0]?.changes;
    const { farthest } = content.config;
    return {
      ...Object.fromEntries(Object.entries(content).filter(([key]) => !isRule(key))),
      cases: Object.keys(content)
        .filter(isRule)
        .flatMap((rule) => content[rule].map((each) => bucketsOf(each, rule, farthest))),
    };
  },
};

function split(file, kind, { name, ...values }, index) {
  const isInput = (key) => inputsOf[kind].includes(key) && !computed(file).includes(key);
  const part = (wanted) =>
    Object.fromEntries(Object.entries(values).filter(([key]) => isInput(key) === wanted));
  return { name: name ?? String(index), inputs: part(true), expected: part(false) };
}

/** Converts a file of tests/golden to the common format; undefined for other kinds of files. */
export function vectorOf(file, golden, row) {
  const kind = kindOf(file, golden);
  if (!kind) return undefined;
  const content = withCases[file]?.(golden) ?? golden;
  const isSingle = !content.cases;
  const { about = "", class: className, parameters = {}, mistakes = {}, cases, ...facts } = content;
  const { config, options, ...values } = facts;
  const list = isSingle ? [values] : cases;
  const isRelative = kind === "frequencies";
  return {
    name: basename(file, ".json"),
    kind,
    about,
    source: { class: className ?? row.class, package: row.package, torch: row.torch },
    facts: isSingle ? { ...options } : { config, ...values },
    parameters,
    tolerance: { isRelative, ...row.tolerance },
    cases: list.map((each, index) => split(file, kind, each, index)),
    mistakes,
  };
}

/** Writes the folder; returns the number of files and cases of each kind. */
export function writeConformance(folder = join(root, "dist-conformance")) {
  rmSync(folder, { recursive: true, force: true });
  cpSync(join(root, "conformance"), folder, {
    recursive: true,
    filter: (path) => !path.includes("__pycache__"),
  });
  // The runner in Python is a module of the package for Python.
  cpSync(join(root, "python/src/whereformer/conformance.py"), join(folder, "conformance.py"));
  mkdirSync(join(folder, "vectors"));
  const counts = {};
  for (const [file, row] of Object.entries(read(join(golden, "manifest.json")))) {
    const vector = vectorOf(file, read(join(golden, file)), row);
    if (!vector) continue;
    writeFileSync(join(folder, "vectors", `${vector.name}.json`), JSON.stringify(vector));
    counts[vector.kind] ??= { files: 0, cases: 0 };
    counts[vector.kind].files++;
    counts[vector.kind].cases += vector.cases.length;
  }
  const names = readdirSync(join(folder, "vectors")).map((name) => basename(name, ".json"));
  writeFileSync(join(folder, "vectors.json"), JSON.stringify(names));
  cpSync(join(root, "LICENSE"), join(folder, "LICENSE"));
  return counts;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await runMain(async () => {
    const counts = writeConformance();
    for (const [kind, { files, cases }] of Object.entries(counts))
      say(`${kind}: ${files} files, ${cases} cases`);
  });
}
