// How long texts of a quantised model stay those of the same model in f32, at temperature 0.
//
//   node bench/agreement.mjs MODEL [--prompts 40] [--tokens 16] [--types int8-exact,int8] [--write]
//
// MODEL is a file or folder that wf.model opens, of an instruct model whose chat template is ChatML
// (SmolLM2-135M-Instruct, Qwen2.5-0.5B-Instruct). Each prompt is continued in f32 once, then in
// each type up to the first token that differs. `--write` puts the table into
// docs/quantisation.md.

import { readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { parseArgs } from "node:util";
import { load } from "../dist/index.js";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    prompts: { type: "string", default: "40" },
    tokens: { type: "string", default: "16" },
    types: { type: "string", default: "int8-exact,int8,int4" },
    write: { type: "boolean", default: false },
  },
});
const [source] = positionals;
const count = Number(values.prompts);
const maxTokens = Number(values.tokens);

/** Ten questions about each of ten things. */
const things = [
  "France",
  "Japan",
  "the Sun",
  "the Moon",
  "a violin",
  "a bicycle",
  "bread",
  "the sea",
  "a library",
  "the number seven",
];
const questions = [
  (thing) => `What is the capital of ${thing}? If it has none, say why.`,
  (thing) => `Describe ${thing} in one sentence.`,
  (thing) => `Write two lines of a poem about ${thing}.`,
  (thing) => `Why do people like ${thing}?`,
  (thing) => `What colour is ${thing}, and what shape?`,
  (thing) => `Explain ${thing} to a child of six.`,
  (thing) => `Name three things that belong to ${thing}.`,
  (thing) => `Is ${thing} older than the pyramids of Egypt?`,
  (thing) => `Translate "I saw ${thing} yesterday" into French.`,
  (thing) => `What would happen without ${thing}?`,
];
const prompts = questions
  .flatMap((question) => things.map(question))
  .slice(0, count)
  .map((said) => `<|im_start|>user\n${said}<|im_end|>\n<|im_start|>assistant\n`);

const wf = await load();
const opened = (dtype) => wf.model(source, { dtype, tokenizer: import("@huggingface/tokenizers") });

/** The greedy ids after a prompt, -1 at its end; with `expected`, up to the first that differs. */
async function continued(model, ids, exact, expected) {
  const written = [];
  const tokens = model.generate(ids, { temperature: 0, maxTokens, exact });
  for (;;) {
    const { done, value } = await tokens.next();
    if (done && value.reason !== "endToken") return written;
    written.push(done ? -1 : value.id);
    if (done) return written;
    if (expected && value.id !== expected[written.length - 1]) break;
  }
  await tokens.return();
  return written;
}

const plain = await opened("f32");
const texts = [];
for (const prompt of prompts) {
  const ids = plain.tokenizer.encode(prompt);
  texts.push({ ids, expected: await continued(plain, ids, true) });
}
plain.dispose();

const percent = (share) => `${(100 * share).toFixed(1)}%`;
const rows = [];
for (const name of values.types.split(",")) {
  const [dtype, exactly] = name.split("-");
  const model = await opened(dtype);
  const lengths = [];
  let equal = 0;
  for (const { ids, expected } of texts) {
    const written = await continued(model, ids, exactly === "exact", expected);
    const isEqual = written.at(-1) === expected[written.length - 1];
    if (isEqual) equal++;
    lengths.push(isEqual ? written.length : written.length - 1);
  }
  model.dispose();
  const agreed = lengths.reduce((sum, length) => sum + length, 0);
  const chosen = agreed + lengths.length - equal;
  const share = agreed / chosen;
  const error = Math.sqrt((share * (1 - share)) / chosen);
  const arithmetic = dtype.startsWith("int") ? (exactly ?? "quick") : "floats";
  rows.push([
    dtype,
    arithmetic,
    percent(share),
    `±${(100 * error).toFixed(1)}`,
    `${equal} of ${lengths.length}`,
  ]);
  console.log(rows.at(-1).join("  "));
}

const table = [
  `${basename(source)}: ${texts.length} prompts, ${maxTokens} tokens each.`,
  "",
  "| Type | Activations | Tokens as in f32 | Standard error | Equal texts |",
  "|---|---|--:|--:|--:|",
  ...rows.map((row) => `| ${row.join(" | ")} |`),
].join("\n");
console.log(`\n${table}`);
if (values.write) {
  const file = new URL("../docs/quantisation.md", import.meta.url);
  const [begin, end] = [
    "<!-- begin agreement: written by node bench/agreement.mjs MODEL --write -->",
    "<!-- end agreement -->",
  ];
  const text = readFileSync(file, "utf8");
  const [first, last] = [text.indexOf(begin) + begin.length, text.indexOf(end)];
  writeFileSync(file, `${text.slice(0, first)}\n\n${table}\n\n${text.slice(last)}`);
}
