// Reads a figure's rendered Lit template: the values that it assigns to properties of elements,
// without a page.

/** Attribute or property at the end of the text before a value, and its tag. */
function targetOf(before) {
  const property = /[\s"]([.?@]?[\w-]+)="?$/.exec(before)?.[1];
  const tag = before.slice(before.lastIndexOf("<")).match(/^<([\w-]+)/)?.[1];
  return { property, tag };
}

/** Elements with this tag, in order: the values of their properties, by name. */
export function elementsIn(rendered, tag, found = []) {
  if (Array.isArray(rendered)) for (const part of rendered) elementsIn(part, tag, found);
  if (!rendered?.strings) return found;
  let before = "";
  let last;
  rendered.strings.forEach((text, at) => {
    before += text;
    if (at >= rendered.values.length) return;
    const value = rendered.values[at];
    const target = targetOf(before);
    const start = before.lastIndexOf("<");
    if (target.property && target.tag === tag) {
      if (last !== start) found.push({});
      last = start;
      found.at(-1)[target.property.replace(/^\./, "")] = value;
    } else if (!target.property) elementsIn(value, tag, found);
    // A placeholder for the value, so that the following text can be parsed.
    before += "0";
  });
  return found;
}
