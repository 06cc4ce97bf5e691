// What an element of the page of elements is given: settings that are not those it begins with.

import { readFileSync } from "node:fs";

const settings = JSON.parse(readFileSync(new URL("examples.json", import.meta.url), "utf8"));

/** The tag with its attributes, as it is written; models lie in a folder. */
export function exampleOf(tag, attributes, folder) {
  const needsModels = attributes.some(({ name }) => name === "models");
  const all = { ...settings[tag], ...(needsModels && { models: folder }) };
  const written = Object.entries(all).map(([name, value]) => ` ${name}="${value}"`);
  return `<${tag}${written.join("")}></${tag}>`;
}
