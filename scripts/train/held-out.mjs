// Scores a model's weights on the committed held-out text: bits per character by language, and
// bits per token at several window lengths.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { root } from "../setup/ensure.mjs";
import { SetupError } from "../setup/process.mjs";
import { modelOptions, runTrainer } from "./native-trainer.mjs";
import { modelsFolder, readJson, sha256 } from "./recipe.mjs";

const languages = ["en", "zh"];
// What the verse form puts between Chinese characters; scored apart as well, since it is easy.
const marks = [..."，。？！；：\n"];
const endToken = "<|end|>";

/** Token ids of a committed text, as scripts/corpus.mjs makes them, and its number of characters. */
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
  const vocabulary = tokenizer.get_vocab();
  const idsOfMarks = marks.map((mark) => vocabulary.get(mark)).filter((id) => id !== undefined);
  return { bytes, characters, end, marks: idsOfMarks };
}

const bits = (nats) => nats / Math.LN2;
const rounded = (value) => Number(value.toFixed(4));

/**
 * Resolves to `{ en, zh }`: `bitsPerCharacter` over all characters, `hanBitsPerCharacter` over
 * Chinese ones without punctuation and line ends, and `lengths`, bits per token of the same tokens
 * when read in windows of each length.
 */
export async function scoreWeights(config, weights, multiples) {
  const folder = join(root, "build", "training");
  mkdirSync(folder, { recursive: true });
  const texts = {};
  for (const language of languages) {
    const text = await encodeText(language);
    const file = join(folder, `heldout.${language}.bin`);
    writeFileSync(file, text.bytes);
    texts[language] = { ...text, file };
  }
  const result = Object.fromEntries(languages.map((language) => [language, { lengths: [] }]));
  const options = [
    ...modelOptions(config),
    ["weights", weights],
    ["threads", availableParallelism()],
    ["length", config.max_training_length],
    ["end-id", texts.en.end],
    ...texts.zh.marks.map((id) => ["mark", id]),
    ...multiples.map((multiple) => ["multiple", multiple]),
    ...languages.map((language) => ["text", `${language}:${texts[language].file}`]),
  ];
  await runTrainer("score", options, (event) => {
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
      const bitsPerToken = rounded(bits(event.nats) / event.tokens);
      target.lengths.push({ length: event.length, tokens: event.tokens, bitsPerToken });
    }
  });
  return result;
}
