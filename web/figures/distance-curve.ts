/** `<wf-distance-curve>`: how the chosen head's attention falls with distance, one line per scheme. */
import { html } from "lit";
import type { Draw } from "../controls/scene-view.js";
import { comparedSchemes } from "../defaults.js";
import { roundUp } from "../drawing/axes.js";
import { curveMarks } from "../drawing/curve.js";
import { session } from "../engine/session.js";
import { percent, weight } from "../text/numbers.js";
import { headCode } from "./codes.js";
import { insideStyles } from "./figure-element.js";
import { SessionFigure } from "./session-figure.js";
import "./frame.js";

interface Curve {
  scheme: string;
  values: Float32Array;
  nearShare: number;
}

export class DistanceCurve extends SessionFigure {
  static override styles = insideStyles;

  get data(): { curves: Curve[] } | undefined {
    if (!session.detail || !session.isDetailed) return undefined;
    const curves = session.detail.details.map(({ scheme, weightByDistance, nearShare }) => ({
      scheme,
      values: weightByDistance,
      nearShare,
    }));
    return { curves };
  }

  #reading(curves: readonly Curve[]): string {
    const words = this.words.distance;
    const near = curves.map(({ scheme, nearShare }) =>
      words.share(this.name(scheme), percent(nearShare)),
    );
    return words.reading(near.join(this.words.heads.joiner));
  }

  #draw(curves: readonly Curve[] | undefined): Draw {
    const words = this.words.distance;
    const names = comparedSchemes.map(({ id }) => this.name(id));
    const at = session.active && session.active.row - session.active.column;
    return (width, palette, measure) => {
      const lines = names.map((name, index) => ({ name, values: curves?.[index]?.values ?? [] }));
      const longest = Math.max(curves ? 2 : 15, ...lines.map(({ values }) => values.length));
      const mostY = roundUp(Math.max(0.1, ...lines.flatMap(({ values }) => [...values])));
      const keyRows = width < 480 ? 3 : 1;
      const top = 24 + keyRows * 20 + 14;
      const frame = {
        left: 40,
        top,
        width: Math.min(width, 720) - 52,
        height: 210,
        mostX: longest - 1,
        mostY,
      };
      const mark =
        curves && at !== undefined && at < longest ? { x: at, name: words.chosen } : undefined;
      const marks = curveMarks(lines, frame, palette, measure, { x: words.x, y: words.y }, mark);
      const describe = (_: number, distance: number) => {
        const values = lines.map(({ name, values }) => `${name} ${weight(values[distance] ?? 0)}`);
        return words.point(distance, values.join(this.words.heads.joiner));
      };
      const pitch = frame.width / Math.max(1, longest - 1);
      const grid = {
        id: "distance",
        label: words.gridLabel,
        x: frame.left - pitch / 2,
        y: frame.top,
        cellWidth: pitch,
        cellHeight: frame.height,
        rows: 1,
        columns: longest,
        describe,
      };
      return { width, height: frame.top + frame.height + 44, marks, grids: curves ? [grid] : [] };
    };
  }

  #table(curves: readonly Curve[]): (string | number)[][] {
    const rows = curves.flatMap(({ scheme, values }) =>
      [...values].map((value, distance) => [scheme, distance, value]),
    );
    return [["scheme", "tokens_back", "mean_weight"], ...rows];
  }

  protected override render() {
    const words = this.words.distance;
    const curves = this.data?.curves;
    const reading = curves ? this.#reading(curves) : "";
    const { layer, head } = session.chosen;
    const takeaway = curves && {
      at: "distance",
      title: words.title,
      code: headCode(
        session.text,
        comparedSchemes.map(({ id }) => id),
        layer,
        head,
      ),
      table: () => this.#table(curves),
      scene: () => this.scene(),
    };
    return html`<wf-frame
      .isQuiet=${true}
      .name=${words.name}
      .heading=${words.title}
      .reading=${reading}
      .waiting=${this.waitingText}
      .caveat=${words.caveat}
      .failure=${session.stage === "failed" ? session.failure : undefined}
      .takeaway=${takeaway}
      @wf-again=${() => session.begin(this.models)}
    >
      <wf-scene .label=${`${words.name}. ${reading}`} .hint=${this.words.keys} .draw=${this.#draw(curves)}></wf-scene>
    </wf-frame>`;
  }
}

customElements.define("wf-distance-curve", DistanceCurve);
