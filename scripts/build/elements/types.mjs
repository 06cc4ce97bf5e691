// The types of the elements' properties as TypeScript.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

const { NoTruncation, InTypeAlias } = ts.TypeFormatFlags;

/** Unions of literals that the page's sources export by these names, written out. */
function unionsOf(root, names) {
  const exported = new RegExp(`^export type (?:${[...names].join("|")}) =`, "m");
  const files = readdirSync(join(root, "web"), { recursive: true })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => join(root, "web", name))
    .filter((file) => exported.test(readFileSync(file, "utf8")));
  const options = { noResolve: true, types: [], lib: ["lib.es5.d.ts"], strict: true };
  const program = ts.createProgram(files, options);
  const checker = program.getTypeChecker();
  const symbols = files.flatMap((file) =>
    checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(file))),
  );
  const written = (type) => checker.typeToString(type, undefined, NoTruncation | InTypeAlias);
  const typeOf = (symbol) => {
    const [{ type }] = symbol.declarations;
    const list = ts.isIndexedAccessTypeNode(type) && checker.getTypeFromTypeNode(type.objectType);
    // In the order of the list.
    return list && checker.isTupleType(list)
      ? checker.getTypeArguments(list).map(written).join(" | ")
      : written(checker.getDeclaredTypeOfSymbol(symbol));
  };
  return new Map(
    symbols.filter(({ name }) => names.has(name)).map((symbol) => [symbol.name, typeOf(symbol)]),
  );
}

/** Replaces names of the page's own unions in these types, which other projects do not have. */
export function spellOut(root, types) {
  const isName = ({ text }) => /^[A-Z]\w*$/.test(text);
  // Names inside a type too: "" | Name.
  const namesIn = ({ text }) => text.replace(/"[^"]*"/g, "").match(/\b[A-Z]\w*/g) ?? [];
  const unions = unionsOf(root, new Set(types.flatMap(namesIn)));
  for (const type of types) {
    if (isName(type) && !unions.has(type.text)) throw new Error(`web exports no type ${type.text}`);
    for (const name of namesIn(type))
      if (unions.has(name))
        type.text = type.text.replace(new RegExp(`\\b${name}\\b`), unions.get(name));
  }
}

const comment = (text, indent) => `${indent}/** ${text} */\n`;

const propertiesOf = (members, indent) =>
  members
    .map(
      ({ name, type, description }) =>
        `${comment(description, indent)}${indent}${name}: ${type.text};\n`,
    )
    .join("");

/** The declaration of every element's properties, by its tag. */
export function propertyTypes(root, { modules }) {
  const elements = modules.flatMap(({ declarations }) => declarations);
  const counts = new Map();
  for (const { members } of elements)
    for (const { name } of members) counts.set(name, (counts.get(name) ?? 0) + 1);
  const isCommon = ({ name }) => counts.get(name) === elements.length;
  const given = readFileSync(join(root, "bindings/ts/figure-settings.d.ts"), "utf8");
  const known = [...given.matchAll(/^export (?:type|interface) (\w+)/gm)].map(([, name]) => name);
  const settable = (members) => members.filter(({ readonly }) => !readonly);
  const body = elements
    .map(({ tagName, description, members }) => {
      const specific = settable(members).filter((member) => !isCommon(member));
      const head = comment(description, "  ");
      return `${head}  "${tagName}": {\n${propertiesOf(specific, "    ")}  };\n`;
    })
    .join("");
  const common = propertiesOf(settable(elements[0].members).filter(isCommon), "  ");
  const used = known.filter((name) =>
    new RegExp(`\\b${name}\\b`).test(body.replace(/\/\*.*\*\//g, "")),
  );
  return `// Written by scripts/build/elements/manifest.mjs from the figures' sources. Do not edit.
import type { ${used.sort().join(", ")} } from "../figure-settings.js";

/** What every figure may be given, as an attribute or a property. */
export interface CommonSettings {
${common}}

/**
 * Properties by tag. The attribute has the name of the property in small letters, or with a dash:
 * \`head-dim\`, \`text-language\`.
 */
export interface FigureSettings {
${body}}
`;
}
