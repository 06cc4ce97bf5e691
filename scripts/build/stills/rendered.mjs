// What a figure has rendered, as Lit keeps it: the values that its templates give to an element's
// properties, without a page to put them into.

/** Attribute or property that the text before a value ends with, and the tag it belongs to. */
function targetOf(before) {
  const property = /[\s"]([.?@]?[\w-]+)="?$/.exec(before)?.[1];
  const tag = before.slice(before.lastIndexOf("<")).match(/^<([\w-]+)/)?.[1];
  return { property, tag };
}

/** Elements with such a tag, in their order: what their properties were given, by name. */
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
    // Something has to stand where the value does, so that the text goes on.
    before += "0";
  });
  return found;
}
