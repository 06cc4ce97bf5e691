// Numbers that the essay states in its text are those of the records and of the engine.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { Tokenizer } from "@huggingface/tokenizers";
import { load } from "../../dist/index.js";
import { states } from "./essay-text.mjs";
import { openSources } from "./sources.mjs";

const root = new URL("../../", import.meta.url);
const record = (path) => JSON.parse(readFileSync(new URL(path, root), "utf8"));

let sources;
before(async () => {
  sources = await openSources();
});
after(() => sources.close());

test("section 7: losses of the methods at four times the trained length", () => {
  const { results } = record("models/extension.json");
  const bits = (method, multiple, language) =>
    results[method][multiple][language].bitsPerToken.toFixed(2);
  const measured = ["en", "zh"].map((language) =>
    ["none", "linear", "ntk", "yarn"].map((method) => bits(method, 4, language)),
  );
  for (const [nothing, pi, ...better] of measured.map((all) => all.map(Number)))
    assert.ok(pi > nothing && better.every((one) => one < nothing));
  const [[nothing, pi, ntk, yarn], [nothingZh, piZh, ntkZh, yarnZh]] = measured;
  const trained = `${bits("none", 1, "en")} ${bits("none", 1, "zh")}`;
  const rows = [`PI ${pi} ${piZh}`, `YaRN ${yarn} ${yarnZh}`];
  states("07-dial", {
    en: [
      ...rows,
      `at the trained length ${trained}`,
      `nothing changed ${nothing} ${nothingZh}`,
      `NTK-aware ${ntk} ${ntkZh}`,
    ],
    zh: [
      ...rows,
      `训练长度上 ${trained}`,
      `什么也不改 ${nothing} ${nothingZh}`,
      `NTK 感知 ${ntk} ${ntkZh}`,
    ],
  });
});

test("section 8: ALiBi's losses, and the size of the models", async () => {
  const { text } = record("web/figures/train-short/recorded.json");
  const mean = (at) => (text.alibi.reduce((sum, row) => sum + row[at], 0) / 3).toFixed(2);
  states("08-beyond", {
    en: [`${mean(0)} bits a letter at 32, ${mean(3)} at 256`, "some 50,000 parameters"],
    zh: [`32 个字母时每字母 ${mean(0)} 比特，256 个时 ${mean(3)}`, "约 5 万个参数"],
  });
  const wf = await load({ training: true });
  const { lengthRecipe } = await sources.load("/defaults.ts");
  const genesis = readFileSync(new URL("models/length/genesis.txt", root), "utf8");
  const model = await wf.model({
    ...lengthRecipe.model,
    vocabSize: new Set(genesis).size,
    scheme: "alibi",
  });
  const count = model.parameterCount;
  assert.ok(Math.abs(count - 50_000) < 5000, `${count}`);
  model.dispose();
});

test("section 9: the loss without the rotation of one head", async () => {
  const models = new URL("models/", root);
  const library = new Tokenizer(record("models/tokenizer.json"), {});
  const wf = await load();
  const model = await wf.model({
    config: record("models/rope/config.json"),
    weights: readFileSync(new URL("rope/model.safetensors", models)),
  });
  const { heldOutWindow: window, heldOutWindows } = await sources.load("/defaults.ts");
  const surgery = { layers: [3], heads: [2], zero: ["rotation"] };
  // As the figure of surgery measures it.
  const bits = (language, options) => {
    const text = readFileSync(new URL(`heldout/${language}.txt`, models), "utf8").slice(0, 8000);
    const all = library.encode(text, { add_special_tokens: false }).ids;
    let [nats, characters] = [0, 0];
    for (let at = 0; at < heldOutWindows * window; at += window) {
      const ids = all.slice(at, at + window + 1);
      nats += model.loss(ids, options).mean * window;
      for (const id of ids.slice(1)) {
        const token = library.decode([id], { skip_special_tokens: false });
        characters += token.startsWith("<|") ? 1 : [...token].length;
      }
    }
    return (nats / Math.LN2 / characters).toFixed(2);
  };
  const [en, zh] = ["en", "zh"].map((language) => [bits(language), bits(language, { surgery })]);
  states("09-inside", {
    en: [
      `from ${en.join(" to ")} bits a letter in English`,
      `from ${zh.join(" to ")} bits a character in Chinese`,
    ],
    zh: [`英文从每字母 ${en[0]} 比特升到 ${en[1]}，中文从每字 ${zh[0]} 升到 ${zh[1]}`],
  });
  model.dispose();
});

test("section 10: what lies within the trained length, here and in the ALiBi paper", () => {
  const { text } = record("web/figures/train-short/recorded.json");
  const at32 = ["sinusoidal", "learned", "rope", "alibi"].map(
    (id) => text[id].reduce((sum, [first]) => sum + first, 0) / 3,
  );
  // Half a bit.
  assert.ok(Math.abs(Math.max(...at32) - Math.min(...at32) - 0.5) < 0.1);
  const spreads = record("bench/schemes/paper.json").perplexity.map(({ rows: [[, ...first]] }) =>
    Math.log2(Math.max(...first) / Math.min(...first)).toFixed(2),
  );
  states("10-which", {
    en: [`lie within ${spreads[1]} bits a word of one another at the trained length`],
    zh: [`在训练长度上，每个词最多只差 ${spreads[1]} 比特`],
  });
  assert.ok(spreads[1] >= spreads[0]);
});

test("section 10: how many models of the index rotate", () => {
  const models = record("docs/models/models.json").filter(({ year }) => year >= 2023);
  const variants = record("docs/variants/variants.json");
  const rotating = ["rope", "xpos", "mrope", "rope_2d", "mla", "rope_nope_layers"];
  const rotates = new Set([
    ...rotating,
    ...variants.filter(({ scheme }) => rotating.includes(scheme)).map(({ id }) => id),
  ]);
  const count = models.filter(({ schemes }) => schemes.some((id) => rotates.has(id))).length;
  states("10-which", {
    en: [`of the ${models.length} models since 2023 in our index, ${count} rotate`],
    zh: [`2023 年以来的 ${models.length} 个模型有 ${count} 个用旋转`],
  });
});
