/**
 * `<wf-lab>`: a text of up to 2,048 tokens under up to four schemes or trained models, one head's
 * maps side by side, zoomed together; their difference; and beside them a reader's own file, or the
 * checkpoint that the reader has opened.
 */
import { html, nothing } from "lit";
import { MapLink } from "../../controls/map-link.js";
import type { MapView } from "../../controls/map-view.js";
import { comparedSchemes, formulaScheme, modelsFolder, schemeName } from "../../defaults.js";
import { define } from "../../define.js";
import type { OpenedMapQuestion } from "../../engine/both/checkpoint-messages.js";
import { failureOf } from "../../engine/both/failure.js";
import { longestLab, longestOpened, maxInLab } from "../../engine/both/lab-sizes.js";
import type { MapSurgery, MapsAnswer, MapsQuestion } from "../../engine/both/map-messages.js";
import { engine } from "../../engine/page/client.js";
import { folderAddress, readIndex } from "../../engine/page/models-index.js";
import { NewestWins } from "../../engine/page/newest-wins.js";
import { typedText } from "../../page-state.js";
import { cellNumber } from "../../text/numbers.js";
import { schemeWords, shortTitle, wordsOf } from "../../text/schemes.js";
import { fetchData, nameOfAddress } from "../shared/data/data-source.js";
import { readMapFile } from "../shared/data/opened-file.js";
import { ofState } from "../shared/figure/state-properties.js";
import { formulaFields, optionsOf, writtenIn } from "../shared/formula/written.js";
import { address, ofKind } from "../shared/given/kinds.js";
import { sidesOf } from "../shared/maps/by-word.js";
import { mapsCode } from "../shared/maps/map-code.js";
import { allMaps, mapsAsCsv } from "../shared/maps/map-exports.js";
import { MapFilesFigure } from "../shared/maps/map-files-figure.js";
import { hasCell, valueIn } from "../shared/maps/map-sources.js";
import type { FigureMap } from "../shared/maps/maps-figure.js";
import { unitWords } from "../shared/maps/unit-words.js";
import { surgeryControlWords } from "../shared/trained/surgery-words.js";
import { busyLine, mapControls, refusedMap, textControls } from "./lab-controls.js";
import { LabMaps } from "./lab-maps.js";
import { LabOpened, openedHint, openedNotice, openedReader } from "./lab-opened.js";
import { isByWord, type LabState, readLab, writeLab } from "./lab-state.js";
import { type SurgeryView, surgeryControls, surgerySentence } from "./lab-surgery.js";
import { labStyles } from "./styles.js";
import { labWords } from "./words.js";
import "../shared/figure/frame.js";

/** Pause after the last movement before the state is written to the address. */
const restMilliseconds = 300;

export class Lab extends MapFilesFigure<MapsAnswer> {
  static override properties = {
    ...MapFilesFigure.properties,
    chosen: ofState("lab"),
    models: ofKind(address),
    progress: { state: true },
    offered: { state: true },
    isCancelled: { state: true },
  };

  static override styles = [...MapFilesFigure.styles, labStyles];

  /** All choices, in the form of the page's address; empty for the defaults. */
  declare chosen: string;
  /** Address of a file of weights to show beside the maps: JSON, NPY or CSV. */
  declare src: string | undefined;
  /** Folder of the trained models, relative to the document. */
  declare models: string | undefined;
  declare progress: readonly [number, number] | undefined;
  /** Ids of trained models and of schemes for text. */
  declare offered: Record<"model" | "scheme", readonly string[]>;
  declare isCancelled: boolean;

  #line = new NewestWins("maps");
  #maps = new LabMaps(this.sources);
  #opened = new LabOpened(() => {
    if (this.isAwake) this.requestUpdate();
  });
  /** Whether the list of models or schemes has loaded; until then its space is reserved. */
  #isListed = { model: false, scheme: false };
  #fetched: string | undefined;
  /** Value of the state's field that matches the view. */
  #seen: string | undefined;
  #resting = 0;

  constructor() {
    super();
    const ids = comparedSchemes.map(({ id }) => id);
    this.offered = { model: ids, scheme: ids };
    this.isCancelled = false;
    this.link = new MapLink();
    this.link.changes.listen(() => this.#moved());
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#opened.begin();
  }

  override get data() {
    const { answer, failure } = this.#opened;
    const opened = answer ?? (failure && { failure });
    const { view, chosen: cell } = this.link;
    return this.shown && { ...this.shown, view, cell, ...(opened && { opened }) };
  }

  #list(reader: "model" | "scheme", ids: readonly string[]): void {
    this.#isListed[reader] = true;
    this.offered = { ...this.offered, [reader]: ids };
  }

  get lab(): LabState {
    return readLab(this.state.lab);
  }

  protected override wake(): void {
    this.fetchNames();
    void readIndex(this.#folder).then(({ schemes }) => this.#list("model", schemes));
    const ofText = engine.ask("schemes", {}).then((schemes) => {
      const ids = schemes.filter(({ positionAxes }) => positionAxes < 2).map(({ id }) => id);
      this.#list("scheme", [...ids, formulaScheme]);
    });
    // Without the list, the default schemes stay.
    ofText.catch(() => this.#list("scheme", this.offered.scheme));
    this.stateChanged();
  }

  protected override stateChanged(): void {
    this.fetchNames();
    if (this.state.lab !== this.#seen) {
      this.#seen = this.state.lab;
      const { view, cell } = this.lab;
      this.link.set({ view, active: cell, ...(cell && { chosen: cell }) });
    }
    super.stateChanged();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#resting);
    this.#line.cancel();
    this.#opened.end();
  }

  /**
   * The question to the reader's own model depends on the other answers, which have the length of
   * the held-out text.
   */
  protected override updated(): void {
    this.#opened.want(this.#openedQuestion);
  }

  get #folder(): string {
    return folderAddress(this.models ?? modelsFolder);
  }

  /** Chosen schemes, or the default ones. */
  get #chosen(): readonly string[] {
    const { schemes, reader } = this.lab;
    const isKnown = (id: string) =>
      this.offered[reader].includes(id) || (reader === "model" && id === openedReader);
    const known = schemes.filter(isKnown);
    const ids = known.length ? known : comparedSchemes.map(({ id }) => id).slice(1);
    return ids.slice(0, maxInLab);
  }

  /** The model under surgery, one of those in view. */
  get #operated(): string {
    const chosen = this.#chosen;
    return chosen.find((id) => id === this.lab.operated) ?? chosen[0]!;
  }

  get #text(): string {
    return typedText(this.lab.text, this.shared.models.text);
  }

  /** Returns the surgery on that model; empty if the model is not among the shown ones. */
  #operation(isOpened: boolean): { operation?: MapSurgery } {
    const { reader, operation, scope: where, value, token } = this.lab;
    const scheme = this.#operated;
    const isTheirs = reader === "model" && (scheme === openedReader) === isOpened;
    const request = { operation, where, value, token: token - 1, scheme };
    return isTheirs ? { operation: request } : {};
  }

  get #hasOpened(): boolean {
    return this.#chosen.includes(openedReader);
  }

  /** The question to the reader's own model; undefined until the held-out text has loaded. */
  get #openedQuestion(): OpenedMapQuestion | undefined {
    const { length, layer, head, part } = this.lab;
    const { shown } = this;
    const heldOut = shown?.length === length ? shown.tokens.join("") : undefined;
    const text = length ? heldOut : this.#text;
    if (!this.#hasOpened || text === undefined) return undefined;
    const view = { longest: longestOpened, layer, head, part };
    return { text, ...view, ...this.#operation(true) };
  }

  /** The reader's formula, if it is chosen. */
  #formula(schemes: readonly string[]): Pick<MapsQuestion, "formula"> {
    if (this.lab.reader === "model" || !schemes.includes(formulaScheme)) return {};
    try {
      return { formula: optionsOf(writtenIn(this.state)) };
    } catch (reason) {
      return { formula: { failure: failureOf(reason) } };
    }
  }

  get #question(): MapsQuestion {
    const { length, unit, reader, layer, head, part } = this.lab;
    const { language } = this.state;
    const schemes = this.#chosen.filter((id) => id !== openedReader);
    return {
      folder: this.#folder,
      reader,
      schemes,
      language,
      unit,
      text: length ? "" : this.#text,
      length,
      longest: longestLab,
      layer,
      head,
      part,
      ...this.#operation(false),
      ...this.#formula(schemes),
    };
  }

  protected override get watched() {
    return [...super.watched, ...formulaFields];
  }

  protected get inputs() {
    return [JSON.stringify(this.#question), this.src];
  }

  protected async read(signal: AbortSignal): Promise<MapsAnswer | undefined> {
    const { src } = this;
    if (src && src !== this.#fetched) {
      this.file = await readMapFile(await fetchData(src, signal), nameOfAddress(src));
      this.#fetched = src;
    }
    const question = this.#question;
    const hear = (done: number, total: number) => {
      this.progress = [done, total];
    };
    this.isCancelled = false;
    hear(0, question.schemes.length);
    try {
      const answer = await this.#line.ask(question, hear);
      // If a newer question has replaced this one, its progress continues.
      if (answer) this.progress = undefined;
      return answer;
    } catch (reason) {
      this.progress = undefined;
      throw reason;
    }
  }

  #cancel = (): void => {
    this.#line.cancel();
    this.progress = undefined;
    this.isCancelled = true;
  };

  #change = (change: Partial<LabState>): void => {
    const next = { ...this.lab, ...change };
    // In other units the same indices are other cells.
    const moved = isByWord(this.lab) !== isByWord(next);
    this.#apply(moved ? { ...change, view: undefined, cell: undefined } : change);
  };

  #apply(change: Partial<LabState>): void {
    this.#seen = writeLab({ ...this.lab, ...change });
    if ("view" in change) this.link.set({ view: change.view });
    if ("cell" in change && !change.cell) {
      this.link.set({ active: undefined });
      this.link.chosen = undefined;
    }
    this.change({ lab: this.#seen });
  }

  /** Writes view and cell to the address after a pause. */
  #moved(): void {
    clearTimeout(this.#resting);
    this.#resting = window.setTimeout(() => {
      const { view, chosen } = this.link;
      const written = writeLab({ ...this.lab, view, cell: chosen });
      if (written === this.state.lab) return;
      this.#seen = written;
      this.change({ lab: written });
    }, restMilliseconds);
  }

  #name = (id: string): string => {
    const { language } = this.state;
    if (id === formulaScheme) return this.shared.formula;
    if (id === openedReader) return this.#opened.entry?.name ?? this.say(labWords).opened.name;
    const name = schemeName(id, language);
    return name === id ? shortTitle(wordsOf(schemeWords(language), id)) : name;
  };

  protected get maps(): readonly FigureMap[] {
    const words = this.say(labWords);
    const { after: operated, minus, last } = words;
    const names = { of: this.#name, operated, minus, last };
    const opened = this.#hasOpened ? this.#opened : undefined;
    return this.#maps.of(this.shown, this.file, opened, this.lab, names);
  }

  protected get look() {
    return this.lab;
  }

  get #surgery(): SurgeryView {
    return {
      state: this.lab,
      lab: this.say(labWords),
      answer: this.#operated === openedReader ? this.#opened.answer : this.shown,
      operated: this.#operated,
      models: this.#chosen,
      change: this.#change,
      words: this.say(surgeryControlWords),
      nameOf: this.#name,
      termName: (term) => this.shared.terms.names[term] ?? term,
    };
  }

  /**
   * Returns the caption: the marked cell in every map; else the text that was read, and the
   * surgery.
   */
  #caption(maps: readonly FigureMap[]): string {
    const words = this.say(labWords);
    const drawn = maps.filter(({ source }) => source);
    const [first] = drawn;
    if (!first) return "";
    const cell = this.cellIn(first.source!);
    if (!cell)
      return (
        words.rest(this.shown?.tokens.length ?? first.source!.rows) + surgerySentence(this.#surgery)
      );
    const { row, column } = cell;
    const { rowLabels, columnLabels } = first;
    const { zoom } = this;
    const where = zoom.where(row + 1, rowLabels[row]!, column + 1, columnLabels[column]!);
    const having = drawn.filter(({ source }) => hasCell(source!, cell));
    const said = having.map(({ title, source }) => {
      const value = valueIn(source!, cell);
      return words.at(title, Number.isNaN(value) ? zoom.masked : cellNumber(value));
    });
    return where + said.join(this.words.join.parts);
  }

  #map(map: FigureMap, isFirst: boolean) {
    if (!map.source && map.id === openedReader)
      return openedNotice(this.#opened, map.title, this.say(labWords), this.words);
    if (!map.source) return refusedMap(map, this.words);
    return html`<section>
      <h4>${map.title}</h4>
      ${this.mapView(map, map.title, !isFirst)}
    </section>`;
  }

  #controls() {
    const words = this.say(labWords);
    const { shown, lab, file, zoom } = this;
    const { entry } = this.#opened;
    const model = this.#hasOpened ? entry?.model : undefined;
    const numHeads = Math.max(shown?.numHeads ?? 4, file?.heads ?? 1, model?.numHeads ?? 1);
    const isModel = lab.reader === "model";
    const opened = isModel && (entry || this.#hasOpened) ? [openedReader] : [];
    const offered = this.#isListed[lab.reader] ? [...this.offered[lab.reader], ...opened] : [];
    const view = {
      state: lab,
      words,
      zoom,
      units: this.say(unitWords),
      text: this.#text,
      chosen: this.#chosen,
      numHeads,
      remark: shown?.isShortened && !lab.length ? words.shortened(longestLab) : "",
      examples: this.shared.models.examples,
      offered: offered.map((id) => ({ value: id, text: this.#name(id) })),
      hint: isModel ? openedHint(entry !== undefined, words) : nothing,
      numLayers: Math.max(shown?.numLayers ?? 4, file?.layers ?? 1, model?.numLayers ?? 1),
      isSigned: this.isSigned,
      surgery: surgeryControls(this.#surgery),
      change: this.#change,
    };
    const putAway = () => (this.file = undefined);
    return html`${textControls(view)} ${mapControls(view)} ${this.openLine()}
    ${
      file
        ? html`<p slot="controls"
            ><button class="away" @click=${putAway}>${words.remove(file.name)}</button></p
          >`
        : nothing
    }`;
  }

  #note({ reader, operated, tokens }: MapsAnswer): string {
    const words = this.say(labWords);
    const scored = operated?.losses.length ? words.scored(operated.scored) : "";
    const theirs = this.#hasOpened ? this.#opened.answer : undefined;
    const name = this.#name(openedReader);
    const byWord = isByWord(this.lab);
    const openedNote = theirs ? words.opened.note(name, theirs.tokens.length, byWord) : "";
    const shortened = theirs?.isShortened ? words.opened.shortened(name, longestOpened) : "";
    const hasWords = byWord && sidesOf(tokens) !== undefined;
    const unitNote = hasWords ? this.words.join.sentences + this.say(unitWords).note : "";
    return words.note[reader] + unitNote + scored + openedNote + shortened;
  }

  protected override render() {
    const words = this.say(labWords);
    const { shown, maps, file, lab, zoom } = this;
    const takeaway = shown && {
      at: "lab",
      title: words.title,
      code: mapsCode(shown, isByWord(lab), this.#hasOpened ? this.#opened.read : undefined),
      table: () => [],
      csv: () => mapsAsCsv(this.maps),
      scene: () => allMaps(this.renderRoot.querySelectorAll<MapView>("wf-map-view")),
    };
    const chooseHead = (head: number) => this.#change({ head });
    const heads = file && this.headsGrid(this.givenLayer(file, lab.layer), lab.head, chooseHead);
    const isEmpty = shown && !shown.tokens.length && !file;
    const busy = { progress: this.progress, isCancelled: this.isCancelled, answer: shown };
    const inside = html`${busyLine(words, zoom, busy, this.#cancel)} ${heads ?? nothing}
      <div class="maps">${maps.map((map, index) => this.#map(map, index === 0))}</div>`;
    return this.framed({
      name: words.name,
      title: words.title,
      caption: isEmpty ? words.empty : this.#caption(maps),
      note: shown ? this.#note(shown) : "",
      caveat: words.caveat,
      isQuiet: true,
      takeaway,
      inside,
      around: html`${this.scales(zoom.scales[lab.part], zoom.difference)}
        <span slot="legend" class="query">${this.words.scale.query}</span>
        <span slot="legend" class="key">${this.words.scale.key}</span>
        ${this.#controls()}`,
    });
  }
}

define("wf-lab", Lab);
