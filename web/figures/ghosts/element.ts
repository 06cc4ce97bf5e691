/**
 * `<wf-ghosts>`: a head that looks close by in the texts of its training, on a text 16 times as
 * long: the levels at which it sees ghosts, and the pair of channels that comes round there.
 */
import { css, html, nothing } from "lit";
import type { CellEventDetail } from "../../controls/scene-view.js";
import { type GhostView, ghostSizes, ghostViews, modelsFolder } from "../../defaults.js";
import { define } from "../../define.js";
import type { Cell } from "../../drawing/scene.js";
import { pairAt, triangleDecades } from "../../drawing/triangle.js";
import { type GhostAnswer, rowStart } from "../../engine/both/ghost-messages.js";
import { folderAddress } from "../../engine/page/models-index.js";
import { NewestWins } from "../../engine/page/newest-wins.js";
import { labelsOf } from "../../text/token-labels.js";
import { FigureElement, figureStyles } from "../shared/figure/figure-element.js";
import { playStyles } from "../shared/figure/play-styles.js";
import { ofState } from "../shared/figure/state-properties.js";
import { address, ofKind } from "../shared/given/kinds.js";
import { ghostCode } from "./code.js";
import { bandShare, farShare, ghostsOf, nearDistance, nearShare } from "./ghosts-of.js";
import { boxOf, drawGhosts, strongest } from "./picture.js";
import { ghostWords } from "./words.js";
import "../../controls/choice.js";
import "../../controls/scale.js";
import "../../controls/scene-view.js";
import "../../controls/slider.js";
import "../shared/figure/frame.js";

/** The slider has this many steps for each doubling of the text. */
const steps = 12;
const shortest = 128;
const growMilliseconds = 5000;

const stepOf = (tokens: number): number => Math.round(steps * Math.log2(tokens / shortest));
const tokensOf = (step: number): number => Math.round(shortest * 2 ** (step / steps));

export class Ghosts extends FigureElement {
  static override lead = ".row";
  static override properties = {
    ...FigureElement.properties,
    view: ofState("ghostView"),
    tokens: ofState("ghostTokens"),
    models: ofKind(address),
    answer: { state: true },
    active: { state: true },
    grown: { state: true },
  };

  static override styles = [
    ...figureStyles,
    playStyles,
    css`
      wf-scene {
        cursor: crosshair;
      }
    `,
  ];

  /** The model as it is, with ALiBi, without the pair that comes round, or by NTK or YaRN. */
  declare view: GhostView;
  /** Tokens of the text, 128 to 2,048. */
  declare tokens: number;
  /** Folder of the models, relative to the document. */
  declare models: string | undefined;
  declare answer: GhostAnswer | undefined;
  /** The two tokens that are pointed at. */
  declare active: Cell | undefined;
  /** Tokens while the text grows by itself. */
  declare grown: number | undefined;

  #line = new NewestWins("ghosts");
  #answers = new Map<string, GhostAnswer>();
  #labels: { tokens: readonly string[]; labels: readonly string[] } | undefined;
  #frame = 0;
  #isPointed = false;

  get data() {
    const { answer } = this;
    if (!answer) return undefined;
    const { view, language, pairs, byDistance, returning, trained } = answer;
    const tokens = this.#tokens;
    const ghosts = ghostsOf(answer, tokens);
    const wave = returning && pairs[returning.pair]!;
    const bands = wave && bandShare(answer, wave, tokens);
    const shares = { near: nearShare(answer), far: farShare(answer, tokens), bands };
    return { view, language, tokens, trained, pairs, returning, ghosts, shares, byDistance };
  }

  get #tokens(): number {
    const chosen = this.grown ?? this.state.ghostTokens;
    const last = this.answer?.tokens.length ?? ghostSizes.tokens;
    return Math.max(shortest, Math.min(last, chosen));
  }

  protected stateChanged(): void {
    void this.#ask();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#stop();
    this.#line.cancel();
  }

  #ask(): Promise<void> {
    return this.attempt(async () => {
      const { language, ghostView: view } = this.state;
      const name = `${language} ${view}`;
      const known = this.#answers.get(name);
      if (known) {
        this.answer = known;
        return;
      }
      const folder = folderAddress(this.models ?? modelsFolder);
      const answer = await this.#line.ask({ folder, language, view });
      if (!answer) return;
      // The maps of one text are kept: 8 MB each.
      for (const key of this.#answers.keys())
        if (!key.startsWith(language)) this.#answers.delete(key);
      this.#answers.set(name, answer);
      this.answer = answer;
    });
  }

  get #labelsShown(): readonly string[] {
    const { tokens } = this.answer!;
    if (this.#labels?.tokens !== tokens) this.#labels = { tokens, labels: labelsOf(tokens) };
    return this.#labels!.labels;
  }

  // -------------------------------------------------------------------------- what is pointed at

  #point = (event: PointerEvent): void => {
    const scene = event.currentTarget as HTMLElement;
    const { left, top, width } = scene.getBoundingClientRect();
    const box = boxOf(width, this.#tokens);
    this.#isPointed = true;
    this.active = pairAt(box, event.clientX - left, event.clientY - top);
  };

  #leave = (): void => {
    this.#isPointed = false;
    this.active = undefined;
  };

  /** Shows a ghost that is reached by key, at the query that gives it the most. */
  #reach = ({ detail }: CustomEvent<CellEventDetail>): void => {
    if (!detail.chosen || this.#isPointed || !this.answer) return;
    const { weights } = this.answer;
    const distance = ghostsOf(this.answer, this.#tokens)[detail.row]?.distance;
    if (distance === undefined) return;
    let best = distance;
    const weightAt = (query: number) => weights[rowStart(query) + query - distance]!;
    for (let query = distance; query < this.#tokens; query++)
      if (weightAt(query) > weightAt(best)) best = query;
    this.active = { row: best, column: best - distance };
  };

  // -------------------------------------------------------------------------- a text that grows

  #stop(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    this.grown = undefined;
  }

  #grow = (): void => {
    if (this.#frame) {
      this.change({ ghostTokens: this.#tokens });
      this.#stop();
      return;
    }
    const last = this.answer?.tokens.length ?? ghostSizes.tokens;
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) {
      this.change({ ghostTokens: last });
      return;
    }
    const began = performance.now();
    const show = (now: number): void => {
      const share = Math.min(1, (now - began) / growMilliseconds);
      this.grown = Math.round(shortest * (last / shortest) ** share);
      if (share < 1) {
        this.#frame = requestAnimationFrame(show);
        return;
      }
      this.change({ ghostTokens: last });
      this.#stop();
    };
    this.#frame = requestAnimationFrame(show);
  };

  // -------------------------------------------------------------------------- parts

  #caption(answer: GhostAnswer): string {
    const words = this.say(ghostWords);
    const tokens = this.#tokens;
    const { view, trained, returning, pairs } = answer;
    const shares = {
      tokens,
      trained,
      near: nearDistance,
      nearShare: nearShare(answer),
      farShare: farShare(answer, tokens),
    };
    const begin = words.near(shares) + words.far(shares);
    if (!returning) return begin + words.bias;
    const { pair } = returning;
    const wave = pairs[pair]!;
    const ghosts = ghostsOf(answer, tokens);
    const bands = bandShare(answer, wave, tokens);
    const found = { pair, period: wave.period, trained, bands, ghosts };
    if (view === "without") return tokens > trained ? begin + words.dropped(found) : begin;
    if (view !== "plain") return begin + words.slowed(words.views[view], found);
    return ghosts.length ? begin + words.because(found) : begin;
  }

  #rows(answer: GhostAnswer): (string | number)[][] {
    return [
      ["distance", "mean_weight"],
      ...Array.from(answer.byDistance, (mean, at) => [at, mean]),
    ];
  }

  #controls() {
    const words = this.say(ghostWords);
    const setView = ({ detail }: CustomEvent<string>) =>
      this.change({ ghostView: detail as GhostView });
    const setTokens = ({ detail }: CustomEvent<number>) => {
      this.#stop();
      this.change({ ghostTokens: tokensOf(detail) });
    };
    const last = stepOf(ghostSizes.tokens);
    return html`<wf-choice
        slot="ask"
        class="view"
        .label=${words.view}
        .value=${this.state.ghostView}
        .options=${ghostViews.map((value) => ({ value, text: words.views[value] }))}
        @wf-change=${setView}
      ></wf-choice>
      <div slot="controls" class="row"
        ><wf-slider
          class="tokens"
          .label=${words.tokens}
          .value=${stepOf(this.#tokens)}
          .min=${0}
          .max=${last}
          .text=${words.tokensText(this.#tokens)}
          @wf-change=${setTokens}
        ></wf-slider
        ><button class="play" @click=${this.#grow}
          >${this.#frame ? words.stop : words.play}</button
        ></div
      >`;
  }

  #scale() {
    const words = this.say(ghostWords);
    return html`<wf-scale
      slot="legend"
      .label=${words.scale}
      .low=${words.low(strongest / 10 ** triangleDecades)}
      .high=${words.high(strongest)}
      .theme=${this.state.theme}
    ></wf-scale>`;
  }

  protected override render() {
    const words = this.say(ghostWords);
    const { answer } = this;
    const tokens = this.#tokens;
    const ghosts = answer && ghostsOf(answer, tokens);
    const picture = ghosts && { answer, labels: this.#labelsShown, tokens, words, ghosts };
    const isWithout = answer?.view === "without" && answer.returning;
    const title = isWithout
      ? words.droppedTitle(isWithout.pair + 1)
      : answer
        ? words.title(words.views[answer.view], ghosts!.length, tokens)
        : words.name;
    const takeaway = answer && {
      at: "stretch",
      title,
      code: ghostCode(answer.view, answer.language, answer.tokens.length, answer.returning?.pair),
      table: () => this.#rows(answer),
      scene: () => this.scene(),
    };
    const isStretched = answer?.view === "ntk" || answer?.view === "yarn";
    const { layer, head } = ghostSizes;
    const caption = answer ? this.#caption(answer) : "";
    return html`<wf-frame
      .name=${words.name}
      .heading=${title}
      .caption=${caption}
      .room=${{ caption: this.#longest() }}
      .waiting=${this.words.waiting}
      .note=${answer ? words.note(layer + 1, head + 1, isStretched ? words.stretched : "") : ""}
      .caveat=${words.caveat}
      .isQuiet=${this.grown !== undefined}
      .failure=${this.failure}
      .takeaway=${takeaway}
      @wf-again=${() => this.#ask()}
    >
      <wf-scene
        .label=${`${words.name}. ${caption}`}
        .hint=${this.words.keys}
        .draw=${drawGhosts(picture)}
        .active=${this.active}
        @pointermove=${this.#point}
        @pointerdown=${this.#point}
        @pointerleave=${this.#leave}
        @wf-cell=${this.#reach}
      ></wf-scene>
      ${answer ? this.#scale() : nothing} ${this.#controls()}
    </wf-frame>`;
  }

  /** A caption as long as any, for which space is kept: nothing moves while views are compared. */
  #longest(): string {
    const words = this.say(ghostWords);
    const shares = {
      tokens: ghostSizes.tokens,
      trained: shortest,
      near: nearDistance,
      nearShare: 0.5,
      farShare: 0.5,
    } as const;
    const crests = [1111, 1111, 1111, 1111];
    const ghosts = crests.map((crest) => ({ crest, distance: crest, rotations: 1, weight: 0.1 }));
    const pair = { pair: 10, period: 1111, trained: shortest, bands: 0.5, ghosts };
    return words.near(shares) + words.far(shares) + words.because(pair);
  }
}

define("wf-ghosts", Ghosts);
