/** Formats any value as in source code: short, and equal in all languages. */

const maxSigns = 40;
const maxParts = 4;

const shortened = (text: string): string =>
  text.length > maxSigns ? `${text.slice(0, maxSigns - 1)}…` : text;

/** Returns an object's class name, which also works for objects of another window. */
const tagOf = (value: object): string => Object.prototype.toString.call(value).slice(8, -1);

function listInCode(list: readonly unknown[], depth: number): string {
  const isShort = depth < 2 && list.length <= maxParts;
  return isShort
    ? `[${list.map((one) => written(one, depth + 1)).join(", ")}]`
    : `Array(${list.length})`;
}

function objectInCode(value: object): string {
  const tag = tagOf(value);
  if (ArrayBuffer.isView(value))
    return value instanceof DataView ? tag : `${tag}(${(value as Uint8Array).length})`;
  if (tag !== "Object") return tag;
  const names = Object.keys(value);
  const more = names.length > maxParts ? ", …" : "";
  return names.length ? `{ ${shortened(names.slice(0, maxParts).join(", "))}${more} }` : "{}";
}

function written(value: unknown, depth: number): string {
  if (typeof value === "string") return JSON.stringify(shortened(value));
  if (typeof value === "bigint") return `${shortened(String(value))}n`;
  if (typeof value === "function") return shortened(`function ${value.name}`.trim());
  if (typeof value !== "object" || value === null)
    return shortened(Object.is(value, -0) ? "-0" : String(value));
  return Array.isArray(value) ? listInCode(value, depth) : objectInCode(value);
}

/** A value that throws when it is read is described by its type alone. */
export function inCode(value: unknown): string {
  try {
    return written(value, 0);
  } catch {
    return typeof value;
  }
}
