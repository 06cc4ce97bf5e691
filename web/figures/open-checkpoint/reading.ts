/** A text as the open model reads it: the newest text, head and bend win. */
import type {
  CheckpointBend,
  EncodeAnswer,
  LossAnswer,
  OneHeadAnswer,
  OpenedModel,
} from "../../engine/both/checkpoint-messages.js";
import { type Failure, failureOf } from "../../engine/both/failure.js";
import type { CheckpointHost } from "../../engine/page/checkpoint-host.js";

/** More tokens than these would be cells of a pixel, and large models take seconds for them. */
export const longestRead = 128;

/** Bytes of maps that the worker holds at once: so many layers are asked for in one question. */
const mapBytes = 24e6;
/** Heads whose thumbnails come at once, so that no task of the page is long. */
const mostHeads = 96;

export interface Wanted {
  text: string;
  bend: CheckpointBend | undefined;
  layer: number;
  head: number;
}

/** Thumbnails of all layers, in both kinds. */
interface Thumbnails {
  side: number;
  weights: (Float32Array[] | undefined)[];
  withoutFirst: (Float32Array[] | undefined)[];
}

export class Reading {
  encoded: EncodeAnswer | undefined;
  head: OneHeadAnswer | undefined;
  loss: LossAnswer | undefined;
  thumbnails: Thumbnails | undefined;
  failure: Failure | undefined;
  /** From a question to its last thumbnail. */
  milliseconds = 0;
  isRunning = false;
  #wanted: Wanted | undefined;
  #turn = 0;

  constructor(
    private readonly host: CheckpointHost,
    private readonly changed: () => void,
  ) {}

  /** Of another model: nothing that was read holds any more. */
  clear(): void {
    this.#turn++;
    this.encoded = this.head = this.loss = this.thumbnails = this.failure = undefined;
    this.#wanted = undefined;
    this.isRunning = false;
  }

  async ask(model: OpenedModel, wanted: Wanted): Promise<void> {
    const before = this.#wanted;
    if (JSON.stringify(before) === JSON.stringify(wanted)) return;
    this.#wanted = wanted;
    const isSameText = before?.text === wanted.text && this.encoded !== undefined;
    const isSameModel = isSameText && JSON.stringify(before?.bend) === JSON.stringify(wanted.bend);
    // Only another head: what is on its way for the rest goes on.
    if (isSameModel) return this.#guarded(this.#turn, () => this.#readHead(wanted));
    const turn = ++this.#turn;
    this.isRunning = true;
    const started = performance.now();
    await this.#guarded(turn, async () => {
      if (!isSameText) await this.#encode(wanted, turn);
      if (turn !== this.#turn || !this.encoded?.ids.length) return;
      await this.#readHead(wanted);
      await this.#readLoss(model, wanted, turn);
      await this.#readThumbnails(model, wanted, turn);
      if (turn === this.#turn) this.milliseconds = performance.now() - started;
    });
    if (turn !== this.#turn) return;
    this.isRunning = false;
    this.changed();
  }

  async #guarded(turn: number, body: () => Promise<void>): Promise<void> {
    try {
      await body();
    } catch (reason) {
      if (turn !== this.#turn) return;
      this.failure = failureOf(reason);
      // It is asked again when something else is wanted.
      if (this.failure.code === "aborted") this.failure = undefined;
      this.changed();
    }
  }

  async #encode({ text }: Wanted, turn: number): Promise<void> {
    const encoded = await this.host.ask("checkpointEncode", { text, longest: longestRead });
    if (turn !== this.#turn) return;
    this.failure = this.head = this.loss = this.thumbnails = undefined;
    this.encoded = encoded;
  }

  async #readHead(wanted: Wanted): Promise<void> {
    const { ids } = this.encoded!;
    const { bend, layer, head } = wanted;
    const question = { ids, layer, head, ...(bend && { bend }) };
    const answer = await this.host.ask("checkpointHead", question);
    if (this.#wanted !== wanted || this.encoded?.ids !== ids) return;
    this.failure = undefined;
    this.head = answer;
    this.changed();
  }

  async #readLoss({ predicts }: OpenedModel, { bend }: Wanted, turn: number): Promise<void> {
    const { ids } = this.encoded!;
    if (turn !== this.#turn || !predicts || ids.length < 2) return;
    const loss = await this.host.ask("checkpointLoss", { ids, ...(bend && { bend }) });
    if (turn !== this.#turn) return;
    this.loss = loss;
    this.changed();
  }

  async #readThumbnails(model: OpenedModel, { bend }: Wanted, turn: number): Promise<void> {
    const { numLayers, numHeads } = model;
    const { ids } = this.encoded!;
    const ofLayer = 4 * numHeads * ids.length ** 2;
    const most = Math.floor(Math.min(mapBytes / ofLayer, mostHeads / numHeads));
    const step = Math.max(1, most);
    for (let first = 0; first < numLayers && turn === this.#turn; first += step) {
      const count = Math.min(step, numLayers - first);
      const layers = Array.from({ length: count }, (_, i) => first + i);
      const question = { ids, layers, ...(bend && { bend }) };
      const answer = await this.host.ask("checkpointThumbnails", question);
      if (turn !== this.#turn) return;
      const { side } = answer;
      const sheet = this.thumbnails ?? { side, weights: [], withoutFirst: [] };
      const area = side * side;
      for (const kind of ["weights", "withoutFirst"] as const)
        layers.forEach((layer, i) => {
          sheet[kind][layer] = Array.from({ length: numHeads }, (_, head) => {
            const at = (i * numHeads + head) * area;
            return answer[kind].subarray(at, at + area);
          });
        });
      this.thumbnails = { ...sheet, side };
      this.changed();
    }
  }
}
