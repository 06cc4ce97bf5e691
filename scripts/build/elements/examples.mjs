// What an element of the page of elements is given: settings that are not those it begins with.

const settings = {
  "wf-who-chases": { text: "dogs chase cats", scheme: "rope" },
  "wf-turning-pairs": { query: "20", key: "4" },
  "wf-scheme": { scheme: "alibi" },
  "wf-distance-bias": { scheme: "t5" },
  "wf-stretch": { method: "ntk", factor: "8" },
  "wf-cache-bytes": { heads: "32", "head-dim": "128" },
  "wf-absorption": { distance: "5" },
};

/** The tag with its attributes, as it is written; models lie in a folder. */
export function exampleOf(tag, attributes, folder) {
  const needsModels = attributes.some(({ name }) => name === "models");
  const all = { ...settings[tag], ...(needsModels && { models: folder }) };
  const written = Object.entries(all).map(([name, value]) => ` ${name}="${value}"`);
  return `<${tag}${written.join("")}></${tag}>`;
}
