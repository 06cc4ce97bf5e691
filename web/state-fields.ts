/** Formats of the state's fields, in an address and in an attribute. */
import type { Expected } from "./text/expected.js";

export interface Field<T> {
  /** Key in the address. */
  key: string;
  initial: T;
  /** Undefined for an invalid value. */
  read: (written: string) => T | undefined;
  /** Valid values, for a message. */
  allowed: Expected;
}

const longest = 600;

export const text = (key: string): Field<string> => ({
  key,
  initial: "",
  read: (written) => written.slice(0, longest),
  allowed: { expected: "text" },
});
export const choice = <T extends string>(
  key: string,
  initial: T,
  choices: readonly T[],
): Field<T> => ({
  key,
  initial,
  read: (written) => choices.find((candidate) => candidate === written),
  allowed: { expected: "one", choices: choices.map((one) => one || '""').join(", ") },
});
export const count = (key: string, initial: number, max: number): Field<number> => ({
  key,
  initial,
  read: (written) => (/^\d{1,9}$/.test(written) ? Math.min(Number(written), max) : undefined),
  allowed: { expected: "whole", min: 0, max },
});
/** Ids separated by dots. */
export const schemes = (key: string): Field<string> => ({
  key,
  initial: "",
  read: (written) => (/^(?:[a-z][a-z0-9_.]{0,200})?$/.test(written) ? written : undefined),
  allowed: { expected: "ids" },
});
export const indices = (key: string, initial: readonly number[]): Field<readonly number[]> => ({
  key,
  initial,
  read: (written) =>
    /^\d{1,4}\.\d{1,4}$/.test(written) ? written.split(".").map(Number) : undefined,
  allowed: { expected: "numbers", min: 0, max: 2 },
});

/** A fixed number of integers, separated by dots. */
export const numbers = (key: string, initial: readonly number[]): Field<readonly number[]> => ({
  key,
  initial,
  read: (written) => {
    const list = /^\d{1,5}(?:\.\d{1,5})*$/.test(written) ? written.split(".").map(Number) : [];
    return list.length === initial.length ? list : undefined;
  },
  allowed: { expected: "numbers", min: 0, max: initial.length },
});

/** As many numbers as `initial` has, each from 0 once, separated by dots. */
export const order = (key: string, initial: readonly number[]): Field<readonly number[]> => {
  const sorted = [...initial].sort((a, b) => a - b);
  const isOrder = (list: readonly number[]) => sorted.every((one) => list.includes(one));
  return {
    key,
    initial,
    read: (written) => {
      const list = written.split(".").map(Number);
      return list.length === sorted.length && isOrder(list) ? list : undefined;
    },
    allowed: { expected: "order", choices: sorted.join(" ") },
  };
};
