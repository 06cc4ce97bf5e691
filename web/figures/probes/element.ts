/** `<wf-probes>`: tasks that depend on position, and the schemes that learnt them. */
import { html, nothing } from "lit";
import { bagModel, blindScheme, modelsFolder, type ProbeTask, probeTasks } from "../../defaults.js";
import { define } from "../../define.js";
import { familyOf } from "../../drawing/family-colours.js";
import { engine } from "../../engine/page/client.js";
import { folderAddress, readIndex } from "../../engine/page/models-index.js";
import { type ProbeResults, readProbes } from "../../engine/page/probe-results.js";
import { percent } from "../../text/numbers.js";
import { schemeWords, shortTitle, wordsOf } from "../../text/schemes.js";
import { belowStyles } from "../shared/figure/below-styles.js";
import { FigureElement, figureStyles } from "../shared/figure/figure-element.js";
import { linkedName } from "../shared/figure/page-link.js";
import { ofState } from "../shared/figure/state-properties.js";
import { address, ofKind } from "../shared/given/kinds.js";
import { familyStyles } from "../shared/pictures/family-styles.js";
import {
  type Cell,
  type Order,
  sortedTable,
  sortedTableStyles,
} from "../shared/tables/sorted-table.js";
import { numberTable } from "../shared/tables/table-styles.js";
import { probesCode } from "./code.js";
import { type Example, examples } from "./examples.js";
import type { Manner } from "./manner.js";
import { drawProbe, type ProbeRow } from "./picture.js";
import { probeStyles } from "./styles.js";
import { type Counted, probeWords } from "./words.js";
import "../../controls/choice.js";
import "../../controls/scene-view.js";
import "../shared/figure/frame.js";

/** Minimum share of correct answers, with every seed, for a solved task. */
const solvedShare = 0.95;

export class Probes extends FigureElement {
  static override properties = {
    ...FigureElement.properties,
    task: ofState("probeTask"),
    models: ofKind(address),
    results: { state: true },
    isMissing: { state: true },
    order: { state: true },
  };

  static override styles = [
    ...figureStyles,
    numberTable,
    sortedTableStyles,
    belowStyles,
    familyStyles,
    probeStyles,
  ];

  /** The task that is shown. */
  declare task: ProbeTask;
  /** Folder of the models and the results, relative to the document. */
  declare models: string | undefined;
  declare results: ProbeResults | undefined;
  declare isMissing: boolean;
  declare order: Order;
  #families: ReadonlyMap<string, string> = new Map();
  #isAsking = false;

  constructor() {
    super();
    this.isMissing = false;
    this.order = { column: 1, isDown: true };
  }

  get data() {
    if (!this.results) return undefined;
    return { task: this.state.probeTask, counted: this.#counted(), rows: this.#rows() };
  }

  protected override get isFilled(): boolean {
    return this.data !== undefined || this.isMissing;
  }

  protected stateChanged(): void {
    this.fetchNames();
    void this.#ask();
  }

  get #folder(): string {
    return folderAddress(this.models ?? modelsFolder);
  }

  async #ask(): Promise<void> {
    if (this.#isAsking || this.results || this.isMissing) return;
    this.#isAsking = true;
    await this.attempt(async () => {
      const folder = this.#folder;
      const { experiments } = await readIndex(folder);
      if (!experiments.includes("probes")) {
        this.isMissing = true;
        return;
      }
      const [catalogue, response] = await Promise.all([
        engine.ask("catalogue", {}),
        fetch(new URL("probes.json", folder)),
      ]);
      this.#families = new Map(catalogue.map(({ scheme, family }) => [scheme, family]));
      this.results = readProbes(await response.json());
    });
    this.#isAsking = false;
  }

  #name(scheme: string): string {
    if (scheme === bagModel) return this.say(probeWords).bag;
    return shortTitle(wordsOf(schemeWords(this.state.language), scheme));
  }

  #manner(scheme: string): Manner {
    const family = this.#families.get(scheme);
    if (!family || family === "none") return "nothing";
    return family === "absolute" ? "position" : "distance";
  }

  /** Returns a row for each model, the best first. */
  #rows(): ProbeRow[] {
    const rows = [...this.results!.scores].map(([scheme, scores]) => ({
      scheme,
      name: this.#name(scheme),
      manner: this.#manner(scheme),
      family: familyOf(scheme),
      score: scores[this.state.probeTask],
    }));
    return rows.sort((a, b) => b.score.mean - a.score.mean);
  }

  #counted(): Counted {
    const rows = this.#rows();
    const meanOf = (id: string) => rows.find(({ scheme }) => scheme === id)?.score.mean ?? 0;
    const schemes = rows.filter(({ scheme }) => scheme !== bagModel && scheme !== blindScheme);
    const best = schemes[0]!;
    return {
      all: schemes.length,
      solved: schemes.filter(({ score }) => score.min >= solvedShare).length,
      best: best.name,
      bestMean: best.score.mean,
      masked: meanOf(blindScheme),
      bag: meanOf(bagModel),
    };
  }

  get #example(): Example {
    const { probeTask } = this.state;
    return probeTask === "agent" ? this.say(probeWords).examples.agent : examples[probeTask];
  }

  #cells(results: ProbeResults): Cell[][] {
    return [...results.scores].map(([scheme, scores]) => {
      const name = this.#name(scheme);
      const text = scheme === bagModel ? name : linkedName(scheme, this.shared, name);
      const shares = probeTasks.map((task): Cell => {
        const { mean } = scores[task];
        return { text: percent(mean), value: mean };
      });
      return [{ text, value: name }, ...shares];
    });
  }

  #table(results: ProbeResults) {
    const words = this.say(probeWords);
    const columns = [words.scheme, ...probeTasks.map((task) => words.tasks[task])];
    const sort = (order: Order) => {
      this.order = order;
    };
    return html`<details slot="options" class="below">
      <summary>${words.folded}</summary>
      ${sortedTable(this.#cells(results), this.order, { ...words, columns }, sort)}
    </details>`;
  }

  #numbers(results: ProbeResults): (string | number)[][] {
    return [
      ["scheme", "task", "seed", "right"],
      ...[...results.scores].flatMap(([scheme, scores]) =>
        probeTasks.flatMap((task) =>
          scores[task].seeds.map((share, seed) => [scheme, task, seed + 1, share]),
        ),
      ),
    ];
  }

  protected override render() {
    const words = this.say(probeWords);
    const { results } = this;
    const { probeTask } = this.state;
    const title = words.titles[probeTask];
    const counted = results && this.#counted();
    const caption = counted ? words.caption(counted) : "";
    const options = probeTasks.map((value) => ({ value, text: words.tasks[value] }));
    const set = ({ detail }: CustomEvent<ProbeTask>) => this.change({ probeTask: detail });
    const takeaway = results && {
      at: "tasks",
      title,
      code: probesCode(this.#folder, probeTask, results.command),
      table: () => this.#numbers(results),
      scene: () => this.scene(),
    };
    return html`<wf-frame
      .name=${words.name}
      .heading=${title}
      .caption=${caption}
      .waiting=${this.isMissing ? words.missing : this.words.waiting}
      .note=${results ? words.note(results) : ""}
      .caveat=${results ? words.caveat : ""}
      .failure=${this.failure}
      .takeaway=${takeaway}
      @wf-again=${() => this.#ask()}
    >
      <div slot="ask">
        <wf-choice
          class="task"
          .label=${words.task}
          .value=${probeTask}
          .options=${options}
          @wf-change=${set}
        ></wf-choice>
        <p class="why">${words.whys[probeTask]}</p>
      </div>
      ${
        counted
          ? html`<wf-scene
              .label=${`${words.name}. ${caption}`}
              .hint=${this.words.keys}
              .draw=${drawProbe(this.#example, this.#rows(), counted.bag, words)}
            ></wf-scene>`
          : nothing
      }
      ${Object.entries(words.marks).map(
        ([family, mark]) => html`<span slot="legend" class="family ${family}">${mark}</span>`,
      )}
      ${results ? this.#table(results) : nothing}
    </wf-frame>`;
  }
}

define("wf-probes", Probes);
