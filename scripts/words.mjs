// Converts the schemes' pages, docs/schemes/<id>.en.md and <id>.zh.md, to the JSON that the page
// and the package read: bindings/ts/generated/words.en.json and words.zh.json. docs/README.md
// describes the format of a page.
//
//   node scripts/words.mjs           writes both files
//   node scripts/words.mjs --check   writes nothing; exit status 1 if a file is stale
//
// A page that breaks the format is an error in either case, and every fault is listed.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

export const languages = ["en", "zh"];

/** The path of a language's JSON file. */
export function wordsPath(language) {
  return join(root, `bindings/ts/generated/words.${language}.json`);
}

// In the required order of a page. `kind` describes the contents of a section.
const schemeSections = [
  { key: "formula", kind: "formula", en: "Formula", zh: "公式" },
  { key: "logit", kind: "prose", en: "What it does to a logit", zh: "对得分做了什么" },
  { key: "options", kind: "options", en: "Options", zh: "选项" },
  { key: "pitfalls", kind: "list", en: "Conventions and pitfalls", zh: "约定与陷阱" },
  { key: "cost", kind: "prose", en: "Cost", zh: "开销" },
  { key: "extrapolation", kind: "prose", en: "Extrapolation", zh: "长度外推" },
  { key: "users", kind: "prose", en: "Who uses it", zh: "谁在用" },
  { key: "sources", kind: "list", en: "Sources", zh: "来源" },
];

/** In the required order of a page of a variant, docs/variants/<id>.<language>.md. */
export const variantSections = [
  { key: "formula", kind: "formula", en: "Formula", zh: "公式" },
  { key: "steps", kind: "steps", en: "Step by step", zh: "逐步推导" },
  { key: "users", kind: "prose", en: "Who uses it", zh: "谁在用" },
  { key: "pitfalls", kind: "list", en: "Conventions and pitfalls", zh: "约定与陷阱" },
  { key: "sources", kind: "list", en: "Sources", zh: "来源" },
];

// Contents of an Options section without options, and the text between a key and its help.
const noOptions = { en: "None.", zh: "无。" };
const helpMark = { en: ": ", zh: "：" };

// ---- A page

// Consecutive non-blank lines are one block; a list item is a separate block.
function blocksOf(lines) {
  const blocks = [];
  let open = false;
  for (const line of lines) {
    if (line.trim() === "") {
      open = false;
    } else if (!open || line.startsWith("- ")) {
      blocks.push([line]);
      open = true;
    } else {
      blocks.at(-1).push(line);
    }
  }
  return blocks;
}

// A Chinese paragraph must be one line: joining lines would need a rule for spaces.
function joined(block, language, fault) {
  if (language === "zh" && block.length > 1) fault(`wrapped line: "${block[1].slice(0, 20)}"`);
  return typeset(block.map((line) => line.trim()).join(" "));
}

/** Typographic apostrophes, except in code. */
function typeset(text) {
  const parts = text.split(/(`[^`]*`)/);
  return parts.map((part, at) => (at % 2 ? part : part.replace(/(?<=\w)'/g, "’"))).join("");
}

function readProse(lines, language, fault) {
  const blocks = blocksOf(lines);
  if (blocks.length === 0) fault("is empty");
  for (const block of blocks) {
    if (block[0].startsWith("- ")) fault("holds a list where prose is expected");
  }
  return blocks.map((block) => joined(block, language, fault)).join("\n\n");
}

function readList(lines, language, fault) {
  const blocks = blocksOf(lines);
  if (blocks.length === 0) fault("is empty");
  return blocks.map((block) => {
    if (!block[0].startsWith("- ")) fault(`not a list item: "${block[0].slice(0, 40)}"`);
    return joined(block, language, fault).replace(/^- /, "");
  });
}

function readOptions(lines, language, fault) {
  if (lines.join("\n").trim() === noOptions[language]) return {};
  const options = {};
  for (const item of readList(lines, language, fault)) {
    const match = item.match(/^`(\w+(?:\.\w+)?)`/);
    const help = match ? item.slice(match[0].length) : "";
    if (!help.startsWith(helpMark[language]) || help.trim().length < 2) {
      fault(`item is not "\`key\`${helpMark[language]}help": "${item.slice(0, 40)}"`);
    } else if (match[1] in options) {
      fault(`${match[1]} appears twice`);
    } else {
      options[match[1]] = help.slice(helpMark[language].length).trim();
    }
  }
  return options;
}

// One ```math block, then a sentence that names its symbols.
function readFormula(lines, language, fault) {
  const first = lines.findIndex((line) => line.trim() === "```math");
  const last = lines.findIndex((line, index) => index > first && line.trim() === "```");
  if (first < 0 || last < 0) {
    fault("has no ```math block");
    return { formula: "", symbols: "" };
  }
  if (lines.slice(0, first).join("").trim() !== "") fault("has text before its ```math block");
  return {
    formula: lines
      .slice(first + 1, last)
      .join("\n")
      .trim(),
    symbols: readProse(lines.slice(last + 1), language, (what) => fault(`symbols: ${what}`)),
  };
}

// Steps: a ```math block, which may be missing, and a paragraph.
function readSteps(lines, language, fault) {
  const parts = lines.join("\n").split(/^```math\n([\s\S]*?)^```$/m);
  const steps = parts.flatMap((part, index) => {
    if (index % 2) return [];
    const [first, ...more] = blocksOf(part.split("\n")).map((block) =>
      joined(block, language, fault),
    );
    const math = parts[index - 1]?.trim();
    if (math && !first) fault(`formula without a sentence: "${math.slice(0, 40)}"`);
    return first ? [{ math, text: first }, ...more.map((text) => ({ text }))] : [];
  });
  if (steps.length < 2) fault("has fewer than two steps");
  return steps;
}

// Text without the parts that typographic rules do not apply to: code, addresses, formulas.
function spokenText(markdown) {
  return markdown
    .replace(/```math[\s\S]*?```/g, "")
    .replace(/\]\([^)]*\)/g, "]")
    .replace(/`[^`]*`/g, "x");
}

const typography = {
  en: [[/[\u3000-\u9fff\uff00-\uffef]/, "Chinese character or full-width mark"]],
  zh: [
    [/\p{Script=Han}[,.;:?!()]/u, "half-width mark after a Chinese character"],
    [/[,;:?!(]\p{Script=Han}/u, "half-width mark before a Chinese character"],
    [/\p{Script=Han}[A-Za-z0-9α-ωΑ-Ω√−[]/u, "no space after a Chinese character"],
    [/[A-Za-z0-9α-ωΑ-Ω%\]]\p{Script=Han}/u, "no space before a Chinese character"],
    [/\p{Script=Han} +\p{Script=Han}/u, "space between Chinese characters"],
    [/ [，。；：？！（）、“”《》]|[，。；：？！（）、“”《》] /u, "space beside a full-width mark"],
  ],
};

/**
 * Reads one page.
 * @param {string} markdown the page
 * @param {"en" | "zh"} language
 * @param {object[]} sections those of a scheme's page, or of a variant's
 * @returns {{ words: object, faults: string[] }} the words, and the page's faults
 */
export function parsePage(markdown, language, sections = schemeSections) {
  const faults = [];
  const text = spokenText(markdown);
  for (const [pattern, rule] of typography[language]) {
    const found = text.match(pattern);
    if (found) {
      const around = text.slice(Math.max(0, found.index - 8), found.index + 10);
      faults.push(`${rule}: "${around.replace(/\n/g, " ")}"`);
    }
  }

  const [head, ...parts] = markdown.split(/^## /m);
  const bodies = new Map(
    parts.map((part) => {
      const [heading, ...lines] = part.split("\n");
      return [heading.trim(), lines];
    }),
  );
  const [titleBlock, summaryBlock, ...rest] = blocksOf(head.split("\n"));
  const title = titleBlock?.[0].match(/^# (.+)$/)?.[1];
  const summary = summaryBlock?.map((line) => line.match(/^> (.+)$/)?.[1] ?? "").join(" ");
  if (!title) faults.push('does not begin with "# title"');
  if (!summary) faults.push('has no summary, a "> sentence" right under the title');
  if (rest.length) faults.push("has text between the summary and the first section");

  const words = { title: typeset(title ?? ""), summary: typeset(summary ?? "") };
  const readers = {
    prose: readProse,
    list: readList,
    options: readOptions,
    steps: readSteps,
  };
  for (const { key, kind, [language]: heading } of sections) {
    const lines = bodies.get(heading);
    if (!lines) {
      faults.push(`section "## ${heading}" is missing`);
      continue;
    }
    const fault = (what) => faults.push(`"## ${heading}": ${what}`);
    if (kind === "formula") Object.assign(words, readFormula(lines, language, fault));
    else words[key] = readers[kind](lines, language, fault);
  }
  const known = sections.map((section) => section[language]);
  const present = [...bodies.keys()];
  for (const heading of present) {
    if (!known.includes(heading)) faults.push(`section "## ${heading}" is unknown`);
  }
  if (present.join("\n") !== known.filter((heading) => bodies.has(heading)).join("\n")) {
    faults.push(`sections are not in this order: ${known.join(", ")}`);
  }
  return { words, faults };
}

// ---- The core's registrations

/** Ids of the registered schemes, in the order of the list in `registry` (registry.cpp's text). */
export function registeredSchemes(registry) {
  const list = registry.match(/#define WF_SCHEMES\(X\)((?:.*\\\n)*.*)/)?.[1] ?? "";
  return [...list.matchAll(/\bX\((\w+)\)/g)].map((match) => match[1]);
}

/** The functions of schemes/description.h that make options with any key. */
const anyKey = /^(?:flag|integer|number|choice|list)_option\($/;

/**
 * Keys of the options that a scheme's `source` (the text of its .cpp) declares, in order, and then
 * those of shared options: `readHeader` returns the text of a header that it includes. An option is
 * a row, `.key = "name"`, or the result of a function, `…_option("name", …)`; or `name_option(…)`,
 * whose key is in a header.
 */
export function optionKeys(source, readHeader = () => "") {
  const keyMadeBy = (maker) => madeBy(declaring(maker, source, readHeader), maker);
  const options = source.matchAll(/\.key\s*=\s*"([\w.]+)"|\b(\w+_option\()\s*(?:"([\w.]+)")?/g);
  const keys = [...options].flatMap(([, row, maker, named]) => {
    const key = row ?? named ?? (anyKey.test(maker) ? "" : keyMadeBy(maker));
    return key ? [key] : [];
  });
  const shared = source.match(/joined\(kBaseOptions, (\w+)[,)]/)?.[1];
  return shared ? [...keys, ...optionKeys(declaring(`${shared}[]`, source, readHeader))] : keys;
}

/** The key in the body of the function `maker`, `name(`, of a header's text. */
function madeBy(text, maker) {
  return text.slice(text.indexOf(maker)).match(/^[^}]*?(?:\.key\s*=\s*|_option\()"([\w.]+)"/)?.[1];
}

// Text of the header, among those that `source` includes, that contains `declaration`.
function declaring(declaration, source, readHeader) {
  for (const [, header] of source.matchAll(/#include "(schemes\/\w+\.h)"/g)) {
    const text = readHeader(header);
    const found = text.includes(declaration) ? text : declaring(declaration, text, readHeader);
    if (found) return found;
  }
  return "";
}

/**
 * Options that several schemes share are explained once: if a page omits a shared option, the text
 * of the first page that has it is used.
 */
function shareHelp(pages, joined) {
  for (const [id, keys] of joined)
    for (const key of keys) {
      const explained = Object.values(pages).find((page) => page.options?.[key]);
      if (explained) pages[id].options[key] ??= explained.options[key];
    }
}

// ---- All pages

function sameLinks(a, b) {
  const links = (words) =>
    words.sources
      ?.join(" ")
      .match(/\]\([^)]*\)/g)
      ?.join(" ") ?? "";
  return links(a) === links(b);
}

function compareLanguages(words, report) {
  if (words.en.formula !== words.zh.formula) report("the two languages have different formulas");
  if (!sameLinks(words.en, words.zh)) report("the two languages link to different sources");
}

/**
 * Reads every page and checks it against the registry and the page in the other language.
 * @param {string} tree the folder that has docs/schemes and src/schemes
 * @returns {{ words: Record<"en" | "zh", object>, faults: string[] }}
 */
export function readWords(tree = root) {
  const pagesFolder = join(tree, "docs/schemes");
  const schemesFolder = join(tree, "src/schemes");
  const readHeader = (header) => readFileSync(join(tree, "src", header), "utf8");
  const faults = [];
  const joined = [];
  const words = { en: {}, zh: {} };
  const ids = registeredSchemes(readFileSync(join(schemesFolder, "registry.cpp"), "utf8"));
  if (ids.length === 0) faults.push("src/schemes/registry.cpp: no list of schemes found");
  for (const id of ids) {
    const source = readFileSync(join(schemesFolder, `${id}.cpp`), "utf8");
    const named = optionKeys(source);
    const keys = optionKeys(source, readHeader);
    joined.push([id, keys.filter((key) => !named.includes(key))]);
    for (const language of languages) {
      const path = join(pagesFolder, `${id}.${language}.md`);
      const name = relative(tree, path);
      if (!existsSync(path)) {
        faults.push(`${name} is missing`);
        continue;
      }
      const page = parsePage(readFileSync(path, "utf8"), language);
      faults.push(...page.faults.map((fault) => `${name}: ${fault}`));
      const explained = Object.keys(page.words.options ?? {});
      for (const key of keys) {
        if (named.includes(key) && !explained.includes(key))
          faults.push(`${name}: option ${key} has no help`);
      }
      for (const key of explained) {
        if (!keys.includes(key)) faults.push(`${name}: ${id}.cpp has no option ${key}`);
      }
      words[language][id] = page.words;
    }
    if (words.en[id] && words.zh[id]) {
      const sisters = { en: words.en[id], zh: words.zh[id] };
      compareLanguages(sisters, (fault) => faults.push(`docs/schemes/${id}.*.md: ${fault}`));
    }
  }
  for (const language of languages) {
    const known = joined.filter(([id]) => words[language][id]);
    shareHelp(words[language], known);
    for (const [id, keys] of known)
      for (const key of keys)
        if (!words[language][id].options[key])
          faults.push(`docs/schemes/${id}.${language}.md: option ${key} has no help on any page`);
  }
  for (const file of readdirSync(pagesFolder)) {
    const id = file.match(/^(\w+)\.(en|zh)\.md$/)?.[1];
    if (!id) faults.push(`docs/schemes/${file}: not named <id>.en.md or <id>.zh.md`);
    else if (!ids.includes(id)) faults.push(`docs/schemes/${file}: no scheme ${id} is registered`);
  }
  return { words, faults };
}

/** The text of a language's JSON file. */
export function wordsJson(words) {
  return `${JSON.stringify(words, null, 2)}\n`;
}

function main() {
  const check = process.argv.includes("--check");
  const { words, faults } = readWords();
  if (faults.length) {
    console.error(`words: ${faults.length} faults\n${faults.map((f) => `  ${f}`).join("\n")}`);
    return 1;
  }
  let stale = 0;
  for (const language of languages) {
    const path = wordsPath(language);
    const text = wordsJson(words[language]);
    if (existsSync(path) && readFileSync(path, "utf8") === text) continue;
    ++stale;
    if (check) {
      console.error(`words: ${relative(root, path)} is out of date: run node scripts/words.mjs`);
    } else {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    }
  }
  const count = Object.keys(words.en).length;
  if (!check) console.log(`words: ${count} schemes, ${stale} files written`);
  return check && stale ? 1 : 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = main();
