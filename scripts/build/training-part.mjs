// Splits the training code from an engine, so that programs which do not train need not download
// it:
//   node scripts/build/training-part.mjs FOLDER
// FOLDER/engine.wasm, linked with the names of its functions, becomes FOLDER/inference.wasm and
// FOLDER/training.wasm, which is instantiated in the memory and the table of the first
// (bindings/ts/wire/training-part.ts). Run by CMake after linking, with Emscripten on the PATH.

import { createHash } from "node:crypto";
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runMain, SetupError } from "../setup/process.mjs";
import { binaryen, strip } from "./binaryen.mjs";

/**
 * Functions called through the table that only a trainer uses: backward hooks of schemes, tasks,
 * and a trainer's registrations in the bindings.
 */
const ofTraining = new RegExp(
  String.raw`backward|wf::Task(Settings)?\b|fill\(wf::Random|Trainer|Training|TrainedStep` +
    String.raw`|::Evaluation|::constrain\(`,
);

const quoted = String.raw`\$("(?:[^"\\]|\\.)*"|[^\s()]+)`;
const functionPattern = new RegExp(String.raw`^ \(func ${quoted}`);
const mentionPattern = new RegExp(String.raw`\((?:call|return_call|ref\.func) ${quoted}`, "g");
const namePattern = new RegExp(quoted, "g");
const exportPattern = new RegExp(String.raw`^ \(export "[^"]*" \(func ${quoted}`);
const startPattern = new RegExp(String.raw`^ \(start ${quoted}`);

/** A name in the text format, without quotes and escapes. */
const plain = (name) =>
  name
    .replace(/^"(.*)"$/, "$1")
    .replace(/\\([0-9a-f]{2})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/\\(.)/g, "$1");

/** The call graph, the functions in the table, and those that JavaScript may call. */
function readProgram(text) {
  const calls = new Map();
  const inTable = new Set();
  const exported = new Set();
  let mentions;
  for (const line of text.split("\n")) {
    const [, defined] = functionPattern.exec(line) ?? [];
    if (defined) {
      mentions = new Set();
      calls.set(defined, mentions);
    } else if (line.startsWith(" (elem")) {
      for (const [, name] of line.matchAll(namePattern)) inTable.add(name);
    } else {
      const [, open] = exportPattern.exec(line) ?? startPattern.exec(line) ?? [];
      if (open) exported.add(open);
    }
    for (const [, name] of line.matchAll(mentionPattern)) mentions?.add(name);
  }
  return { calls, inTable, exported };
}

/** All functions reachable from these. */
function reached(from, calls) {
  const found = new Set();
  const open = [...from];
  while (open.length) {
    const name = open.pop();
    if (found.has(name)) continue;
    found.add(name);
    open.push(...(calls.get(name) ?? []));
  }
  return found;
}

/** Names of the functions that only training reaches. */
export function trainingFunctions(text) {
  const { calls, inTable, exported } = readProgram(text);
  const first = [...inTable].filter((name) => calls.has(name) && !ofTraining.test(plain(name)));
  const stays = reached([...exported, ...first], calls);
  return [...calls.keys()].filter((name) => !stays.has(name)).map(plain);
}

/** A custom section that identifies the parts of one engine (a name, then eight bytes). */
function markOf(engine) {
  const name = Buffer.from("engine");
  const mark = createHash("sha256").update(readFileSync(engine)).digest().subarray(0, 8);
  return Buffer.from([0, 1 + name.length + mark.length, name.length, ...name, ...mark]);
}

async function split(folder) {
  const work = mkdtempSync(join(tmpdir(), "whereformer-split-"));
  const at = (name) => join(work, name);
  const engine = join(folder, "engine.wasm");
  try {
    await binaryen("wasm-dis", [engine, "-o", at("engine.wat")]);
    const names = trainingFunctions(readFileSync(at("engine.wat"), "utf8"));
    if (names.length < 50)
      throw new SetupError(`${engine}: only ${names.length} functions are for training only.`);
    writeFileSync(at("names"), names.join("\n"));
    await binaryen("wasm-split", [
      engine,
      "--split",
      `--split-funcs=@${at("names")}`,
      "--import-namespace=inference",
      "--placeholder-namespace=training",
      "--export-prefix=_",
      "-o1",
      at("inference.wasm"),
      "-o2",
      at("training.wasm"),
    ]);
    for (const part of ["inference.wasm", "training.wasm"]) {
      await strip(at(part), join(folder, part));
      appendFileSync(join(folder, part), markOf(engine));
    }
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

if (process.argv[1] === import.meta.filename) await runMain(() => split(process.argv[2]));
