/** The reader's choices in the lab, as one field of the page's state: `key~value!key~value`. */

import { operations, type SurgeryKind, type SurgeryScope, surgeryScopes } from "../../defaults.js";
import type { Reduce } from "../../drawing/map-pyramid.js";
import type { Viewport } from "../../drawing/map-viewport.js";
import type { Cell } from "../../drawing/scene.js";
import { labLengths, maxInLab } from "../../engine/both/lab-sizes.js";
import {
  type MapPart,
  type MapReader,
  mapParts,
  mapReaders,
} from "../../engine/both/map-messages.js";
import { type Unit, units } from "../shared/maps/by-word.js";

export interface LabState {
  /** Text; "" for the language's own, or with a length for the held-out text. */
  text: string;
  length: number;
  unit: "token" | "character";
  reader: MapReader;
  /** Empty for the default schemes. */
  schemes: readonly string[];
  layer: number;
  head: number;
  part: MapPart;
  /** Surgery, and the trained model to which it applies: "" for the first one. */
  operation: SurgeryKind | "none";
  operated: string;
  scope: SurgeryScope;
  /** With "" and 0, the worker chooses. */
  value: string;
  token: number;
  /** What rows and columns of weights are; "" for words in a text that was typed. */
  by: Unit;
  difference: boolean;
  log: boolean;
  hideFirst: boolean;
  reduce: Reduce;
  view: Viewport | undefined;
  cell: Cell | undefined;
}

export const labBegin: LabState = {
  text: "",
  length: 0,
  unit: "token",
  reader: "model",
  schemes: [],
  layer: 1,
  head: 0,
  part: "weights",
  operation: "none",
  operated: "",
  scope: "all",
  value: "",
  token: 0,
  by: "",
  difference: false,
  log: false,
  hideFirst: false,
  reduce: "max",
  view: undefined,
  cell: undefined,
};

/**
 * Whether the maps can be read by word: scores have no sum, and a reader who cuts a text into
 * characters wants to see those.
 */
export const canBeByWord = ({ part, unit }: Pick<LabState, "part" | "unit">): boolean =>
  part === "weights" && unit === "token";

export const isByWord = (state: LabState): boolean =>
  canBeByWord(state) && (state.by === "word" || (state.by === "" && !state.length));

interface Entry<T> {
  key: string;
  write: (value: T) => string;
  read: (written: string) => T | undefined;
}

const word = <T extends string>(key: string, words: readonly T[]): Entry<T> => ({
  key,
  write: (value) => value,
  read: (written) => words.find((one) => one === written),
});
const plainWord = (key: string, form: RegExp): Entry<string> => ({
  key,
  write: (value) => value,
  read: (written) => (form.test(written) ? written : undefined),
});
const flag = (key: string): Entry<boolean> => ({
  key,
  write: (value) => (value ? "1" : "0"),
  read: (written) => (/^[01]$/.test(written) ? written === "1" : undefined),
});
const index = (key: string): Entry<number> => ({
  key,
  write: String,
  read: (written) => (/^\d{1,2}$/.test(written) ? Number(written) : undefined),
});
const numbersIn = (written: string, count: number): number[] | undefined => {
  const list = /^\d{1,5}(?:\.\d{1,5})*$/.test(written) ? written.split(".").map(Number) : [];
  return list.length === count ? list : undefined;
};

/** Cells of a view are written in tenths. */
const tenth = 10;

const entries: { [Key in keyof LabState]: Entry<LabState[Key]> } = {
  text: { key: "t", write: encoded, read: decoded },
  length: {
    key: "n",
    write: String,
    read: (written) => [0, ...labLengths].find((length) => String(length) === written),
  },
  unit: word("u", ["token", "character"]),
  reader: word("m", mapReaders),
  schemes: {
    key: "s",
    write: (value) => value.join("."),
    read: (written) =>
      /^[a-z][a-z0-9_]{0,40}(?:\.[a-z][a-z0-9_]{0,40}){0,3}$/.test(written)
        ? [...new Set(written.split("."))].slice(0, maxInLab)
        : undefined,
  },
  layer: index("l"),
  head: index("h"),
  part: word("p", mapParts),
  operation: word("o", ["none", ...operations]),
  operated: plainWord("e", /^[a-z][a-z0-9_]{0,40}$/),
  scope: word("q", surgeryScopes),
  value: plainWord("a", /^-?[A-Za-z0-9_][\w.+-]{0,40}$/),
  token: {
    key: "k",
    write: String,
    read: (written) => (/^\d{1,4}$/.test(written) ? Number(written) : undefined),
  },
  by: word("b", units),
  difference: flag("d"),
  log: flag("g"),
  hideFirst: flag("f"),
  reduce: word("r", ["max", "mean"]),
  view: {
    key: "v",
    write: (value) =>
      value
        ? [value.left, value.top, value.across].map((part) => Math.round(part * tenth)).join(".")
        : "",
    read: (written) => {
      const [left, top, across] = (numbersIn(written, 3) ?? []).map((part) => part / tenth);
      return across ? { left: left!, top: top!, across } : undefined;
    },
  },
  cell: {
    key: "c",
    write: (value) => (value ? `${value.row}.${value.column}` : ""),
    read: (written) => {
      const [row, column] = numbersIn(written, 2) ?? [];
      return column === undefined ? undefined : { row: row!, column };
    },
  },
};

/** Encodes the characters that separate keys and values. */
function encoded(text: string): string {
  const hex = (sign: string) => `%${sign.charCodeAt(0).toString(16)}`;
  return encodeURIComponent(text).replace(/[!~]/g, hex);
}

function decoded(written: string): string | undefined {
  try {
    return decodeURIComponent(written);
  } catch {
    return undefined;
  }
}

type AnyEntry = Entry<LabState[keyof LabState]>;
const list = Object.entries(entries) as [keyof LabState, AnyEntry][];

/** Writes the values that differ from their defaults. */
export const writeLab = (state: LabState): string =>
  list
    .flatMap(([name, { key, write }]) => {
      const written = write(state[name]);
      return written === write(labBegin[name]) ? [] : [`${key}~${written}`];
    })
    .join("!");

/** Reads the state; missing and invalid values get their defaults. */
export function readLab(written: string): LabState {
  const parts = new Map(written.split("!").map((part) => part.split("~", 2) as [string, string]));
  const said = list.flatMap(([name, { key, read }]) => {
    const part = parts.get(key);
    const value = part === undefined ? undefined : read(part);
    return value === undefined ? [] : [[name, value]];
  });
  return { ...labBegin, ...Object.fromEntries(said) };
}
