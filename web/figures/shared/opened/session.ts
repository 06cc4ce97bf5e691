/** The open model, the one that is being opened, errors, and the models kept in the browser. */
import { html } from "lit";
import type { WeightType } from "whereformer";
import type {
  CheckpointSource,
  KeptEntry,
  OpenedModel,
  OpenQuestion,
} from "../../../engine/both/checkpoint-messages.js";
import { type Failure, failureOf } from "../../../engine/both/failure.js";
import { CheckpointHost } from "../../../engine/page/checkpoint-host.js";
import { engine } from "../../../engine/page/client.js";
import { openedModels } from "../../../engine/page/opened-model.js";
import {
  type ModelSourcePanel,
  nameOf,
  type OpenEventDetail,
  type Opening,
} from "./source-panel.js";
import type { PanelWords } from "./words.js";

/** What a figure opens, and what it does with it. */
export interface SessionSettings {
  reads: OpenQuestion["reads"];
  /** The page's own model. */
  sample: () => CheckpointSource;
  /** Whether other figures may use the reader's model. */
  isPublished: boolean;
  /** `undefined`: the model was closed. */
  opened: (model: OpenedModel | undefined) => void;
  changed: () => void;
  /** Fires an event on the host, by its name without `wf-`. */
  tell: (event: string, detail: Record<string, unknown>) => void;
}

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

  constructor(private readonly settings: SessionSettings) {}

  #sourceOf({ source }: OpenEventDetail): CheckpointSource {
    return source === "sample" ? this.settings.sample() : source;
  }

  /** Publishes the model to other figures, except the page's own models, which the lab has. */
  #publish({ source, name }: OpenEventDetail, model: OpenedModel): void {
    const { host } = this;
    if (!this.settings.isPublished) return;
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
    this.settings.changed();
    try {
      const source = this.#sourceOf(chosen);
      const { reads } = this.settings;
      const question = { source, reads, dtype: this.dtype, ...(keep && { keep }) };
      const model = await this.host.open(question, (loaded, total) => {
        if (this.tried !== chosen || !this.opening) return;
        this.opening = { name, loaded, total };
        this.settings.tell("progress", { name, loaded, total });
        this.settings.changed();
      });
      if (!model) return;
      this.chosen = chosen;
      this.model = model;
      this.isClosed = false;
      this.opening = undefined;
      this.#publish(chosen, model);
      this.settings.opened(model);
      const { family, dtype, numLayers, numHeads, parameterCount, weightBytes } = model;
      const facts = { family, dtype, numLayers, numHeads, parameterCount, weightBytes };
      this.settings.tell("opened", { name, ...facts });
    } catch (reason) {
      this.problem = failureOf(reason);
      this.settings.tell("failed", { name, ...this.problem });
      this.opening = undefined;
      this.isClosed = !this.model;
    }
    this.settings.changed();
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
    this.settings.changed();
  }

  close(): void {
    this.host.close();
    openedModels.drop(this.host);
    this.model = this.opening = this.problem = this.chosen = undefined;
    this.isClosed = true;
    this.settings.opened(undefined);
    this.settings.tell("closed", {});
    this.settings.changed();
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
    this.settings.changed();
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
    this.settings.changed();
  }
}

/** What the panel shows beside the session. */
interface PanelParts {
  families?: ModelSourcePanel["families"];
  /** Called with the file of a picture that the reader has chosen. */
  onPicture?: (file: File) => void;
}

/** Returns the session's panel. */
export function sourcePanel(
  session: ModelSession,
  words: PanelWords,
  { families, onPicture }: PanelParts,
) {
  const { chosen, opening, model } = session;
  const isTheirs = typeof chosen?.source === "object" && "files" in chosen.source;
  return html`<wf-model-source
    slot="ask"
    .words=${words}
    .families=${families}
    .takesPictures=${onPicture !== undefined}
    .dtype=${session.dtype}
    .opening=${opening}
    .failure=${session.problem}
    .failedName=${session.tried?.name ?? ""}
    .isOpen=${model !== undefined}
    .isAwaited=${model === undefined && !session.isClosed && !session.problem}
    .canKeep=${isTheirs && opening === undefined}
    .kept=${session.kept}
    @wf-open=${({ detail }: CustomEvent<OpenEventDetail>) => void session.open(detail)}
    @wf-picture=${({ detail }: CustomEvent<File>) => onPicture?.(detail)}
    @wf-cancel=${() => session.cancel()}
    @wf-close=${() => session.close()}
    @wf-keep=${() => void session.open(chosen!, chosen!.name)}
    @wf-remove=${({ detail }: CustomEvent<string>) => void session.listKept(detail)}
    @wf-dtype=${({ detail }: CustomEvent<WeightType>) => session.retype(detail)}
    @wf-retry=${({ detail }: CustomEvent<WeightType>) => session.retry(detail)}
  ></wf-model-source>`;
}
