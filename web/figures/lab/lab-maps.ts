/** The maps of the lab, in this order: a reader's file, the models', the difference. */

import type { MapSource } from "../../drawing/map-pyramid.js";
import type { OpenedMapAnswer } from "../../engine/both/checkpoint-messages.js";
import type { MapsAnswer, SchemeMap } from "../../engine/both/map-messages.js";
import { labelsOf } from "../../text/token-labels.js";
import { type FileMap, sideLabels } from "../shared/data/opened-file.js";
import {
  labelsOfWords,
  type Sides,
  sidesOf,
  sidesShown,
  sourceByWord,
} from "../shared/maps/by-word.js";
import { headSource, type MapSources } from "../shared/maps/map-sources.js";
import type { FigureMap } from "../shared/maps/maps-figure.js";
import { openedReader } from "./lab-opened.js";
import { canBeByWord, isByWord, type LabState } from "./lab-state.js";

/** Titles of the maps. */
export interface MapNames {
  of: (scheme: string) => string;
  last: (name: string, layer: number, head: number) => string;
  operated: (name: string) => string;
  minus: (name: string, other: string) => string;
}

const readBy = (sides: Sides | undefined, source: MapSource): MapSource =>
  sides ? sourceByWord(source, sides) : source;

export class LabMaps {
  #labels = new WeakMap<object, readonly string[]>();

  constructor(private readonly sources: MapSources) {}

  #labelsOf(of: object, make: () => readonly string[]): readonly string[] {
    const labels = this.#labels.get(of) ?? make();
    this.#labels.set(of, labels);
    return labels;
  }

  #labelled({ rows, columns }: Sides) {
    const rowLabels = this.#labelsOf(rows, () => labelsOfWords(rows));
    return { rowLabels, columnLabels: this.#labelsOf(columns, () => labelsOfWords(columns)) };
  }

  /** A reader's file is shown as it stands, unless they choose words. */
  #fileMap(file: FileMap, { layer, head, hideFirst, by }: LabState): FigureMap {
    const { rows, columns, layers, heads, rowTokens, columnTokens = rowTokens, name } = file;
    const at = Math.min(layer, layers - 1) * heads + Math.min(head, heads - 1);
    const plain = { id: "own", title: name, isAboutZero: false };
    const sides =
      by === "word" && rowTokens && columnTokens ? sidesShown(rowTokens, columnTokens) : undefined;
    const source = this.sources.of("own", [file, at, hideFirst, sides?.rows], () =>
      readBy(sides, headSource(file, at, hideFirst)),
    );
    if (sides) return { ...plain, source, ...this.#labelled(sides) };
    const rowLabels = this.#labelsOf(file, () => sideLabels(rowTokens, rows));
    const columnLabels = file.columnTokens
      ? this.#labelsOf(file.columnTokens, () => sideLabels(columnTokens, columns))
      : rows === columns
        ? rowLabels
        : sideLabels(undefined, columns);
    return { ...plain, source, rowLabels, columnLabels };
  }

  /** Returns the maps of schemes or models; that after surgery follows its own model's. */
  #read(answer: MapsAnswer, state: LabState, names: MapNames): FigureMap[] {
    const n = answer.tokens.length;
    const sides = isByWord(state) && canBeByWord(answer) ? sidesOf(answer.tokens) : undefined;
    const labels = this.#labelsOf(answer, () => labelsOf(answer.tokens));
    const both = sides ? this.#labelled(sides) : { rowLabels: labels, columnLabels: labels };
    const mapOf = (id: string, title: string, { values, failure }: SchemeMap): FigureMap => {
      const plain = { id, title, ...both, isAboutZero: false };
      if (!values) return { ...plain, failure };
      const { hideFirst } = state;
      const source = this.sources.of(id, [values, hideFirst, sides?.rows], () =>
        readBy(sides, headSource({ heads: 1, rows: n, columns: n, values }, 0, hideFirst)),
      );
      return { ...plain, source };
    };
    const { operated, numLayers, numHeads } = answer;
    const [layer, head] = [
      Math.min(state.layer, numLayers - 1),
      Math.min(state.head, numHeads - 1),
    ];
    // The untrained layer has only one layer.
    const isLess = (layer < state.layer && state.reader === "model") || head < state.head;
    return answer.maps.flatMap((map) => {
      const plain = names.of(map.scheme);
      const name = isLess ? names.last(plain, layer + 1, head + 1) : plain;
      const before = mapOf(map.scheme, name, map);
      const isOperated = operated?.inForce && operated.scheme === map.scheme;
      return isOperated ? [before, mapOf("operated", names.operated(name), operated)] : [before];
    });
  }

  /** Returns the map of the reader's own model; without numbers while they are computed. */
  #opened(answer: OpenedMapAnswer | undefined, state: LabState, names: MapNames): FigureMap[] {
    const plain = names.of(openedReader);
    const none = { id: openedReader, title: plain, rowLabels: [], columnLabels: [] };
    if (!answer?.ids.length) return [{ ...none, isAboutZero: false }];
    const { tokens, layer, head, operated } = answer;
    const n = tokens.length;
    const sides = isByWord(state) && answer.part === "weights" ? sidesShown(tokens) : undefined;
    const labels = this.#labelsOf(tokens, () => sideLabels(tokens, n));
    const both = sides ? this.#labelled(sides) : { rowLabels: labels, columnLabels: labels };
    const isLess = layer < state.layer || head < state.head;
    const name = isLess ? names.last(plain, layer + 1, head + 1) : plain;
    const { hideFirst } = state;
    const mapOf = (id: string, title: string, values: Float32Array): FigureMap => ({
      id,
      title,
      ...both,
      isAboutZero: false,
      source: this.sources.of(id, [values, hideFirst, sides?.rows], () =>
        readBy(sides, headSource({ heads: 1, rows: n, columns: n, values }, 0, hideFirst)),
      ),
    });
    const before = mapOf(openedReader, name, answer.values);
    if (!operated?.inForce) return [before];
    const title = names.operated(plain);
    const { values, failure } = operated;
    const after = values
      ? mapOf("operated", title, values)
      : { ...none, id: "operated", title, failure, isAboutZero: false };
    return [before, after];
  }

  /**
   * Returns the difference before and after surgery, if there is any, else that of the first two
   * maps.
   */
  #difference(maps: readonly FigureMap[], names: MapNames): FigureMap | undefined {
    const at = maps.findIndex(({ id }) => id === "operated");
    const pair = at < 0 ? maps.filter(({ source }) => source) : maps.slice(at - 1);
    const [first, second] = pair;
    const [a, b] = [first?.source, second?.source];
    if (!a || !b || a.rows !== b.rows || a.columns !== b.columns) return undefined;
    const source = this.sources.of("difference", [a, b], () => ({ ...b, minus: a.values }));
    const title = names.minus(second!.title, first!.title);
    return { ...second!, id: "difference", title, source, isAboutZero: true };
  }

  /** `opened` is the answer of the reader's own model, if it is shown. */
  of(
    answer: MapsAnswer | undefined,
    file: FileMap | undefined,
    opened: { answer: OpenedMapAnswer | undefined } | undefined,
    state: LabState,
    names: MapNames,
  ): FigureMap[] {
    const ofFile = file ? [this.#fileMap(file, state)] : [];
    const read = answer?.tokens.length ? this.#read(answer, state, names) : [];
    const theirs = opened ? this.#opened(opened.answer, state, names) : [];
    const maps = [...ofFile, ...read, ...theirs];
    const difference = state.difference ? this.#difference(maps, names) : undefined;
    return difference ? [...maps, difference] : maps;
  }
}
