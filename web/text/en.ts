/**
 * What the whole page says, in English: bar, actions, scales, failures. zh.ts has the same keys;
 * the compiler sees to it.
 */
import type { Language } from "../defaults.js";
import { measured, weight } from "./numbers.js";

export const en = {
  htmlLang: "en",
  locale: "en",
  pageTitle: "Whereformer: how a transformer knows where a word is",
  bar: {
    label: "Page settings",
    otherLanguage: "中文",
    otherLanguageLabel: "中文：切换到简体中文",
    otherLanguageTag: "zh-Hans",
    otherLanguageKey: "zh" as Language,
    toDark: "Dark",
    toLight: "Light",
    toDarkLabel: "Dark: switch to dark colours",
    toLightLabel: "Light: switch to light colours",
    sections: [
      ["chase", "Order"],
      ["mask", "Mask"],
      ["schemes", "Schemes"],
      ["added", "Added"],
      ["distance", "Distance"],
      ["angle", "Angles"],
      ["stretch", "Stretch"],
      ["heads", "Heads"],
      ["lengths", "Length"],
      ["tasks", "Tasks"],
      ["pictures", "Pictures"],
      ["cache", "Cache"],
      ["cost", "Cost"],
      ["choose", "Choose"],
      ["open", "Open"],
      ["lab", "Lab"],
      ["use", "Use it"],
    ] as [string, string][],
  },
  actions: {
    label: "Take this figure with you",
    link: "Link",
    linked: "Link copied",
    linkShown: "The address bar now has the link",
    code: "Code",
    hideCode: "Hide code",
    copy: "Copy",
    copied: "Copied",
    png: "PNG",
    svg: "SVG",
    csv: "CSV",
  },
  scale: {
    weight: "share of attention",
    difference: "difference of shares",
    masked: "masked: may not be looked at",
    query: "rows look (query)",
    key: "columns are looked at (key)",
  },
  cell: (row: number, from: string, to: string, value: number) =>
    `row ${row} ${from} → ${to} ${weight(value)}`,
  cellMasked: (row: number, from: string, to: string) => `row ${row} ${from} → ${to} masked`,
  cellDifference: (row: number, from: string, to: string, value: number) =>
    `row ${row} ${from} → ${to} difference ${value < 0 ? "−" : ""}${measured(Math.abs(value))}`,
  /** Between the members of a list, parts that hold commas, sentences, and the words of one. */
  join: { words: " ", items: ", ", parts: "; ", sentences: " " },
  /** How many may be chosen at once. */
  several: (least: number, most: number) => `(${least} to ${most} at once)`,
  /** A field that holds no more. */
  full: (most: number) => `A field holds ${most} characters; what is beyond them was not taken.`,
  keys: "Arrow keys move from cell to cell, Home and End along the row.",
  waiting: "Computing …",
  failure: {
    title: "This figure has nothing to show",
    network: "The file did not arrive.",
    worker: "The browser did not start the worker that computes the figures.",
    worker_stopped: "The worker that computes the figures has stopped.",
    unsupported: "This browser lacks WebAssembly SIMD, which the engine needs.",
    malformed_file: "The file arrived, but it is not what it should be.",
    malformed_map: "This is not a map of numbers.",
    out_of_memory: "The browser gave no more memory.",
    invalid_argument: "The engine refuses these options.",
    otherOptions: "Change an option below.",
    otherNumbers: "Give it a square or a rectangle of numbers: JSON, NPY or CSV.",
    other: "The engine reported an error.",
    cure: "Reload the page; everything else on it works without this figure.",
    again: "Try again",
  },
};

export type Text = typeof en;
