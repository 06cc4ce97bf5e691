/** `<wf-distance-bias>`: biases that schemes add to scores by distance, and their map. */
import { html } from "lit";
import { numbered } from "../../controls/choice.js";
import {
  type DistanceScheme,
  distanceSchemes,
  distanceSequence,
  modelsFolder,
} from "../../defaults.js";
import { define } from "../../define.js";
import type { DistanceAnswer, DistanceLine } from "../../engine/both/distance-messages.js";
import { initialCode, numbersOf } from "../../engine/both/distance-numbers.js";
import { folderAddress } from "../../engine/page/models-index.js";
import { NewestWins } from "../../engine/page/newest-wins.js";
import { megabytes, plain } from "../../text/numbers.js";
import { labelsOf } from "../../text/token-labels.js";
import { FigureElement, figureStyles } from "../shared/figure/figure-element.js";
import { folded, foldedStyles } from "../shared/figure/folded.js";
import { ofState } from "../shared/figure/state-properties.js";
import { address, ofKind } from "../shared/given/kinds.js";
import { distanceCode } from "./code.js";
import { firstNumberControl, otherNumberControls } from "./number-controls.js";
import { drawDistance } from "./picture.js";
import { distanceWords } from "./words.js";
import "../../controls/choice.js";
import "../../controls/scene-view.js";
import "../../controls/scrub.js";
import "../shared/figure/frame.js";

/** Returns the distance from which a curve is constant. */
function flatFrom(values: Float32Array): number {
  let from = values.length - 1;
  while (from > 0 && values[from - 1] === values.at(-1)) from--;
  return from;
}

/**
 * Returns the chosen head's bias at each distance; for a text, the mean of all terms but content.
 */
function addedOf({ lines, head }: DistanceAnswer): Float32Array {
  const ofHead = lines.find(({ kind, name }) => kind === "head" && name === head);
  if (ofHead) return ofHead.values;
  const terms = lines.filter(({ kind, name }) => kind === "mean" && name !== "content");
  return terms[0]!.values.map((_, at) => terms.reduce((sum, { values }) => sum + values[at]!, 0));
}

const untouched: readonly number[] = [0, 0, 0];

const knownOf = (scheme: string): DistanceScheme =>
  distanceSchemes.find(({ id }) => id === scheme)!;

/** Whether the reader has changed a trained number. */
function isRotated({ scheme, knob, numbers }: DistanceAnswer): boolean {
  const known = knownOf(scheme);
  const others = numbersOf(scheme).some(({ initial }, at) => {
    const value = numbers[at] ?? initialCode;
    return value !== initialCode && value !== initial;
  });
  return others || (known.knob !== "" && knob !== known.initial);
}

const slopeOf = ({ values }: DistanceLine): string => plain(-values[1]!);

export class DistanceBias extends FigureElement {
  static override properties = {
    ...FigureElement.properties,
    scheme: ofState("distanceScheme"),
    knob: ofState("distanceKnob"),
    numbers: ofState("distanceNumbers"),
    layer: ofState("distanceLayer"),
    head: ofState("distanceHead"),
    models: ofKind(address),
    answer: { state: true },
    progress: { state: true },
  };

  static override styles = [...figureStyles, foldedStyles];

  /** The scheme whose bias is drawn. */
  declare scheme: string;
  /** Its first number (clip, longest distance, heads); 0 for the scheme's default. */
  declare knob: number;
  /**
   * Its other numbers, three of them (buckets of T5; of ALiBi four times the exponent of the
   * flattest slope, and the interpolation; KERPLE's kernel and hundred times p and a; FIRE's
   * query); 0 for the scheme's defaults.
   */
  declare numbers: readonly number[];
  /** Layer of a trained bias, counted from 0. */
  declare layer: number;
  /** Head, counted from 0. */
  declare head: number;
  /** Folder of the trained models, relative to the document. */
  declare models: string | undefined;
  declare answer: DistanceAnswer | undefined;
  declare progress: readonly [number, number] | undefined;

  #line = new NewestWins("distance");

  get data() {
    return this.answer;
  }

  protected stateChanged(): void {
    void this.#ask();
  }

  get #known(): DistanceScheme {
    return knownOf(this.state.distanceScheme);
  }

  /** The scheme's first number, clamped to its slider. */
  get #knob(): number {
    const { min, max, initial } = this.#known;
    const { distanceKnob } = this.state;
    return distanceKnob ? Math.min(Math.max(distanceKnob, min), max) : initial;
  }

  get #folder(): string {
    return folderAddress(this.models ?? modelsFolder);
  }

  #ask = (): Promise<void> =>
    this.attempt(async () => {
      const { distanceScheme: scheme, distanceNumbers: numbers, language } = this.state;
      const { distanceLayer: layer, distanceHead: head } = this.state;
      const at = { layer, head, knob: this.#knob, numbers };
      const question = { folder: this.#folder, scheme, language, ...at };
      const hear = (loaded: number, total: number) => {
        this.progress = [loaded, total];
      };
      const answer = await this.#line.ask(question, hear);
      this.progress = undefined;
      if (answer) this.answer = answer;
    });

  #caption(): string {
    const { answer } = this;
    const words = this.say(distanceWords);
    if (this.progress) {
      const [loaded, total] = this.progress;
      return words.loading(megabytes(loaded), megabytes(total));
    }
    if (!answer) return "";
    const { scheme, head, numHeads, lines, knob, values } = answer;
    const added = addedOf(answer);
    const say = words.captions[scheme];
    if (say) {
      const { knob: option, keeps } = knownOf(scheme);
      // A clipped table is constant from its clip on; for buckets it depends on the curve.
      const from = keeps || !option ? knob : flatFrom(added);
      const last = keeps === "middle" ? Math.min(knob, added.length - 1) : added.length - 1;
      return say(added[1]!, added[last]!, from, values);
    }
    const slopes = lines.map(slopeOf);
    const said = words.captionOfSlopes(numHeads, head + 1, slopes[head]!, slopes);
    const below = 2 ** Math.floor(Math.log2(numHeads));
    return below === numHeads ? said : said + words.notPower(numHeads, below);
  }

  #note(): string {
    const { answer } = this;
    const words = this.say(distanceWords);
    if (!answer) return "";
    const { scheme, isTrained, layer, scores, isOfContent } = answer;
    const said = isTrained ? words.noteTrained(layer + 1, scores, isOfContent) : words.noteDefined;
    if (!isRotated(answer)) return said;
    return said + (words.notesRotated[scheme] ?? (isTrained ? words.noteRotated : ""));
  }

  #table(): (string | number)[][] {
    const { lines, scheme } = this.answer!;
    return [
      ["scheme", "what", "name", "distance", "added"],
      ...lines.flatMap(({ kind, name, values }) =>
        Array.from(values, (value, distance) => {
          const said = typeof name === "number" ? name + 1 : name;
          return [scheme, kind, said, distance, value];
        }),
      ),
    ];
  }

  #schemes(label: string, from: number, to: number) {
    const { names } = this.say(distanceWords);
    const options = distanceSchemes
      .slice(from, to)
      .map(({ id }) => ({ value: id, text: names[id]! }));
    const choose = ({ detail }: CustomEvent<string>) =>
      this.change({ distanceScheme: detail, distanceKnob: 0, distanceNumbers: untouched });
    return html`<wf-choice
      slot="ask"
      class="schemes"
      .label=${label}
      .value=${this.state.distanceScheme}
      .options=${options}
      @wf-change=${choose}
    ></wf-choice>`;
  }

  #changeOther = (at: number, value: number): void =>
    this.change({ distanceNumbers: this.state.distanceNumbers.with(at, value) });

  /** Resets the numbers of the former head or layer, and keeps the kernel. */
  #choose(what: "distanceHead" | "distanceLayer", value: number): void {
    const { distanceNumbers: numbers, distanceScheme: scheme } = this.state;
    const kept = numbers.map((one, at) => (numbersOf(scheme)[at]?.initial === undefined ? 0 : one));
    this.change({ [what]: value, distanceNumbers: kept });
  }

  #index(what: "distanceHead" | "distanceLayer", label: string, value: number, of: number) {
    return html`<wf-choice
      slot="controls"
      class=${what}
      .label=${label}
      .value=${String(value)}
      .options=${numbered(of)}
      @wf-change=${({ detail }: CustomEvent<string>) => this.#choose(what, Number(detail))}
    ></wf-choice>`;
  }

  #controls() {
    const words = this.say(distanceWords);
    const { answer } = this;
    const heads = answer?.numHeads ?? 8;
    const layers = answer?.numLayers ?? 1;
    const layer = this.#index("distanceLayer", words.layer, answer?.layer ?? 0, layers);
    const rest = [
      ...(layers > 1 ? [layer] : []),
      ...otherNumberControls(answer, true, words, this.#changeOther),
    ];
    const set = (value: number) => this.change({ distanceKnob: value });
    return html`${firstNumberControl(this.#known, this.#knob, words, set)}
    ${otherNumberControls(answer, false, words, this.#changeOther)}
    ${this.#index("distanceHead", words.head, answer?.head ?? 0, heads)}
    ${rest.length ? folded(words.allOptions, rest) : ""}`;
  }

  protected override render() {
    const words = this.say(distanceWords);
    const { answer } = this;
    const caption = this.#caption();
    const title = words.titles[answer?.scheme ?? this.state.distanceScheme]!;
    const known = knownOf(answer?.scheme ?? this.state.distanceScheme);
    const takeaway = answer && {
      at: "distance",
      title,
      code: distanceCode(answer, known.knob ?? "", this.#folder, isRotated(answer)),
      table: () => this.#table(),
      scene: () => this.scene(),
    };
    return html`<wf-frame
      .name=${words.name}
      .heading=${title}
      .caption=${caption}
      .waiting=${this.words.waiting}
      .note=${this.#note()}
      .caveat=${words.caveat}
      .failure=${this.failure}
      .takeaway=${takeaway}
      @wf-again=${this.#ask}
    >
      ${this.#schemes(words.sequence, 0, distanceSequence)}
      ${this.#schemes(words.later, distanceSequence, distanceSchemes.length)}
      <wf-scene
        .label=${`${words.name}. ${caption}`}
        .hint=${this.words.keys}
        .draw=${drawDistance(answer, labelsOf(answer?.tokens ?? []), words, this.shared)}
      ></wf-scene>
      ${this.#controls()}
    </wf-frame>`;
  }
}

define("wf-distance-bias", DistanceBias);
