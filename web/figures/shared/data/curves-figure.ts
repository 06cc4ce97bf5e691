/** Base of elements that draw curves: the page's own data, the table, the files. */

import type { GivenCurves } from "whereformer/elements";
import { grouped, plain } from "../../../text/numbers.js";
import { curveNumbers, ofKind } from "../given/kinds.js";
import { type ChartView, drawCurves } from "./curves-chart.js";
import { DataFigure, type PickedCell } from "./data-figure.js";
import {
  type Curve,
  type Curves,
  curvesOf,
  curvesOfAddress,
  tableOfCurves,
} from "./given-curves.js";
import { givenCurvesCode } from "./given-curves-code.js";

export interface ShownCurves extends Curves {
  /** Code that reproduces the curves; undefined for given curves. */
  code?: string;
}

/** Texts and options of a figure of curves. */
export interface CurvesView
  extends Pick<ChartView, "x" | "y" | "isEven" | "isFree" | "mark" | "marked" | "many" | "looks"> {
  name: string;
  title: string;
  caption: string;
  note: string;
  caveat: string;
  /** Name of the horizontal axis in a file. */
  axis: string;
  point: (name: string, x: number, value: number) => string;
  around?: unknown;
}

export abstract class CurvesFigure<Shown extends ShownCurves = ShownCurves> extends DataFigure<
  Shown | ShownCurves
> {
  static override properties = {
    ...DataFigure.properties,
    curves: ofKind(curveNumbers),
  };

  /** Lists of numbers, lists by name, or `{ x, lines: [{ name, values, low, high }] }`. */
  declare curves: GivenCurves | undefined;

  /** Computes the curves that the attributes describe, if none are given. */
  protected abstract ask(signal: AbortSignal): Promise<Shown | undefined>;
  /** Attributes on which those curves depend. */
  protected abstract get asked(): readonly unknown[];
  /** Returns the name of a curve without one. */
  protected abstract lineName(at: number): string;

  protected get isGiven(): boolean {
    return Boolean(this.curves || this.src);
  }

  protected get inputs() {
    return this.isGiven ? [this.curves, this.src] : this.asked;
  }

  protected async read(signal: AbortSignal): Promise<Shown | ShownCurves | undefined> {
    const { curves, src } = this;
    if (curves) return curvesOf(curves);
    return src ? curvesOfAddress(src, signal) : this.ask(signal);
  }

  protected picked({ row, column }: PickedCell) {
    const line = this.shown?.lines[row];
    const value = line?.values[column];
    if (!line || value === undefined) return undefined;
    const name = line.name || this.labelAt(line, row);
    return { name, x: this.shown!.x[column], value: Number.isNaN(value) ? null : value };
  }

  /** Returns a curve's name for readers; files have the id of a scheme instead. */
  protected label(name: string): string {
    return name;
  }

  protected labelAt({ name }: Curve, at: number): string {
    return name ? this.label(name) : this.lineName(at);
  }

  #nameOf = (line: Curve, at: number): string => this.labelAt(line, at);

  protected chart(shown: ShownCurves | undefined, view: CurvesView) {
    const { name, title, caption, caveat, axis, point } = view;
    const lines = shown?.lines ?? [];
    const describe = (line: number, index: number) =>
      point(this.#nameOf(lines[line]!, line), shown!.x[index]!, lines[line]!.values[index]!);
    const draw =
      shown && drawCurves({ ...view, curves: shown, nameOf: this.#nameOf, label: name, describe });
    const number = (value: number) => (Number.isNaN(value) ? "–" : plain(value));
    return this.framed({
      name,
      title,
      caption,
      caveat,
      note: view.note,
      inside: draw ? this.sceneOf(`${name}. ${caption}`, draw) : "",
      around: view.around,
      takeaway: shown && {
        at: this.localName.slice(3),
        title,
        code: shown.code ?? givenCurvesCode(this.localName),
        table: () => tableOfCurves(shown, axis),
        scene: () => this.scene(),
      },
      table: shown && {
        label: this.dataWords.table,
        columns: [view.x, ...lines.map(this.#nameOf)],
        rows: shown.x.map((x, at) => [
          grouped(x),
          ...lines.map(({ values }) => number(values[at]!)),
        ]),
      },
    });
  }
}
