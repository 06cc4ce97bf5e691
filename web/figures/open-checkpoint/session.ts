/** Which model is open, which one is coming, what went wrong, and what the browser keeps. */
import { html } from "lit";
import type { WeightType } from "whereformer";
import { sightedScheme } from "../../defaults.js";
import type {
  CheckpointSource,
  KeptEntry,
  OpenedModel,
} from "../../engine/both/checkpoint-messages.js";
import { type Failure, failureOf } from "../../engine/both/failure.js";
import { CheckpointHost } from "../../engine/page/checkpoint-host.js";
import { engine } from "../../engine/page/client.js";
import { openedModels } from "../../engine/page/opened-model.js";
import { nameOf, type OpenEventDetail, type Opening } from "./source-panel.js";
import type { OpenWords } from "./words.js";

export class ModelSession {
  readonly host = new CheckpointHost();
  model: OpenedModel | undefined;
  /** What is open. */
  chosen: OpenEventDetail | undefined;
  /** What was to be opened last. */
  tried: OpenEventDetail | undefined;
  opening: Opening | undefined;
  problem: Failure | undefined;
  kept: readonly KeptEntry[] = [];
  /** Nothing is open, and nothing is coming. */
  isClosed = false;
  dtype: WeightType = "f32";
  /** The host's, of which none is opened twice. */
  #given: readonly File[] | undefined;

  constructor(
    private readonly folder: () => string,
    private readonly opened: (model: OpenedModel | undefined) => void,
    private readonly changed: () => void,
    /** Tells the host: events by their names without `wf-`. */
    private readonly tell: (event: string, detail: Record<string, unknown>) => void,
  ) {}

  #sourceOf({ source }: OpenEventDetail): CheckpointSource {
    if (source !== "sample") return source;
    const folder = this.folder();
    return {
      folder: new URL(`${sightedScheme}/`, folder).href,
      tokenizer: new URL("tokenizer.json", folder).href,
    };
  }

  /** A model of the page's own is in the lab already. */
  #publish({ source, name }: OpenEventDetail, model: OpenedModel): void {
    const { host } = this;
    if (source === "sample") openedModels.drop(host);
    else openedModels.put({ name, model, host });
  }

  /** What is open stays so until this is. */
  async open(chosen: OpenEventDetail, keep?: string): Promise<void> {
    this.tried = chosen;
    this.problem = undefined;
    const { name } = chosen;
    const turn: Opening = { name, loaded: 0, total: 0 };
    this.opening = turn;
    this.changed();
    try {
      const source = this.#sourceOf(chosen);
      const question = { source, dtype: this.dtype, ...(keep && { keep }) };
      const model = await this.host.open(question, (loaded, total) => {
        if (this.tried !== chosen || !this.opening) return;
        this.opening = { name, loaded, total };
        this.tell("progress", { name, loaded, total });
        this.changed();
      });
      if (!model) return;
      this.chosen = chosen;
      this.model = model;
      this.isClosed = false;
      this.opening = undefined;
      this.#publish(chosen, model);
      this.opened(model);
      const { family, dtype, numLayers, numHeads, parameterCount, weightBytes } = model;
      const facts = { family, dtype, numLayers, numHeads, parameterCount, weightBytes };
      this.tell("opened", { name, ...facts });
    } catch (reason) {
      this.problem = failureOf(reason);
      this.tell("failed", { name, ...this.problem });
      this.opening = undefined;
      this.isClosed = !this.model;
    }
    this.changed();
    if (keep) await this.listKept();
  }

  /** The page's own model, where there are no files. */
  begin(files: readonly File[] = []): void {
    if (this.#given === files) return;
    this.#given = files;
    const own: OpenEventDetail = { source: "sample", name: "" };
    void this.open(files.length ? { source: { files }, name: nameOf(files) } : own);
  }

  cancel(): void {
    this.host.cancel();
    this.opening = undefined;
    this.isClosed = !this.model;
    this.changed();
  }

  close(): void {
    this.host.close();
    openedModels.drop(this.host);
    this.model = this.opening = this.problem = this.chosen = undefined;
    this.isClosed = true;
    this.opened(undefined);
    this.tell("closed", {});
    this.changed();
  }

  /** For a figure that leaves the page. */
  end(): void {
    this.host.end();
    openedModels.drop(this.host);
    this.model = this.#given = undefined;
  }

  /** Other weights: what is open is opened again with them. */
  retype(dtype: WeightType): void {
    this.dtype = dtype;
    if (this.model && this.chosen) void this.open(this.chosen);
    this.changed();
  }

  /** As it was tried, with smaller weights. */
  retry(dtype: WeightType): void {
    this.dtype = dtype;
    if (this.tried) void this.open(this.tried);
  }

  async listKept(remove?: string): Promise<void> {
    try {
      this.kept = await engine.ask("checkpointKept", remove === undefined ? {} : { remove });
    } catch {
      // A browser without such storage keeps nothing.
      this.kept = [];
    }
    this.changed();
  }
}

/** The panel of the session. */
export function sourcePanel(session: ModelSession, words: OpenWords) {
  const { chosen, opening, model } = session;
  const isTheirs = typeof chosen?.source === "object" && "files" in chosen.source;
  return html`<wf-model-source
    slot="ask"
    .words=${words}
    .dtype=${session.dtype}
    .opening=${opening}
    .failure=${session.problem}
    .failedName=${session.tried?.name ?? ""}
    .isOpen=${model !== undefined}
    .isAwaited=${model === undefined && !session.isClosed && !session.problem}
    .canKeep=${isTheirs && opening === undefined}
    .kept=${session.kept}
    @wf-open=${({ detail }: CustomEvent<OpenEventDetail>) => void session.open(detail)}
    @wf-cancel=${() => session.cancel()}
    @wf-close=${() => session.close()}
    @wf-keep=${() => void session.open(chosen!, chosen!.name)}
    @wf-remove=${({ detail }: CustomEvent<string>) => void session.listKept(detail)}
    @wf-dtype=${({ detail }: CustomEvent<WeightType>) => session.retype(detail)}
    @wf-retry=${({ detail }: CustomEvent<WeightType>) => session.retry(detail)}
  ></wf-model-source>`;
}
