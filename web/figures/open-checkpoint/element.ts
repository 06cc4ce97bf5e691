/**
 * `<wf-open-checkpoint>`: a model of the reader's own, opened in the tab: all heads, one map with
 * its terms, what each token cost, and its positions bent.
 */
import { html, nothing } from "lit";
import type { CellEventDetail, Draw } from "../../controls/scene-view.js";
import { modelsFolder } from "../../defaults.js";
import { signed } from "../../drawing/bars.js";
import type { OpenedModel } from "../../engine/both/checkpoint-messages.js";
import { withoutFirstToken } from "../../engine/both/measures.js";
import { folderAddress } from "../../engine/page/models-index.js";
import type { Part } from "../../state.js";
import { labelsOf } from "../../text/tokens.js";
import { FigureElement, figureStyles } from "../shared/figure-element.js";
import { mapTable } from "../shared/map-table.js";
import { Memo } from "../shared/memo.js";
import { numberTable } from "../shared/number-table.js";
import { type BendSettings, bendIn, bendPanel, unbent } from "./bend-panel.js";
import { openCode } from "./code.js";
import {
  drawHeadMap,
  drawSheet,
  drawSum,
  type HeadSum,
  leastShown,
  type Sheet,
} from "./picture.js";
import { Reading } from "./reading.js";
import { remarkOf } from "./remark.js";
import { ModelSession, sourcePanel } from "./session.js";
import { standing } from "./standing.js";
import { openStyles } from "./styles.js";
import { firstChoice, scaleChoice } from "./switches.js";
import { tokenLosses } from "./token-losses.js";
import { openWords } from "./words.js";
import "../../controls/choice.js";
import "../../controls/scale.js";
import "../../controls/text-line.js";
import "../shared/frame.js";
import "./source-panel.js";

/** One score of the map, split. */
interface ChosenScore extends Omit<HeadSum, "title"> {
  from: string;
  to: string;
  /** Its share of attention. */
  value: number;
}

export class OpenCheckpoint extends FigureElement {
  static override properties = { ...FigureElement.properties, models: {} };
  static override styles = [...figureStyles, numberTable, openStyles];

  /** Folder of the page's own models, seen from the document. */
  declare models: string | undefined;

  #session = new ModelSession(
    () => folderAddress(this.models ?? modelsFolder),
    (model) => this.#opened(model),
    () => this.requestUpdate(),
  );
  #reading = new Reading(this.#session.host, () => this.requestUpdate());
  #text: string | undefined;
  #place = { layer: 0, head: 0 };
  #cell: { row: number; column: number } | undefined;
  #pointed: { row: number; column: number } | undefined;
  #isLog = false;
  #hidesFirst = false;
  #bend: BendSettings | undefined;
  #drawnSheet = new Memo<Draw>();
  #drawnMap = new Memo<Draw>();
  #restMap = new Memo<Float32Array>();

  get data() {
    const { encoded, head, loss, thumbnails, failure, isRunning } = this.#reading;
    const { model, chosen, opening, isClosed, problem, kept } = this.#session;
    if (!model) {
      const stage = opening ? "opening" : isClosed ? "closed" : undefined;
      return stage && { stage, problem, kept };
    }
    return {
      stage: opening ? "opening" : "open",
      model,
      name: chosen!.name,
      ids: encoded?.ids,
      tokens: encoded?.tokens,
      ...this.#place,
      head,
      loss,
      layersCome: thumbnails?.weights.filter(Boolean).length ?? 0,
      isRunning,
      failure,
      problem,
      kept,
    };
  }

  protected get watched(): readonly Part[] {
    return [];
  }

  protected override get isFilled(): boolean {
    const { isClosed, problem } = this.#session;
    return this.#reading.head !== undefined || isClosed || problem !== undefined;
  }

  protected override wake(): void {
    void this.#session.open({ source: "sample", name: "" });
    void this.#session.listKept();
  }

  protected stateChanged(): void {
    // The text before anyone types is that of the language.
    this.#ask();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#session.end();
    this.#reading.clear();
  }

  // -------------------------------------------------------------------------- the text

  /** Undefined: none is open any more. */
  #opened(model: OpenedModel | undefined): void {
    this.#reading.clear();
    this.#cell = undefined;
    if (!model) return;
    this.#bend = unbent(model);
    // A text stays; ids mean something else in another model.
    if (!model.readsText) this.#text = "1 2 3 4 5 6";
    else if (this.#text !== undefined && /^[\d\s]*$/.test(this.#text)) this.#text = undefined;
    const { layer, head } = this.#place;
    this.#place = {
      layer: Math.min(layer, model.numLayers - 1),
      head: Math.min(head, model.numHeads - 1),
    };
    this.#ask();
  }

  get #written(): string {
    return this.#text ?? this.say(openWords).sample;
  }

  #ask(): void {
    const { model } = this.#session;
    if (!model || !this.#bend) return;
    const bend = bendIn(this.#bend, model);
    void this.#reading.ask(model, { text: this.#written, bend, ...this.#place });
  }

  #set(change: () => void): void {
    change();
    this.#ask();
    this.requestUpdate();
  }

  #onHead({ grid, row, column, chosen }: CellEventDetail): void {
    if (!chosen) return;
    const [layer, head] = grid === "layers-across" ? [column, row] : [row, column];
    this.#set(() => {
      this.#place = { layer, head };
      this.#cell = undefined;
    });
  }

  #onCell({ row, column, chosen }: CellEventDetail): void {
    const cell = { row, column: this.#session.model?.isCausal ? Math.min(column, row) : column };
    if (chosen) this.#cell = cell;
    this.#pointed = chosen ? undefined : cell;
    this.requestUpdate();
  }

  // -------------------------------------------------------------------------- what is shown

  get #labels(): string[] {
    const tokens = this.#reading.encoded?.tokens ?? [];
    // Not all tokenizers write the spaces between words: then nothing tells a word from its rest.
    const hasSpaces = tokens.some((token) => token.startsWith(" "));
    return hasSpaces ? labelsOf(tokens) : tokens.flatMap((token) => labelsOf([token]));
  }

  /** The map of the chosen head as it is drawn. */
  get #map(): Float32Array | undefined {
    const { head } = this.#reading;
    if (!head || !this.#hidesFirst) return head?.weights;
    const n = Math.sqrt(head.weights.length);
    return this.#restMap.of([head], () => withoutFirstToken(head.weights, n));
  }

  get #active(): { row: number; column: number } | undefined {
    const n = this.#labels.length;
    const map = this.#map;
    const cell = this.#pointed ?? this.#cell;
    if (cell && cell.row < n && cell.column < n) return cell;
    return map && standing(map, n);
  }

  #sum(): ChosenScore | undefined {
    const { head } = this.#reading;
    const active = this.#active;
    const map = this.#map;
    if (!head || !active || !map) return undefined;
    const labels = this.#labels;
    const at = active.row * labels.length + active.column;
    const names = this.shared.terms.names;
    const terms = Object.entries(head.terms).map(([name, values]) => ({
      name: names[name] ?? name,
      value: values[at]!,
      isContent: name === "content",
    }));
    const [from, to] = [labels[active.row]!, labels[active.column]!] as const;
    return { from, to, value: map[at]!, terms, total: head.logits[at]! };
  }

  #sentence(sum: ChosenScore): string {
    const { layer, head } = this.#place;
    const written = sum.terms.map(({ name, value }) => `${name} ${signed(value)}`);
    const text = `${written.join(this.words.join.items)} = ${signed(sum.total)}`;
    const words = this.say(openWords);
    return words.reading(layer + 1, head + 1, sum.from, sum.to, sum.value, text);
  }

  // -------------------------------------------------------------------------- the parts

  /** What both pictures depend on. */
  get #look(): unknown[] {
    const { language, theme } = this.state;
    return [this.#isLog, this.#hidesFirst, language, theme];
  }

  #sheet(model: OpenedModel): Draw {
    const { thumbnails } = this.#reading;
    const { layer, head } = this.#place;
    const maps = this.#hidesFirst ? thumbnails?.withoutFirst : thumbnails?.weights;
    const sheet: Sheet = {
      layers: model.numLayers,
      heads: model.numHeads,
      side: thumbnails?.side ?? 1,
      maps: maps ?? [],
    };
    return this.#drawnSheet.of([thumbnails, layer, head, ...this.#look, model], () =>
      drawSheet(sheet, this.#place, this.#isLog, this.say(openWords)),
    );
  }

  #mapAndSum({ isCausal }: OpenedModel) {
    const words = this.say(openWords);
    const map = this.#map;
    const sum = this.#sum();
    if (!map || !sum) return nothing;
    const title = words.mapTitle(this.#place.layer + 1, this.#place.head + 1);
    const { encoded } = this.#reading;
    const [isLog, hidesFirst] = [this.#isLog, this.#hidesFirst];
    const shown = { title, labels: this.#labels, weights: map, isCausal, isLog, hidesFirst };
    const leave = () => {
      this.#pointed = undefined;
      this.requestUpdate();
    };
    return html`<div class="one">
      <wf-scene
        class="map"
        .label=${`${words.mapLabel}. ${title}`}
        .hint=${this.words.keys}
        .draw=${this.#drawnMap.of([map, encoded, ...this.#look], () =>
          drawHeadMap(shown, words, this.words),
        )}
        .active=${this.#active}
        @wf-cell=${({ detail }: CustomEvent<CellEventDetail>) => this.#onCell(detail)}
        @wf-leave=${leave}
      ></wf-scene>
      <wf-scene
        class="sum"
        .label=${words.sumGrid}
        .draw=${drawSum(
          { ...sum, title: words.sumTitle(sum.from, sum.to, sum.value) },
          this.shared.terms.total,
          words,
        )}
      ></wf-scene>
    </div>`;
  }

  #pictures(model: OpenedModel) {
    return html`<div class="sheet">
        <wf-scene
          class="heads"
          .label=${this.say(openWords).gridLabel}
          .hint=${this.words.keys}
          .draw=${this.#sheet(model)}
          @wf-cell=${({ detail }: CustomEvent<CellEventDetail>) => this.#onHead(detail)}
        ></wf-scene>
      </div>
      ${this.#mapAndSum(model)}`;
  }

  #below(model: OpenedModel) {
    const words = this.say(openWords);
    const { loss, encoded } = this.#reading;
    const settings = this.#bend!;
    const { hasDecoder, isCausal } = model;
    const noLoss = hasDecoder ? words.encoderOnly : isCausal ? words.noHead : words.noLoss;
    return html`<div slot="options">
      ${
        model.predicts
          ? loss && encoded
            ? tokenLosses(encoded.tokens, this.#labels, loss, words)
            : nothing
          : html`<p class="soft no-loss">${noLoss}</p>`
      }
      <div class="bend">${bendPanel({
        model,
        settings,
        loss,
        words,
        change: (part) => this.#set(() => (this.#bend = { ...this.#bend!, ...part })),
      })}</div>
    </div>`;
  }

  #takeaway(model: OpenedModel, title: string) {
    const { layer, head } = this.#place;
    const map = this.#map;
    if (!map) return undefined;
    const bend = bendIn(this.#bend!, model);
    return {
      at: "open",
      title,
      code: openCode(this.#written, model.dtype, layer, head, model.predicts, bend),
      table: () =>
        mapTable(this.#labels, [{ scheme: model.family, map }], this.#place, model.isCausal),
      scene: () => this.renderRoot.querySelector<HTMLElementTagNameMap["wf-scene"]>(".map"),
    };
  }

  protected override render() {
    const words = this.say(openWords);
    const { model, chosen, isClosed } = this.#session;
    const sum = this.#sum();
    const { encoded, isRunning, milliseconds } = this.#reading;
    const heading = model ? words.heading(chosen!.name || words.sampleName) : words.closedHeading;
    const heads = (model?.numLayers ?? 0) * (model?.numHeads ?? 0);
    const note = encoded && !isRunning ? words.note(encoded.ids.length, heads, milliseconds) : "";
    const waiting = isClosed && !model ? words.empty : this.words.waiting;
    return html`<wf-frame
      .isQuiet=${true}
      .name=${words.name}
      .heading=${heading}
      .reading=${sum ? this.#sentence(sum) : ""}
      .waiting=${waiting}
      .note=${model ? `${words.model(model)} ${note}` : ""}
      .caveat=${words.caveat}
      .takeaway=${model && this.#takeaway(model, heading)}
    >
      ${sourcePanel(this.#session, words)}
      ${
        model
          ? html`<wf-text-line
              slot="ask"
              .label=${model.readsText ? words.text : words.ids}
              .value=${this.#written}
              .isLong=${true}
              .remark=${remarkOf(model, this.#reading, words)}
              @wf-change=${({ detail }: CustomEvent<string>) =>
                this.#set(() => (this.#text = detail))}
            ></wf-text-line>
            ${this.#pictures(model)}
            <wf-scale
              slot="legend"
              .label=${this.words.scale.weight}
              .low=${this.#isLog ? String(leastShown) : "0"}
              .high=${"1"}
              .hatchLabel=${model.isCausal ? this.words.scale.masked : ""}
              .theme=${this.state.theme}
            ></wf-scale>
            <span slot="legend" class="query">${this.words.scale.query}</span>
            <span slot="legend" class="key">${this.words.scale.key}</span>
            ${scaleChoice(words, this.#isLog, (isLog) => this.#set(() => (this.#isLog = isLog)))}
            ${this.#hidesFirst ? html`<span slot="legend">${words.firstNote}</span>` : nothing}
            ${firstChoice(words, this.#hidesFirst, (hides) =>
              this.#set(() => (this.#hidesFirst = hides)),
            )} ${this.#below(model)}`
          : nothing
      }
    </wf-frame>`;
  }
}

customElements.define("wf-open-checkpoint", OpenCheckpoint);
