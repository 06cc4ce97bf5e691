/**
 * `<wf-sink>`: a sentence read by heads of SmolLM2-135M, with arcs to where each word looks: nearly
 * all run into the first token; without it, the rest is seen.
 */
import { html } from "lit";
import { define } from "../../define.js";
import { FigureElement, figureStyles } from "../shared/figure/figure-element.js";
import { ofState } from "../shared/figure/state-properties.js";
import { switchStyles } from "../shared/figure/switch-styles.js";
import { sinkCode } from "./code.js";
import { drawSink } from "./picture.js";
import {
  allHeads,
  heads,
  type RecordedHead,
  rowsOf,
  shareOfFirst,
  sinks,
  source,
  strongest,
  tokens,
} from "./recorded.js";
import { sinkWords } from "./words.js";
import "../../controls/choice.js";
import "../../controls/scene-view.js";
import "../shared/figure/frame.js";

/** Share of the first token from which a head is said to have a sink. */
const half = 0.5;

export class Sink extends FigureElement {
  static override lead = ".row";
  static override properties = {
    ...FigureElement.properties,
    head: ofState("sinkHead"),
    first: ofState("sinkFirst"),
  };
  static override styles = [...figureStyles, switchStyles];

  /** One of the three heads, from 0. */
  declare head: number;
  /** The share of the first token: kept, or left out and the others' shares taken anew. */
  declare first: "kept" | "left_out";

  get #head(): RecordedHead {
    return heads[this.state.sinkHead]!;
  }

  get #isLeftOut(): boolean {
    return this.state.sinkFirst === "left_out";
  }

  get data() {
    const { layer, head } = this.#head;
    const rows = rowsOf(this.#head, this.#isLeftOut);
    return { layer, head, tokens, rows, first: this.state.sinkFirst };
  }

  protected stateChanged(): void {
    this.requestUpdate();
  }

  #caption(rows: readonly (readonly number[])[]): string {
    const words = this.say(sinkWords);
    const share = shareOfFirst(this.#head);
    const found = { first: tokens[0]!, share, sinks, allHeads };
    if (this.#isLeftOut) {
      const { query, key, share: largest } = strongest(rows);
      const [from, to] = [tokens[query]!.trim(), tokens[key]!.trim()];
      return words.captionWithout({ query: from, key: to, share: largest });
    }
    return share > half ? words.caption(found) : words.captionNoSink(found);
  }

  #controls() {
    const words = this.say(sinkWords);
    const { sinkHead } = this.state;
    const setHead = ({ detail }: CustomEvent<string>) => this.change({ sinkHead: Number(detail) });
    const flip = () => this.change({ sinkFirst: this.#isLeftOut ? "kept" : "left_out" });
    return html`<div slot="ask" class="row"
      ><button class="switch" role="switch" aria-checked=${this.#isLeftOut} @click=${flip}
        >${words.first}</button
      ><wf-choice
        .label=${words.headLabel}
        .value=${String(sinkHead)}
        .options=${words.heads.map((text, value) => ({ value: String(value), text }))}
        @wf-change=${setHead}
      ></wf-choice
    ></div>`;
  }

  #describe(row: readonly number[], query: number): string {
    const words = this.say(sinkWords);
    const shares = row
      .map((share, key) => ({ share, word: tokens[key]!.trim() }))
      .filter(({ share }) => share >= 0.005)
      .map(({ share, word }) => words.share(word, share));
    return words.row(tokens[query]!.trim(), shares.join(words.comma));
  }

  protected override render() {
    const words = this.say(sinkWords);
    const rows = rowsOf(this.#head, this.#isLeftOut);
    const caption = this.#caption(rows);
    const { layer, head } = this.#head;
    const found = { first: tokens[0]!, share: shareOfFirst(this.#head), sinks, allHeads };
    const title = this.#isLeftOut ? words.titleWithout : words.title(found);
    const takeaway = {
      at: "sink",
      title,
      code: sinkCode(layer, head),
      table: () => [
        ["query", "key", "weight"],
        ...rows.flatMap((row, query) =>
          row.map((share, key): (string | number)[] => [tokens[query]!, tokens[key]!, share]),
        ),
      ],
      scene: () => this.scene(),
    };
    const picture = {
      tokens,
      rows,
      isLeftOut: this.#isLeftOut,
      describe: (row: number) => this.#describe(rows[row]!, row),
      label: words.name,
    };
    return html`<wf-frame
      .name=${words.name}
      .heading=${title}
      .caption=${caption}
      .waiting=${this.words.waiting}
      .note=${words.note(layer + 1, head + 1, source)}
      .caveat=${words.caveat}
      .failure=${this.failure}
      .takeaway=${takeaway}
    >
      <wf-scene
        .label=${`${words.name}. ${caption}`}
        .hint=${this.words.keys}
        .draw=${drawSink(picture)}
      ></wf-scene>
      <span slot="legend">${this.#isLeftOut ? words.arcsWithout : words.arcs}</span>
      ${this.#controls()}
    </wf-frame>`;
  }
}

define("wf-sink", Sink);
