/**
 * `<wf-bias-by-distance>`: biases that schemes add to scores by distance, for each head, or given
 * curves.
 */
import { html, nothing } from "lit";
import { numbered } from "../../../controls/choice.js";
import { distanceSchemes, modelsFolder } from "../../../defaults.js";
import { define } from "../../../define.js";
import type { DistanceAnswer } from "../../../engine/both/distance-messages.js";
import type { BiasAnswer } from "../../../engine/both/element-messages.js";
import { folderAddress } from "../../../engine/page/models-index.js";
import { NewestWins } from "../../../engine/page/newest-wins.js";
import { CurvesFigure, type ShownCurves } from "../../shared/data/curves-figure.js";
import type { Curve } from "../../shared/data/given-curves.js";
import { trainedTermsCode } from "../../shared/exports/trained-terms-code.js";
import { address, ofKind, text, whole } from "../../shared/given/kinds.js";
import { refused } from "../../shared/given/refused.js";
import { biasCode } from "./code.js";
import { biasWords } from "./words.js";
import "../../../controls/choice.js";
import "../../shared/figure/frame.js";

interface ShownBias extends ShownCurves {
  scheme: string;
  /** The answer, if the curves are a trained model's. */
  trained?: DistanceAnswer;
}

const counted = (length: number): number[] => Array.from({ length }, (_, at) => at);

function curvesOfAnswer(answer: BiasAnswer): ShownBias {
  const { scheme, heads, length, curves } = answer;
  const lines = counted(heads).map((head) => ({
    name: "",
    values: [...curves.subarray(head * length, (head + 1) * length)],
  }));
  return { scheme, x: counted(length), lines, code: biasCode(answer) };
}

/**
 * Returns a trained model's curves: one per head; or a single one with its band if the bias depends
 * on the words.
 */
function curvesOfModel(
  answer: DistanceAnswer,
  folder: string,
  termName: (name: string) => string,
): ShownBias {
  const { lines, scheme } = answer;
  const edge = (wanted: "low" | "high", name: unknown) =>
    lines.find((line) => line.kind === wanted && line.name === name)?.values;
  const curves = lines.flatMap(({ kind, name, values }): Curve[] => {
    if (kind === "head") return [{ name: "", values: [...values] }];
    if (kind !== "mean") return [];
    const [low, high] = [edge("low", name), edge("high", name)];
    const band = low && high && { low: [...low], high: [...high] };
    return [{ name: termName(String(name)), values: [...values], ...band }];
  });
  const x = counted(curves[0]!.values.length);
  return { scheme, x, lines: curves, trained: answer, code: trainedTermsCode(answer, folder) };
}

export class BiasByDistance extends CurvesFigure<ShownBias> {
  static override properties = {
    ...CurvesFigure.properties,
    scheme: ofKind(text, distanceSchemes.find(({ isTrained }) => !isTrained)!.id),
    options: ofKind(text, ""),
    heads: ofKind(whole(1, 256), 8),
    length: ofKind(whole(1, 8192), 128),
    head: ofKind(whole(), 0),
    model: ofKind(text),
    layer: ofKind(whole(), 0),
    models: ofKind(address),
  };

  /** Id of a scheme whose bias needs no content, as in `wf.schemes`. */
  declare scheme: string;
  /** The scheme's options that differ from their defaults, `key:value;key:value`. */
  declare options: string;
  /** Number of heads. */
  declare heads: number;
  /** Number of distances, from 0. */
  declare length: number;
  /** The head that is marked, from 0. */
  declare head: number;
  /** Id of a trained model, whose bias is shown instead of a scheme's. */
  declare model: string | undefined;
  /** Layer of the trained model, from 0. */
  declare layer: number;
  /** Folder of the trained models, relative to the document. */
  declare models: string | undefined;
  #line = new NewestWins("bias");
  #modelLine = new NewestWins("distance");

  protected override get origins() {
    return {
      numbers: ["curves"],
      asks: ["scheme", "options", "heads", "length", "model", "models"],
      readsModels: false,
    };
  }

  protected get asked() {
    const { scheme, options, heads, length, model, layer, models, head, state } = this;
    return model ? [model, layer, models, head, state.language] : [scheme, options, heads, length];
  }

  protected lineName(at: number): string {
    return this.isGiven ? this.say(biasWords).line(at + 1) : this.dataWords.head(at + 1);
  }

  protected async ask(): Promise<ShownBias | undefined> {
    const { scheme, options, heads, length, model } = this;
    if (model) return this.#askModel(model);
    const answer = await this.#line.ask({ scheme, options, heads, length });
    return answer && curvesOfAnswer(answer);
  }

  async #askModel(scheme: string): Promise<ShownBias | undefined> {
    const trained = distanceSchemes.filter(({ isTrained }) => isTrained);
    const known = trained.find(({ id }) => id === scheme);
    const choices = trained.map(({ id }) => id).join(", ");
    if (!known) throw refused("model", scheme, { expected: "one", choices });
    const { layer, head } = this;
    const folder = folderAddress(this.models ?? modelsFolder);
    const { language } = this.state;
    const question = { folder, scheme, language, layer, head, knob: known.initial, numbers: [] };
    const answer = await this.#modelLine.ask(question);
    const termName = (name: string) => this.shared.terms.names[name] ?? name;
    return answer && curvesOfModel(answer, folder, termName);
  }

  /** Index of the marked head, clamped to those that exist. */
  get #marked(): number {
    return Math.min(this.head, (this.shown?.lines.length ?? 1) - 1);
  }

  #caption(shown: ShownBias): string {
    const words = this.say(biasWords);
    const { lines, x } = shown;
    const { name, values } = lines[this.#marked]!;
    if (!shown.scheme) return words.captionGiven;
    const said = name || this.dataWords.head(this.#marked + 1);
    return words.caption(said, values[0]!, values.at(-1)!, x.at(-1)!);
  }

  #controls(shown: ShownBias | undefined) {
    const count = shown?.trained?.numHeads ?? shown?.lines.length ?? 0;
    if (count < 2 || this.isGiven) return nothing;
    const choose = ({ detail }: CustomEvent<string>) => this.applyChoice({ head: Number(detail) });
    return html`<wf-choice
      slot="controls"
      class="head"
      .label=${this.say(biasWords).head}
      .value=${String(Math.min(this.head, count - 1))}
      .options=${numbered(count)}
      @wf-change=${choose}
    ></wf-choice>`;
  }

  #note(shown: ShownBias): string {
    const words = this.say(biasWords);
    const { trained } = shown;
    if (!shown.scheme)
      return this.dataWords.given + this.beyond("head", this.head, shown.lines.length);
    const said = trained ? words.trained(trained.layer + 1, trained.scores) : words.defined;
    return said + this.beyond("head", this.head, trained?.numHeads ?? shown.lines.length);
  }

  protected override render() {
    const words = this.say(biasWords);
    const shown = this.shown as ShownBias | undefined;
    return this.chart(shown, {
      name: words.name,
      title: shown?.scheme ? words.title(this.schemeName(shown.scheme)) : words.titleGiven,
      caption: shown ? this.#caption(shown) : "",
      note: shown ? this.#note(shown) : "",
      caveat: words.caveat,
      axis: "tokens_back",
      x: words.x,
      y: words.y,
      isEven: false,
      isFree: false,
      marked: this.#marked,
      many: { marked: this.lineName(this.#marked), others: words.others },
      point: words.point,
      around: this.#controls(shown),
    });
  }
}

define("wf-bias-by-distance", BiasByDistance);
