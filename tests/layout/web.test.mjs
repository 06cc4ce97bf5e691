// The rooms of the page: what runs in which thread, where words stand, who may know whom.

import assert from "node:assert/strict";
import { posix } from "node:path";
import { test } from "node:test";
import { tagsOfArticle } from "../../scripts/build/article.mjs";
import { figureOf, figures } from "../../scripts/build/figures.mjs";
import { below, files, importsOf, linesMatching, textOf, withoutComments } from "./tree.mjs";

const sources = below("web", ".ts");
const defaults = "web/defaults.ts";

/** What a file of the page imports from the page, types included. */
const ownImports = (file) =>
  importsOf(file)
    .filter((name) => name.startsWith("."))
    .map((name) => posix.join(posix.dirname(file), name).replace(/\.js$/, ".ts"));

const wrongImports = (folder, isAllowed) =>
  below(folder, ".ts").flatMap((file) =>
    ownImports(file)
      .filter((name) => !isAllowed(name))
      .map((name) => `${file} imports ${name}`),
  );

const isIn = (folder) => (name) => name.startsWith(`web/${folder}/`);

test("the worker computes with its own files and those of both threads", () => {
  const allowed = (name) =>
    isIn("engine/worker")(name) || isIn("engine/both")(name) || name === defaults;
  assert.deepEqual(wrongImports("web/engine/worker", allowed), []);
});

test("the page imports nothing of the worker", () => {
  const wrong = sources
    .filter((file) => !isIn("engine/worker")(file))
    .flatMap((file) => ownImports(file).map((name) => [file, name]))
    .filter(([, name]) => isIn("engine/worker")(name))
    .map(([file, name]) => `${file} imports ${name}`);
  assert.deepEqual(wrong, []);
});

test("what both threads import is meant for both, and both import it", () => {
  const allowed = (name) => isIn("engine/both")(name) || name === defaults;
  assert.deepEqual(wrongImports("web/engine/both", allowed), []);
  const importersOf = (target) => sources.filter((file) => ownImports(file).includes(target));
  const oneSided = below("web/engine/both", ".ts").filter((file) => {
    const importers = importersOf(file).filter((name) => !isIn("engine/both")(name));
    const inWorker = importers.filter(isIn("engine/worker"));
    return !inWorker.length || inWorker.length === importers.length;
  });
  assert.deepEqual(oneSided, []);
});

test("drawing knows only drawing", () => {
  assert.deepEqual(wrongImports("web/drawing", isIn("drawing")), []);
});

test("the words of the page know no figure and no engine", () => {
  const allowed = (name) => isIn("text")(name) || name === defaults;
  assert.deepEqual(wrongImports("web/text", allowed), []);
});

test("controls know no figure", () => {
  assert.deepEqual(
    wrongImports("web/controls", (name) => !isIn("figures")(name)),
    [],
  );
});

test("a figure knows no other figure; a standalone one knows those of the article", () => {
  const isStandalone = isIn("figures/standalone");
  const folderOf = (name) => name.split("/")[isStandalone(name) ? 3 : 2];
  const wrong = below("web/figures", ".ts").flatMap((file) =>
    ownImports(file)
      .filter(isIn("figures"))
      .filter((name) => ![folderOf(file), "shared"].includes(folderOf(name)))
      .filter((name) => !isStandalone(file) || isStandalone(name))
      .map((name) => `${file} imports ${name}`),
  );
  assert.deepEqual(wrong, []);
});

test("what figures share stands in rooms of at most twenty files", () => {
  const shared = below("web/figures/shared", ".ts").map((file) => posix.dirname(file));
  const rooms = new Set(shared);
  assert.ok(rooms.size > 3 && !rooms.has("web/figures/shared"), [...rooms].join());
  for (const room of rooms) {
    const count = shared.filter((folder) => folder === room).length;
    assert.ok(count <= 20, `${room}: ${count} files`);
  }
});

test("a figure is a folder with its description, and defines the tag of that name", () => {
  assert.ok(figures.length > 30);
  for (const { tag, file } of figures) {
    const { width, still, caption, example, zh, ...others } = JSON.parse(
      textOf(posix.join(posix.dirname(file), "figure.json")),
    );
    assert.deepEqual(Object.keys(others), [], file);
    assert.ok([undefined, "inside"].includes(width), file);
    assert.ok([undefined, "none", "without scripts"].includes(still), file);
    assert.ok([undefined, "none", "whole"].includes(caption), file);
    assert.ok(
      Object.values(example ?? {}).every((value) => typeof value === "string"),
      file,
    );
    assert.match(textOf(file), new RegExp(`^define\\("${tag}", \\w+\\);$`, "m"));
  }
});

test("the article has every figure but the standalone ones, and no byte of those", () => {
  const placed = figures.filter(({ isStandalone }) => !isStandalone).map(({ tag }) => tag);
  assert.deepEqual(tagsOfArticle().sort(), placed.sort());
  const importers = sources
    .filter((file) => !isIn("figures/standalone")(file))
    .filter((file) => ownImports(file).some(isIn("figures/standalone")));
  // A page of a scheme has one of them.
  assert.deepEqual(importers, ["web/scheme-page.ts"]);
  const first = ownImports("web/loading/early.ts").filter((name) => name.endsWith("/element.ts"));
  assert.deepEqual(first, [figureOf(tagsOfArticle()[0]).file]);
  assert.ok(textOf("web/loading/later.ts").includes(`"!${first[0].replace("web/", "../")}"`));
});

test("every figure has its words beside it, in both languages", () => {
  // Of the rooms of what figures share, that of the figure itself has the words of all. One scheme
  // by itself has those of the gallery.
  const isOther = (folder) => /\/shared\/(?!figure$)|\/standalone\/scheme$/.test(folder);
  const all = new Set(below("web/figures", ".ts").map((file) => posix.dirname(file)));
  const folders = new Set([...all].filter((folder) => !isOther(folder)));
  const wanting = [...folders].filter(
    (folder) =>
      !files.includes(`${folder}/words.ts`) ||
      !/: Bilingual<\w+> = \{ en, zh \};/.test(textOf(`${folder}/words.ts`)),
  );
  assert.ok(folders.size > 10);
  assert.deepEqual(wanting, []);
});

test("what changes is told in one way: nothing of the page is an event target of its own", () => {
  const own = sources.flatMap((file) => linesMatching(file, /extends EventTarget|new EventTarget/));
  assert.deepEqual(own, []);
});

test("words are chosen in one place, never by asking which language it is", () => {
  const scripts = [...sources, ...below("web", ".mjs")];
  const asked = /[=!]==?\s*["'](?:en|zh)["']|["'](?:en|zh)["']\s*[=!]==?|case ["'](?:en|zh)["']/;
  const wrong = scripts.flatMap((file) => linesMatching(file, asked, withoutComments(file)));
  assert.deepEqual(wrong, []);
});

/** What puts a failure into words: reads its message, or looks its code up among sentences. */
const failureWords = [
  // An error that is thrown on keeps its message.
  /(?<!\(reason as Error\))\.message\b/,
  // A failure taken apart.
  /\{[^{}()]*\bmessage\b[^{}()]*\}(?:: Failure\b| = (?!\{))/,
  /\b(?:causes|refusals)\b(?:\[|\??\.)/,
];

test("one module makes a sentence of a failure", () => {
  const one = "web/figures/shared/figure/failure-sentence.ts";
  const speaking = sources.filter((file) => !isIn("engine")(file));
  const found = (file) =>
    failureWords.flatMap((pattern) => linesMatching(file, pattern, withoutComments(file)));
  assert.ok(found(one).length > 1, "the patterns find nothing where they must");
  assert.deepEqual(speaking.filter((file) => file !== one).flatMap(found), []);
});

test("Chinese stands with the words", () => {
  const holdsWords = (file) =>
    isIn("text")(file) || /\/(?:\w+-)?words\.ts$/.test(file) || file === defaults;
  const wrong = sources
    .filter((file) => !holdsWords(file))
    .flatMap((file) => linesMatching(file, /\p{Script=Han}/u, withoutComments(file)));
  assert.deepEqual(wrong, []);
});

/** One Chinese term for one thing: what was said before, and what is said. */
const givenUp = [
  [/没有画出的：/, "这张图没有告诉你的："],
  [/工作线程/, "后台线程"],
  [/被掩去|被掩盖/, "被掩码挡住"],
  [/内积/, "点积"],
  [/没见过的文本/, "留出文本"],
  [/没有位置编码|没有位置信息时/, "不加位置编码"],
  [/潜向量/, "潜在向量"],
  [/首个词元/, "第一个词元"],
  [/图像/, "图片"],
];

test("Chinese has one term for one thing", () => {
  const spoken = [
    ...sources.filter((file) => /words\.ts$/.test(file)),
    ...files.filter((file) => /^web\/article\/.*zh\.html$/.test(file)),
    ...files.filter((file) => /^web\/figures\/.*(?:figure|zh)\.json$/.test(file)),
    "scripts/build/schemes/words.mjs",
  ];
  assert.ok(spoken.length > 60);
  const wrong = spoken.flatMap((file) =>
    givenUp.flatMap(([old, term]) => linesMatching(file, old).map((found) => `${found} (${term})`)),
  );
  assert.deepEqual(wrong, []);
});

/** A file and all that comes with it, types left out. */
function withImports(file, found = new Set()) {
  if (found.has(file) || !sources.includes(file)) return found;
  found.add(file);
  const runs = /^(?:import|export)\b(?! type)[^;]*?"(\.[^"]+)";/gms;
  for (const [, name] of textOf(file).matchAll(runs))
    withImports(posix.join(posix.dirname(file), name).replace(/\.js$/, ".ts"), found);
  return found;
}

test("a figure brings the controls that it names, and does not wait for another to", () => {
  const definedIn = new Map();
  for (const file of below("web/controls", ".ts"))
    for (const [, tag] of textOf(file).matchAll(/\bdefine\("([\w-]+)"/g)) definedIn.set(tag, file);
  assert.ok(definedIn.size > 5);
  const missing = sources.flatMap((file) => {
    const brought = withImports(file);
    const named = [...withoutComments(file).matchAll(/<(wf-[\w-]+)/g)].map(([, tag]) => tag);
    return named
      .filter((tag) => definedIn.has(tag) && !brought.has(definedIn.get(tag)))
      .map((tag) => `${file} names <${tag}> without ${definedIn.get(tag)}`);
  });
  assert.deepEqual(missing, []);
});
