// custom-elements.json describes every element's attributes, properties, events and parts,
// completely and correctly.

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { figureOf } from "../../scripts/build/figures.mjs";

const root = new URL("../../", import.meta.url);
const textOf = (path) => readFileSync(new URL(path, root), "utf8");
const manifest = JSON.parse(textOf("dist/custom-elements.json"));
const elements = manifest.modules.flatMap(({ declarations }) => declarations);
const named = (tag) => elements.find(({ tagName }) => tagName === tag);
const namesOf = (list) => list.map(({ name }) => name);

test("package.json names the file, which lists every element in a separate module", () => {
  const { customElements } = JSON.parse(textOf("package.json"));
  assert.ok(existsSync(new URL(customElements, root)));
  const files = readdirSync(new URL("dist/", root))
    .filter((name) => /^elements-(?!shared-|host).*\.js$/.test(name))
    .map((name) => `dist/${name}`);
  assert.deepEqual(manifest.modules.map(({ path }) => path).sort(), files.sort());
  for (const { path, declarations, exports } of manifest.modules) {
    const [{ tagName }] = declarations;
    assert.equal(path, `dist/elements-${tagName.slice(3)}.js`);
    assert.deepEqual(namesOf(exports), [tagName]);
  }
});

test("elements, attributes, properties, events, parts and custom properties are described", () => {
  for (const element of elements) {
    assert.ok(element.description, element.tagName);
    for (const kind of ["attributes", "members", "events", "cssParts", "cssProperties"])
      for (const { name, description } of element[kind])
        assert.ok(description, `${element.tagName} ${name}`);
    for (const { name, type } of [...element.attributes, ...element.members])
      assert.ok(type?.text, `${element.tagName} ${name} has no type`);
  }
});

test("every property of the state is listed, and no internal property", () => {
  let count = 0;
  for (const { tagName, source, attributes } of elements) {
    const text = textOf(source.href);
    const own = [...text.matchAll(/^ +(\w+): ofState\(/gm)].map(([, name]) => name);
    const fields = attributes.map(({ fieldName }) => fieldName);
    assert.deepEqual(
      own.filter((name) => !fields.includes(name)),
      [],
      tagName,
    );
    const states = [...text.matchAll(/^ +(\w+): \{ state: true/gm)].map(([, name]) => name);
    assert.deepEqual(
      states.filter((name) => fields.includes(name)),
      [],
      tagName,
    );
    count += own.length;
  }
  assert.ok(count > 40);
  assert.deepEqual(namesOf(named("wf-costs").attributes).slice(0, 3), [
    "tokens",
    "head-dim",
    "heads",
  ]);
});

test("each description has a Chinese translation, and no translation is unused", () => {
  const common = JSON.parse(textOf("web/figures/shared/zh.json"));
  const used = new Set();
  for (const { tagName, members, attributes, events, cssParts, cssProperties } of elements) {
    const { zh } = figureOf(tagName);
    const keys = [
      "element",
      ...namesOf([...members, ...events, ...cssProperties]),
      ...attributes.map(({ name, fieldName = name }) => fieldName),
      ...namesOf(cssParts).map((name) => `::part(${name})`),
    ];
    assert.deepEqual(
      keys.filter((key) => !zh[key] && !common[key]),
      [],
      tagName,
    );
    assert.deepEqual(
      Object.keys(zh).filter((key) => !keys.includes(key)),
      [],
      tagName,
    );
    for (const key of keys) if (!zh[key]) used.add(key);
  }
  assert.deepEqual([...used].sort(), Object.keys(common).sort());
});

/** Events that only one element fires. */
const special = {
  "wf-open-checkpoint": ["wf-progress", "wf-opened", "wf-failed", "wf-closed"],
  "wf-opened-picture": ["wf-progress", "wf-opened", "wf-failed", "wf-closed"],
};

/** Returns each name in a `part` attribute of these sources. */
const partsIn = (...files) => [
  ...new Set(
    files.flatMap((file) =>
      [...textOf(`web/${file}.ts`).matchAll(/ part="([\w -]+)"/g)].flatMap(([, names]) =>
        names.split(" "),
      ),
    ),
  ),
];
const framed = "figures/shared/figure/";
/** Parts of a frame, including its actions. */
const frameParts = partsIn(
  `${framed}frame`,
  `${framed}failure-notice`,
  "figures/shared/exports/takeaway",
);

/** Parts of elements without a frame, or with several. */
const partsOf = {
  "wf-word-swap": ["heading", "picture", "words", "map", "reading", "small"],
  "wf-scheme-gallery": ["text", "values", "cards", "card", "title", "open", ...frameParts],
  "wf-scheme": ["text", "open", ...frameParts],
};

test("states fire wf-change, elements for own numbers wf-pick, and frames have parts", () => {
  const own = /extends (?:Data|Curves|Rope|Maps|MapFiles)Figure/;
  for (const { tagName, events, cssParts, source } of elements) {
    const text = textOf(source.href);
    const hasState = /ofState\(|this\.(?:applyChoice|slider)\(|extends (?:Text|SchemeGallery)/.test(
      text,
    );
    const told = [
      ...(hasState ? ["wf-change"] : []),
      ...(own.test(text) ? ["wf-pick"] : []),
      ...(special[tagName] ?? []),
    ];
    assert.deepEqual(namesOf(events).sort(), told.sort(), tagName);
    if (partsOf[tagName]) assert.deepEqual(namesOf(cssParts).sort(), partsOf[tagName].sort());
    else assert.equal(cssParts.length > 0, /<wf-frame/.test(text) || own.test(text), tagName);
    assert.ok(cssParts.length > 0, tagName);
  }
  assert.ok(frameParts.length > 12);
  assert.deepEqual(namesOf(named("wf-who-chases").cssParts).sort(), [...frameParts].sort());
  // Parts around a map, which only elements about maps have.
  const ofMaps = ["map", "heads", "overview", "zoom", "cells"];
  const found = partsIn("figures/shared/maps/maps-figure", "controls/map-view");
  assert.deepEqual(found.sort(), [...ofMaps].sort());
  for (const tag of ["wf-attention-map", "wf-lab"])
    assert.deepEqual(namesOf(named(tag).cssParts).sort(), [...frameParts, ...ofMaps].sort(), tag);
});

test("the custom properties are those of the colours and fonts", () => {
  const [, list] = /:root \{([\s\S]*?)\n\}/.exec(textOf("web/styles/tokens.css"));
  const known = [...list.matchAll(/^ +(--wf-[\w-]+):/gm)].map(([, name]) => name);
  const offered = known.filter((name) => !name.startsWith("--wf-latin-"));
  assert.deepEqual(namesOf(named("wf-chooser").cssProperties).sort(), offered.sort());
});
