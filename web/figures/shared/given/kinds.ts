/**
 * Kinds of values of figures' properties. Each property is declared with its kind, which checks and
 * converts every value, whether set as a property or as an attribute's text, before other code
 * reads it.
 */
import type { PropertyDeclaration } from "lit";
import type { Expected } from "../../../text/expected.js";

export interface Kind<T = unknown> {
  /** Converts a value; undefined if it is invalid. */
  read: (given: unknown) => T | undefined;
  expected: Expected;
  /** The empty text is a value, and does not mean that none was set. */
  isEmptyToo?: boolean;
}

export interface KindProperty extends PropertyDeclaration {
  kind: Kind;
  /** Value while none has been set. */
  initial: unknown;
}

/** Declares a property of a kind; by default its attribute has its name in lower case. */
export const ofKind = (kind: Kind, initial?: unknown, attribute?: string): KindProperty => ({
  kind,
  initial,
  ...(attribute === undefined ? {} : { attribute }),
});

/** Declares a property whose value is reflected to its attribute. */
export const mirrored = (property: KindProperty): KindProperty => ({ ...property, reflect: true });

/** Declares a property without an attribute. */
export const ofProgram = (kind: Kind): KindProperty => ({
  kind,
  initial: undefined,
  attribute: false,
});

const numeral = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?\s*$/i;

/** Converts a number or its text to a number; NaN for other values. */
export function numberIn(given: unknown): number {
  if (typeof given === "number") return given;
  const isWritten = typeof given === "bigint" || (typeof given === "string" && numeral.test(given));
  return isWritten ? Number(given) : Number.NaN;
}

const numbersThat = (expected: Expected, isOne: (value: number) => boolean): Kind<number> => ({
  expected,
  read: (given) => {
    const value = numberIn(given);
    return Number.isFinite(value) && isOne(value) ? value : undefined;
  },
});

export const whole = (min = 0, max = Number.MAX_SAFE_INTEGER): Kind<number> =>
  numbersThat(
    { expected: "whole", min, ...(max < Number.MAX_SAFE_INTEGER && { max }) },
    (value) => Number.isInteger(value) && value >= min && value <= max,
  );

export const even = (min: number, max: number): Kind<number> =>
  numbersThat(
    { expected: "even", min, max },
    (value) => value % 2 === 0 && value >= min && value <= max,
  );

export const positive = (max = Number.MAX_VALUE): Kind<number> =>
  numbersThat(
    { expected: "positive", ...(max < Number.MAX_VALUE && { max }) },
    (value) => value > 0 && value <= max,
  );

export const numberFrom = (min: number): Kind<number> =>
  numbersThat({ expected: "number", min }, (value) => value >= min);

export const oneOf = <T extends string>(choices: readonly T[]): Kind<T> => ({
  expected: { expected: "one", choices: choices.map((one) => one || '""').join(", ") },
  isEmptyToo: choices.includes("" as T),
  read: (given) => choices.find((choice) => choice === given),
});

/** Converts a text or a number to a text; undefined for other values. */
export function textIn(given: unknown): string | undefined {
  if (typeof given === "string") return given;
  return typeof given === "bigint" || Number.isFinite(given) ? String(given) : undefined;
}

export const text: Kind<string> = {
  expected: { expected: "text" },
  isEmptyToo: true,
  read: textIn,
};

/** A text, or false for none. */
export const title: Kind<string> = {
  expected: { expected: "text" },
  isEmptyToo: true,
  read: (given) => (given === false ? "none" : textIn(given)),
};

/** As an attribute: true if present, except with the value `false`. */
export const flag: Kind<boolean> = {
  expected: { expected: "flag" },
  isEmptyToo: true,
  read: (given) => {
    if (given === "" || given === "true") return true;
    return given === "false" ? false : typeof given === "boolean" ? given : undefined;
  },
};

/** An address, relative to the document as all addresses of figures. */
export const address: Kind<string> = {
  expected: { expected: "address" },
  read: (given) => {
    const written = given instanceof URL ? given.href : given;
    return typeof written === "string" && URL.canParse(written, document.baseURI)
      ? written
      : undefined;
  },
};

/** Ids, as a text with spaces or as a list. */
export const ids: Kind<string> = {
  expected: { expected: "ids" },
  isEmptyToo: true,
  read: (given) => {
    if (!Array.isArray(given)) return textIn(given);
    return given.every((one) => typeof one === "string") ? given.join(" ") : undefined;
  },
};

/** A list or a typed array. */
export const isList = (value: unknown): value is ArrayLike<unknown> =>
  Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView));

/** Maximum length of a list that is read at once. */
export const longestList = 65_536;

/** Returns a list's elements: none if its buffer is detached, undefined if it is too long. */
export const partsOf = (list: ArrayLike<unknown>): unknown[] | undefined =>
  list.length > longestList
    ? undefined
    : Array.from({ length: list.length }, (_, index) => list[index]);

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !isList(value);

function parsed(given: unknown): unknown {
  if (typeof given !== "string") return given;
  try {
    return JSON.parse(given);
  } catch {
    return undefined;
  }
}

/** Reads an object from a property, or JSON from an attribute. */
const jsonThat = (
  expected: Expected["expected"],
  isOne: (value: unknown) => boolean,
): Kind<unknown> => ({
  expected: { expected },
  read: (given) => {
    const value = parsed(given);
    return isOne(value) ? value : undefined;
  },
});

export const mapNumbers = jsonThat(
  "map",
  (value) =>
    isList(value) ||
    (isObject(value) && (isList(value["data"]) || typeof value["head"] === "function")),
);
export const curveNumbers = jsonThat(
  "curves",
  (value) => isList(value) || (isObject(value) && Object.keys(value).length > 0),
);
export const headMeasures = jsonThat(
  "heads",
  (value) => isObject(value) && Object.keys(value).length > 0,
);
export const config = jsonThat("object", isObject);
export const lists = (max: number): Kind => ({
  ...jsonThat("max", (value) => Array.isArray(value) && value.length > 0 && value.length <= max),
  expected: { expected: "max", max },
});

/** The name of a scaling, or the object of a config. */
export const scaling: Kind = {
  expected: { expected: "scaling" },
  isEmptyToo: true,
  read: (given) => {
    const isWritten = typeof given === "string" && !/^\s*[[{]/.test(given);
    const value = isWritten ? given : parsed(given);
    return isWritten || isObject(value) ? value : undefined;
  },
};

/** Texts or ids of tokens, as a list, as JSON, or as words separated by spaces. */
export const tokenTexts: Kind<readonly string[]> = {
  expected: { expected: "tokens" },
  read: (given) => {
    const isWords = typeof given === "string" && !/^\s*[[{]/.test(given);
    const list = isWords ? given.trim().split(/\s+/) : parsed(given);
    const texts = isList(list) ? partsOf(list)?.map(textIn) : undefined;
    return texts?.every((one) => one !== undefined) ? texts : undefined;
  },
};

/** Files, including those of another window. */
export const files: Kind = {
  expected: { expected: "files" },
  read: (given) => {
    if (typeof given !== "object" || given === null) return undefined;
    if (!(Symbol.iterator in given)) return undefined;
    const list = [...(given as Iterable<unknown>)];
    const isFile = (one: unknown) =>
      isObject(one) && typeof one["name"] === "string" && typeof one["slice"] === "function";
    return list.every(isFile) ? list : undefined;
  },
};
