/**
 * `<wf-surgery>`: a surgery on one trained model: its map before and after, and its loss on
 * held-out text.
 */
import { html, nothing } from "lit";
import { numbered } from "../../controls/choice.js";
import { define } from "../../define.js";
import "../../controls/scale.js";
import type { CellEventDetail, Draw } from "../../controls/scene-view.js";
import type { SurgeryKind, SurgeryScope } from "../../defaults.js";
import { roundUp } from "../../drawing/axes.js";
import { type Failure, failureOf } from "../../engine/both/failure.js";
import { largestDifference, subtract } from "../../engine/both/measures.js";
import type { OperateAnswer } from "../../engine/both/surgery-messages.js";
import { NewestWins } from "../../engine/page/newest-wins.js";
import type { Part } from "../../state.js";
import { measured, plain } from "../../text/numbers.js";
import { labelsOf } from "../../text/token-labels.js";
import { Memo } from "../shared/figure/memo.js";
import { ofState } from "../shared/figure/state-properties.js";
import { drawMapRow, type MapRow } from "../shared/maps/map-row.js";
import {
  choose,
  isMove,
  type SurgeryChoice,
  surgeryControl,
  surgeryDetails,
} from "../shared/trained/surgery-controls.js";
import { lossSentence, phraseOf, type SurgeryNames } from "../shared/trained/surgery-sentences.js";
import { surgeryControlWords } from "../shared/trained/surgery-words.js";
import { TextFigure } from "../shared/trained/text-figure.js";
import { surgeryCode } from "./code.js";
import { surgeryWords } from "./words.js";
import "../../controls/scene-view.js";
import "../shared/figure/frame.js";

export class SurgeryFigure extends TextFigure {
  static override properties = {
    ...TextFigure.properties,
    scheme: ofState("surgeryScheme"),
    operation: ofState("surgeryOperation"),
    place: ofState("surgeryScope"),
    value: ofState("surgeryValue"),
    token: ofState("surgeryToken"),
  };

  /** The model that is changed, one of `schemes`. */
  declare scheme: string;
  /** The surgery. */
  declare operation: SurgeryKind;
  /** The part of the model that is changed. */
  declare place: SurgeryScope;
  /** A term, a pair, a number or a scheme; empty for the default. */
  declare value: string;
  /** The token that is moved, counted from 1; 0 for the default. */
  declare token: number;
  /** Sends a request to the worker that has the models of this group. */
  #line: NewestWins<"operate"> | undefined;
  #answer: OperateAnswer | undefined;
  #asked = "";
  #problem: Failure | undefined;
  #drawn = new Memo<Draw>();

  get data(): OperateAnswer | undefined {
    return this.#answer;
  }

  protected override get watched(): readonly Part[] {
    return [
      "models",
      "textAnswer",
      "layer",
      "head",
      "surgeryScheme",
      "surgeryOperation",
      "surgeryScope",
      "surgeryValue",
      "surgeryToken",
    ];
  }

  protected override stateChanged(): void {
    super.stateChanged();
    void this.#ask();
  }

  /** The model under surgery, one of those side by side above. */
  get #scheme(): string {
    const { shown } = this.session;
    return shown.find((id) => id === this.state.surgeryScheme) ?? shown[0]!;
  }

  async #ask(): Promise<void> {
    const { textAnswer, stage, folder } = this.session;
    if (!this.isAwake || stage !== "ready" || !textAnswer || textAnswer.tokens.length < 2) return;
    const { surgeryOperation, surgeryScope, surgeryValue, surgeryToken } = this.state;
    const question = {
      folder,
      scheme: this.#scheme,
      operation: surgeryOperation,
      where: surgeryScope,
      ...this.session.chosen,
      value: surgeryValue,
      token: surgeryToken - 1,
    };
    const asked = JSON.stringify([question, textAnswer.tokens]);
    if (asked === this.#asked) return;
    this.#asked = asked;
    try {
      this.#line ??= new NewestWins("operate", this.session.client);
      const answer = await this.#line.ask(question);
      if (!answer) return;
      this.#answer = answer;
      this.#problem = undefined;
    } catch (reason) {
      this.#problem = failureOf(reason);
    }
    this.requestUpdate();
  }

  #again(): void {
    this.#asked = "";
    this.#problem = undefined;
    this.session.begin(this.models);
    void this.#ask();
  }

  #termName = (term: string): string => this.shared.terms.names[term] ?? term;

  get #names(): SurgeryNames {
    return {
      words: this.say(surgeryControlWords),
      nameOf: (id) => this.name(id),
      termName: this.#termName,
    };
  }

  #caption(answer: OperateAnswer): string {
    const phrase = phraseOf(answer, answer.tokens, this.#names);
    const largest = measured(largestDifference(answer.after, answer.before));
    const { losses } = answer;
    return (
      lossSentence(phrase, losses, this.say(surgeryControlWords)) +
      this.say(surgeryWords).max(largest)
    );
  }

  #change = ({ operation, scope, value, token }: Partial<SurgeryChoice>): void =>
    this.change({
      ...(operation !== undefined && { surgeryOperation: operation }),
      ...(scope !== undefined && { surgeryScope: scope }),
      ...(value !== undefined && { surgeryValue: value }),
      ...(token !== undefined && { surgeryToken: token }),
    });

  #controls(answer: OperateAnswer) {
    const words = this.say(surgeryWords);
    const { shown, textAnswer, chosen } = this.session;
    const view = {
      ...this.#names,
      inForce: answer,
      tokens: answer.tokens,
      change: this.#change,
    };
    const models = shown.map((id) => ({ value: id, text: this.name(id) }));
    const { numLayers, numHeads } = textAnswer ?? {};
    return html`${choose("model", words.model, this.#scheme, models, (surgeryScheme) =>
      this.change({ surgeryScheme, surgeryValue: "" }),
    )}
    ${surgeryControl(view, answer.operations, answer.operation)} ${surgeryDetails(view)}
    ${choose("layer", words.layer, String(chosen.layer), numbered(numLayers || 4), (layer) =>
      this.change({ layer: Number(layer) }),
    )}
    ${choose("head", words.head, String(chosen.head), numbered(numHeads || 4), (head) =>
      this.change({ head: Number(head) }),
    )}`;
  }

  /** Chooses a token by its row. */
  #onToken({ row, chosen }: CellEventDetail): void {
    if (chosen && this.#answer && isMove(this.#answer.operation) && row > 0)
      this.change({ surgeryToken: row + 1 });
  }

  #table(answer: OperateAnswer): (string | number)[][] {
    const labels = labelsOf(answer.tokens);
    const n = labels.length;
    const rows: (string | number)[][] = [["row", "query", "column", "key", "before", "after"]];
    for (let row = 0; row < n; row++)
      for (let column = 0; column <= row; column++) {
        const at = row * n + column;
        const cell = [row + 1, labels[row]!, column + 1, labels[column]!];
        rows.push([...cell, answer.before[at]!, answer.after[at]!]);
      }
    return rows;
  }

  /** Returns the head's map before and after surgery, and the difference. */
  #maps(limit: number): MapRow {
    const words = this.say(surgeryWords);
    const answer = this.#answer;
    const mapOf = (id: "before" | "after" | "difference", values: Float32Array | undefined) => ({
      id,
      title: words.maps[id],
      label: words.mapLabel(words.maps[id]),
      values,
    });
    const difference = answer && subtract(answer.after, answer.before);
    return {
      labels: answer && labelsOf(answer.tokens),
      maps: [
        mapOf("before", answer?.before),
        mapOf("after", answer?.after),
        { ...mapOf("difference", difference), limit },
      ],
      framedRow: answer && isMove(answer.operation) ? answer.token : undefined,
    };
  }

  protected override render() {
    const words = this.say(surgeryWords);
    const answer = this.#answer;
    const isEmpty =
      this.session.textAnswer !== undefined && this.session.textAnswer.tokens.length < 2;
    const heading = words.titles[answer?.operation ?? this.state.surgeryOperation];
    const caption = answer && !isEmpty ? this.#caption(answer) : "";
    const failure = this.failed ?? this.#problem;
    const limit = answer
      ? roundUp(Math.max(0.01, largestDifference(answer.after, answer.before)))
      : 1;
    const takeaway = answer && {
      at: "surgery",
      title: heading,
      code: surgeryCode(this.session.text, answer),
      table: () => this.#table(answer),
      scene: () => this.scene(),
    };
    return html`<wf-frame
      .name=${words.name}
      .heading=${heading}
      .caption=${caption}
      .waiting=${isEmpty ? words.empty : this.waitingText}
      .note=${answer ? words.note(answer.scored, answer.milliseconds) : ""}
      .caveat=${words.caveat}
      .failure=${failure}
      .takeaway=${takeaway}
      @wf-again=${() => this.#again()}
    >
      <wf-scene
        class="maps"
        .label=${`${words.name}. ${caption}`}
        .hint=${this.words.keys}
        .draw=${this.#drawn.of([answer, this.state.language, this.state.theme], () =>
          drawMapRow(this.#maps(limit), this.words),
        )}
        @wf-cell=${(event: CustomEvent<CellEventDetail>) => this.#onToken(event.detail)}
      ></wf-scene>
      <wf-scale
        slot="legend"
        .label=${this.words.scale.weight}
        .hatchLabel=${this.words.scale.masked}
        .theme=${this.state.theme}
      ></wf-scale>
      <wf-scale
        slot="legend"
        .label=${words.difference}
        .signed=${true}
        .low=${plain(-limit)}
        .high=${`+${plain(limit)}`}
        .theme=${this.state.theme}
      ></wf-scale>
      ${answer ? this.#controls(answer) : nothing}
    </wf-frame>`;
  }
}

define("wf-surgery", SurgeryFigure);
