// The numbers on the pages of the schemes: from the built engine, the trained models and the
// records of their training.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Tokenizer } from "@huggingface/tokenizers";
import { root } from "../../setup/ensure.mjs";
import { gridLook } from "./grid-facts.mjs";
import { numbersOf, readVariants } from "./variants.mjs";

const at = (...parts) => join(root, ...parts);
const readJson = (...parts) => JSON.parse(readFileSync(at(...parts), "utf8"));
const bytesPerNumber = 4;

/** The tokenizer of the trained models, in the form that the engine takes. */
function readTokenizer() {
  const library = new Tokenizer(readJson("models/tokenizer.json"), {});
  return {
    encode: (text) => [...library.encode(text, { add_special_tokens: false }).ids],
    decode: (ids) =>
      library.decode([...ids], { skip_special_tokens: false, clean_up_tokenization_spaces: false }),
  };
}

/** The cost of a scheme at such sizes, as the gallery shows it. */
function costOf(wf, id, sizes) {
  const { tokens, numHeads, headDim, numLayers } = sizes;
  const width = numHeads * headDim;
  const scheme = wf.scheme(id, { numHeads, headDim });
  const cost = scheme.cost({ queries: tokens, width });
  scheme.dispose();
  return {
    ...sizes,
    parameters: cost.modelParameters + numLayers * cost.layerParameters,
    onceFlops: cost.onceFlops,
    layerFlops: cost.layerFlops,
    attentionFlops: 4 * tokens * tokens * width,
    cacheBytes: cost.cacheFloats * bytesPerNumber,
  };
}

/** The terms that a scheme adds to a logit with its default options. */
async function termsOf(wf, { id, positionAxes, terms }) {
  const isCausal = positionAxes !== 2;
  const sizes = { vocabSize: 16, hiddenSize: 64, numLayers: 1, numHeads: 4, headDim: 16 };
  const options = { ...sizes, intermediateSize: 16, initializerRange: 0.5, seed: 1 };
  const model = await wf.model({ ...options, isCausal, scheme: id });
  const recorded = model.run([0, 1, 2, 3, 4, 5, 6, 7, 8], { record: ["terms"] }).terms;
  model.dispose();
  return terms.filter((name) => recorded[name]?.data.some((value) => value !== 0));
}

/**
 * The layer, head and share of the map that attends most to the previous token, in held-out text.
 */
function maxPrevious(heads) {
  const maps = Object.entries(heads).filter(([name]) => /^\d+\.\d+$/.test(name));
  const [[name, { previous }]] = maps.sort(([, a], [, b]) => b.previous - a.previous);
  const [layer, head] = name.split(".").map(Number);
  return { layer, head, previous };
}

/** Attention maps of a trained model for one text in each language, and its held-out losses. */
async function trainedOf(wf, id, texts, tokenizer) {
  const folder = at("models", id);
  if (!existsSync(join(folder, "model.safetensors"))) return undefined;
  const model = await wf.model({
    config: readJson("models", id, "config.json"),
    weights: readFileSync(join(folder, "model.safetensors")),
    tokenizer,
  });
  const { heldOut, tokens: seen } = readJson("models", id, "training.json");
  const heads = readJson("models", id, "heads.json").results;
  const { numLayers, numHeads } = model.config;
  const answers = Object.entries(texts).map(([language, text]) => {
    const ids = tokenizer.encode(text);
    const { tokens, weights } = model.run(ids, { record: ["weights"] });
    return [language, { text, tokens, weights: weights.data, shown: maxPrevious(heads[language]) }];
  });
  const { parameterCount } = model;
  model.dispose();
  return { parameterCount, seen, numLayers, numHeads, heldOut, ...Object.fromEntries(answers) };
}

/** Shares of right answers about pictures, by question: for a model's seeds and a blind model's. */
function picturesOf(results, id, blind) {
  if (!results[id]) return undefined;
  const seeds = (scheme) => Object.values(results[scheme]);
  const questions = Object.keys(seeds(id)[0]).filter((name) => name.startsWith("picture_"));
  return Object.fromEntries(
    questions.map((name) => [
      name,
      {
        scheme: seeds(id).map((seed) => seed[name]),
        blind: seeds(blind).map((seed) => seed[name]),
      },
    ]),
  );
}

/**
 * `{ schemes: [{ description, sockets, terms, cost, ends, trained, pictures, look }], variants,
 * blind, sighted }`;
 * `sources` are the page's modules (page-sources.mjs).
 */
export async function readFacts(sources) {
  const [defaults, shared, ends, plugged] = await Promise.all(
    [
      "/defaults.ts",
      "/figures/shared/figure/words.ts",
      "/engine/worker/ends.ts",
      "/engine/worker/sockets.ts",
    ].map(sources.load),
  );
  const { load } = await import(pathToFileURL(at("dist/index.js")).href);
  const wf = await load({ wasm: readFileSync(at("dist/simd.wasm")), variant: "simd" });
  const { en, zh } = shared.sharedWords;
  const texts = { en: en.models.text, zh: zh.models.text };
  const tokenizer = readTokenizer();
  const lookWith = await gridLook(sources);
  const blind = defaults.blindScheme;
  const { results } = readJson("models/image.json");
  const schemes = [];
  for (const description of wf.schemes) {
    const { id } = description;
    schemes.push({
      description,
      sockets: plugged.socketsOf(wf, description),
      terms: await termsOf(wf, description),
      cost: costOf(wf, id, defaults.costSizes),
      ends: ends.endsSomewhere(wf, { scheme: id, options: {} }, defaults.galleryView.farthest),
      trained: await trainedOf(wf, id, texts, tokenizer),
      pictures: id === blind ? undefined : picturesOf(results, id, blind),
      look: await lookWith(wf, id),
    });
  }
  const { variants, faults } = readVariants();
  if (faults.length) throw new Error(faults.join("\n"));
  return {
    schemes,
    variants: variants.map((variant) => ({ ...variant, numbers: numbersOf(wf, variant) })),
    blind,
    sighted: defaults.sightedScheme,
  };
}
