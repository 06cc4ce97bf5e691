// Checks that the documents about the tree, READMEs of folders and architecture.md, match it.

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join, posix } from "node:path";
import { test } from "node:test";
import { files, root, textOf } from "./tree.mjs";

const tops = ["src", "bindings", "web", "tests", "scripts"];
const readmes = files.filter(
  (file) => file.endsWith("/README.md") && [...tops, "bench"].includes(file.split("/")[0]),
);

/** Returns the names in code at the beginning of a list's items, up to the colon. */
const listed = (text) =>
  [...text.matchAll(/^- (.+?): /gm)].flatMap(([, items]) =>
    [...items.matchAll(/`(\w[\w.-]*)`/g)].map(([, name]) => name),
  );

for (const folder of tops)
  test(`${folder}/README.md names the folders of ${folder}`, () => {
    const text = textOf(`${folder}/README.md`);
    const named = new Set([...text.matchAll(/`([\w.-]+)`/g)].map(([, name]) => name));
    const folders = readdirSync(join(root, folder), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name);
    assert.deepEqual(
      folders.filter((name) => !named.has(name)),
      [],
    );
    assert.ok(listed(text).length > 2);
  });

test("the items of a README's list exist in its folder", () => {
  const isNamed = (path, name) =>
    path.split("/").includes(name) || posix.basename(path).replace(/\.\w+$/, "") === name;
  const gone = readmes.flatMap((readme) => {
    const within = files
      .filter((file) => file.startsWith(`${posix.dirname(readme)}/`))
      .map((file) => posix.relative(posix.dirname(readme), file));
    return listed(textOf(readme))
      .filter((name) => !within.some((path) => isNamed(path, name)))
      .map((name) => `${readme}: ${name}`);
  });
  assert.ok(readmes.length > 8);
  assert.deepEqual(gone, []);
});

/** Returns the anchor of a heading: its words in lower case, joined by hyphens. */
const anchorOf = (heading) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");

test("links of READMEs and documents lead to existing files and headings", () => {
  const documents = files.filter(
    (file) => /^(docs\/)?[A-Za-z_.-]+\.md$/.test(file) || readmes.includes(file),
  );
  let count = 0;
  const wrong = documents.flatMap((document) =>
    [...textOf(document).matchAll(/`[^`\n]*`|\]\(([^)\s]+)\)/g)]
      .flatMap(([, target]) => target ?? [])
      .filter((target) => !/^[a-z]+:/.test(target))
      .filter((target) => {
        count++;
        const [path, anchor] = target.split("#");
        const file = path ? posix.join(posix.dirname(document), path) : document;
        const isThere = files.some((name) => name === file || name.startsWith(`${file}/`));
        if (!isThere || !anchor || !file.endsWith(".md")) return !isThere;
        const headings = [...textOf(file).matchAll(/^#+ (.+)$/gm)].map(([, text]) => text);
        return !headings.some((heading) => anchorOf(heading) === anchor);
      })
      .map((target) => `${document}: ${target}`),
  );
  assert.ok(count > 150, `${count} links`);
  assert.deepEqual(wrong, []);
});

const architecture = textOf("docs/architecture.md");

test("each answer of architecture.md is a file that contains the given text", () => {
  const rows = architecture
    .split("\n")
    .filter((line) => /^\| .*\? \|/.test(line))
    .map((line) => line.split("|").slice(1, 4));
  assert.equal(rows.length, 10);
  for (const [question, answer, text] of rows) {
    const paths = [...answer.matchAll(/`([^`]+)`/g)].map(([, path]) => path);
    for (const path of paths) assert.ok(files.includes(path), `${question}: ${path}`);
    const [there] = text.match(/(?<=`)[^`]+(?=`)/) ?? [];
    assert.ok(there && textOf(paths[0]).includes(there), `${question}: ${there}`);
  }
});

test("architecture.md has at most 15 KB, in paragraphs of at most 600 characters", () => {
  assert.ok(architecture.length <= 15_000, `${architecture.length} characters`);
  const long = architecture.split("\n").filter((line) => line.length > 600 && line[0] !== "|");
  assert.deepEqual(
    long.map((line) => line.slice(0, 60)),
    [],
  );
});

test("files that architecture.md and READMEs mention by path exist", () => {
  const wrong = ["docs/architecture.md", ...readmes].flatMap((document) =>
    [...textOf(document).matchAll(/`(\w[\w.-]*\/[\w./-]*\.(?:cpp|h|m?ts|mjs|css|json|py))`/g)]
      .map(([, path]) => path)
      .filter((path) => !files.some((file) => file === path || file.endsWith(`/${path}`)))
      .map((path) => `${document}: ${path}`),
  );
  assert.deepEqual(wrong, []);
});
