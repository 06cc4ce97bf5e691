/** `<wf-pair-layouts>`: which channels make a pair, and the loss if they are paired wrongly. */
import { html } from "lit";
import { modelsFolder, sightedScheme } from "../../defaults.js";
import { define } from "../../define.js";
import { layoutHead } from "../../engine/both/rotated-heads.js";
import { engine } from "../../engine/page/client.js";
import { folderAddress, readIndex } from "../../engine/page/models-index.js";
import { NewestWins } from "../../engine/page/newest-wins.js";
import { megabytes } from "../../text/numbers.js";
import { FigureElement } from "../shared/figure/figure-element.js";
import { ofState } from "../shared/figure/state-properties.js";
import { address, ofKind } from "../shared/given/kinds.js";
import { layoutsCode } from "./code.js";
import { type LayoutsAnswer, type MixedAnswer, pairLayoutNames, readAs } from "./messages.js";
import { drawLayouts } from "./picture.js";
import { layoutsWords } from "./words.js";
import "../../controls/scale.js";
import "../../controls/scene-view.js";
import "../../controls/slider.js";
import "../shared/figure/frame.js";

/** Layers of the trained models. */
const layers = 4;

export class PairLayouts extends FigureElement {
  static override properties = {
    ...FigureElement.properties,
    distance: ofState("layoutDistance"),
    models: ofKind(address),
    shown: { state: true },
    mixed: { state: true },
    progress: { state: true },
  };

  /** Distance by which the vector is rotated, in positions. */
  declare distance: number;
  /** Folder of the models, relative to the document. */
  declare models: string | undefined;
  declare shown: LayoutsAnswer | undefined;
  declare mixed: MixedAnswer | undefined;
  declare progress: readonly [number, number] | undefined;
  #line = new NewestWins("layouts");
  #isAsking = false;

  get data() {
    return this.shown && { ...this.shown, mixed: this.mixed };
  }

  protected override get isFilled(): boolean {
    return this.mixed !== undefined;
  }

  protected stateChanged(): void {
    void this.#ask();
    void this.#askLosses();
  }

  #ask(): Promise<void> {
    return this.attempt(async () => {
      const answer = await this.#line.ask({ distance: this.state.layoutDistance });
      if (answer) this.shown = answer;
    });
  }

  /** Sent once: the losses do not depend on the controls. */
  async #askLosses(): Promise<void> {
    if (this.#isAsking || this.mixed) return;
    this.#isAsking = true;
    await this.attempt(async () => {
      const folder = folderAddress(this.models ?? modelsFolder);
      const { schemes } = await readIndex(folder);
      if (!schemes.includes(sightedScheme)) return;
      const hear = (loaded: number, total: number) => {
        this.progress = [loaded, total];
      };
      this.mixed = await engine.ask("mixed", { folder }, { onProgress: hear });
    });
    this.progress = undefined;
    this.#isAsking = false;
  }

  #again = (): void => {
    void this.#ask();
    void this.#askLosses();
  };

  #caption(): string {
    const words = this.say(layoutsWords);
    if (this.mixed) return words.caption(this.mixed.losses);
    if (!this.progress) return "";
    const [loaded, total] = this.progress;
    return words.loading(megabytes(loaded), megabytes(total));
  }

  #note(): string {
    const words = this.say(layoutsWords);
    const { shown, mixed } = this;
    const filled = shown?.neighbours.filter((value) => value !== 0).length;
    const matrix = shown && filled ? words.matrix(shown.size, filled) : "";
    if (!mixed) return matrix;
    const note = words.note(mixed.scored, layers);
    return matrix ? matrix + this.words.join.sentences + note : note;
  }

  #table(): (string | number)[][] {
    const { shown, mixed } = this;
    const { size, rows } = shown!;
    const cells = (name: string, values: Float32Array) =>
      Array.from(values, (value, at) => [
        "matrix",
        name,
        Math.floor(at / size) + 1,
        (at % size) + 1,
        value,
      ]);
    const losses = mixed
      ? readAs.map((how) => ["bits", how, mixed.losses[how].en, mixed.losses[how].zh, ""])
      : [];
    return [
      ["what", "which", "row_or_english", "column_or_chinese", "value"],
      ...pairLayoutNames.flatMap((name) => [
        ...cells(name, shown![name]),
        ...Object.entries<Float32Array>({ ...rows[name] }).flatMap(([what, values]) =>
          Array.from(values, (value, at) => [what, name, at + 1, "", value]),
        ),
      ]),
      ...losses,
    ];
  }

  protected override render() {
    const words = this.say(layoutsWords);
    const { shown, mixed } = this;
    const { layoutDistance } = this.state;
    const caption = this.#caption();
    const set = ({ detail }: CustomEvent<number>) => this.change({ layoutDistance: detail });
    const takeaway = shown && {
      at: "layouts",
      title: words.title,
      code: layoutsCode(shown.distance),
      table: () => this.#table(),
      scene: () => this.scene(),
    };
    return html`<wf-frame
      .name=${words.name}
      .heading=${words.title}
      .caption=${caption}
      .waiting=${this.words.waiting}
      .note=${this.#note()}
      .caveat=${words.caveat}
      .failure=${this.failure}
      .takeaway=${takeaway}
      @wf-again=${this.#again}
    >
      <wf-scene
        .label=${`${words.name}. ${caption}`}
        .hint=${this.words.keys}
        .draw=${drawLayouts(shown, mixed, words)}
      ></wf-scene>
      <wf-scale
        slot="legend"
        .label=${words.scale}
        .low=${"−1"}
        .high=${"1"}
        .signed=${true}
        .theme=${this.state.theme}
      ></wf-scale>
      <wf-slider
        slot="controls"
        .label=${words.slider}
        .value=${layoutDistance}
        .min=${0}
        .max=${layoutHead.farthest}
        .text=${String(layoutDistance)}
        @wf-change=${set}
      ></wf-slider>
    </wf-frame>`;
  }
}

define("wf-pair-layouts", PairLayouts);
