/**
 * `<wf-loss-by-length>`: loss by the length of the test, of this project's schemes, or given
 * curves.
 */

import { lengthSchemes, modelsFolder } from "../../../defaults.js";
import { define } from "../../../define.js";
import { looksOf } from "../../../drawing/family-colours.js";
import { type LengthResults, readResults } from "../../../engine/page/length-results.js";
import { folderAddress } from "../../../engine/page/models-index.js";
import { grouped } from "../../../text/numbers.js";
import { CurvesFigure, type ShownCurves } from "../../shared/data/curves-figure.js";
import { fetchJson } from "../../shared/data/data-source.js";
import type { Curve } from "../../shared/data/given-curves.js";
import { address, ids, ofKind, oneOf, positive, text } from "../../shared/given/kinds.js";
import { refused } from "../../shared/given/refused.js";
import { idsIn } from "../../shared/trained/maps-request.js";
import { measuredCode } from "./code.js";
import { lossWords } from "./words.js";
import "../../shared/figure/frame.js";

interface ShownLosses extends ShownCurves {
  results?: LengthResults;
}

export class LossByLength extends CurvesFigure<ShownLosses> {
  static override properties = {
    ...CurvesFigure.properties,
    schemes: ofKind(ids, lengthSchemes.join(" ")),
    textLanguage: ofKind(oneOf(["", "en", "zh"]), "", "text-language"),
    trained: ofKind(positive()),
    unit: ofKind(text),
    models: ofKind(address),
  };

  /** Ids of measured schemes, separated by spaces. */
  declare schemes: string;
  /** Language of the held-out text; empty for that of the figure. */
  declare textLanguage: "" | "en" | "zh";
  /** The trained length, as a dashed line; by default that of the measured schemes. */
  declare trained: number | undefined;
  /** Unit of the axis of losses. */
  declare unit: string | undefined;
  /** Folder of the models and the results, relative to the document. */
  declare models: string | undefined;

  get #language(): "en" | "zh" {
    return this.textLanguage || this.state.language;
  }

  protected override get origins() {
    return {
      numbers: ["curves"],
      asks: ["schemes", "textLanguage", "models"],
      readsModels: true,
    };
  }

  protected get asked() {
    return [this.schemes, this.#language, this.models];
  }

  protected lineName(at: number): string {
    return this.say(lossWords).line(at + 1);
  }

  protected override label(name: string): string {
    return !this.isGiven ? this.schemeName(name) : name;
  }

  protected async ask(signal: AbortSignal): Promise<ShownLosses> {
    const folder = folderAddress(this.models ?? modelsFolder);
    const file = await fetchJson(`${folder}length.json`, signal);
    const results = readResults(file as Parameters<typeof readResults>[0]);
    const known = [...results.curves.keys()];
    const schemes = idsIn(this.schemes);
    const strange = schemes.find((id) => !known.includes(id));
    if (strange !== undefined || !schemes.length) {
      const choices = known.join(", ");
      throw refused("schemes", strange ?? this.schemes, { expected: "some", choices });
    }
    const language = this.#language;
    const lines = schemes.map((name): Curve => {
      const spreads = results.curves.get(name)![language];
      const of = (key: "mean" | "min" | "max") => spreads.map((one) => one?.[key] ?? Number.NaN);
      return { name, values: of("mean"), low: of("min"), high: of("max") };
    });
    const x = results.multiples.map((multiple) => multiple * results.length);
    return { x, lines, results, code: measuredCode(folder, schemes, language) };
  }

  get #trained(): number | undefined {
    return this.trained ?? (this.shown as ShownLosses | undefined)?.results?.length;
  }

  /** Returns the caption: the rise of each curve from the training length to the end. */
  #caption({ x, lines }: ShownLosses): string {
    const words = this.say(lossWords);
    const from = Math.max(0, x.indexOf(this.#trained ?? x[0]!));
    const parts = lines.slice(0, 5).map((line, at) => {
      const { values } = line;
      const said = this.labelAt(line, at);
      const by = values.at(-1)! - values[from]!;
      return Number.isNaN(by) ? words.ends(said) : words.change(said, by);
    });
    return words.caption(parts.join(this.words.join.items), grouped(x[from]!), grouped(x.at(-1)!));
  }

  protected override render() {
    const words = this.say(lossWords);
    const shown = this.shown as ShownLosses | undefined;
    const results = shown?.results;
    const at = this.#trained;
    return this.chart(shown, {
      name: words.name,
      title: words.title,
      axis: "tokens",
      caption: shown ? this.#caption(shown) : "",
      note: !shown ? "" : results ? words.note(results.seeds.length) : this.dataWords.given,
      caveat: results ? words.caveat : words.caveatGiven,
      x: words.x,
      y: this.unit ?? (results ? words.y : words.yGiven),
      isEven: true,
      isFree: true,
      marked: 0,
      looks: results && looksOf(shown.lines.map(({ name }) => name)),
      mark: at === undefined ? undefined : { at, name: words.trained },
      many: { marked: this.lineName(0), others: words.others },
      point: words.point,
    });
  }
}

define("wf-loss-by-length", LossByLength);
