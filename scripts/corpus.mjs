#!/usr/bin/env node
// Rebuilds the training text of the small models from two published packages, checks it against the
// hashes in models/corpus.json, and writes text and token ids to build/corpus.
//
//   node scripts/corpus.mjs               builds, or does nothing if the result exists already
//   node scripts/corpus.mjs --text-only   stops before the tokenizer (used to train the tokenizer)
//   node scripts/corpus.mjs --update      writes new hashes and held-out text (a deliberate change)
//
// What is counted and how is documented in models/README.md.

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const cacheHome = process.env.XDG_CACHE_HOME || path.join(os.homedir(), ".cache");
const cacheFolder = path.join(cacheHome, "whereformer", "corpus");
const outFolder = path.join(root, "build", "corpus");
const manifestPath = path.join(root, "models", "corpus.json");
const heldoutFolder = path.join(root, "models", "heldout");
const tokenizerPath = path.join(root, "models", "tokenizer.json");
const tokenizerConfigPath = path.join(root, "models", "tokenizer_config.json");

const endToken = "<|end|>";
const update = process.argv.includes("--update");
const textOnly = process.argv.includes("--text-only");
const started = Date.now();

/** An error that the user can act on: printed as one sentence, no stack. */
class CorpusError extends Error {}

function say(message) {
  const seconds = ((Date.now() - started) / 1000).toFixed(1).padStart(6);
  console.log(`corpus ${seconds} s  ${message}`);
}

function hashOf(data, algorithm = "sha256", encoding = "hex") {
  return createHash(algorithm).update(data).digest(encoding);
}

/**
 * Writes through a temporary file and a rename, so an interrupted run leaves no incomplete file.
 */
function writeAtomically(file, data) {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  const temporary = `${file}.${process.pid}.part`;
  fs.writeFileSync(temporary, data);
  fs.renameSync(temporary, file);
}

/** Runs a program; returns its standard output, or throws with the end of its error output. */
function capture(program, args, options = {}) {
  const result = spawnSync(program, args, {
    encoding: "utf8",
    maxBuffer: 1 << 28,
    ...options,
    env: { ...process.env, LC_ALL: "C.UTF-8", ...options.env },
  });
  if (result.error || result.status !== 0) {
    const reason = result.error?.message ?? result.stderr.trim().split("\n").slice(-3).join(" | ");
    throw new CorpusError(`\`${program} ${args.join(" ")}\` failed: ${reason}`);
  }
  return result.stdout;
}

function hasProgram(name) {
  const folders = (process.env.PATH || "").split(path.delimiter);
  return [...folders, "/usr/games"].some(
    (folder) => folder && fs.existsSync(path.join(folder, name)),
  );
}

// ---------------------------------------------------------------------------- sources

function installBible() {
  if (hasProgram("bible")) return;
  const canInstall = process.getuid?.() === 0 && hasProgram("apt-get");
  if (!canInstall) {
    throw new CorpusError(
      "the English text comes from Debian's package bible-kjv, which is missing: " +
        "install it (apt-get install bible-kjv) and run this again",
    );
  }
  say("installing Debian's bible-kjv");
  const env = { DEBIAN_FRONTEND: "noninteractive" };
  const install = ["install", "-y", "--no-install-recommends", "bible-kjv"];
  try {
    capture("apt-get", install, { env });
  } catch {
    capture("apt-get", ["update"], { env });
    capture("apt-get", install, { env });
  }
}

/** The whole King James Bible, one verse a line, each with its reference ("Ge1:1 In the ..."). */
function readBible() {
  installBible();
  return capture("bible", ["-f", "Gen1:1-Rev22:21"], {
    env: { PATH: `${process.env.PATH}${path.delimiter}/usr/games` },
  });
}

function integrityMatches(file, integrity) {
  const [algorithm, expected] = integrity.split(/-(.*)/s);
  return hashOf(fs.readFileSync(file), algorithm, "base64") === expected;
}

/**
 * Downloads one pinned npm tarball into the cache, unless it is there already with the right hash.
 * npm keeps downloads in its own cache, so a second attempt does not start from zero.
 */
function fetchPackage(source) {
  const file = path.join(cacheFolder, `${source.package}-${source.version}.tgz`);
  if (fs.existsSync(file) && integrityMatches(file, source.integrity)) return file;
  fs.mkdirSync(cacheFolder, { recursive: true });
  const spec = `${source.package}@${source.version}`;
  let lastError;
  for (let attempt = 1; attempt <= 3; ++attempt) {
    const folder = fs.mkdtempSync(path.join(cacheFolder, "download-"));
    try {
      say(
        `downloading ${spec} (${source.megabytes} MB)${attempt > 1 ? `, attempt ${attempt}` : ""}`,
      );
      capture("npm", ["pack", spec, "--silent", "--pack-destination", folder], { cwd: folder });
      const [name] = fs.readdirSync(folder).filter((entry) => entry.endsWith(".tgz"));
      const downloaded = name && path.join(folder, name);
      if (!downloaded || !integrityMatches(downloaded, source.integrity)) {
        throw new CorpusError(`${spec} differs from the hash in models/corpus.json`);
      }
      fs.renameSync(downloaded, file);
      return file;
    } catch (error) {
      lastError = error;
    } finally {
      fs.rmSync(folder, { recursive: true, force: true });
    }
  }
  throw new CorpusError(`could not download ${spec} in three attempts. ${lastError.message}`);
}

/** Unpacks the listed folders of a tarball into the cache once; returns the unpacked folder. */
function unpack(source) {
  const folder = path.join(cacheFolder, `${source.package}-${source.version}`);
  if (fs.existsSync(folder)) return folder;
  const tarball = fetchPackage(source);
  say(`unpacking ${source.package}`);
  const temporary = fs.mkdtempSync(path.join(cacheFolder, "unpack-"));
  capture("tar", ["-xzf", tarball, "-C", temporary, "--strip-components=1", ...source.unpack]);
  if (fs.existsSync(folder)) fs.rmSync(temporary, { recursive: true });
  else fs.renameSync(temporary, folder);
  return folder;
}

/** Removes files that an interrupted run left in the cache more than an hour ago. */
function removeLeftovers() {
  if (!fs.existsSync(cacheFolder)) return;
  for (const name of fs.readdirSync(cacheFolder)) {
    const entry = path.join(cacheFolder, name);
    const isOld = Date.now() - fs.statSync(entry).mtimeMs > 3600_000;
    if (/^(download|unpack)-/.test(name) && isOld) fs.rmSync(entry, { recursive: true });
  }
}

// ---------------------------------------------------------------------------- documents

/** Splits the Bible into books; returns { training, heldOut }, each a list of { name, text }. */
function englishDocuments(bible, heldOutBooks) {
  const books = new Map();
  for (const line of bible.split("\n")) {
    if (!line) continue;
    const match = /^([1-3]?[A-Za-z]+)\d+:\d+ (.*)$/.exec(line);
    if (!match)
      throw new CorpusError(`a line of the Bible has no reference: "${line.slice(0, 60)}"`);
    const verse = match[2].trim().replace(/ {2,}/g, " ");
    books.set(match[1], `${books.get(match[1]) ?? ""}${verse}\n`);
  }
  const missing = heldOutBooks.filter((name) => !books.has(name));
  if (missing.length) throw new CorpusError(`held-out books not found: ${missing.join(", ")}`);
  const documents = [...books].map(([name, text]) => ({ name, text }));
  return {
    training: documents.filter(({ name }) => !heldOutBooks.includes(name)),
    heldOut: documents.filter(({ name }) => heldOutBooks.includes(name)),
  };
}

const coupletPatterns = [5, 7].map(
  (length) => new RegExp(`^\\p{Script=Han}{${length}}，\\p{Script=Han}{${length}}[。？！；]$`, "u"),
);

/** Returns whether every couplet of the poem has the same metre, 5+5 or 7+7. */
function isRegular(couplets) {
  return (
    couplets.length > 0 &&
    coupletPatterns.some((pattern) => couplets.every((couplet) => pattern.test(couplet)))
  );
}

function isHeldOutPoem(text, oneIn) {
  return createHash("sha256").update(text).digest().readUInt32BE(0) % oneIn === 0;
}

/** Reads the regular poems in the package's order, in simplified characters, without repeats. */
async function readPoems(poetryFolder, openccFolder) {
  const opencc = await import(
    pathToFileURL(path.join(openccFolder, "dist", "esm", "t2cn.js")).href
  );
  const toSimplified = opencc.Converter({ from: "t", to: "cn" });
  const folder = path.join(poetryFolder, "dist", "quantangshi");
  const volumes = fs
    .readdirSync(folder)
    .map((name) => /^poet\.tang\.(\d+)\.json$/.exec(name))
    .filter(Boolean)
    .sort((a, b) => Number(a[1]) - Number(b[1]));
  const seen = new Set();
  const poems = [];
  for (const [name, number] of volumes) {
    for (const { paragraphs } of JSON.parse(fs.readFileSync(path.join(folder, name), "utf8"))) {
      if (!isRegular(paragraphs)) continue;
      const couplets = paragraphs.map(toSimplified);
      const text = couplets.join("");
      if (seen.has(text)) continue;
      seen.add(text);
      poems.push({ volume: `volume ${Number(number) / 1000}`, text, couplets });
    }
  }
  return poems;
}

/**
 * One document per volume of the package, one poem a line. A poem that shares a couplet with a
 * held-out one (the collection repeats some under two authors) is left out of training.
 */
function chineseDocuments(poems, oneIn) {
  const heldOut = poems.filter(({ text }) => isHeldOutPoem(text, oneIn));
  const heldOutCouplets = new Set(heldOut.flatMap(({ couplets }) => couplets));
  const kept = poems.filter(({ couplets }) => !couplets.some((c) => heldOutCouplets.has(c)));
  const volumes = new Map();
  for (const { volume, text } of kept) {
    volumes.set(volume, `${volumes.get(volume) ?? ""}${text}\n`);
  }
  return {
    training: [...volumes].map(([name, text]) => ({ name, text })),
    heldOut: [{ name: "poems", text: heldOut.map(({ text }) => `${text}\n`).join("") }],
  };
}

// ---------------------------------------------------------------------------- results

/** Concatenates documents: each begins with the end token, and one more ends the stream. */
function joinDocuments(documents) {
  return documents.map(({ text }) => endToken + text).join("") + endToken;
}

async function buildTexts(manifest) {
  const { poems: poetry, simplifier } = manifest.sources;
  const english = englishDocuments(readBible(), manifest.heldOut.en.books);
  say(`English: ${english.training.length} books, ${english.heldOut.length} held out`);
  const poetryFolder = unpack(poetry);
  const openccFolder = unpack(simplifier);
  const poems = await readPoems(poetryFolder, openccFolder);
  const chinese = chineseDocuments(poems, manifest.heldOut.zh.oneIn);
  const count = (documents) =>
    documents.reduce((sum, { text }) => sum + text.split("\n").length - 1, 0);
  say(
    `Chinese: ${poems.length} regular poems, ${count(chinese.training)} for training, ` +
      `${count(chinese.heldOut)} held out`,
  );
  return {
    "train.en": english.training,
    "train.zh": chinese.training,
    "heldout.en": english.heldOut,
    "heldout.zh": chinese.heldOut,
  };
}

/** Compares a file's hash with the manifest, or records it with --update. */
function checkHash(manifest, name, data) {
  const hash = hashOf(data);
  if (update) {
    manifest.files[name] = { sha256: hash, bytes: Buffer.byteLength(data) };
  } else if (manifest.files[name]?.sha256 !== hash) {
    throw new CorpusError(
      `${name} differs from models/corpus.json (sha256 ${hash}): the Bible's package, the ` +
        "tokenizer or this script has changed; --update records an intended change",
    );
  }
}

async function loadTokenizer() {
  let library;
  try {
    library = await import("@huggingface/tokenizers");
  } catch {
    throw new CorpusError("@huggingface/tokenizers is missing: run `npm ci` first");
  }
  const read = (file) => JSON.parse(fs.readFileSync(file, "utf8"));
  return new library.Tokenizer(read(tokenizerPath), read(tokenizerConfigPath));
}

/** Encodes line by line (no token crosses a line end) to little-endian uint16. */
function encodeDocuments(tokenizer, documents) {
  const end = tokenizer.token_to_id(endToken);
  const unknown = tokenizer.token_to_id("<|unk|>");
  const ids = [];
  const counts = [];
  for (const { name, text } of documents) {
    const first = ids.push(end);
    for (const line of text.split(/(?<=\n)/)) {
      for (const id of tokenizer.encode(line).ids) ids.push(id);
    }
    const kept = ids.slice(first);
    const unknowns = kept.filter((id) => id === unknown).length;
    counts.push({ name, characters: [...text].length, tokens: kept.length, unknowns });
  }
  ids.push(end);
  const bytes = Buffer.alloc(ids.length * 2);
  ids.forEach((id, index) => {
    bytes.writeUInt16LE(id, index * 2);
  });
  return { bytes, counts };
}

function total(counts, key) {
  return counts.reduce((sum, entry) => sum + entry[key], 0);
}

async function encodeAll(manifest, texts) {
  const tokenizer = await loadTokenizer();
  const summary = { vocabulary: tokenizer.get_vocab().size, end: tokenizer.token_to_id(endToken) };
  for (const [name, documents] of Object.entries(texts)) {
    say(`encoding ${name}`);
    const { bytes, counts } = encodeDocuments(tokenizer, documents);
    checkHash(manifest, `${name}.bin`, bytes);
    writeAtomically(path.join(outFolder, `${name}.bin`), bytes);
    summary[name] = {
      characters: total(counts, "characters"),
      tokens: total(counts, "tokens"),
      unknowns: total(counts, "unknowns"),
      documents: counts.length,
    };
    if (name.startsWith("heldout")) summary[name].perDocument = counts;
    const { characters, tokens, unknowns } = summary[name];
    say(
      `  ${tokens} tokens, ${(characters / tokens).toFixed(2)} characters a token, ` +
        `${unknowns} unknown`,
    );
  }
  return summary;
}

function commitHeldOut(name, documents) {
  const language = name.split(".")[1];
  const committed = path.join(heldoutFolder, `${language}.txt`);
  const text = joinDocuments(documents);
  if (update) writeAtomically(committed, text);
  else if (!fs.existsSync(committed) || fs.readFileSync(committed, "utf8") !== text) {
    throw new CorpusError(`models/heldout/${language}.txt differs from the text of the packages`);
  }
}

/** Whether every result is present with the hash of the manifest. */
function isComplete(manifest) {
  const names = Object.keys(manifest.files).filter((name) => !textOnly || name.endsWith(".txt"));
  if (names.length === 0 || (!textOnly && !fs.existsSync(path.join(outFolder, "corpus.json")))) {
    return false;
  }
  return names.every((name) => {
    const file = path.join(outFolder, name);
    return fs.existsSync(file) && hashOf(fs.readFileSync(file)) === manifest.files[name].sha256;
  });
}

async function main() {
  const manifest = JSON.parse(fs.readFileSync(manifestPath, "utf8"));
  if (!update && isComplete(manifest)) {
    say("already complete: build/corpus");
    return;
  }
  removeLeftovers();
  const texts = await buildTexts(manifest);
  for (const [name, documents] of Object.entries(texts)) {
    const text = joinDocuments(documents);
    checkHash(manifest, `${name}.txt`, text);
    writeAtomically(path.join(outFolder, `${name}.txt`), text);
    if (name.startsWith("heldout")) commitHeldOut(name, documents);
  }
  if (!textOnly) {
    const summary = await encodeAll(manifest, texts);
    if (update) manifest.totals = summary;
    writeAtomically(path.join(outFolder, "corpus.json"), `${JSON.stringify(summary, null, 2)}\n`);
  }
  if (update) writeAtomically(manifestPath, `${JSON.stringify(manifest, null, 2)}\n`);
  say(`done: ${path.relative(process.cwd(), outFolder) || outFolder}`);
}

main().catch((error) => {
  console.error(error instanceof CorpusError ? `corpus: ${error.message}` : error);
  process.exitCode = 1;
});
