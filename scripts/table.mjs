#!/usr/bin/env node
// Prints the costs and properties of each scheme, from the built engine:
//
//   node scripts/table.mjs [--n 2048] [--d 64] [--h 12] [--layers 12] [--language en|zh]
//   node scripts/table.mjs --write     writes docs/table.en.md and docs/table.zh.md (default sizes)
//   node scripts/table.mjs --check     fails if they differ from the output of --write
//
// n tokens, d channels a head, h heads; the width of the model is h · d.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openSources } from "./build/page-sources.mjs";
import { build } from "./build.mjs";
import { ensure, root } from "./setup/ensure.mjs";
import { runMain, SetupError, unexpected } from "./setup/process.mjs";

const defaults = { n: 2048, d: 64, h: 12, layers: 12 };
const bytesPerNumber = 4;

const grouped = (value) => Math.round(value).toLocaleString("en");

const words = {
  en: {
    title: "What each scheme costs and promises",
    sizes: ({ n, d, h, layers }) =>
      `${grouped(n)} tokens, ${h} heads of ${d} channels, ${layers} layers; default options. ` +
      "Made by `npm run table -- --write` from the engine itself.",
    columns: [
      "Scheme",
      "Parameters",
      "Extra FLOPs, once",
      "Extra FLOPs, a layer",
      "of attention’s own",
      "Cache, bytes a token and layer",
      "Shift-invariant",
      "Defined at every distance",
      "Decodes",
    ],
    yes: "yes",
    no: "no",
    notes: [
      "Extra FLOPs: multiplications and additions in one forward pass without a mask, as the " +
        "code does them; a sine, a logarithm or a look-up counts as one. Attention’s own are " +
        "the two products, 4 · n² · h · d.",
      "A scheme is defined at every distance where the engine refuses none: it is given two " +
        "tokens 999,999 positions apart. Whether a trained model keeps its quality there is " +
        "measured, not promised: see its page, or models/README.md.",
      "The cache holds float32 keys and values.",
    ],
  },
  zh: {
    title: "各方案的开销与性质",
    sizes: ({ n, d, h, layers }) =>
      `${grouped(n)} 个词元，${h} 个头，每头 ${d} 维，${layers} 层；选项取默认值。` +
      "表中的数都由引擎自己算出，用 `npm run table -- --write` 生成。",
    columns: [
      "方案",
      "参数量",
      "额外运算量（仅一次）",
      "额外运算量（每层）",
      "与注意力本身之比",
      "缓存（每词元每层字节数）",
      "平移不变",
      "再远也有定义",
      "可逐词元解码",
    ],
    yes: "是",
    no: "否",
    notes: [
      "额外运算量是一次前向计算（不加掩码）里多出来的乘法和加法，按代码的实际写法计；一次正弦、对数或查表算一次运算。注意力本身的运算量是两次矩阵乘法，即 4 · n² · h · d。",
      "“再远也有定义”是说引擎不会因为太远而拒绝：试的是相距 999,999 的两个词元。" +
        "训练好的模型到了那里质量如何，只能靠测量，定义不作保证：" +
        "见各方案自己的一页，或 models/README.md。",
      "缓存里的键和值都是 float32。",
    ],
  },
};

function percent(share) {
  if (share === 0) return "0";
  return share < 0.001 ? "< 0.1%" : `${(100 * share).toFixed(1)}%`;
}

function rowsOf({ wf, ends }, { n, d, h, layers }, { yes, no }, titles) {
  const attention = 4 * n * n * h * d;
  return wf.schemes.map(({ id, claims }) => {
    const scheme = wf.scheme(id, { numHeads: h, headDim: d });
    const cost = scheme.cost({ queries: n, width: h * d });
    scheme.dispose();
    const said = (claim) => (claim ? yes : no);
    return [
      titles[id].title,
      grouped(cost.modelParameters + layers * cost.layerParameters),
      grouped(cost.onceFlops),
      grouped(cost.layerFlops),
      percent(cost.layerFlops / attention),
      claims.decodes ? grouped(cost.cacheFloats * bytesPerNumber) : "—",
      said(claims.shiftInvariant),
      said(!ends(id)),
      said(claims.decodes),
    ];
  });
}

/** Whether a scheme, by its id, has a maximum length, as the gallery determines it. */
async function endsOf(wf) {
  const sources = await openSources();
  const { endsSomewhere } = await sources.load("/engine/worker/ends.ts");
  const { galleryView } = await sources.load("/defaults.ts");
  await sources.close();
  return (scheme) => endsSomewhere(wf, { scheme, options: {} }, galleryView.farthest);
}

function markdown(rows, language, sizes) {
  const { title, sizes: describe, columns, notes } = words[language];
  const line = (cells) => `| ${cells.join(" | ")} |`;
  const rule = columns.map((_, i) => (i === 0 || i > 5 ? "---" : "---:"));
  const table = [columns, rule, ...rows].map(line).join("\n");
  const list = notes.map((note) => `- ${note}`).join("\n");
  return `# ${title}\n\n${describe(sizes)}\n\n${table}\n\n${list}\n`;
}

/** Chinese characters take two columns of a terminal. */
const widthOf = (text) => [...text].reduce((sum, c) => sum + (c > "\u2e7f" ? 2 : 1), 0);

function plain(rows, language) {
  const all = [words[language].columns, ...rows];
  const widths = all[0].map((_, i) => Math.max(...all.map((row) => widthOf(row[i]))));
  const pad = (cell, i) => {
    const space = " ".repeat(widths[i] - widthOf(cell));
    return i === 0 || i > 5 ? cell + space : space + cell;
  };
  return all.map((row) => row.map(pad).join("  ").trimEnd()).join("\n");
}

function parseOptions() {
  const text = { type: "string" };
  const flag = { type: "boolean" };
  const options = {
    n: text,
    d: text,
    h: text,
    layers: text,
    language: text,
    write: flag,
    check: flag,
  };
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    throw new SetupError(error.message);
  }
}

function sizesOf(values) {
  const sizes = { ...defaults };
  for (const name of Object.keys(defaults)) {
    if (values[name] === undefined) continue;
    const size = Number(values[name]);
    if (!Number.isInteger(size) || size < 1)
      throw unexpected(`--${name}`, values[name], "an integer from 1");
    sizes[name] = size;
  }
  return sizes;
}

await runMain(async () => {
  const values = parseOptions();
  const language = values.language ?? "en";
  if (!(language in words)) throw unexpected("--language", language, "en or zh");
  // With --check nothing is built: the tests have built the present state themselves.
  if (!values.check) await build(["wasm", "package"], await ensure({ groups: ["build"] }));

  const { load } = await import(new URL("../dist/index.js", import.meta.url));
  const wf = await load({ wasm: readFileSync(join(root, "dist/simd.wasm")), variant: "simd" });
  const engine = { wf, ends: await endsOf(wf) };
  const titlesIn = (code) =>
    JSON.parse(readFileSync(join(root, `bindings/ts/generated/words.${code}.json`), "utf8"));

  if (!values.write && !values.check) {
    const rows = rowsOf(engine, sizesOf(values), words[language], titlesIn(language));
    process.stdout.write(`${plain(rows, language)}\n`);
    return;
  }
  for (const code of Object.keys(words)) {
    const rows = rowsOf(engine, defaults, words[code], titlesIn(code));
    const path = join(root, `docs/table.${code}.md`);
    const text = markdown(rows, code, defaults);
    if (values.write) writeFileSync(path, text);
    else if (!existsSync(path) || readFileSync(path, "utf8") !== text)
      throw new SetupError(`docs/table.${code}.md is out of date: run npm run table -- --write.`);
  }
});
