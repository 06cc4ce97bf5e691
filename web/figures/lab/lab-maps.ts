/** The maps of the lab, in their order: a reader's file, the readers', the difference. */
import type { MapSource } from "../../drawing/map-pyramid.js";
import type { Failure } from "../../engine/both/failure.js";
import type { MapsAnswer } from "../../engine/both/map-messages.js";
import { labelsOf } from "../../text/tokens.js";
import { type OwnMap, ownLabels } from "../shared/own-file.js";
import type { LabState } from "./lab-state.js";
import type { LabWords } from "./words.js";

export interface LabMap {
  id: string;
  title: string;
  source?: MapSource;
  failure?: Failure | undefined;
  rowLabels: readonly string[];
  columnLabels: readonly string[];
  isDifference: boolean;
}

export class LabMaps {
  #sources = new Map<string, { of: unknown[]; source: MapSource }>();
  #labels = new WeakMap<object, readonly string[]>();

  /** One source until something of it changes, so that no number is looked through again. */
  #source(id: string, of: unknown[], make: () => MapSource): MapSource {
    const known = this.#sources.get(id);
    const isSame = known?.of.length === of.length && known.of.every((one, at) => one === of[at]);
    if (isSame) return known.source;
    const source = make();
    this.#sources.set(id, { of, source });
    return source;
  }

  #labelsOf(of: object, make: () => readonly string[]): readonly string[] {
    const labels = this.#labels.get(of) ?? make();
    this.#labels.set(of, labels);
    return labels;
  }

  #own(file: OwnMap, { head, hideFirst }: LabState): LabMap {
    const { rows, columns, heads, values, rowTokens, columnTokens, name } = file;
    const at = Math.min(head, heads - 1);
    const source = this.#source("own", [file, at, hideFirst], () => ({
      ...{ rows, columns, hidesFirst: hideFirst },
      values: values.subarray(at * rows * columns, (at + 1) * rows * columns),
    }));
    const rowLabels = this.#labelsOf(file, () => ownLabels(rowTokens, rows));
    const columnLabels = columnTokens
      ? this.#labelsOf(columnTokens, () => ownLabels(columnTokens, columns))
      : rows === columns
        ? rowLabels
        : ownLabels(undefined, columns);
    return { id: "own", title: name, source, rowLabels, columnLabels, isDifference: false };
  }

  of(
    answer: MapsAnswer | undefined,
    file: OwnMap | undefined,
    state: LabState,
    nameOf: (scheme: string) => string,
    words: LabWords,
  ): LabMap[] {
    const own = file ? [this.#own(file, state)] : [];
    const { hideFirst, difference } = state;
    const n = answer?.tokens.length ?? 0;
    const labels = answer ? this.#labelsOf(answer, () => labelsOf(answer.tokens)) : [];
    const sides = { rowLabels: labels, columnLabels: labels, isDifference: false };
    const read = (n ? answer!.maps : []).map(({ scheme, values, failure }): LabMap => {
      const plain = { id: scheme, title: nameOf(scheme), ...sides };
      if (!values) return { ...plain, failure };
      const source = this.#source(scheme, [values, hideFirst], () => ({
        ...{ rows: n, columns: n, values, hidesFirst: hideFirst },
      }));
      return { ...plain, source };
    });
    const maps = [...own, ...read];
    const [first, second] = maps.filter(({ source }) => source);
    const [a, b] = [first?.source, second?.source];
    if (!difference || !a || !b || a.rows !== b.rows || a.columns !== b.columns) return maps;
    const source = this.#source("difference", [a, b], () => ({ ...b, minus: a.values }));
    const title = words.minus(second!.title, first!.title);
    return [...maps, { ...second!, id: "difference", title, source, isDifference: true }];
  }
}
