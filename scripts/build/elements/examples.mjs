// Each element with its example on the elements' page.

import { figureOf } from "../figures.mjs";

/** The tag with its attributes as HTML; models are in `folder`. */
export function exampleOf(tag, attributes, folder) {
  const needsModels = attributes.some(({ name }) => name === "models");
  const all = { ...figureOf(tag).example, ...(needsModels && { models: folder }) };
  const written = Object.entries(all).map(([name, value]) => ` ${name}="${value}"`);
  return `<${tag}${written.join("")}></${tag}>`;
}
