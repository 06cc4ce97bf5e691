// `npm run longrope`: LongRoPE's search on the committed rotary model, with the published package.
// For each length it searches a list of divisors on training text; the best one is measured on the
// held-out text, as `npm run extension` measures the other methods.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../setup/ensure.mjs";
import { SetupError } from "../setup/process.mjs";
import { say } from "../setup/progress.mjs";
import { Results, table } from "./experiments.mjs";
import { extendedConfig } from "./extension.mjs";
import { bits, heldOutTexts, languages, rounded } from "./held-out.mjs";
import { modelFolder, modelsFolder, readJson, sha256 } from "./recipe.mjs";

const folderOf = (recipe) => modelFolder("causal", recipe.longrope.model);
const weightsOf = (recipe) => readFileSync(join(folderOf(recipe), "model.safetensors"));

export const longropePlan = (recipe) => ({
  longrope: recipe.longrope,
  config: readJson(join(folderOf(recipe), "config.json")),
  weightsSha256: sha256(weightsOf(recipe)),
});

const resultsOf = (recipe) =>
  new Results("longrope", { command: "npm run longrope", plan: longropePlan(recipe), depth: 1 });

/** Random numbers below 1 from a seed, the same on every machine (mulberry32). */
export function chance(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const normal = (next) => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());

/** Clamps divisors to the bounds and to those of faster pairs, with two decimals as in configs. */
export function lawful(divisors, max) {
  let min = 1;
  return divisors.map((divisor) => {
    min = Math.min(max, Math.max(min, Math.round(divisor * 100) / 100));
    return min;
  });
}

/**
 * The best list and its loss: the parents are the best lists so far; children are parents with some
 * divisors changed, or mixtures of two. `lossOf` is called once for each list.
 */
export function searchDivisors(starts, lossOf, settings, multiple) {
  const { population, parents, generations, mutations, crossovers, rate, spread } = settings;
  const next = chance(settings.seed * 1000 + multiple);
  const max = settings.most * multiple;
  const known = new Map();
  const add = (divisors) => {
    const list = lawful(divisors, max);
    const key = list.join();
    if (!known.has(key)) known.set(key, { list, loss: lossOf(list) });
  };
  const mutated = (list) =>
    list.map((divisor) => (next() < rate ? divisor * Math.exp(normal(next) * spread) : divisor));
  const one = (list) => list[Math.floor(next() * list.length)];
  const best = () => [...known.values()].sort((a, b) => a.loss - b.loss).slice(0, parents);
  for (const start of starts) add(start);
  while (known.size < population) add(mutated(one(starts)));
  for (let generation = 0; generation < generations; generation++) {
    const ranked = best();
    for (let i = 0; i < mutations; i++) add(mutated(one(ranked).list));
    for (let i = 0; i < crossovers; i++) {
      const [a, b] = [one(ranked).list, one(ranked).list];
      add(a.map((divisor, pair) => (next() < 0.5 ? divisor : b[pair])));
    }
  }
  return { ...best()[0], tried: known.size };
}

// ------------------------------------------------------------------------------- the model

/** Windows of the training text at equal distances, `tokens` in total. */
function trainingWindows(length, tokens) {
  return languages.flatMap((language) => {
    const file = join(root, "build", "corpus", `train.${language}.bin`);
    if (!existsSync(file)) throw new SetupError("The training text is missing: npm run corpus");
    const bytes = readFileSync(file);
    const ids = new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2);
    const count = Math.max(1, Math.round(tokens / length));
    return Array.from({ length: count }, (_, index) => {
      const from = Math.floor(((index + 0.5) / count) * (ids.length - length - 1));
      return Array.from(ids.subarray(from, from + length + 1));
    });
  });
}

/** LongRoPE as in a config, in every layer. */
export function longropeSurgery(config, multiple, divisors) {
  const [{ id, options }] = config.schemes;
  const length = config.max_training_length;
  return {
    scheme: {
      id,
      options: {
        ...options,
        maxPositionEmbeddings: multiple * length,
        ropeScaling: {
          ropeType: "longrope",
          factor: multiple,
          originalMaxPositionEmbeddings: length,
          shortFactor: divisors.map(() => 1),
          longFactor: divisors,
        },
      },
    },
  };
}

/** Divisors of each pair in other methods: the start of the search. */
function startsOf(wf, recipe, multiple) {
  const shape = (config) => ({ numHeads: 1, headDim: config.head_dim });
  const frequenciesOf = (method) => {
    const config = extendedConfig(recipe, method, multiple);
    const options = {};
    for (const [key, value] of Object.entries(config.schemes[0].options)) {
      const [group, name] = key.split(".");
      if (name) options[group] = { ...options[group], [name]: value };
      else options[key] = value;
    }
    const scheme = wf.scheme(config.schemes[0].id, { ...shape(config), ...options });
    const { inverseFrequencies } = scheme.frequencies();
    scheme.dispose();
    return Array.from(inverseFrequencies);
  };
  const plain = frequenciesOf("none");
  return ["linear", "ntk", "by_parts", "yarn"].map((method) =>
    frequenciesOf(method).map((after, pair) => plain[pair] / after),
  );
}

/** Loss of held-out text as in `npm run extension`: whole adjacent windows, by position. */
export function heldOutLoss(model, { ids, end }, length, { longest, bucket, surgery }) {
  const count = (Math.floor((ids.length - 1) / longest) * longest) / length;
  const buckets = Array.from({ length: length / bucket }, () => ({ nats: 0, tokens: 0 }));
  for (let window = 0; window < count; window++) {
    const part = ids.slice(window * length, (window + 1) * length + 1);
    const { perToken } = model.loss(part, surgery ? { surgery } : {});
    perToken.forEach((nats, at) => {
      // The end token of a document is context but not a target.
      if (part[at + 1] === end) return;
      const stretch = buckets[Math.floor(at / bucket)];
      stretch.nats += nats;
      stretch.tokens += 1;
    });
  }
  const sum = (name) => buckets.reduce((total, stretch) => total + stretch[name], 0);
  return {
    bitsPerToken: rounded(bits(sum("nats")) / sum("tokens")),
    byPosition: buckets.map(({ nats, tokens }) => rounded(bits(nats) / tokens, 3)),
  };
}

export async function openModel(recipe) {
  const engine = new URL("../../dist/index.js", import.meta.url);
  if (!existsSync(engine)) throw new SetupError("The package is missing: npm run build");
  const { load } = await import(engine);
  const wf = await load();
  const config = readJson(join(folderOf(recipe), "config.json"));
  return { wf, config, model: await wf.model({ config, weights: weightsOf(recipe) }) };
}

export async function measureLongrope(recipe) {
  const settings = recipe.longrope;
  const { wf, config, model } = await openModel(recipe);
  const texts = await heldOutTexts();
  const length = config.max_training_length;
  const longest = Math.max(...settings.multiples) * length;
  await resultsOf(recipe).complete(
    settings.multiples.map((multiple) => [String(multiple)]),
    ([written]) => {
      const multiple = Number(written);
      const windows = trainingWindows(multiple * length, settings.tokens);
      const lossOf = (divisors) => {
        const surgery = longropeSurgery(config, multiple, divisors);
        const losses = windows.map((ids) => model.loss(ids, { surgery }).mean);
        return bits(losses.reduce((sum, loss) => sum + loss, 0) / losses.length);
      };
      const starts = startsOf(wf, recipe, multiple);
      const { list, loss, tried } = searchDivisors(starts, lossOf, settings, multiple);
      const surgery = longropeSurgery(config, multiple, list);
      const asked = { longest, bucket: length, surgery };
      const scores = Object.fromEntries(
        languages.map((language) => [
          language,
          heldOutLoss(model, texts[language], multiple * length, asked),
        ]),
      );
      const summary = languages.map((language) => `${language} ${scores[language].bitsPerToken}`);
      const result = { divisors: list, tried, searchedBitsPerToken: rounded(loss), ...scores };
      return { result, summary: summary.join(", ") };
    },
  );
}

export function printLongrope(recipe) {
  const results = resultsOf(recipe).read();
  const others = readJson(join(modelsFolder, "extension.json")).results;
  const { multiples } = recipe.longrope;
  for (const language of languages) {
    say(`Held-out bits per token, ${language}, beside the best method of npm run extension\n`);
    const best = multiples.map((multiple) => {
      const scores = Object.entries(others).map(([method, of]) => [
        of[multiple]?.[language].bitsPerToken ?? Number.POSITIVE_INFINITY,
        method,
      ]);
      return scores.sort(([a], [b]) => a - b)[0];
    });
    table([
      ["multiple", "longrope", "best other", "which"],
      ...multiples.flatMap((multiple, index) =>
        results[multiple]
          ? [
              [
                String(multiple),
                results[multiple][language].bitsPerToken.toFixed(3),
                best[index][0].toFixed(3),
                best[index][1],
              ],
            ]
          : [],
      ),
    ]);
  }
  for (const [multiple, { divisors, tried }] of Object.entries(results))
    say(`${multiple}: ${divisors.join(" ")}  (of ${tried} lists)`);
}
