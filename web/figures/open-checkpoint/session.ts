/** The open model, the one that is being opened, errors, and the models kept in the browser. */
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
  /** The open model's source. */
  chosen: OpenEventDetail | undefined;
  /** The source of the latest attempt. */
  tried: OpenEventDetail | undefined;
  opening: Opening | undefined;
  problem: Failure | undefined;
  kept: readonly KeptEntry[] = [];
  /** No model is open or being opened. */
  isClosed = false;
  dtype: WeightType = "f32";
  /** The host's files, so that a list is opened only once. */
  #given: readonly File[] | undefined;

  constructor(
    private readonly folder: () => string,
    private readonly opened: (model: OpenedModel | undefined) => void,
    private readonly changed: () => void,
    /** Fires an event on the host, by its name without `wf-`. */
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

  /** Publishes the model to other figures, except the page's own models, which the lab has. */
  #publish({ source, name }: OpenEventDetail, model: OpenedModel): void {
    const { host } = this;
    if (source === "sample") openedModels.drop(host);
    else openedModels.put({ name, model, host });
  }

  /** Opens a model; the open one stays until this one is ready. */
  async open(chosen: OpenEventDetail, keep?: string): Promise<void> {
    this.tried = chosen;
    this.problem = undefined;
    const { name } = chosen;
    const opening: Opening = { name, loaded: 0, total: 0 };
    this.opening = opening;
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

  /** Opens the given files or, without files, the page's own model. */
  begin(files: readonly File[] = []): void {
    if (this.#given === files) return;
    this.#given = files;
    const sample: OpenEventDetail = { source: "sample", name: "" };
    void this.open(files.length ? { source: { files }, name: nameOf(files) } : sample);
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

  /** Call when the figure leaves the page. */
  end(): void {
    this.host.end();
    openedModels.drop(this.host);
    this.model = this.#given = undefined;
  }

  /** Opens the model again with another weight type. */
  retype(dtype: WeightType): void {
    this.dtype = dtype;
    if (this.model && this.chosen) void this.open(this.chosen);
    this.changed();
  }

  /** Repeats the latest attempt with smaller weights. */
  retry(dtype: WeightType): void {
    this.dtype = dtype;
    if (this.tried) void this.open(this.tried);
  }

  async listKept(remove?: string): Promise<void> {
    try {
      this.kept = await engine.ask("checkpointKept", remove === undefined ? {} : { remove });
    } catch {
      // A browser without such storage keeps no models.
      this.kept = [];
    }
    this.changed();
  }
}

/** Returns the session's panel. */
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
