// Checks which part of the project may import which other part.

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

test("attention includes the interface of schemes, and no scheme", () => {
  const wrong = below("src/attention", ...cpp).flatMap((file) =>
    includesOf(file)
      .filter((include) => include.startsWith("schemes/") && !interfaceOfSchemes.includes(include))
      .map((include) => `${file} includes ${include}`),
  );
  assert.deepEqual(wrong, []);
});

test("nothing under src depends on Emscripten or JavaScript", () => {
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

test("bindings/calls depends on neither Emscripten nor JavaScript", () => {
  const wrong = below("bindings/calls", ...cpp).flatMap((file) =>
    linesMatching(file, /emscripten|EM_ASM|EM_JS|\bval::/i, codeOf(file)),
  );
  assert.deepEqual(wrong, []);
});

// Frameworks whose JSX types the elements' declarations extend if a project has them.
const frameworks = ["react", "vue", "svelte/elements"];

const libraries = [
  "bindings/ts/tokenizer.ts @huggingface/tokenizers",
  "bindings/ts/chat.ts @huggingface/jinja",
];

test("the package imports only itself, except that two entries import a library each", () => {
  const wrong = below("bindings/ts", ".ts").flatMap((file) =>
    importsOf(file)
      .filter((name) => !(file === "bindings/ts/elements.d.ts" && frameworks.includes(name)))
      .filter((name) => !libraries.includes(`${file} ${name}`))
      .filter((name) => {
        const target = posix.normalize(posix.join(posix.dirname(file), name));
        return !name.startsWith(".") || !target.startsWith("bindings/ts/");
      })
      .map((name) => `${file} imports ${name}`),
  );
  assert.deepEqual(wrong, []);
});

// The fourth file, in bindings/calls, has the C++ name: rms_norm.
for (const name of ["layerNorm", "rmsNorm"])
  test(`${name} is in the files that CONTRIBUTING.md lists, and nowhere else`, () => {
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
      // Fonts, and the engines of the first figures, are made by the build in other folders.
      .filter(
        (name) =>
          !/^(?:web|build\/(?:fonts|first-engine))\//.test(posix.join(posix.dirname(file), name)),
      )
      .map((name) => `${file} imports ${name}`)
      // web/define.ts reads the version of the elements from package.json.
      .filter((line) => line !== "web/define.ts imports ../package.json"),
  );
  assert.deepEqual(wrong, []);
});

// A name that is no entry of the package is a small file that package and page share: the build and
// the compiler resolve it, without a further entry of the package.
test("each name by which the page imports the package is an entry or a shared file", () => {
  const { exports: entries } = JSON.parse(textOf("package.json"));
  const { paths } = JSON.parse(textOf("tsconfig.json")).compilerOptions;
  for (const [name, path] of Object.entries(sharedSources)) {
    const file = path.replace(/build.modules(.*)\.js$/, "bindings/ts$1.ts");
    assert.ok(!(name.replace("whereformer", ".") in entries), name);
    assert.deepEqual(
      paths[name].map((path) => posix.normalize(path)),
      files.filter((known) => file.replaceAll("\\", "/").endsWith(`/${known}`)),
    );
  }
  // The build of the elements resolves the script that starts workers by itself.
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

test("the code of connections that package and page share imports nothing", () => {
  for (const name of ["requests", "yield"])
    assert.deepEqual(importsOf(`bindings/ts/wire/${name}.ts`), [], name);
});

test("scripts that run before npm install import only Node's own modules", () => {
  const seen = new Set(["scripts/start.mjs", "scripts/test.mjs"]);
  const wrong = [];
  for (const file of seen) {
    for (const name of importsOf(file)) {
      if (name.startsWith(".")) seen.add(posix.join(posix.dirname(file), name));
      else if (!name.startsWith("node:")) wrong.push(`${file} imports ${name}`);
    }
  }
  assert.ok(seen.size > 5, "no import between these scripts was found");
  assert.deepEqual(wrong, []);
});
