// Writes custom-elements.json from the sources of the figures: each element's description,
// attributes, properties, events, parts and custom properties, in the schema of the Custom Elements
// Manifest. Editors and documentation tools read it, and the page of the elements. From it come the
// types of the properties, bindings/ts/generated/figure-properties.d.ts.
//   node scripts/build/elements/manifest.mjs [custom-elements.json]

import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { cli } from "@custom-elements-manifest/analyzer/cli.js";
import { figureOf, figures } from "../figures.mjs";
import { tagsOfPages } from "../prose.mjs";
import { propertyTypes, spellOut } from "./types.mjs";

const settings = "scripts/build/elements/analyzer.config.mjs";

/** Tag, file and class of each element: first those of the pages of text, in their order. */
function elementFiles(root) {
  const articleTags = tagsOfPages();
  const others = figures.filter(({ isStandalone }) => isStandalone);
  return [...articleTags.map(figureOf), ...others].map(({ tag, file }) => {
    const text = readFileSync(join(root, file), "utf8");
    const name = new RegExp(`\\bdefine\\("${tag}", (\\w+)\\)`).exec(text)?.[1];
    if (!name) throw new Error(`${file} does not define ${tag}`);
    return { tag, name, path: file, text };
  });
}

/** The first comment of a file, which describes its element. */
function headOf(text) {
  const [, comment] = /^\/\*\*([\s\S]*?)\*\//.exec(text) ?? [];
  const plain = (comment ?? "").replace(/\n? \*+ ?/g, " ").replace(/\s+/g, " ");
  // The description follows the tag's name.
  return plain.replace(/^\s*`<wf-[^`]*>`:\s*/, "").trim();
}

const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
const oneLine = (text = "") => text.replace(/\s+/g, " ").trim();

/** Base classes of figures, by file. */
const bases = [
  "figure/figure-element",
  "trained/session-figure",
  "data/data-figure",
  "data/curves-figure",
  "data/rope-figure",
  "maps/maps-figure",
  "maps/map-files-figure",
];

/** The text of a class and of all its possible base classes. */
function wholeText(root, { path, text }) {
  const other = /from "([./\w-]+\/element)\.js"/.exec(text)?.[1];
  const base = other ? [`${join(dirname(path), other)}.ts`] : [];
  const files = [...bases.map((file) => `web/figures/shared/${file}.ts`), ...base];
  return [text, ...files.map((file) => readFileSync(join(root, file), "utf8"))].join("\n");
}

/** Names that only the class itself sets, here or in a base class. */
const internalMembers = (text) =>
  new Set([...text.matchAll(/\b(\w+): \{ state: true/g)].map(([, name]) => name));

/** Whether a page can set or read a member: the others are internal. */
const isPublic = ({ kind, name, attribute, privacy, static: isStatic }, text) =>
  kind === "field" &&
  !isStatic &&
  (privacy ?? "public") === "public" &&
  (attribute !== undefined || name === "data" || isOnlyProperty(name, text));

/** Whether only a program can set it: it has no attribute. */
const isOnlyProperty = (name, text) => text.includes(`\n    ${name}: ofProgram(`);

/** The attribute of a property: the analyzer cannot read one that a call declares. */
const attributeOf = (name, text) =>
  new RegExp(`\\b${name}: of(?:State|Kind)\\(.*, "(\\w+-[\\w-]+)"\\)`).exec(text)?.[1] ??
  name.toLowerCase();

const pick = ({ name, type, description, ...more }, extra) => ({
  name,
  ...(type && { type: { text: oneLine(type.text) } }),
  description: oneLine(description),
  ...extra(more),
});
const nothing = () => ({});

function declarationOf({ tag, name, path, text }, found, whole) {
  const internal = internalMembers(whole);
  const isOffered = (member) => isPublic(member, whole) && !internal.has(member.name);
  const members = found.members.filter(isOffered).map((member) =>
    pick(member, ({ attribute, readonly }) => ({
      kind: "field",
      ...(attribute !== undefined &&
        !isOnlyProperty(member.name, whole) && { attribute: attributeOf(member.name, text) }),
      ...(readonly && { readonly: true }),
    })),
  );
  const attributes = members
    .filter(({ attribute }) => attribute)
    .map(({ name: fieldName, attribute, type, description }) => ({
      name: attribute,
      fieldName,
      type,
      description,
    }));
  // Figures of the page's own numbers have no state for a group to share.
  if (/extends (?:Data|Curves|Rope|Maps|MapFiles)Figure/.test(text))
    attributes.splice(0, Infinity, ...attributes.filter(({ name }) => name !== "group"));
  const language = found.attributes?.find((one) => one.name === "lang");
  if (language) attributes.push(pick(language, nothing));
  const fires = /ofState\(|this\.(?:applyChoice|slider)\(|extends (?:Text|SchemeGallery)/.test(
    text,
  );
  const framed = /import "[./]+shared\/figure\/frame\.js"/.test(text);
  return {
    kind: "class",
    customElement: true,
    name,
    tagName: tag,
    description: capital(headOf(text)),
    members,
    attributes,
    events: (found.events ?? [])
      .filter((event) => fires || event.name !== "wf-change")
      .map((event) => pick(event, nothing)),
    // Figures without a frame have only the parts that their own comment names.
    cssParts: (found.cssParts ?? [])
      .filter((part) => framed || text.includes(`@csspart ${part.name} `))
      .map((part) => pick(part, nothing)),
    cssProperties: (found.cssProperties ?? []).map((property) => pick(property, nothing)),
    superclass: { name: "LitElement", package: "lit" },
    source: { href: path },
  };
}

/** The manifest; module paths are relative to the package. */
async function elementsManifest(root) {
  const files = elementFiles(root);
  const globs = ["web/figures/shared/**/*.ts", ...files.map(({ path }) => path)];
  const whole = await cli({
    argv: ["analyze", "--config", settings, "--globs", ...new Set(globs)],
    cwd: root,
    noWrite: true,
  });
  const classes = new Map(
    whole.modules.flatMap(({ path, declarations = [] }) =>
      declarations.map((one) => [`${path} ${one.name}`, one]),
    ),
  );
  const modules = files.map((file) => {
    const found = classes.get(`${file.path} ${file.name}`);
    if (!found) throw new Error(`${file.path}: no class ${file.name} in the analyzer's answer`);
    const path = `dist/elements-${file.tag.slice(3)}.js`;
    const { tag, name } = file;
    return {
      kind: "javascript-module",
      path,
      declarations: [declarationOf(file, found, wholeText(root, file))],
      exports: [
        { kind: "custom-element-definition", name: tag, declaration: { name, module: path } },
      ],
    };
  });
  const declared = modules.flatMap(({ declarations }) => declarations);
  spellOut(
    root,
    declared.flatMap(({ members }) => members.map(({ type }) => type)),
  );
  return { schemaVersion: "1.0.0", readme: "README.md", modules };
}

// A separate process: scripts that run before npm install must not import npm packages.
const root = fileURLToPath(new URL("../../..", import.meta.url));
const manifest = await elementsManifest(root);
const [file] = process.argv.slice(2);
if (file) writeFileSync(file, `${JSON.stringify(manifest)}\n`);
writeFileSync(
  join(root, "bindings/ts/generated/figure-properties.d.ts"),
  propertyTypes(root, manifest),
);
