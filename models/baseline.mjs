#!/usr/bin/env node
// Held-out bits per character of a Kneser-Ney character trigram: what the small models must beat.
//
//   node models/baseline.mjs             print, and compare with models/baseline.json
//   node models/baseline.mjs --update    record in models/baseline.json
//
// Interpolated modified Kneser-Ney (Chen and Goodman 1998, "An Empirical Study of Smoothing
// Techniques for Language Modeling", section 3). For a history h of length k,
//
//   p(c | h) = max(n(hc) - D(n(hc)), 0) / n(h.) + g(h) p(c | h'),   h' = h without its first symbol
//   g(h) = (D1 N1(h.) + D2 N2(h.) + D3 N3+(h.)) / n(h.)
//
// where n counts occurrences for trigrams and distinct left neighbours for shorter histories,
// Ni(h.) is the number of symbols that follow h exactly i times, and the recursion ends in the
// uniform distribution over all symbols. Discounts per order from its counts of counts n1..n4: Y =
// n1 / (n1 + 2 n2), Di = i - (i + 1) Y n(i+1) / ni, or 0.5 where a count of counts is zero.
//
// Symbols are those of the models: a character without a token of its own is one unknown symbol.
// A document begins after two boundary symbols; <|end|> itself is not scored, and a newline is.

import * as fs from "node:fs";
import * as path from "node:path";
import { fileURLToPath } from "node:url";

const models = path.dirname(fileURLToPath(import.meta.url));
const corpus = path.join(models, "..", "build", "corpus");
const recorded = path.join(models, "baseline.json");
const boundary = 0;
const unknown = 1;
const radix = 1 << 13;
const punctuation = new Set("，。？！；：\n");

/**
 * Returns the number of every one-character token; the numbers for boundary and unknown precede
 * them.
 */
function readSymbols() {
  const { model } = JSON.parse(fs.readFileSync(path.join(models, "tokenizer.json"), "utf8"));
  const characters = Object.keys(model.vocab).filter((token) => [...token].length === 1);
  return new Map(characters.map((character, index) => [character, index + 2]));
}

/** Each document as an array of characters. */
function readDocuments(file) {
  const text = fs.readFileSync(file, "utf8");
  return text
    .split("<|end|>")
    .filter(Boolean)
    .map((document) => [...document]);
}

/** Calls visit(key of c, key of bc, key of abc, c) for every character c after a and b. */
function forEachTrigram(documents, symbols, visit) {
  for (const document of documents) {
    let a = boundary;
    let b = boundary;
    for (const character of document) {
      const c = symbols.get(character) ?? unknown;
      visit(c, b * radix + c, (a * radix + b) * radix + c, character);
      [a, b] = [b, c];
    }
  }
}

function increment(map, key) {
  map.set(key, (map.get(key) ?? 0) + 1);
}

function discounts(counts) {
  const n = [0, 0, 0, 0, 0];
  for (const count of counts.values()) if (count <= 4) ++n[count];
  const y = n[1] / (n[1] + 2 * n[2]);
  return [0, 1, 2, 3].map((i) => {
    if (i === 0) return 0;
    const value = i - ((i + 1) * y * n[i + 1]) / n[i];
    return Number.isFinite(value) && value >= 0 && value < i ? value : 0.5;
  });
}

/** One order of the model: counts by n-gram key, and total and back-off mass by history key. */
function smooth(counts) {
  const discount = discounts(counts);
  const totals = new Map();
  const reserved = new Map();
  for (const [key, count] of counts) {
    const history = Math.floor(key / radix);
    totals.set(history, (totals.get(history) ?? 0) + count);
    reserved.set(history, (reserved.get(history) ?? 0) + discount[Math.min(count, 3)]);
  }
  return (key, lower) => {
    const history = Math.floor(key / radix);
    const total = totals.get(history);
    if (total === undefined) return lower;
    const count = counts.get(key) ?? 0;
    const own = count - discount[Math.min(count, 3)];
    return (own + reserved.get(history) * lower) / total;
  };
}

/** Returns p(c | a, b) from the three keys of a trigram. */
function train(documents, symbols) {
  const trigrams = new Map();
  forEachTrigram(documents, symbols, (_c, _bc, abc) => increment(trigrams, abc));
  const bigrams = new Map();
  for (const key of trigrams.keys()) increment(bigrams, key % radix ** 2);
  const unigrams = new Map();
  for (const key of bigrams.keys()) increment(unigrams, key % radix);
  const [first, second, third] = [unigrams, bigrams, trigrams].map(smooth);
  const uniform = 1 / (symbols.size + 1);
  return (c, bc, abc) => third(abc, second(bc, first(c, uniform)));
}

function score(language, symbols) {
  const probability = train(readDocuments(path.join(corpus, `train.${language}.txt`)), symbols);
  const sums = { all: [0, 0], words: [0, 0] };
  const heldOut = readDocuments(path.join(models, "heldout", `${language}.txt`));
  forEachTrigram(heldOut, symbols, (c, bc, abc, character) => {
    const bits = -Math.log2(probability(c, bc, abc));
    for (const name of punctuation.has(character) ? ["all"] : ["all", "words"]) {
      sums[name][0] += bits;
      sums[name][1] += 1;
    }
  });
  const round = ([bits, count]) => Number((bits / count).toFixed(4));
  const result = { characters: sums.all[1], bitsPerCharacter: round(sums.all) };
  if (language === "zh") {
    result.hanCharacters = sums.words[1];
    result.hanBitsPerCharacter = round(sums.words);
  }
  return result;
}

function main() {
  if (!fs.existsSync(path.join(corpus, "train.zh.txt"))) {
    console.error("baseline: no training text; run `node scripts/corpus.mjs` first");
    process.exitCode = 1;
    return;
  }
  const symbols = readSymbols();
  const result = {
    command: "node models/baseline.mjs",
    model: "interpolated modified Kneser-Ney character trigram (Chen and Goodman 1998)",
    en: score("en", symbols),
    zh: score("zh", symbols),
  };
  console.log(JSON.stringify(result, null, 2));
  const text = `${JSON.stringify(result, null, 2)}\n`;
  if (process.argv.includes("--update")) {
    fs.writeFileSync(recorded, text);
  } else if (!fs.existsSync(recorded) || fs.readFileSync(recorded, "utf8") !== text) {
    console.error("baseline: models/baseline.json records other numbers");
    process.exitCode = 1;
  }
}

main();
