/** `<wf-surgery>`: an operation on one trained model, its map before and after, and what it costs on held-out text. */
import { html, nothing, type TemplateResult } from "lit";
import "../../controls/choice.js";
import "../../controls/pick.js";
import "../../controls/scale.js";
import "../../controls/slider.js";
import type { CellEventDetail } from "../../controls/scene-view.js";
import { type Deed, farthestMove, type SurgeryPlace } from "../../defaults.js";
import { roundUp } from "../../drawing/axes.js";
import { largestDifference, subtract } from "../../engine/both/measures.js";
import type { Failure, OperateAnswer } from "../../engine/both/messages.js";
import { EngineFailure, NewestWins } from "../../engine/page/client.js";
import { page } from "../../state.js";
import { measured, plain } from "../../text/numbers.js";
import { labelsOf } from "../../text/tokens.js";
import { drawMapRow, type MapRow } from "../shared/map-row.js";
import { session } from "../shared/session.js";
import { SessionFigure } from "../shared/session-figure.js";
import { surgeryCode } from "./code.js";
import { surgeryWords } from "./words.js";
import "../shared/frame.js";

const isMove = (deed: Deed): boolean => deed === "move" || deed === "copy";

export class SurgeryFigure extends SessionFigure {
  #line = new NewestWins("operate");
  #answer: OperateAnswer | undefined;
  #asked = "";
  #own: Failure | undefined;
  #onReading = () => void this.#ask();

  override connectedCallback(): void {
    super.connectedCallback();
    session.addEventListener("change", this.#onReading);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    session.removeEventListener("change", this.#onReading);
  }

  get data(): OperateAnswer | undefined {
    return this.#answer;
  }

  protected override get watched() {
    return [
      "text",
      "headSchemes",
      "layer",
      "head",
      "surgeryScheme",
      "surgeryDeed",
      "surgeryPlace",
      "surgeryValue",
      "surgeryToken",
    ] as never;
  }

  protected override stateChanged(): void {
    super.stateChanged();
    void this.#ask();
  }

  /** Of the models side by side above, the one that is operated on. */
  get #scheme(): string {
    const { shown } = session;
    return shown.find((id) => id === this.state.surgeryScheme) ?? shown[0]!;
  }

  async #ask(): Promise<void> {
    const { reading, stage, folder } = session;
    if (!this.isAwake || stage !== "ready" || !reading || reading.tokens.length < 2) return;
    const { surgeryDeed, surgeryPlace, surgeryValue, surgeryToken } = this.state;
    const question = {
      folder,
      scheme: this.#scheme,
      deed: surgeryDeed,
      where: surgeryPlace,
      ...session.chosen,
      value: surgeryValue,
      token: surgeryToken - 1,
    };
    const asked = JSON.stringify([question, reading.tokens]);
    if (asked === this.#asked) return;
    this.#asked = asked;
    try {
      const answer = await this.#line.ask(question);
      if (!answer) return;
      this.#answer = answer;
      this.#own = undefined;
    } catch (reason) {
      this.#own =
        reason instanceof EngineFailure
          ? reason.failure
          : { code: "internal", message: String(reason) };
    }
    this.requestUpdate();
  }

  #again(): void {
    this.#asked = "";
    this.#own = undefined;
    session.begin(this.models);
    void this.#ask();
  }

  #termName = (term: string): string => this.shared.terms.names[term] ?? term;

  /** The value in force, in words. */
  #valueText({ deed, value, option, wavelengths, to }: OperateAnswer): string {
    const words = this.say(surgeryWords);
    switch (deed) {
      case "zero":
        return this.#termName(value);
      case "drop":
      case "freeze":
        return words.pairText(Number(value) + 1, wavelengths![Number(value)]!);
      case "option":
        return `${option!.key} ${plain(Number(value))}`;
      case "scheme":
        return this.name(value);
      default:
        return words.at(to);
    }
  }

  #reading(answer: OperateAnswer): string {
    const words = this.say(surgeryWords);
    const { deed, token, to, layer, head, losses } = answer;
    const labels = labelsOf(answer.tokens);
    const what = words.phrase[deed](
      deed === "drop" || deed === "freeze"
        ? String(Number(answer.value) + 1)
        : this.#valueText(answer),
      labels[token] ?? "",
      deed === "option" ? plain(answer.option!.own) : (labels[to] ?? ""),
    );
    const place =
      answer.where === "head" && (deed === "option" || deed === "scheme") ? "layer" : answer.where;
    const where = isMove(deed) ? "" : words.where(place, layer + 1, head + 1);
    const list = losses
      .map(({ language, before, after }) => words.loss(language, before, after))
      .join(words.lossJoiner);
    const largest = measured(largestDifference(answer.after, answer.before));
    return words.sentence(`${what}${where}`, list) + words.most(largest);
  }

  #set(change: Partial<typeof page.state>): void {
    page.set(change);
  }

  /** What the operation is done with: a term, a pair, a number, a scheme, a token. */
  #valueControl(answer: OperateAnswer): TemplateResult | typeof nothing {
    const words = this.say(surgeryWords);
    const { deed, value, terms, option, schemes, wavelengths, token, to, tokens } = answer;
    const text = this.#valueText(answer);
    const slide = (of: (place: number) => number) => (event: CustomEvent<number>) =>
      this.#set({ surgeryValue: String(of(event.detail)) });
    switch (deed) {
      case "zero":
        return html`<wf-choice
          slot="controls"
          class="term"
          .label=${words.term}
          .value=${value}
          .options=${terms.map((term) => ({ value: term, text: this.#termName(term) }))}
          @wf-change=${(event: CustomEvent<string>) => this.#set({ surgeryValue: event.detail })}
        ></wf-choice>`;
      case "drop":
      case "freeze":
        return html`<wf-slider
          slot="controls"
          .label=${words.pair}
          .value=${Number(value)}
          .min=${0}
          .max=${wavelengths!.length - 1}
          .text=${text}
          @wf-change=${slide((place) => place)}
        ></wf-slider>`;
      case "option": {
        const { least, most } = option!;
        return html`<wf-slider
          slot="controls"
          .label=${words.option}
          .value=${Math.log(Number(value))}
          .min=${Math.log(least)}
          .max=${Math.log(most)}
          .step=${"any"}
          .text=${text}
          @wf-change=${slide((place) => Number(Math.exp(place).toPrecision(3)))}
        ></wf-slider>`;
      }
      case "scheme":
        return html`<label slot="controls" class="picked"
          ><span>${words.scheme}</span>
          <wf-pick
            .label=${words.scheme}
            .value=${schemes.indexOf(value)}
            .words=${schemes.map((id) => this.name(id))}
            @wf-change=${(event: CustomEvent<number>) => this.#set({ surgeryValue: schemes[event.detail]! })}
          ></wf-pick
        ></label>`;
      default:
        return html`<label slot="controls" class="picked"
            ><span>${words.token}</span>
            <wf-pick
              .label=${words.token}
              .value=${token - 1}
              .words=${labelsOf(tokens).slice(1)}
              @wf-change=${(event: CustomEvent<number>) => this.#set({ surgeryToken: event.detail + 2 })}
            ></wf-pick></label
          >${
            deed === "move"
              ? html`<wf-slider
                slot="controls"
                .label=${words.move}
                .value=${Number(value)}
                .min=${-farthestMove}
                .max=${farthestMove}
                .text=${words.moveText(Number(value), token, to)}
                @wf-change=${slide((place) => place)}
              ></wf-slider>`
              : nothing
          }`;
    }
  }

  #controls(answer: OperateAnswer) {
    const words = this.say(surgeryWords);
    const { chosen, reading, shown } = session;
    const { layer, head } = chosen;
    const numbers = (count: number) =>
      Array.from({ length: count }, (_, index) => ({
        value: String(index),
        text: String(index + 1),
      }));
    const places = words.places(layer + 1, head + 1);
    const offered: SurgeryPlace[] =
      answer.deed === "option" || answer.deed === "scheme"
        ? ["all", "layer"]
        : ["all", "layer", "head"];
    const choose = (
      name: string,
      label: string,
      value: string,
      options: readonly { value: string; text: string }[],
      change: (value: string) => void,
    ) =>
      html`<wf-choice
        slot="controls"
        class=${name}
        .label=${label}
        .value=${value}
        .options=${options}
        @wf-change=${(event: CustomEvent<string>) => change(event.detail)}
      ></wf-choice>`;
    return html`${choose(
      "model",
      words.model,
      this.#scheme,
      shown.map((id) => ({ value: id, text: this.name(id) })),
      (value) => this.#set({ surgeryScheme: value, surgeryValue: "" }),
    )}
    ${choose(
      "deed",
      words.deed,
      answer.deed,
      answer.deeds.map((deed) => ({ value: deed, text: words.deeds[deed] })),
      (value) => this.#set({ surgeryDeed: value as Deed, surgeryValue: "" }),
    )}
    ${this.#valueControl(answer)}
    ${
      isMove(answer.deed)
        ? nothing
        : choose(
            "place",
            words.place,
            offered.includes(answer.where) ? answer.where : "layer",
            offered.map((place) => ({ value: place, text: places[place] })),
            (value) => this.#set({ surgeryPlace: value as SurgeryPlace }),
          )
    }
    ${choose("layer", words.layer, String(layer), numbers(reading?.numLayers || 4), (value) =>
      this.#set({ layer: Number(value) }),
    )}
    ${choose("head", words.head, String(head), numbers(reading?.numHeads || 4), (value) =>
      this.#set({ head: Number(value) }),
    )}`;
  }

  /** A token is chosen by its row. */
  #onToken({ row, chosen }: CellEventDetail): void {
    if (chosen && this.#answer && isMove(this.#answer.deed) && row > 0)
      this.#set({ surgeryToken: row + 1 });
  }

  #table(answer: OperateAnswer): (string | number)[][] {
    const labels = labelsOf(answer.tokens);
    const n = labels.length;
    const rows: (string | number)[][] = [["row", "query", "column", "key", "before", "after"]];
    for (let row = 0; row < n; row++)
      for (let column = 0; column <= row; column++) {
        const at = row * n + column;
        const place = [row + 1, labels[row]!, column + 1, labels[column]!];
        rows.push([...place, answer.before[at]!, answer.after[at]!]);
      }
    return rows;
  }

  /** The head's map before the operation, after it, and the difference. */
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
      framedRow: answer && isMove(answer.deed) ? answer.token : undefined,
    };
  }

  protected override render() {
    const words = this.say(surgeryWords);
    const answer = this.#answer;
    const isEmpty = session.reading !== undefined && session.reading.tokens.length < 2;
    const heading = words.titles[answer?.deed ?? this.state.surgeryDeed];
    const reading = answer && !isEmpty ? this.#reading(answer) : "";
    const failure = session.stage === "failed" ? session.failure : this.#own;
    const limit = answer
      ? roundUp(Math.max(0.01, largestDifference(answer.after, answer.before)))
      : 1;
    const takeaway = answer && {
      at: "surgery",
      title: heading,
      code: surgeryCode(session.text, answer),
      table: () => this.#table(answer),
      scene: () => this.scene(),
    };
    return html`<wf-frame
      .name=${words.name}
      .heading=${heading}
      .reading=${reading}
      .waiting=${isEmpty ? words.empty : this.waitingText}
      .note=${answer ? words.note(answer.scored, answer.milliseconds) : ""}
      .caveat=${words.caveat}
      .failure=${failure}
      .takeaway=${takeaway}
      @wf-again=${() => this.#again()}
    >
      <wf-scene
        class="maps"
        .label=${`${words.name}. ${reading}`}
        .hint=${this.words.keys}
        .draw=${drawMapRow(this.#maps(limit), this.words)}
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

customElements.define("wf-surgery", SurgeryFigure);
