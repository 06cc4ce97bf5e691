/**
 * `<wf-weight-by-distance>`: how attention falls with distance, of schemes or models, or for given
 * weights.
 */

import type { MapNumbers } from "whereformer/elements";
import { yieldToEvents } from "whereformer/yield";
import { lengthSchemes } from "../../../defaults.js";
import { define } from "../../../define.js";
import type { MapsAnswer } from "../../../engine/both/map-messages.js";
import { weightByDistance } from "../../../engine/both/measures.js";
import { NewestWins } from "../../../engine/page/newest-wins.js";
import { CurvesFigure, type ShownCurves } from "../../shared/data/curves-figure.js";
import type { Curve } from "../../shared/data/given-curves.js";
import { layerOf, numbersOf } from "../../shared/data/numbers.js";
import { address, ids, mapNumbers, ofKind, text, whole } from "../../shared/given/kinds.js";
import { refused } from "../../shared/given/refused.js";
import { mapsCode } from "../../shared/maps/map-code.js";
import { askMaps, mapsQuestion } from "../../shared/trained/maps-request.js";
import { weightWords } from "./words.js";
import "../../shared/figure/frame.js";

interface ShownWeights extends ShownCurves {
  answer?: MapsAnswer;
  /** True for curves from given weights. */
  isOfWeights?: boolean;
  layers?: number;
}

/** Returns curves of any lengths on one axis: shorter ones end in gaps. */
function onOneAxis(lines: readonly { name: string; values: ArrayLike<number> }[]) {
  const count = Math.max(...lines.map(({ values }) => values.length));
  const x = Array.from({ length: count }, (_, at) => at);
  const filled = lines.map(({ name, values }): Curve => {
    return { name, values: x.map((at) => values[at] ?? Number.NaN) };
  });
  return { x, lines: filled };
}

async function curvesOfWeights(weights: MapNumbers, layer: number): Promise<ShownWeights> {
  const numbers = await numbersOf(weights, 0, yieldToEvents);
  const { layers, rows, columns } = numbers;
  if (rows !== columns) throw refused("weights.shape", [rows, columns], { expected: "square" });
  const { heads, values } = layerOf(numbers, layer);
  const lines = Array.from({ length: heads }, (_, head) => ({
    name: "",
    values: weightByDistance(values.subarray(head * rows * rows, (head + 1) * rows * rows), rows),
  }));
  return { ...onOneAxis(lines), isOfWeights: true, layers };
}

export class WeightByDistance extends CurvesFigure<ShownWeights> {
  static override properties = {
    ...CurvesFigure.properties,
    weights: ofKind(mapNumbers),
    scheme: ofKind(ids, lengthSchemes.join(" ")),
    model: ofKind(ids),
    text: ofKind(text),
    layer: ofKind(whole(), 0),
    head: ofKind(whole(), 0),
    models: ofKind(address),
  };

  /**
   * Given attention weights, [T, T] or [H, T, T]: their means by distance are drawn.
   * @type {MapNumbers | string | undefined}
   */
  declare weights: MapNumbers | undefined;
  /** Ids of up to four schemes, separated by spaces, in an untrained layer. */
  declare scheme: string;
  /** Ids of up to four trained models, separated by spaces, instead of schemes. */
  declare model: string | undefined;
  /** The text; empty for the default of the language. */
  declare text: string | undefined;
  /** Layer of the trained model, from 0. */
  declare layer: number;
  /** Head, from 0. */
  declare head: number;
  /** Folder of the trained models and their tokenizer, relative to the document. */
  declare models: string | undefined;
  #line = new NewestWins("maps");

  protected override get origins() {
    return {
      numbers: ["curves", "weights"],
      asks: ["scheme", "model", "text", "models"],
      readsModels: true,
    };
  }

  protected get asked() {
    const { weights, scheme, model, text, layer, head, models } = this;
    return [weights, scheme, model, text, layer, head, models, this.state.language];
  }

  protected lineName(at: number): string {
    const { isOfWeights } = (this.shown ?? {}) as ShownWeights;
    return isOfWeights ? this.dataWords.head(at + 1) : this.say(weightWords).line(at + 1);
  }

  protected override label(name: string): string {
    return !this.isGiven && !this.weights ? this.schemeName(name) : name;
  }

  protected async ask(): Promise<ShownWeights | undefined> {
    const { weights, scheme, model, layer, head, models } = this;
    if (weights) return curvesOfWeights(weights, layer);
    const text = this.text || this.shared.models.text;
    const { language } = this.state;
    const request = { scheme, model, text, layer, head, models, language };
    const answer = await askMaps(this.#line, mapsQuestion(request, "weights"));
    if (!answer) return undefined;
    const lines = answer.maps.map(({ scheme, values }) => ({
      name: scheme,
      values: weightByDistance(values!, answer.tokens.length),
    }));
    return { ...onOneAxis(lines), answer, code: mapsCode(answer) };
  }

  /** Returns the distance at which each curve is highest. */
  #caption({ lines }: ShownWeights): string {
    const words = this.say(weightWords);
    const parts = lines.slice(0, 5).map((line, at) => {
      const { values } = line;
      const peak = Math.max(...values.filter((value) => !Number.isNaN(value)));
      return words.peak(this.labelAt(line, at), peak, values.indexOf(peak));
    });
    return words.caption(parts.join(this.words.join.parts));
  }

  #note({ answer, isOfWeights }: ShownWeights): string {
    const words = this.say(weightWords);
    if (isOfWeights) return words.noteWeights;
    if (!answer) return this.dataWords.given;
    const { reader, layer, head, numLayers, numHeads, tokens } = answer;
    const [shownLayer, shownHead] = [Math.min(layer, numLayers - 1), Math.min(head, numHeads - 1)];
    return reader === "model"
      ? words.noteModel(shownLayer + 1, shownHead + 1, tokens.length)
      : words.noteScheme(shownHead + 1, tokens.length);
  }

  #beyond({ answer, layers = 1, isOfWeights }: ShownWeights): string {
    if (isOfWeights) return this.beyond("layer", this.layer, layers);
    if (!answer) return "";
    const { numLayers, numHeads } = answer;
    return this.beyond("layer", this.layer, numLayers) + this.beyond("head", this.head, numHeads);
  }

  protected override render() {
    const words = this.say(weightWords);
    const shown = this.shown as ShownWeights | undefined;
    const names = shown?.answer?.schemes
      .map((id) => this.schemeName(id))
      .join(this.words.join.items);
    return this.chart(shown, {
      name: words.name,
      title: names ? words.title(names) : words.titleGiven,
      caption: shown ? this.#caption(shown) : "",
      note: shown ? this.#note(shown) + this.#beyond(shown) : "",
      caveat: words.caveat,
      axis: "tokens_back",
      x: words.x,
      y: words.y,
      isEven: false,
      isFree: false,
      marked: 0,
      many: { marked: this.lineName(0), others: words.others },
      point: words.point,
      around: this.layerChoice(this.layer, shown?.layers ?? 1),
    });
  }
}

define("wf-weight-by-distance", WeightByDistance);
