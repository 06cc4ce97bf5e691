/**
 * `<wf-lab>`: a text of up to 2,048 tokens under up to four schemes or trained models, one head's
 * maps side by side, locked to each other; their difference; and a reader's own file beside them.
 */
import { html, nothing } from "lit";
import { MapLink } from "../../controls/map-link.js";
import type { Extent, MapView } from "../../controls/map-view.js";
import { comparedSchemes, modelsFolder, schemeName } from "../../defaults.js";
import type { Cell } from "../../drawing/scene.js";
import { longestLab, mostInLab } from "../../engine/both/lab-sizes.js";
import type { MapsAnswer } from "../../engine/both/map-messages.js";
import { engine } from "../../engine/page/client.js";
import { folderAddress, readIndex } from "../../engine/page/models-index.js";
import { NewestWins } from "../../engine/page/newest-wins.js";
import { typedText } from "../../state.js";
import { cellNumber } from "../../text/numbers.js";
import { schemeWords, shortTitle, wordsOf } from "../../text/schemes.js";
import { FigureElement, figureStyles } from "../shared/figure-element.js";
import { mapsCode } from "../shared/map-code.js";
import { mapScale, scaleEnd } from "../shared/map-looks.js";
import { zoomWords } from "../shared/map-words.js";
import { dropStyles, type OwnMap, openLine, readOwnFile, takeDrops } from "../shared/own-file.js";
import { ofState } from "../shared/own-state.js";
import { busyLine, mapControls, refusedMap, textControls } from "./lab-controls.js";
import { type LabMap, LabMaps } from "./lab-maps.js";
import { type LabState, readLab, writeLab } from "./lab-state.js";
import { allMaps, mapsAsCsv, valueIn } from "./maps-taken.js";
import { labStyles } from "./styles.js";
import { labWords } from "./words.js";
import "../../controls/map-view.js";
import "../shared/frame.js";

/** The hand rests so long before what it moved is written down. */
const restMilliseconds = 300;

export class Lab extends FigureElement {
  static override properties = {
    ...FigureElement.properties,
    chosen: ofState("lab"),
    models: {},
    answer: { state: true },
    progress: { state: true },
    extents: { state: true },
    pointed: { state: true },
    file: { state: true },
    offered: { state: true },
    isCancelled: { state: true },
  };

  static override styles = [...figureStyles, labStyles, dropStyles];

  /** All that is chosen, as the address has it; empty for the beginning. */
  declare chosen: string;
  /** Folder of the trained models, seen from the document. */
  declare models: string | undefined;
  declare answer: MapsAnswer | undefined;
  declare progress: readonly [number, number] | undefined;
  /** What has been found in the maps, by their ids. */
  declare extents: ReadonlyMap<string, Extent>;
  declare pointed: Cell | undefined;
  declare file: OwnMap | undefined;
  /** Ids of trained models and of schemes of a text. */
  declare offered: Record<"model" | "scheme", readonly string[]>;
  declare isCancelled: boolean;

  #line = new NewestWins("maps");
  #link = new MapLink();
  #maps = new LabMaps();
  #asked = "";
  /** What the state said when the view was taken from it, or written to it. */
  #seen: string | undefined;
  #resting = 0;
  #gone = new AbortController();

  constructor() {
    super();
    this.extents = new Map();
    const ids = comparedSchemes.map(({ id }) => id);
    this.offered = { model: ids, scheme: ids };
    this.isCancelled = false;
    this.#link.addEventListener("change", () => this.#moved());
  }

  get data() {
    return this.answer && { ...this.answer, view: this.#link.view, cell: this.#link.chosen };
  }

  protected override get isFilled(): boolean {
    return this.extents.size > 0;
  }

  protected get watched() {
    return ["lab"] as const;
  }

  get lab(): LabState {
    return readLab(this.state.lab);
  }

  protected override wake(): void {
    this.fetchNames();
    void readIndex(this.#folder).then(({ schemes }) => {
      this.offered = { ...this.offered, model: schemes };
    });
    const ofText = engine.ask("schemes", {}).then((schemes) => {
      const ids = schemes.filter(({ positionAxes }) => positionAxes < 2).map(({ id }) => id);
      this.offered = { ...this.offered, scheme: ids };
    });
    // Without the list, those of the beginning stay.
    ofText.catch(() => {});
    this.stateChanged();
  }

  protected stateChanged(): void {
    this.fetchNames();
    if (this.state.lab !== this.#seen) {
      this.#seen = this.state.lab;
      const { view, cell } = this.lab;
      this.#link.set({ view, active: cell, ...(cell && { chosen: cell }) });
    }
    void this.#ask();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#gone = new AbortController();
    takeDrops(this, (file) => void this.open(file), this.#gone.signal);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#gone.abort();
    clearTimeout(this.#resting);
    this.#line.cancel();
    this.#asked = "";
  }

  get #folder(): string {
    return folderAddress(this.models ?? modelsFolder);
  }

  /** Schemes chosen, or those of the beginning. */
  get #chosen(): readonly string[] {
    const { schemes, reader } = this.lab;
    const known = schemes.filter((id) => this.offered[reader].includes(id));
    return known.length ? known : comparedSchemes.map(({ id }) => id).slice(1);
  }

  get #text(): string {
    return typedText(this.lab.text, this.shared.models.text);
  }

  #ask = (): Promise<void> =>
    this.attempt(async () => {
      const { length, unit, reader, layer, head, part } = this.lab;
      const { language } = this.state;
      const question = {
        ...{ folder: this.#folder, reader, schemes: this.#chosen, language, unit },
        ...{ text: length ? "" : this.#text, length, longest: longestLab, layer, head, part },
      };
      const asked = JSON.stringify(question);
      if (asked === this.#asked) return;
      this.#asked = asked;
      this.isCancelled = false;
      const hear = (done: number, total: number) => {
        this.progress = [done, total];
      };
      hear(0, question.schemes.length);
      try {
        const answer = await this.#line.ask(question, hear);
        if (asked !== this.#asked) return;
        if (answer) this.answer = answer;
      } catch (reason) {
        this.#asked = "";
        throw reason;
      }
      this.progress = undefined;
    });

  #cancel = (): void => {
    this.#asked = "";
    this.#line.cancel();
    this.progress = undefined;
    this.isCancelled = true;
  };

  #again = (): void => {
    this.#asked = "";
    void this.#ask();
  };

  /** Shows a file beside the maps; nothing of it leaves the tab. */
  async open(file: Blob): Promise<void> {
    const name = file instanceof File ? file.name : "";
    await this.attempt(async () => {
      this.file = await readOwnFile(file, name);
    });
  }

  #change = (change: Partial<LabState>): void => {
    this.#seen = writeLab({ ...this.lab, ...change });
    if ("view" in change) this.#link.set({ view: change.view });
    if ("cell" in change && !change.cell) {
      this.#link.set({ active: undefined });
      this.#link.chosen = undefined;
    }
    this.change({ lab: this.#seen });
  };

  /** View and cell go into the address when the hand rests. */
  #moved(): void {
    clearTimeout(this.#resting);
    this.#resting = window.setTimeout(() => {
      const { view, chosen } = this.#link;
      const written = writeLab({ ...this.lab, view, cell: chosen });
      if (written === this.state.lab) return;
      this.#seen = written;
      this.change({ lab: written });
    }, restMilliseconds);
  }

  #name = (id: string): string => {
    const { language } = this.state;
    const name = schemeName(id, language);
    return name === id ? shortTitle(wordsOf(schemeWords(language), id)) : name;
  };

  get #shown(): LabMap[] {
    const { answer, file, lab } = this;
    return this.#maps.of(answer, file, lab, this.#name, this.say(labWords));
  }

  /** Maps that share a scale: all but the difference, which has its own. */
  #limit(isDifference: boolean): number | undefined {
    const maps = this.#shown.filter((map) => map.isDifference === isDifference && map.source);
    const extents = maps.flatMap(({ id }) => this.extents.get(id) ?? []);
    return extents.length < maps.length ? undefined : scaleEnd(extents);
  }

  get #isSigned(): boolean {
    const maps = this.#shown.filter(({ isDifference }) => !isDifference);
    return maps.some(({ id }) => (this.extents.get(id)?.least ?? 0) < 0);
  }

  /** The marked cell in every map. */
  #reading(): string {
    const words = this.say(labWords);
    const { answer } = this;
    const maps = this.#shown.filter(({ source }) => source);
    if (!maps.length) return "";
    const cell = this.pointed ?? this.#link.chosen;
    const [first] = maps;
    const isThere = cell && cell.row < first!.source!.rows && cell.column < first!.source!.columns;
    if (!isThere) return words.rest(answer?.tokens.length ?? first!.source!.rows);
    const { row, column } = cell;
    const { rowLabels, columnLabels } = first!;
    const zoom = this.say(zoomWords);
    const where = zoom.where(row + 1, rowLabels[row]!, column + 1, columnLabels[column]!);
    const said = maps.map(({ title, source }) => {
      const value = valueIn(source!, cell);
      return words.at(title, Number.isNaN(value) ? zoom.masked : cellNumber(value));
    });
    return where + said.join(this.words.join.parts);
  }

  #map(map: LabMap, isFirst: boolean) {
    const { lab } = this;
    const { id, title, source } = map;
    if (!source) return refusedMap(map, this.words.failure);
    const zoom = this.say(zoomWords);
    const describe = (row: number, column: number, value: number) =>
      zoom.cell(row + 1, map.rowLabels[row]!, column + 1, map.columnLabels[column]!, value);
    const hear = ({ detail }: CustomEvent<Extent>) => {
      this.extents = new Map(this.extents).set(id, detail);
    };
    return html`<section>
      <h4>${title}</h4>
      <wf-map-view
        .source=${source}
        .rows=${map.rowLabels}
        .columns=${map.columnLabels}
        .reduce=${lab.reduce}
        .signed=${map.isDifference || this.#isSigned}
        .limit=${this.#limit(map.isDifference)}
        .log=${lab.log}
        .link=${this.#link}
        .label=${title}
        .words=${zoom}
        .describe=${describe}
        .isPlain=${!isFirst}
        .theme=${this.state.theme}
        @wf-extent=${hear}
        @wf-cell=${this.#point}
        @wf-leave=${this.#leave}
      ></wf-map-view>
    </section>`;
  }

  #point = ({ detail }: CustomEvent<Cell>): void => {
    this.pointed = detail;
  };

  #leave = (): void => {
    this.pointed = undefined;
  };

  #scales() {
    const zoom = this.say(zoomWords);
    const { lab } = this;
    const { theme } = this.state;
    const limit = this.#limit(false) ?? 1;
    const hatched = [...this.extents.values()].some(({ hasGaps }) => hasGaps);
    const own = { limit, signed: this.#isSigned, log: lab.log };
    const isCompared = this.#shown.some(({ isDifference }) => isDifference);
    const difference = { limit: this.#limit(true) ?? 1, signed: true, log: false };
    return html`${mapScale(
      zoom.scales[lab.part],
      own,
      zoom,
      hatched ? this.words.scale.masked : "",
      theme,
    )}
    ${isCompared ? mapScale(zoom.difference, difference, zoom, "", theme) : nothing}`;
  }

  #controls() {
    const words = this.say(labWords);
    const { answer, lab, file } = this;
    const view = {
      ...{ state: lab, words, zoom: this.say(zoomWords), text: this.#text },
      remark: answer?.cut && !lab.length ? words.cut(longestLab) : "",
      offered: this.offered[lab.reader].map((id) => ({ value: id, text: this.#name(id) })),
      chosen: this.#chosen.slice(0, mostInLab),
      numLayers: answer?.numLayers ?? 4,
      numHeads: Math.max(answer?.numHeads ?? 4, file?.heads ?? 1),
      isSigned: this.#isSigned,
      change: this.#change,
    };
    const putAway = () => {
      this.file = undefined;
    };
    return html`${textControls(view)} ${mapControls(view)}
    ${openLine(this.say(zoomWords), (opened) => void this.open(opened))}
    ${
      file
        ? html`<p slot="controls"
          ><button class="away" @click=${putAway}>${words.remove(file.name)}</button></p
        >`
        : nothing
    }`;
  }

  protected override render() {
    const words = this.say(labWords);
    const { answer } = this;
    const maps = this.#shown;
    const takeaway = answer && {
      at: "lab",
      title: words.title,
      code: mapsCode(answer),
      table: () => [],
      csv: () => mapsAsCsv(this.#shown),
      scene: () => allMaps(this.renderRoot.querySelectorAll<MapView>("wf-map-view")),
    };
    const note = answer
      ? words.note[answer.reader] + words.took(answer.tokens.length, answer.milliseconds)
      : "";
    const isEmpty = answer && !answer.tokens.length && !this.file;
    return html`<wf-frame
      .name=${words.name}
      .heading=${words.title}
      .reading=${this.#reading()}
      .waiting=${isEmpty ? words.empty : this.words.waiting}
      .note=${note}
      .caveat=${words.caveat}
      .isQuiet=${true}
      .failure=${this.failure}
      .takeaway=${takeaway}
      @wf-again=${this.#again}
    >
      ${busyLine(words, this.say(zoomWords), this.progress, this.isCancelled, this.#cancel)}
      <div class="maps">${maps.map((map, index) => this.#map(map, index === 0))}</div>
      ${this.#scales()}
      <span slot="legend" class="query">${this.words.scale.query}</span>
      <span slot="legend" class="key">${this.words.scale.key}</span>
      ${this.#controls()}
    </wf-frame>`;
  }
}

customElements.define("wf-lab", Lab);
