/**
 * One text in the trained models, shared by the figures of a group: loaded files, the models'
 * answers, details of one head, and the marked cell.
 */
import {
  comparedSchemes,
  fewestCompared,
  longestText,
  maxCompared,
  modelsFolder,
} from "../../../defaults.js";
import type { Cell } from "../../../drawing/scene.js";
import { type Failure, failureOf } from "../../../engine/both/failure.js";
import type { HeadAnswer, LoadAnswer, ReadAnswer } from "../../../engine/both/messages.js";
import { EngineClient, engine } from "../../../engine/page/client.js";
import { Corpus } from "../../../engine/page/corpus-heads.js";
import { folderAddress, type ModelsIndex, readIndex } from "../../../engine/page/models-index.js";
import { NewestWins } from "../../../engine/page/newest-wins.js";
import { typedText } from "../../../page-state.js";
import { type Group, type Part, page } from "../../../state.js";
import { wordsIn } from "../../../text/index.js";
import { sharedWords } from "../figure/words.js";

export type Stage = "asleep" | "loading" | "ready" | "failed";

/** Arguments of the latest questions to the worker. */
interface Asked {
  schemes: string;
  text: string | undefined;
  layer: number;
  head: number;
}

/** Parts of the state whose changes lead to new questions. */
const followed: readonly Part[] = ["language", "text", "headSchemes", "layer", "head"];

const nothingAsked: Asked = { schemes: "", text: undefined, layer: -1, head: -1 };

export class Session {
  stage: Stage = "asleep";
  progress = { loaded: 0, total: 0 };
  failure: Failure | undefined;
  /** Address of the folder of models, and its index once it has loaded. */
  folder = "";
  index: ModelsIndex | undefined;
  /** Scores of heads over the held-out text, for figures that need them. */
  readonly corpus = new Corpus(() => this.group.changes.tell("corpus"));
  models: LoadAnswer | undefined;
  textAnswer: ReadAnswer | undefined;
  /** Details of the chosen head; their `tokens` identify the text. */
  detail: HeadAnswer | undefined;
  /** Cell under the pointer, which takes precedence over the chosen one. */
  pointed: Cell | undefined;

  #loadLine: NewestWins<"load">;
  #readLine: NewestWins<"read">;
  #headLine: NewestWins<"head">;
  #asked: Asked = nothingAsked;
  #onChange = (parts: ReadonlySet<Part>) => {
    if (followed.some((part) => parts.has(part))) void this.#follow();
  };

  /** `client`: a worker holds one text, so each group needs its own. */
  constructor(
    private readonly group: Group,
    readonly client: EngineClient,
  ) {
    this.#loadLine = new NewestWins("load", client);
    this.#readLine = new NewestWins("read", client);
    this.#headLine = new NewestWins("head", client);
  }

  get text(): string {
    return typedText(
      this.group.state.text,
      wordsIn(this.group.state.language, sharedWords).models.text,
    );
  }

  /** Models to show side by side: those in the address that exist, or the default ones. */
  get compared(): string[] {
    const known = this.index?.schemes;
    const written = [...new Set(this.group.state.headSchemes.split("."))].filter((id) =>
      known ? known.includes(id) : id,
    );
    if (written.length >= fewestCompared) return written.slice(0, maxCompared);
    const first = comparedSchemes.map(({ id }) => id);
    const there = first.filter((id) => known?.includes(id) ?? true);
    return there.length ? there : (known ?? first).slice(0, maxCompared);
  }

  /** Models whose answers are in view; the requested ones while there are none. */
  get shown(): string[] {
    return this.textAnswer?.byScheme.map(({ scheme }) => scheme) ?? this.compared;
  }

  /** Chosen layer and head, clamped to the models' sizes. */
  get chosen(): { layer: number; head: number } {
    const { numLayers = Infinity, numHeads = Infinity } =
      this.textAnswer ?? this.models?.models[0] ?? {};
    return {
      layer: Math.min(this.group.state.layer, numLayers - 1),
      head: Math.min(this.group.state.head, numHeads - 1),
    };
  }

  /** The chosen head of the models in view, and the text that they have read. */
  get headRead(): { text: string; schemes: string[]; layer: number; head: number } {
    return { text: this.text, schemes: this.shown, ...this.chosen };
  }

  /** The initial cell in the chosen head's map. */
  get #suggested(): readonly [number, number] {
    const { layer, head } = this.chosen;
    const { suggested, numHeads } = this.textAnswer!;
    return suggested[layer * numHeads + head]!;
  }

  /** The cell that all figures mark: under the pointer, else chosen, else suggested. */
  get active(): Cell | undefined {
    const n = this.textAnswer?.tokens.length ?? 0;
    if (!n) return undefined;
    const [row, column] = this.group.state.cell.length ? this.group.state.cell : this.#suggested;
    const cell = this.pointed ?? { row: row!, column: column! };
    const inRange = Math.min(cell.row, n - 1);
    return { row: inRange, column: Math.min(cell.column, inRange) };
  }

  /**
   * Begins once; further calls do nothing unless it has failed. `folder` is relative to the
   * document.
   */
  begin(folder = modelsFolder): void {
    if (this.stage === "loading" || this.stage === "ready") return;
    this.stage = "loading";
    this.failure = undefined;
    this.#asked = nothingAsked;
    this.group.changes.tell("models");
    this.folder = folderAddress(folder);
    void readIndex(this.folder).then((index) => {
      this.index = index;
      // One function for all calls, so that a second call adds no second listener.
      this.group.changes.listen(this.#onChange);
      return this.#follow();
    });
  }

  /** Loads missing models; returns `false` if a newer request has replaced this one. */
  async #load(schemes: string[]): Promise<boolean> {
    this.#asked = { ...nothingAsked, schemes: schemes.join(".") };
    this.stage = "loading";
    this.progress = { loaded: 0, total: 0 };
    this.group.changes.tell("models");
    // At most one notice per frame: parts of files arrive faster, and each notice renders all
    // figures of the models.
    let isAwaited = false;
    const tell = () => {
      isAwaited = false;
      if (this.stage === "loading") this.group.changes.tell("models");
    };
    const onProgress = (loaded: number, total: number) => {
      this.progress = { loaded, total };
      if (isAwaited) return;
      isAwaited = true;
      requestAnimationFrame(tell);
    };
    const models = await this.#loadLine.ask({ folder: this.folder, schemes }, onProgress);
    if (!models) return false;
    this.models = models;
    this.stage = "ready";
    return true;
  }

  #fail(reason: unknown): void {
    this.stage = "failed";
    this.failure = failureOf(reason);
    this.group.changes.tell("models");
  }

  /** Sends requests again after changes: for the models, the text, or only the head. */
  async #follow(): Promise<void> {
    try {
      const { compared } = this;
      if (compared.join(".") !== this.#asked.schemes && !(await this.#load(compared))) return;
      // While models are loading, the call that requested them continues from here.
      if (this.stage !== "ready") return;
      const { text } = this;
      if (text !== this.#asked.text) {
        this.#asked = { ...this.#asked, text, layer: -1, head: -1 };
        const textAnswer = await this.#readLine.ask({ text, longest: longestText });
        if (!textAnswer) return;
        this.textAnswer = textAnswer;
        this.pointed = undefined;
        // The details of the previous text stay in view until those of this one arrive.
        if (!textAnswer.tokens.length) this.detail = undefined;
        // A head requested in the meantime belonged to the previous text.
        this.#asked = { ...this.#asked, text, layer: -1, head: -1 };
        this.group.changes.tell(
          "textAnswer",
          ...(textAnswer.tokens.length ? [] : (["detail"] as const)),
        );
      }
      const { layer, head } = this.chosen;
      if (
        !this.textAnswer?.tokens.length ||
        (layer === this.#asked.layer && head === this.#asked.head)
      )
        return;
      this.#asked = { ...this.#asked, layer, head };
      const detail = await this.#headLine.ask({ layer, head });
      if (!detail) return;
      this.detail = detail;
      this.group.changes.tell("detail");
    } catch (reason) {
      this.#fail(reason);
    }
  }

  /** Marks the cell under the pointer; `undefined` returns to the chosen one. */
  point(cell: Cell | undefined): void {
    if (cell?.row === this.pointed?.row && cell?.column === this.pointed?.column) return;
    this.pointed = cell;
    this.group.changes.tell("pointed");
  }

  /** True if the details belong to the models, the text and the head in view. */
  get isDetailed(): boolean {
    const { layer, head } = this.chosen;
    const { detail, textAnswer } = this;
    return (
      detail !== undefined &&
      detail.layer === layer &&
      detail.head === head &&
      detail.details.map(({ scheme }) => scheme).join(".") === this.shown.join(".") &&
      detail.tokens.join("\u0000") === textAnswer?.tokens.join("\u0000")
    );
  }
}

/** The session of the article, with the worker of its other figures. */
export const session = new Session(page, engine);

const sessions = new WeakMap<Group, Session>([[page, session]]);

export function sessionOf(group: Group): Session {
  let found = sessions.get(group);
  if (!found) {
    found = new Session(group, new EngineClient());
    sessions.set(group, found);
  }
  return found;
}
