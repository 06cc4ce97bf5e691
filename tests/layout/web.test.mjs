// Checks the parts of the page: which code runs in which thread, where texts are, and who may
// import whom.

import assert from "node:assert/strict";
import { posix } from "node:path";
import { test } from "node:test";
import { figureOf, figures } from "../../scripts/build/figures.mjs";
import { tagsOfEssay, tagsOfPages } from "../../scripts/build/prose.mjs";
import { below, files, importsOf, linesMatching, textOf, withoutComments } from "./tree.mjs";

const sources = below("web", ".ts");
const defaults = "web/defaults.ts";

/** Returns the files of the page that a file imports, including for types. */
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

/** In a figure's folder: what runs in the worker, and what both threads import. */
const isFigures = (name) => (file) => isIn("figures")(file) && posix.basename(file) === name;
const ofWorker = (file) => isIn("engine/worker")(file) || isFigures("worker.ts")(file);
const ofBoth = (file) => isIn("engine/both")(file) || isFigures("messages.ts")(file);

/** Imports of some files that are not allowed there. */
const wrongIn = (isOf, isAllowed) =>
  sources.filter(isOf).flatMap((file) =>
    ownImports(file)
      .filter((name) => !isAllowed(name, file))
      .map((name) => `${file} imports ${name}`),
  );

test("the worker imports only its own files and those of both threads", () => {
  assert.ok(sources.filter(isFigures("worker.ts")).length > 5);
  const allowed = (name) => ofWorker(name) || ofBoth(name) || name === defaults;
  assert.deepEqual(wrongIn(ofWorker, allowed), []);
});

test("a figure's answers are in the worker's list, and nothing else imports them", () => {
  const list = "web/engine/worker/later-questions.ts";
  const answers = sources.filter(isFigures("worker.ts"));
  assert.deepEqual(ownImports(list).filter(isFigures("worker.ts")).sort(), answers.sort());
  assert.deepEqual(
    wrongIn(
      (file) => file !== list,
      (name) => !isFigures("worker.ts")(name),
    ),
    [],
  );
});

test("the page imports nothing of the worker", () => {
  const ofPage = (file) => !ofWorker(file);
  assert.deepEqual(
    wrongIn(ofPage, (name) => !ofWorker(name)),
    [],
  );
});

test("files of both threads import only each other, and each is imported by both threads", () => {
  const allowed = (name, file) =>
    isIn("engine/both")(name) || name === defaults || (ofBoth(name) && !isIn("engine/both")(file));
  assert.deepEqual(wrongIn(ofBoth, allowed), []);
  const importersOf = (target) => sources.filter((file) => ownImports(file).includes(target));
  const oneSided = sources.filter(ofBoth).filter((file) => {
    const importers = importersOf(file).filter((name) => !ofBoth(name));
    const inWorker = importers.filter(ofWorker);
    return !inWorker.length || inWorker.length === importers.length;
  });
  assert.deepEqual(oneSided, []);
});

test("drawing imports only drawing", () => {
  assert.deepEqual(wrongImports("web/drawing", isIn("drawing")), []);
});

test("texts of the page import no figure and no engine", () => {
  const allowed = (name) => isIn("text")(name) || name === defaults;
  assert.deepEqual(wrongImports("web/text", allowed), []);
});

test("controls import no figure", () => {
  assert.deepEqual(
    wrongImports("web/controls", (name) => !isIn("figures")(name)),
    [],
  );
});

test("a figure imports no other figure; a standalone one may import those of the article", () => {
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

test("files that figures share are in folders of at most twenty files", () => {
  const shared = below("web/figures/shared", ".ts").map((file) => posix.dirname(file));
  const rooms = new Set(shared);
  assert.ok(rooms.size > 3 && !rooms.has("web/figures/shared"), [...rooms].join());
  for (const room of rooms) {
    const count = shared.filter((folder) => folder === room).length;
    assert.ok(count <= 20, `${room}: ${count} files`);
  }
});

test("a figure is a folder with a description, and defines the tag of that name", () => {
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

test("the pages have every figure but the standalone ones, and no byte of those", () => {
  const placed = figures.filter(({ isStandalone }) => !isStandalone).map(({ tag }) => tag);
  assert.deepEqual(tagsOfPages().sort(), placed.sort());
  const importers = sources
    .filter((file) => !isIn("figures/standalone")(file))
    .filter((file) => ownImports(file).some(isIn("figures/standalone")));
  // A scheme's page shows one of the standalone figures.
  assert.deepEqual(importers, ["web/scheme-page.ts"]);
  const first = ownImports("web/loading/early.ts").filter((name) => name.endsWith("/element.ts"));
  assert.deepEqual(first, [figureOf(tagsOfEssay()[0]).file]);
  assert.ok(textOf("web/loading/later.ts").includes(`"!${first[0].replace("web/", "../")}"`));
});

test("every figure has its texts in its folder, in both languages", () => {
  // Among folders of shared files only that of the figure itself has texts. The standalone figure
  // of one scheme uses the gallery's.
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

test("changes are published in one way: no code of the page is an event target of its own", () => {
  const own = sources.flatMap((file) => linesMatching(file, /extends EventTarget|new EventTarget/));
  assert.deepEqual(own, []);
});

test("texts are chosen in one place, and no other code compares languages", () => {
  const scripts = [...sources, ...below("web", ".mjs")];
  const asked = /[=!]==?\s*["'](?:en|zh)["']|["'](?:en|zh)["']\s*[=!]==?|case ["'](?:en|zh)["']/;
  const wrong = scripts.flatMap((file) => linesMatching(file, asked, withoutComments(file)));
  assert.deepEqual(wrong, []);
});

/** Code that words a failure: reads its message, or looks up a sentence by its code. */
const failureWords = [
  // An error that is thrown again keeps its message.
  /(?<!\(reason as Error\))\.message\b/,
  // Destructuring of a failure.
  /\{[^{}()]*\bmessage\b[^{}()]*\}(?:: Failure\b| = (?!\{))/,
  /\b(?:causes|refusals)\b(?:\[|\??\.)/,
];

test("only one module words failures", () => {
  const one = "web/figures/shared/figure/failure-sentence.ts";
  const speaking = sources.filter((file) => !isIn("engine")(file));
  const found = (file) =>
    failureWords.flatMap((pattern) => linesMatching(file, pattern, withoutComments(file)));
  assert.ok(found(one).length > 1, "the patterns do not find the code that words failures");
  assert.deepEqual(speaking.filter((file) => file !== one).flatMap(found), []);
});

test("Chinese text is only in files of texts", () => {
  const holdsWords = (file) =>
    isIn("text")(file) || /\/(?:\w+-)?words\.ts$/.test(file) || file === defaults;
  const wrong = sources
    .filter((file) => !holdsWords(file))
    .flatMap((file) => linesMatching(file, /\p{Script=Han}/u, withoutComments(file)));
  assert.deepEqual(wrong, []);
});

/** Chinese terms that are no longer used, and the term for each. */
const givenUp = [
  [/没有画出的：|这张图没有告诉你的/, "图上看不出的："],
  [/份额/, "注意力权重"],
  [/施动者/, "施事"],
  [/记住一句/, "（不用套话）"],
  [/工作线程/, "后台线程"],
  [/被掩去|被掩盖/, "被掩码挡住"],
  [/内积/, "点积"],
  [/没见过的文本/, "留出文本"],
  [/没有位置编码|没有位置信息时/, "不加位置编码"],
  [/潜向量/, "潜在向量"],
  [/首个词元/, "第一个词元"],
  [/图像/, "图片"],
];

test("Chinese has one term for each thing", () => {
  const spoken = [
    ...sources.filter((file) => /words\.ts$/.test(file)),
    ...files.filter((file) => /^web\/(?:essay|tools)\/.*zh\.html$/.test(file)),
    ...files.filter((file) => /^web\/figures\/.*(?:figure|zh)\.json$/.test(file)),
    "scripts/build/schemes/words.mjs",
  ];
  assert.ok(spoken.length > 60);
  const wrong = spoken.flatMap((file) =>
    givenUp.flatMap(([old, term]) => linesMatching(file, old).map((found) => `${found} (${term})`)),
  );
  assert.deepEqual(wrong, []);
});

/** A file and all that comes with it, at once or when it is asked for, types left out. */
function withImports(file, found = new Set()) {
  if (found.has(file) || !sources.includes(file)) return found;
  found.add(file);
  const runs = /^(?:import|export)\b(?! type)[^;]*?"(\.[^"]+)";|\bimport\("(\.[^"]+)"\)/gms;
  for (const [, first, later] of textOf(file).matchAll(runs)) {
    const name = first ?? later;
    withImports(posix.join(posix.dirname(file), name).replace(/\.js$/, ".ts"), found);
  }
  return found;
}

test("a figure imports the controls that it uses, and needs no other figure for them", () => {
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
