// Which part may know which other part.

import assert from "node:assert/strict";
import { posix } from "node:path";
import { test } from "node:test";
import { sharedSources } from "../../scripts/build/shared-sources.mjs";
import { below, codeOf, files, importsOf, includesOf, linesMatching, textOf } from "./tree.mjs";

const cpp = [".cpp", ".h"];
// Each folder of src may include itself and the folders before it. "" is src itself: status.
const order = ["", "tensor", "kernels", "formula", "schemes", "attention", "model", "training"];
const folderOf = (include) => (include.includes("/") ? include.split("/")[0] : "");

test("includes under src go one way", () => {
  const wrong = [];
  for (const file of below("src", ...cpp)) {
    const own = folderOf(file.slice("src/".length));
    assert.ok(order.includes(own), `${file}: ${own} is not one of the folders of src`);
    for (const include of includesOf(file)) {
      const level = order.indexOf(folderOf(include));
      if (level < 0 || level > order.indexOf(own)) wrong.push(`${file} includes ${include}`);
    }
  }
  assert.deepEqual(wrong, []);
});

test("includes are written from src, never relative", () => {
  const wrong = below("src", ...cpp).flatMap((file) =>
    includesOf(file)
      .filter((include) => !files.includes(`src/${include}`))
      .map((include) => `${file} includes ${include}`),
  );
  assert.deepEqual(wrong, []);
});

const interfaceOfSchemes = [
  "description.h",
  "entry.h",
  "layer_context.h",
  "position_checks.h",
  "scheme.h",
  "shape.h",
  "shape_fields.def",
  "tile.h",
  "tile_work.h",
].map((name) => `schemes/${name}`);

test("attention knows schemes by their interface alone", () => {
  const wrong = below("src/attention", ...cpp).flatMap((file) =>
    includesOf(file)
      .filter((include) => include.startsWith("schemes/") && !interfaceOfSchemes.includes(include))
      .map((include) => `${file} includes ${include}`),
  );
  assert.deepEqual(wrong, []);
});

test("nothing under src knows Emscripten or JavaScript", () => {
  const wrong = below("src", ...cpp).flatMap((file) =>
    linesMatching(file, /emscripten|EM_ASM|EM_JS|\bval::/i, codeOf(file)),
  );
  assert.deepEqual(wrong, []);
});

for (const [folder, allowed] of [
  ["calls", "the core and itself"],
  ["embind", "the core, calls and itself"],
]) {
  test(`bindings/${folder} includes only ${allowed}`, () => {
    const known = (include) =>
      files.includes(`src/${include}`) ||
      (include.startsWith("calls/") && files.includes(`bindings/${include}`)) ||
      (folder === "embind" && files.includes(`bindings/embind/${include}`));
    const wrong = below(`bindings/${folder}`, ...cpp).flatMap((file) =>
      includesOf(file)
        .filter((include) => !known(include))
        .map((include) => `${file} includes ${include}`),
    );
    assert.deepEqual(wrong, []);
  });
}

test("bindings/calls knows nothing of Emscripten or JavaScript", () => {
  const wrong = below("bindings/calls", ...cpp).flatMap((file) =>
    linesMatching(file, /emscripten|EM_ASM|EM_JS|\bval::/i, codeOf(file)),
  );
  assert.deepEqual(wrong, []);
});

// Whose tags the elements declare, where a project has them.
const frameworks = ["react", "vue", "svelte/elements"];

test("the package imports nothing but itself, and its entry of tokenizers their library", () => {
  const wrong = below("bindings/ts", ".ts").flatMap((file) =>
    importsOf(file)
      .filter((name) => !(file === "bindings/ts/elements.d.ts" && frameworks.includes(name)))
      .filter((name) => `${file} ${name}` !== "bindings/ts/tokenizer.ts @huggingface/tokenizers")
      .filter((name) => {
        const target = posix.normalize(posix.join(posix.dirname(file), name));
        return !name.startsWith(".") || !target.startsWith("bindings/ts/");
      })
      .map((name) => `${file} imports ${name}`),
  );
  assert.deepEqual(wrong, []);
});

// The fourth, bindings/calls, has the words of C++: rms_norm.
for (const name of ["layerNorm", "rmsNorm"])
  test(`${name} stands where CONTRIBUTING.md says that a plain call does, and nowhere else`, () => {
    const found = ["bindings", "scripts", "src"]
      .flatMap((area) => below(area, ".cpp", ".h", ".ts", ".mjs"))
      .filter(
        (file) =>
          !file.includes("/generated/") && linesMatching(file, new RegExp(`\\b${name}\\b`)).length,
      );
    assert.deepEqual(found, [
      "bindings/embind/products.cpp",
      "bindings/ts/api/products.ts",
      "bindings/ts/types/engine.ts",
    ]);
  });

test("the page imports the engine by the package's name", () => {
  const wrong = below("web", ".ts").flatMap((file) =>
    importsOf(file)
      .filter((name) => name.startsWith("."))
      // Faces, and the first figures' engines, lie where the build cuts them.
      .filter(
        (name) =>
          !/^(?:web|build\/(?:fonts|first-engine))\//.test(posix.join(posix.dirname(file), name)),
      )
      .map((name) => `${file} imports ${name}`)
      // It says which version the elements are of.
      .filter((line) => line !== "web/define.ts imports ../package.json"),
  );
  assert.deepEqual(wrong, []);
});

// A name that is no entry of the package is one of its small files that the page shares: the build
// and the compiler find it, and the package stays as it is.
test("each name by which the page imports the package is an entry or a shared file", () => {
  const { exports: entries } = JSON.parse(textOf("package.json"));
  const { paths } = JSON.parse(textOf("tsconfig.json")).compilerOptions;
  for (const [name, file] of Object.entries(sharedSources)) {
    assert.ok(!(name.replace("whereformer", ".") in entries), name);
    assert.deepEqual(
      paths[name].map((path) => posix.normalize(path)),
      files.filter((known) => file.replaceAll("\\", "/").endsWith(`/${known}`)),
    );
  }
  // The build of the elements has its own way to the script that starts workers.
  const known = [...Object.keys(sharedSources), "whereformer/start-worker"];
  const names = below("web", ".ts").flatMap((file) =>
    importsOf(file).filter((name) => /^whereformer(?:\/|$)/.test(name)),
  );
  assert.deepEqual(
    [...new Set(names)].filter(
      (name) => !known.includes(name) && !(name.replace("whereformer", ".") in entries),
    ),
    [],
  );
});

test("what package and page share of a connection imports nothing", () => {
  for (const name of ["requests", "yield"])
    assert.deepEqual(importsOf(`bindings/ts/wire/${name}.ts`), [], name);
});

test("what runs before npm install needs only Node's own modules", () => {
  const seen = new Set(["scripts/start.mjs", "scripts/test.mjs"]);
  const wrong = [];
  for (const file of seen) {
    for (const name of importsOf(file)) {
      if (name.startsWith(".")) seen.add(posix.join(posix.dirname(file), name));
      else if (!name.startsWith("node:")) wrong.push(`${file} imports ${name}`);
    }
  }
  assert.ok(seen.size > 5, "the scripts import each other");
  assert.deepEqual(wrong, []);
});
