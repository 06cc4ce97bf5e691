// Example attributes of each element on the elements' page, which differ from the defaults.

import { readFileSync } from "node:fs";

const settings = JSON.parse(readFileSync(new URL("examples.json", import.meta.url), "utf8"));

/** The tag with its attributes as HTML; models are in `folder`. */
export function exampleOf(tag, attributes, folder) {
  const needsModels = attributes.some(({ name }) => name === "models");
  const all = { ...settings[tag], ...(needsModels && { models: folder }) };
  const written = Object.entries(all).map(([name, value]) => ` ${name}="${value}"`);
  return `<${tag}${written.join("")}></${tag}>`;
}
