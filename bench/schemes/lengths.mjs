// The part of docs/costs.md that compares our losses by length with those of the ALiBi paper.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { spread, spreadText } from "../../scripts/train/experiments.mjs";
import { modelsFolder, readJson } from "../../scripts/train/recipe.mjs";
import { markdownTable } from "../report/docs.mjs";

const isText = (column) => column === 0;
const paper = JSON.parse(readFileSync(new URL("./paper.json", import.meta.url), "utf8"));
const languageNames = { en: "English", zh: "Chinese" };

/** Returns the results of `npm run length`; undefined before it has been run. */
export function readLengths() {
  const file = join(modelsFolder, "length.json");
  return existsSync(file) ? readJson(file) : undefined;
}

/** Returns bits per character of every scheme at every length, mean and deviation over seeds. */
function ourTable({ plan, results }, language, titleOf) {
  const { multiples, training } = plan.length;
  return markdownTable(
    [
      ["scheme", ...multiples.map((multiple) => String(multiple * training.length))],
      ...Object.entries(results).map(([name, seeds]) => [
        titleOf(name),
        ...multiples.map((_, i) =>
          spreadText(
            Object.values(seeds).map((scores) => scores[language][i]),
            3,
          ),
        ),
      ]),
    ],
    isText,
  );
}

const change = (value) => `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(2)}`;

/** Returns the change of the loss in bits at multiples of the training length. */
function besidePaper({ plan, results }, language, titleOf) {
  const { multiples } = plan.length;
  const ids = Object.keys(paper.schemes).filter((id) => results[id]);
  const ourCell = (id, i) => {
    const values = Object.values(results[id]).map((scores) => scores[language]);
    if (values.some((scores) => scores[i] === null)) return "not defined";
    return change(spread(values.map((scores) => scores[i] - scores[0])).mean);
  };
  const rows = multiples
    .map((multiple, i) => ["ours", `${multiple} ×`, ...ids.map((id) => ourCell(id, i))])
    .slice(1);
  const theirs = paper.perplexity.flatMap(({ trained, rows: [first, ...more] }) =>
    more.map(([length, ...values]) => [
      `paper, trained on ${trained}`,
      `${(length / trained).toFixed(1)} ×`,
      ...ids.map((id) => {
        const column = Object.keys(paper.schemes).indexOf(id);
        const value = values[column];
        return value === null ? "out of memory" : change(Math.log2(value / first[column + 1]));
      }),
    ]),
  );
  return markdownTable(
    [["", "length of the test", ...ids.map(titleOf)], ...rows, ...theirs],
    isText,
  );
}

/** Returns the text between the marks of our curves. */
export function lengthText(lengths, titleOf) {
  if (!lengths) return "`npm run length` has not been run: there is no `models/length.json`.\n";
  const { plan, results } = lengths;
  const { model } = plan.small;
  const { training } = plan.length;
  const seeds = Math.max(...Object.values(results).map((one) => Object.keys(one).length));
  return [
    `\`npm run length\`: ${model.num_hidden_layers} layers, width ${model.hidden_size}, ` +
      `${model.num_attention_heads} heads; ${training.steps} steps of ${training.batch} windows ` +
      `of ${training.length} tokens; up to ${seeds} seeds, mean ± sample deviation. Bits for ` +
      "each character of held-out text, in windows of as many tokens as the head of the column " +
      "says; the same tokens at every length.",
    ...Object.entries(languageNames).flatMap(([language, name]) => [
      "",
      `**${name}**`,
      "",
      ...ourTable(lengths, language, titleOf),
    ]),
    "",
    "Change of the loss against the training length: ours in bits a character (English), the " +
      "paper's in bits a word, log₂ of the quotient of its perplexities.",
    "",
    ...besidePaper(lengths, "en", titleOf),
    "",
  ].join("\n");
}

/** Returns the paper's own tables. */
export function paperText() {
  const names = Object.values(paper.schemes);
  const perplexities = paper.perplexity.flatMap(({ table, trained, rows }) => [
    "",
    `Trained on ${trained} tokens (Table ${table}):`,
    "",
    ...markdownTable(
      [
        ["tested on", ...names],
        ...rows.map(([length, ...values]) => [
          String(length),
          ...values.map((value) => (value === null ? "out of memory" : value.toFixed(2))),
        ]),
      ],
      () => false,
    ),
  ]);
  const speeds = markdownTable(
    [
      ["trained on", "", ...names],
      ...paper.speed.flatMap(({ length, train, evaluate, memory }) => [
        [
          String(length),
          "training, × as long",
          ...train.map((rate) => (train[0] / rate).toFixed(2)),
        ],
        [
          String(length),
          "reading, × as long",
          ...evaluate.map((rate) => (evaluate[0] / rate).toFixed(2)),
        ],
        [String(length), "memory, GB", ...memory.map((value) => value.toFixed(1))],
      ]),
    ],
    (column) => column === 1,
  );
  return [
    ...perplexities.slice(1),
    "",
    "Time against sinusoidal, from the words a second of Table 1, and memory while training:",
    "",
    ...speeds,
    "",
  ].join("\n");
}
