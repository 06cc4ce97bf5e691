/** The beginning of code for a scheme: the engine, and the scheme with its options. */

/** Writes options from an attribute, `key:value;key:value`, as entries of an object. */
function entriesOf(options: string): string {
  const parts = options.split(";").filter((part) => part.trim());
  return parts
    .map((part) => {
      const at = part.indexOf(":");
      const [key, text] = [part.slice(0, at).trim(), part.slice(at + 1).trim()];
      const isPlain = /^(?:true|false|[-+.\deE]+)$/.test(text);
      const value = isPlain ? text : /^[-\d.,\s]+$/.test(text) ? `[${text}]` : JSON.stringify(text);
      const [group, inner] = key.split(".");
      return inner ? `, ${group}: { ${inner}: ${value} }` : `, ${key}: ${value}`;
    })
    .join("");
}

export function schemeCode(
  { scheme, options }: { scheme: string; options: string },
  sizes: Record<string, number>,
): string {
  const written = Object.entries(sizes).map(([key, value]) => `${key}: ${value}`);
  const all = written.join(", ") + entriesOf(options);
  return `import { load } from "whereformer";

const wf = await load();
const scheme = wf.scheme(${JSON.stringify(scheme)}, { ${all} });`;
}
