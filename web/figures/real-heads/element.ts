/**
 * `<wf-real-heads>`: one text read by trained models that differ only in their positional encoding.
 */
import { html, nothing } from "lit";
import { numbered } from "../../controls/choice.js";
import { define } from "../../define.js";
import "../../controls/scale.js";
import "../../controls/scene-view.js";
import "../../controls/several.js";
import "../../controls/text-line.js";
import type { CellEventDetail, Draw } from "../../controls/scene-view.js";
import { fewestCompared, longestText, maxCompared } from "../../defaults.js";
import type { Cell } from "../../drawing/scene.js";
import { writtenText } from "../../page-state.js";
import type { Part } from "../../state.js";
import { byWord, groupOfEach, hasPieces, type WordGroup, wordAt } from "../../text/word-groups.js";
import { headCode } from "../shared/exports/code.js";
import { Memo } from "../shared/figure/memo.js";
import { playStyles } from "../shared/figure/play-styles.js";
import { ofState } from "../shared/figure/state-properties.js";
import { labelsOfWords, unitChoice, wordsIn } from "../shared/maps/by-word.js";
import { drawMapRow, type MapRow } from "../shared/maps/map-row.js";
import { mapTable } from "../shared/maps/map-table.js";
import { unitWords } from "../shared/maps/unit-words.js";
import { TextFigure } from "../shared/trained/text-figure.js";
import { drawHeadGrid } from "./head-grid-picture.js";
import { headsWords } from "./words.js";
import "../shared/figure/frame.js";

/** Mean share that the rows of a causal map, after the first, give to the column before. */
function shareBefore(map: ArrayLike<number>): number {
  const n = Math.round(Math.sqrt(map.length));
  let sum = 0;
  for (let row = 1; row < n; row++) sum += map[row * n + row - 1]!;
  return n > 1 ? sum / (n - 1) : 0;
}

export class RealHeads extends TextFigure {
  static override properties = { ...TextFigure.properties, by: ofState("mapsBy") };
  static override lead = ".row";
  static override styles = [...TextFigure.styles, playStyles];

  /** Whether maps are read by word or by token; empty for words where a word has several tokens. */
  declare by: "" | "word" | "token";
  #drawnMaps = new Memo<Draw>();
  #drawnHeads = new Memo<Draw>();

  protected override get watched(): readonly Part[] {
    // A new text is shown with its maps; without models it is shown by itself.
    const alone: readonly Part[] = this.session.stage === "ready" ? [] : ["text"];
    return [
      ...(["models", "textAnswer", "headSchemes", "layer", "head", "cell", "pointed"] as const),
      "mapsBy",
      ...alone,
    ];
  }

  get data() {
    const { textAnswer, models } = this.session;
    return (
      textAnswer && {
        ...textAnswer,
        ...this.session.chosen,
        models: models?.models,
        active: this.session.active,
      }
    );
  }

  /** The tokens of each word. */
  get #words(): readonly WordGroup[] {
    const { textAnswer } = this.session;
    return textAnswer ? wordsIn(textAnswer.tokens) : [];
  }

  get #isByWord(): boolean {
    const { mapsBy } = this.state;
    return mapsBy === "word" || (mapsBy === "" && hasPieces(this.#words));
  }

  /** Labels of the maps' rows and columns. */
  get #read(): string[] {
    return this.#isByWord ? labelsOfWords(this.#words) : this.labels;
  }

  /** The marked cell, in the maps as they are read. */
  get #marked(): Cell | undefined {
    const { active } = this.session;
    if (!active || !this.#isByWord) return active;
    const words = this.#words;
    return { row: wordAt(words, active.row), column: wordAt(words, active.column) };
  }

  /** Returns the map of the chosen head under one scheme. */
  #map(index: number): Float32Array {
    const { textAnswer, chosen } = this.session;
    const area = textAnswer!.tokens.length ** 2;
    const at = (chosen.layer * textAnswer!.numHeads + chosen.head) * area;
    const map = textAnswer!.byScheme[index]!.weights.subarray(at, at + area);
    return this.#isByWord ? byWord(map, this.#words) : map;
  }

  /** Marks a cell of the maps: of a word, the last token that looks, and the first looked at. */
  #onMap({ detail }: CustomEvent<CellEventDetail>): void {
    if (!this.#isByWord) {
      this.onCell(detail);
      return;
    }
    const [row, column] = [this.#words[detail.row], this.#words[detail.column]];
    if (row && column) this.onCell({ ...detail, row: row.end - 1, column: column.first });
  }

  #caption(): string {
    const { textAnswer, chosen } = this.session;
    if (!textAnswer?.tokens.length) return "";
    const active = this.#marked;
    const words = this.say(headsWords);
    const labels = this.#read;
    const n = labels.length;
    const at = chosen.layer * textAnswer.numHeads + chosen.head;
    const backs = textAnswer.byScheme.map(({ scheme, meanDistances }) =>
      words.tokensBack(this.name(scheme), meanDistances[at]!),
    );
    const parts = [words.looksBack(backs.join(this.words.join.items))];
    if (active) {
      const { row, column } = active;
      const values = textAnswer.byScheme.map(({ scheme }, index) =>
        words.value(this.name(scheme), this.#map(index)[row * n + column]!),
      );
      parts.unshift(
        words.caption(labels[row]!, labels[column]!, values.join(this.words.join.items)),
      );
    }
    return parts.join(this.words.join.sentences);
  }

  #table(): (string | number)[][] {
    const { textAnswer, chosen } = this.session;
    const maps = textAnswer!.byScheme.map(({ scheme }, index) => ({
      scheme,
      map: this.#map(index),
    }));
    return mapTable(this.#read, maps, chosen);
  }

  #controls() {
    const words = this.say(headsWords);
    const { textAnswer, chosen } = this.session;
    const remark = [
      textAnswer?.isShortened ? words.shortened(longestText) : "",
      this.labels.includes("□") ? words.unknown : "",
      this.#read.some((label) => /^-./.test(label)) ? words.piece : "",
      this.#isByWord && hasPieces(this.#words) ? this.say(unitWords).note : "",
    ]
      .filter(Boolean)
      .join(this.words.join.sentences);
    const offered = this.session.index?.schemes ?? this.session.compared;
    const write = ({ detail }: CustomEvent<string>) =>
      this.change({ text: writtenText(detail, this.shared.models.text), cell: [] });
    const choose = ({ detail }: CustomEvent<string[]>) =>
      this.change({ headSchemes: detail.join("."), cell: [] });
    return html`<wf-text-line
        slot="ask"
        .label=${words.input}
        .value=${this.session.text}
        .isLong=${true}
        .remark=${remark.trim()}
        .examples=${this.shared.models.examples}
        @wf-change=${write}
      ></wf-text-line>
      <div slot="controls" class="row"
        ><wf-choice
          class="layer"
          .label=${words.layer}
          .value=${String(chosen.layer)}
          .options=${numbered(textAnswer?.numLayers || 4)}
          @wf-change=${(event: CustomEvent<string>) => this.change({ layer: Number(event.detail) })}
        ></wf-choice
        ><wf-choice
          class="head"
          .label=${words.head}
          .value=${String(chosen.head)}
          .options=${numbered(textAnswer?.numHeads || 4)}
          @wf-change=${(event: CustomEvent<string>) => this.change({ head: Number(event.detail) })}
        ></wf-choice
      ></div>
      ${unitChoice(this.say(unitWords), this.#isByWord, (mapsBy) => this.change({ mapsBy }))}
      <wf-several
        slot="options"
        .label=${words.models}
        .min=${fewestCompared}
        .max=${maxCompared}
        .values=${this.session.compared}
        .options=${offered.map((id) => ({ value: id, text: this.name(id) }))}
        @wf-change=${choose}
      ></wf-several>`;
  }

  #onHead({ row, column, chosen }: CellEventDetail): void {
    if (chosen) this.change({ layer: row, head: column });
  }

  /** Returns the size of the models, their losses, and the time of this answer. */
  #note(): string {
    const words = this.say(headsWords);
    const { textAnswer, models } = this.session;
    if (!textAnswer || !models) return "";
    const scores = models.models.flatMap(({ scheme, bitsPerCharacter: bits }) =>
      bits?.["en"] && bits["zh"] ? [words.bitsOf(this.name(scheme), bits["en"], bits["zh"])] : [],
    );
    const list = scores.join(this.words.join.parts);
    const size = words.note(
      models.models.length,
      models.models[0]!.parameterCount,
      textAnswer.milliseconds,
    );
    return scores.length ? size + words.bits(list) : size;
  }

  /**
   * Values on which both drawings depend: a pointer that moves over the maps does not draw them
   * again.
   */
  get #drawnFrom(): unknown[] {
    const { textAnswer, chosen } = this.session;
    const { language, theme } = this.state;
    const names = this.columns.map(({ name }) => name).join();
    return [textAnswer, chosen.layer, chosen.head, language, theme, names, this.#isByWord];
  }

  #thumbnails(): Draw {
    const { textAnswer, chosen } = this.session;
    return this.#drawnHeads.of(this.#drawnFrom, () =>
      drawHeadGrid(textAnswer, this.labels, chosen, this.columns, this.say(headsWords)),
    );
  }

  /** Returns the chosen head under every scheme; outlines without a text. */
  #maps(): MapRow {
    const words = this.say(headsWords);
    const isRead = Boolean(this.session.textAnswer?.tokens.length);
    const maps = this.columns.map(({ id, name }, index) => ({
      id,
      title: name,
      label: words.mapLabel(name),
      values: isRead ? this.#map(index) : undefined,
    }));
    return { maps, labels: isRead ? this.#read : undefined };
  }

  /** Returns the title: the finding, if the head looks one back in some of the models alone. */
  #heading(): string {
    const words = this.say(headsWords);
    const { textAnswer, chosen } = this.session;
    const [layer, head] = [chosen.layer + 1, chosen.head + 1];
    const schemes = textAnswer?.byScheme ?? [];
    const back = schemes.filter((_, index) => shareBefore(this.#map(index)) > 0.5);
    if (!back.length || back.length === schemes.length)
      return words.title(layer, head, this.session.shown.length);
    const names = back.map(({ scheme }) => this.name(scheme)).join(this.words.join.items);
    return words.found(layer, head, names, this.#isByWord ? "word" : "token");
  }

  protected override render() {
    const words = this.say(headsWords);
    const { textAnswer, stage } = this.session;
    const text = stage === "loading" && textAnswer ? this.waitingText : this.#caption();
    const heading = this.#heading();
    const takeaway = textAnswer?.tokens.length
      ? {
          at: "heads",
          title: heading,
          code: headCode(
            this.session.headRead,
            this.#isByWord && hasPieces(this.#words) ? groupOfEach(this.#words) : undefined,
          ),
          table: () => this.#table(),
          scene: () => this.scene(),
        }
      : undefined;
    return html`<wf-frame
      .isQuiet=${true}
      .name=${words.name}
      .heading=${heading}
      .caption=${text}
      .waiting=${this.waitingText}
      .note=${this.#note()}
      .caveat=${words.caveat}
      .failure=${this.failed}
      .takeaway=${takeaway}
      @wf-again=${() => this.session.begin(this.models)}
    >
      <wf-scene
        class="maps"
        .label=${`${words.name}. ${text}`}
        .hint=${this.words.keys}
        .draw=${this.#drawnMaps.of(this.#drawnFrom, () => drawMapRow(this.#maps(), this.words))}
        .active=${this.#marked}
        @wf-cell=${this.#onMap}
        @wf-leave=${() => this.session.point(undefined)}
      ></wf-scene>
      <wf-scene
        class="heads"
        slot=${this.isBrief ? "options" : nothing}
        .label=${words.gridTitle}
        .hint=${this.words.keys}
        .draw=${this.#thumbnails()}
        @wf-cell=${(event: CustomEvent<CellEventDetail>) => this.#onHead(event.detail)}
      ></wf-scene>
      <wf-scale
        slot="legend"
        .label=${this.words.scale.weight}
        .hatchLabel=${this.words.scale.masked}
        .theme=${this.state.theme}
      ></wf-scale>
      <span slot="legend" class="query">${this.words.scale.query}</span>
      <span slot="legend" class="key">${this.words.scale.key}</span>
      ${this.#controls()}
    </wf-frame>`;
  }
}

define("wf-real-heads", RealHeads);
