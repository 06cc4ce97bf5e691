// The committed held-out text as token ids, and the score of a model's weights on it: bits per
// character by language, and bits per token at several window lengths.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { root } from "../setup/ensure.mjs";
import { SetupError } from "../setup/process.mjs";
import { modelOptions, runTrainer } from "./native-trainer.mjs";
import { modelsFolder, readJson, sha256 } from "./recipe.mjs";

export const languages = ["en", "zh"];
// Punctuation that the verse form puts between Chinese characters; also scored separately, since it
// is easy.
const marks = [..."，。？！；：\n"];
const endToken = "<|end|>";

/**
 * Token ids of a committed text, encoded as in scripts/corpus.mjs, and its number of characters.
 */
async function encodeText(language) {
  const { Tokenizer } = await import("@huggingface/tokenizers");
  const tokenizer = new Tokenizer(
    readJson(join(modelsFolder, "tokenizer.json")),
    readJson(join(modelsFolder, "tokenizer_config.json")),
  );
  const text = readFileSync(join(modelsFolder, "heldout", `${language}.txt`), "utf8");
  const end = tokenizer.token_to_id(endToken);
  const ids = [];
  let characters = 0;
  for (const document of text.split(endToken).filter(Boolean)) {
    ids.push(end);
    characters += [...document].length;
    for (const line of document.split(/(?<=\n)/)) ids.push(...tokenizer.encode(line).ids);
  }
  ids.push(end);
  const bytes = new Uint8Array(Uint16Array.from(ids).buffer);
  const expected = readJson(join(modelsFolder, "corpus.json")).files[`heldout.${language}.bin`];
  if (sha256(bytes) !== expected.sha256) {
    throw new SetupError(`models/heldout/${language}.txt does not encode to the recorded ids`);
  }
  return { ids, bytes, characters, end };
}

const folder = join(root, "build", "training");

/** Writes token ids for the trainer; resolves to the file's name. */
export function writeIds(name, ids) {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${name}.bin`);
  writeFileSync(file, new Uint8Array(Uint16Array.from(ids).buffer));
  return file;
}

/**
 * `{ en, zh }`, each `{ ids, characters, end, file }`: the held-out texts, ready for the trainer.
 */
export async function heldOutTexts() {
  const texts = {};
  for (const language of languages) {
    const text = await encodeText(language);
    texts[language] = { ...text, file: writeIds(`heldout.${language}`, text.ids) };
  }
  return texts;
}

/** Ids of the tokens for which `test(text)` is true. */
export function tokensWhere(test) {
  const { vocab } = readJson(join(modelsFolder, "tokenizer.json")).model;
  return Object.entries(vocab)
    .filter(([text]) => test(text))
    .map(([, id]) => id);
}

/** Ids of the verse form's punctuation between Chinese characters, including line ends. */
export const verseMarks = () => tokensWhere((text) => marks.includes(text));

/**
 * Characters of the first `count` targets of a text; the unknown token counts as one, `end` as
 * none.
 */
export function charactersOf({ ids, end }, count) {
  const { vocab } = readJson(join(modelsFolder, "tokenizer.json")).model;
  const length = new Map(Object.entries(vocab).map(([text, id]) => [id, [...text].length]));
  length.set(vocab["<|unk|>"], 1);
  length.set(end, 0);
  return ids.slice(1, count + 1).reduce((sum, id) => sum + length.get(id), 0);
}

/** The trainer's command-line options for the texts. */
export const textOptions = (texts) => [
  ["end-id", texts.en.end],
  ...Object.entries(texts).map(([name, { file }]) => ["text", `${name}:${file}`]),
];

export const bits = (nats) => nats / Math.LN2;
export const rounded = (value, digits = 4) => Number(value.toFixed(digits));

/**
 * Resolves to `{ en, zh }`: `bitsPerCharacter` over all characters, `hanBitsPerCharacter` over
 * Chinese ones without punctuation and line ends, and `lengths`, bits per token of the same tokens
 * when read in windows of each length; null if the scheme is not defined at a length. For a causal
 * model these are those of the next token; for a masked one those of hidden tokens, each hidden
 * once.
 */
export async function scoreWeights(recipe, kind, config, weights) {
  const texts = await heldOutTexts();
  const result = Object.fromEntries(languages.map((language) => [language, { lengths: [] }]));
  const { rounds, maskSeed, multiples } =
    kind === "masked" ? recipe.masked.scoring : recipe.scoring;
  const options = [
    ...modelOptions(config),
    ["weights", weights],
    ["threads", availableParallelism()],
    ["length", config.max_training_length],
    ...textOptions(texts),
  ];
  const markOptions = verseMarks().map((id) => ["mark", id]);
  const lengthOptions = multiples.map((multiple) => ["multiple", multiple]);
  const take = (event) => {
    const target = result[event.text];
    if (event.event === "score") {
      const { characters } = texts[event.text];
      Object.assign(target, { characters, tokens: event.tokens });
      target.bitsPerCharacter = rounded(bits(event.nats) / characters);
      if (event.text === "zh") {
        target.hanCharacters = event.tokensWithoutMarks;
        target.hanBitsPerCharacter = rounded(
          bits(event.natsWithoutMarks / event.tokensWithoutMarks),
        );
      }
    } else {
      const isDefined = event.undefined === undefined;
      target.lengths.push({
        length: event.length,
        tokens: isDefined ? event.tokens : null,
        bitsPerToken: isDefined ? rounded(bits(event.nats) / event.tokens) : null,
      });
    }
  };
  if (kind === "masked") {
    const masking = [
      ["rounds", rounds],
      ["mask-seed", maskSeed],
    ];
    await runTrainer(
      "score_masked",
      [...options, ...markOptions, ...masking, ...lengthOptions],
      take,
    );
  } else {
    await runTrainer("score", [...options, ...markOptions], take);
    await runTrainer("lengths", [...options, ...lengthOptions], take);
  }
  return result;
}
