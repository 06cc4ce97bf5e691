/**
 * `<wf-distance-curve>`: how the chosen head's attention falls with distance, in this text and in
 * the held-out one, and its best scores.
 */
import { html } from "lit";
import type { Draw } from "../../controls/scene-view.js";
import type { Language } from "../../defaults.js";
import { define } from "../../define.js";
import { likeText, massByDistance, massWithin } from "../../engine/page/corpus-heads.js";
import type { Part } from "../../state.js";
import { percent, weight } from "../../text/numbers.js";
import { reachCode } from "../shared/exports/code.js";
import { figureStyles } from "../shared/figure/figure-element.js";
import { Memo } from "../shared/figure/memo.js";
import { TextFigure } from "../shared/trained/text-figure.js";
import { renderScores, type ScoredModel } from "./head-scores.js";
import { type DistanceChart, drawDistances } from "./picture.js";
import { scoresWords } from "./scores-words.js";
import { scoreStyles } from "./styles.js";
import { distanceWords } from "./words.js";
import "../../controls/scene-view.js";
import "../shared/figure/frame.js";

/** Tokens before a query that count as near, besides its own. */
const near = 4;

interface Curve extends DistanceChart {
  values: Float32Array;
  nearShare: number;
  /** Share of attention to near tokens, over the held-out text. */
  corpusNearShare?: number | undefined;
}

export class DistanceCurve extends TextFigure {
  static override styles = [...figureStyles, scoreStyles];

  #drawn = new Memo<Draw>();

  protected override get watched(): readonly Part[] {
    return [...super.watched, "corpus"];
  }

  get data(): { curves: Curve[]; language: Language } | undefined {
    if (!this.session.detail || !this.session.isDetailed) return undefined;
    const { layer, head } = this.session.chosen;
    const language = likeText(this.session.text);
    const curves = this.session.detail.details.map(
      ({ scheme, weightByDistance, nearShare }): Curve => {
        const corpus = this.session.corpus.of(scheme);
        const found = corpus?.texts[language].heads.get(`${layer}.${head}`);
        const curve = {
          scheme,
          name: this.name(scheme),
          values: weightByDistance,
          text: weightByDistance,
          nearShare,
        };
        if (!corpus || !found) return curve;
        const { uniform } = corpus.texts[language];
        return {
          ...curve,
          corpus: { head: massByDistance(found, corpus), even: massByDistance(uniform, corpus) },
          corpusNearShare: massWithin(found, near),
        };
      },
    );
    return { curves, language };
  }

  /** Also fetches the numbers of the held-out text. */
  protected override wake(): void {
    super.wake();
    this.requestUpdate();
  }

  protected override willUpdate(): void {
    const { index, stage, folder, shown } = this.session;
    if (this.isAwake && index && stage === "ready")
      this.session.corpus.want(
        folder,
        shown.filter((scheme) => index.heads.includes(scheme)),
      );
  }

  #caption(curves: readonly Curve[], language: Language): string {
    const words = this.say(distanceWords);
    const list = curves.map(({ name, nearShare, corpusNearShare }) =>
      words.share(
        name,
        percent(nearShare),
        corpusNearShare === undefined ? "" : percent(corpusNearShare),
      ),
    );
    const isMeasured = curves.some(({ corpus }) => corpus);
    const joiner = isMeasured ? this.words.join.parts : this.words.join.items;
    return words.caption(
      list.join(joiner),
      isMeasured ? this.say(scoresWords).names[language] : "",
    );
  }

  /** Filled when the scores below the picture, which are in files of their own, have loaded. */
  protected override get isFilled(): boolean {
    const measured = this.session.index?.heads ?? [];
    const isMissing = (id: string) => measured.includes(id) && !this.session.corpus.of(id);
    return super.isFilled && !this.session.shown.some(isMissing);
  }

  #describe({ name, text, corpus }: DistanceChart, distance: number): string {
    const words = this.say(distanceWords);
    const known: [string, number | undefined][] = [
      [words.thisText, text[distance]],
      [words.heldOut, corpus?.head[distance]],
      [words.even, corpus?.even[distance]],
    ];
    const values = known.flatMap(([what, value]) =>
      value === undefined ? [] : [`${what} ${weight(value)}`],
    );
    return words.point(name, distance, values.join(this.words.join.items));
  }

  #table(curves: readonly Curve[], language: Language): (string | number)[][] {
    const rowsOf = (scheme: string, what: string, values: ArrayLike<number>) =>
      Array.from(values, (value, distance) => [scheme, what, distance, value]);
    const rows = curves.flatMap(({ scheme, text, corpus }) => [
      ...rowsOf(scheme, "this text", text),
      ...rowsOf(scheme, `held-out ${language}`, corpus?.head ?? []),
      ...rowsOf(scheme, `even attention, held-out ${language}`, corpus?.even ?? []),
    ]);
    return [["scheme", "text", "tokens_back", "mean_weight"], ...rows];
  }

  /** Returns a note on the held-out text, or that there is no measurement. */
  #note(scored: readonly ScoredModel[]): string {
    const words = this.say(scoresWords);
    const [first] = scored;
    if (!this.session.detail) return "";
    if (!first) return words.missing;
    return words.note(first.corpus.length);
  }

  /** Returns the drawing, and the same function while only another cell is pointed at. */
  #picture(
    charts: readonly DistanceChart[],
    scored: readonly ScoredModel[],
    language: Language,
  ): Draw {
    const depends = [
      this.session.isDetailed && this.session.detail,
      ...scored.flatMap(({ name, corpus }) => [name, corpus]),
      ...charts.map(({ name }) => name),
      language,
      this.state.language,
      this.state.theme,
    ];
    const heldOut = this.say(scoresWords).heldOut[language];
    return this.#drawn.of(depends, () =>
      drawDistances({
        charts,
        words: { ...this.say(distanceWords), x: this.shared.distance, heldOut },
        describe: (chart, distance) => this.#describe(chart, distance),
      }),
    );
  }

  protected override render() {
    const words = this.say(distanceWords);
    const { curves, language = likeText(this.session.text) } = this.data ?? {};
    const caption = curves ? this.#caption(curves, language) : "";
    const { layer, head } = this.session.chosen;
    const charts: readonly DistanceChart[] =
      curves ?? this.columns.map(({ id, name }) => ({ scheme: id, name, text: [] }));
    const scored = this.columns.flatMap(({ id, name }): ScoredModel[] => {
      const corpus = this.session.corpus.of(id);
      return corpus ? [{ name, corpus }] : [];
    });
    const draw = this.#picture(charts, scored, language);
    const takeaway = curves && {
      at: "reach",
      title: words.title,
      code: reachCode(this.session.headRead, curves[0]!.values.length),
      table: () => this.#table(curves, language),
      scene: () => this.scene(),
    };
    return html`<wf-frame
      .isQuiet=${true}
      .name=${words.name}
      .heading=${words.title}
      .caption=${caption}
      .waiting=${this.waitingText}
      .note=${this.#note(scored)}
      .caveat=${words.caveat}
      .failure=${this.failed}
      .takeaway=${takeaway}
      @wf-again=${() => this.session.begin(this.models)}
    >
      <wf-scene
        .label=${`${words.name}. ${caption}`}
        .hint=${this.words.keys}
        .draw=${draw}
        .active=${this.session.active}
      ></wf-scene>
      <div slot="options">
        ${renderScores({
          models: scored,
          language,
          layer,
          head,
          words: this.say(scoresWords),
          termName: (name) => this.shared.terms.names[name] ?? name,
          joiner: this.words.join.items,
          choose: (layer, head) => this.change({ layer, head }),
        })}
      </div>
    </wf-frame>`;
  }
}

define("wf-distance-curve", DistanceCurve);
