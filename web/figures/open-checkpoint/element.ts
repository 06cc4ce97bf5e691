/**
 * `<wf-open-checkpoint>`: the reader's own model, opened in the tab: all heads, one map with its
 * terms, the loss of each token, and bent positions.
 */
import { html, nothing, type PropertyValues } from "lit";
import type { CellEventDetail, Draw } from "../../controls/scene-view.js";
import { modelsFolder, sightedScheme } from "../../defaults.js";
import { define } from "../../define.js";
import type { LayerTypeFacts, OpenedModel, Part } from "../../engine/both/checkpoint-messages.js";
import { folderAddress } from "../../engine/page/models-index.js";
import { FigureElement, figureStyles } from "../shared/figure/figure-element.js";
import { Memo } from "../shared/figure/memo.js";
import { address, files, ofKind, ofProgram } from "../shared/given/kinds.js";
import { type Unit, unitChoice } from "../shared/maps/by-word.js";
import { mapTable } from "../shared/maps/map-table.js";
import { unitWords } from "../shared/maps/unit-words.js";
import { ModelSession, sourcePanel } from "../shared/opened/session.js";
import { dotsWords } from "../shared/pictures/heads-words.js";
import { numberTable } from "../shared/tables/table-styles.js";
import { Answers, layerTypeOf } from "./answers.js";
import { type BendSettings, bendIn, bendPanel, unbent } from "./bend-panel.js";
import { openCode } from "./code.js";
import { families } from "./families.js";
import { type HeadAxes, measuredHeads } from "./measured-heads.js";
import { drawHeadMap, drawSheet, drawSum, minShown, type Sheet } from "./picture.js";
import { type ChosenScore, ShownMap, sentenceOf, tokenLabels } from "./shown-map.js";
import { openStyles } from "./styles.js";
import { firstChoice, partChoice, scaleChoice } from "./switches.js";
import { textLines } from "./text-lines.js";
import { tokenLosses } from "./token-losses.js";
import { openWords } from "./words.js";
import "../../controls/choice.js";
import "../../controls/scale.js";
import "../../controls/scene-view.js";
import "../shared/figure/frame.js";
import "../shared/opened/source-panel.js";

/**
 * @fires {CustomEvent<Record<string, unknown>>} wf-progress - Bytes of a model have been read:
 *   `detail` has its `name`, and the bytes `loaded` and in `total`.
 * @fires {CustomEvent<Record<string, unknown>>} wf-opened - A model is open: `detail` has its
 *   `name`, `family`, `dtype`, `numLayers`, `numHeads`, `parameterCount` and `weightBytes`.
 * @fires {CustomEvent<Record<string, unknown>>} wf-failed - A model could not be opened: `detail`
 *   has its `name`, the `code` and the engine’s `message`. The model that was open before stays
 *   open.
 * @fires {CustomEvent<Record<string, unknown>>} wf-closed - The reader has closed the model.
 */
export class OpenCheckpoint extends FigureElement {
  static override properties = {
    ...FigureElement.properties,
    models: ofKind(address),
    files: ofProgram(files),
  };

  static override styles = [...figureStyles, numberTable, openStyles];

  /** Folder of the page's own models, relative to the document. */
  declare models: string | undefined;
  /** Files of a model to open instead of the page's own: those of a folder, or one GGUF file. */
  declare files: readonly File[] | undefined;

  #session = new ModelSession({
    reads: "texts",
    sample: () => {
      const folder = folderAddress(this.models ?? modelsFolder);
      return {
        folder: new URL(`${sightedScheme}/`, folder).href,
        tokenizer: new URL("tokenizer.json", folder).href,
      };
    },
    isPublished: true,
    opened: (model) => this.#opened(model),
    changed: () => this.requestUpdate(),
    tell: (event, detail) =>
      this.dispatchEvent(new CustomEvent(`wf-${event}`, { detail, bubbles: true, composed: true })),
  });
  #answers = new Answers(this.#session.host, () => this.requestUpdate());
  #shown = new ShownMap(this.#answers);
  /** Undefined until the reader types: then the example texts of the language apply. */
  #texts: { text?: string | undefined; written?: string | undefined } = {};
  #part: Part = "encoder";
  #chosenHead = { layer: 0, head: 0 };
  #cell: { row: number; column: number } | undefined;
  #pointed: { row: number; column: number } | undefined;
  #isLog = false;
  #hidesFirst = false;
  #bend: BendSettings | undefined;
  #axes: HeadAxes = { x: "previous", y: "positional" };
  #drawnSheet = new Memo<Draw>();
  #drawnMap = new Memo<Draw>();

  get data() {
    const { encoded, written, head, loss, thumbnails, measured, failure, isRunning } =
      this.#answers;
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
      written: written?.ids,
      part: this.#part,
      by: this.#shown.sides ? "word" : "token",
      ...this.#chosenHead,
      head,
      loss,
      measured,
      layersCome: thumbnails?.weights.filter(Boolean).length ?? 0,
      isRunning,
      failure,
      problem,
      kept,
    };
  }

  protected override get isFilled(): boolean {
    const { isClosed, problem } = this.#session;
    return this.#answers.head !== undefined || isClosed || problem !== undefined;
  }

  protected override wake(): void {
    this.#session.begin(this.files);
    void this.#session.listKept();
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (this.isAwake && this.files && changed.has("files")) this.#session.begin(this.files);
  }

  protected stateChanged(): void {
    // The initial text is that of the language.
    this.#ask();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#session.end();
    this.#answers.clear();
  }

  // -------------------------------------------------------------------------- the text

  /** `undefined`: the model was closed. */
  #opened(model: OpenedModel | undefined): void {
    this.#answers.clear();
    this.#cell = undefined;
    if (!model) return;
    this.#part = "encoder";
    this.#bend = unbent(model.decoder ?? model);
    // Keeps a text, but not ids, which mean something else in another model.
    const stays = (before: string | undefined, ids: string) => {
      if (!model.readsText) return ids;
      return before !== undefined && /^[\d\s]*$/.test(before) ? undefined : before;
    };
    const { text, written } = this.#texts;
    this.#texts = { text: stays(text, "1 2 3 4 5 6"), written: stays(written, "7 8 9") };
    this.#stayInside(model);
    this.#ask();
  }

  /** Clamps layer and head: the two stacks of a model may differ in size. */
  #stayInside(layerType: LayerTypeFacts): void {
    const { layer, head } = this.#chosenHead;
    this.#chosenHead = {
      layer: Math.min(layer, layerType.numLayers - 1),
      head: Math.min(head, layerType.numHeads - 1),
    };
  }

  get #read(): string {
    return this.#texts.text ?? this.say(openWords).sample;
  }

  get #written(): string {
    return this.#texts.written ?? this.say(openWords).writtenSample;
  }

  #ask(): void {
    const { model } = this.#session;
    if (!model || !this.#bend) return;
    const bend = bendIn(this.#bend, model.decoder ?? model);
    const texts = { text: this.#read, written: model.decoder ? this.#written : "" };
    void this.#answers.ask(model, { ...texts, part: this.#part, bend, ...this.#chosenHead });
  }

  readonly #onUnit = (by: Unit): void => {
    this.#shown.by = by;
    this.#cell = this.#pointed = undefined;
    this.requestUpdate();
  };

  #set(change: () => void): void {
    change();
    this.#ask();
    this.requestUpdate();
  }

  #onHead({ grid, row, column, chosen }: CellEventDetail): void {
    if (!chosen) return;
    const [layer, head] = grid === "layers-across" ? [column, row] : [row, column];
    this.#choose(layer, head);
  }

  #choose(layer: number, head: number): void {
    this.#set(() => {
      this.#chosenHead = { layer, head };
      this.#cell = undefined;
    });
  }

  readonly #onPart = (part: Part): void => {
    this.#set(() => {
      this.#part = part;
      this.#stayInside(layerTypeOf(this.#session.model!, part));
      this.#cell = this.#pointed = undefined;
    });
  };

  #onCell({ row, column, chosen }: CellEventDetail): void {
    const { model } = this.#session;
    const isCausal = model !== undefined && this.#shown.isCausal(model);
    const cell = { row, column: isCausal ? Math.min(column, row) : column };
    if (chosen) this.#cell = cell;
    this.#pointed = chosen ? undefined : cell;
    this.requestUpdate();
  }

  // -------------------------------------------------------------------------- what is shown

  get #active(): { row: number; column: number } | undefined {
    return this.#shown.active(this.#pointed ?? this.#cell, this.#hidesFirst);
  }

  #sum(): ChosenScore | undefined {
    return this.#shown.score(this.#active, this.#hidesFirst, this.shared.terms.names);
  }

  // -------------------------------------------------------------------------- the parts

  /** Values on which both pictures depend. */
  get #look(): unknown[] {
    const { language, theme } = this.state;
    return [this.#isLog, this.#hidesFirst, language, theme];
  }

  #sheet(model: OpenedModel): Draw {
    const { thumbnails } = this.#answers;
    const { layer, head } = this.#chosenHead;
    const maps = this.#hidesFirst ? thumbnails?.withoutFirst : thumbnails?.weights;
    const { numLayers, numHeads } = layerTypeOf(model, this.#part);
    const sheet: Sheet = {
      layers: numLayers,
      heads: numHeads,
      cellRows: thumbnails?.rows ?? 1,
      cellColumns: thumbnails?.columns ?? 1,
      maps: maps ?? [],
    };
    const drawn = [thumbnails, layer, head, ...this.#look, model, this.#part];
    return this.#drawnSheet.of(drawn, () =>
      drawSheet(sheet, this.#chosenHead, this.#isLog, this.say(openWords)),
    );
  }

  #mapAndSum(model: OpenedModel) {
    const words = this.say(openWords);
    const map = this.#shown.weights(this.#hidesFirst);
    const sum = this.#sum();
    if (!map || !sum) return nothing;
    const title = words.mapTitle(this.#chosenHead.layer + 1, this.#chosenHead.head + 1);
    const { head } = this.#answers;
    const looks = { isLog: this.#isLog, hidesFirst: this.#hidesFirst };
    const isCausal = this.#shown.isCausal(model);
    const shown = { title, ...this.#shown.labels, weights: map, isCausal, ...looks };
    const leave = () => {
      this.#pointed = undefined;
      this.requestUpdate();
    };
    return html`<div class="one">
      <wf-scene
        class="map"
        .label=${`${words.mapLabel}. ${title}`}
        .hint=${this.words.keys}
        .draw=${this.#drawnMap.of([map, head, ...this.#look], () =>
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

  /** All heads by two measures, computed once the reader unfolds them. */
  #measured(model: OpenedModel) {
    const answers = this.#answers;
    const { measured, showsMeasures } = answers;
    const toggle = (event: Event) =>
      void answers.showMeasures(model, (event.target as HTMLDetailsElement).open);
    return html`<details class="measured" .open=${showsMeasures} @toggle=${toggle}
      ><summary>${this.say(openWords).measured}</summary> ${
        measured
          ? measuredHeads({
              measured,
              facts: model,
              axes: this.#axes,
              chosen: this.#chosenHead,
              words: this.say(dotsWords),
              keys: this.words.keys,
              change: (axes) => this.#set(() => (this.#axes = { ...this.#axes, ...axes })),
              choose: (layer, head) => this.#choose(layer, head),
            })
          : this.words.waiting
      }</details
    >`;
  }

  #below(model: OpenedModel) {
    const words = this.say(openWords);
    const { loss, encoded, written } = this.#answers;
    const settings = this.#bend!;
    const { tokens } = written ?? encoded ?? { tokens: [] };
    return html`<div slot="options">
      ${model.decoder || (encoded?.ids.length ?? 0) < 2 ? nothing : this.#measured(model)}
      ${
        model.predicts
          ? loss
            ? tokenLosses(tokens, tokenLabels(tokens), loss, words)
            : nothing
          : html`<p class="soft no-loss">${model.isCausal ? words.noHead : words.noLoss}</p>`
      }
      <div class="bend"
        >${bendPanel({
          model,
          settings,
          loss,
          words,
          change: (part) => this.#set(() => (this.#bend = { ...this.#bend!, ...part })),
        })}</div
      >
    </div>`;
  }

  #takeaway(model: OpenedModel, title: string) {
    const { layer, head } = this.#chosenHead;
    const map = this.#shown.weights(this.#hidesFirst);
    if (!map) return undefined;
    const bend = bendIn(this.#bend!, model.decoder ?? model);
    const { rows, columns } = this.#shown.labels;
    const isCausal = this.#shown.isCausal(model);
    const code = {
      text: this.#read,
      dtype: model.dtype,
      chosenHead: { layer, head },
      predicts: model.predicts,
      isByWord: this.#shown.sides !== undefined,
      bend,
      ...(model.decoder && { part: this.#part, written: this.#written }),
    };
    return {
      at: "open",
      title,
      code: openCode(code),
      table: () =>
        mapTable(rows, [{ scheme: model.family, map }], this.#chosenHead, isCausal, columns),
      scene: () => this.renderRoot.querySelector<HTMLElementTagNameMap["wf-scene"]>(".map"),
    };
  }

  #unitNote() {
    const { note } = this.say(unitWords);
    return this.#shown.sides ? html`<span slot="legend">${note}</span>` : nothing;
  }

  protected override render() {
    const words = this.say(openWords);
    const { model, chosen, isClosed } = this.#session;
    const sum = this.#sum();
    const { encoded, isRunning, milliseconds } = this.#answers;
    const heading = model ? words.heading(chosen!.name || words.sampleName) : words.closedHeading;
    const layerType = model && layerTypeOf(model, this.#part);
    const heads = (layerType?.numLayers ?? 0) * (layerType?.numHeads ?? 0);
    const note = encoded && !isRunning ? words.note(encoded.ids.length, heads, milliseconds) : "";
    const waiting = isClosed && !model ? words.empty : this.words.waiting;
    return html`<wf-frame
      .isQuiet=${true}
      .name=${words.name}
      .heading=${heading}
      .caption=${sum ? sentenceOf(sum, this.#chosenHead, words, this.words.join.items) : ""}
      .waiting=${waiting}
      .note=${model ? [words.model(model), note].join(this.words.join.sentences) : ""}
      .caveat=${words.caveat}
      .failure=${this.failure}
      .takeaway=${model && this.#takeaway(model, heading)}
    >
      ${sourcePanel(this.#session, words, { families })}
      ${
        model
          ? html`${textLines({
              model,
              answers: this.#answers,
              words,
              said: this.words,
              text: this.#read,
              written: this.#written,
              change: (texts) => this.#set(() => (this.#texts = { ...this.#texts, ...texts })),
            })}
              ${this.#pictures(model)}
              <wf-scale
                slot="legend"
                .label=${this.words.scale.weight}
                .low=${this.#isLog ? String(minShown) : "0"}
                .high=${"1"}
                .hatchLabel=${this.#shown.isCausal(model) ? this.words.scale.masked : ""}
                .theme=${this.state.theme}
              ></wf-scale>
              <span slot="legend" class="query">${this.words.scale.query}</span>
              <span slot="legend" class="key">${this.words.scale.key}</span>
              ${model.decoder ? partChoice(words, this.#part, this.#onPart) : nothing}
              ${scaleChoice(words, this.#isLog, (isLog) => this.#set(() => (this.#isLog = isLog)))}
              ${
                this.#shown.words
                  ? unitChoice(this.say(unitWords), this.#shown.sides !== undefined, this.#onUnit)
                  : nothing
              }
              ${this.#unitNote()}
              ${this.#hidesFirst ? html`<span slot="legend">${words.firstNote}</span>` : nothing}
              ${firstChoice(words, this.#hidesFirst, (hides) =>
                this.#set(() => (this.#hidesFirst = hides)),
              )}
              ${this.#below(model)}`
          : nothing
      }
    </wf-frame>`;
  }
}

define("wf-open-checkpoint", OpenCheckpoint);
