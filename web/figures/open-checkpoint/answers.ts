/** Answers of the open model for a text; the newest text, head and bend replace earlier ones. */
import type {
  CheckpointBend,
  EncodeAnswer,
  LayerTypeFacts,
  LossAnswer,
  MeasuredHeadsAnswer,
  OneHeadAnswer,
  OpenedModel,
  Part,
  ThumbnailsAnswer,
} from "../../engine/both/checkpoint-messages.js";
import { type Failure, failureOf } from "../../engine/both/failure.js";
import type { CheckpointHost } from "../../engine/page/checkpoint-host.js";

/** Maximum tokens: with more, cells would be a pixel wide and large models would take seconds. */
export const longestRead = 128;

/** Bytes of maps that the worker may hold at once, which limits the layers in one question. */
const mapBytes = 24e6;
/** Maximum heads whose thumbnails arrive at once, so that no task of the page is long. */
const maxHeads = 96;

export interface Wanted {
  text: string;
  /** The decoder's text, for an encoder-decoder model. */
  written: string;
  part: Part;
  bend: CheckpointBend | undefined;
  layer: number;
  head: number;
}

type Maps = (Float32Array[] | undefined)[];

/** Thumbnails of all layers, with and without the first token. */
interface Thumbnails {
  rows: number;
  columns: number;
  weights: Maps;
  withoutFirst: Maps;
}

/** Returns the layer type to which the layers and heads of a part belong. */
export const layerTypeOf = (model: OpenedModel, part: Part): LayerTypeFacts =>
  (part !== "encoder" && model.decoder) || model;

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

export class Answers {
  encoded: EncodeAnswer | undefined;
  /** The decoder's text as tokens, if there is a decoder. */
  written: EncodeAnswer | undefined;
  head: OneHeadAnswer | undefined;
  loss: LossAnswer | undefined;
  thumbnails: Thumbnails | undefined;
  measured: MeasuredHeadsAnswer | undefined;
  /** Whether the measures of all heads are shown, and therefore computed. */
  showsMeasures = false;
  failure: Failure | undefined;
  /** Time from a question to its last thumbnail. */
  milliseconds = 0;
  isRunning = false;
  #wanted: Wanted | undefined;
  /** Arguments for which `loss` was computed. */
  #priced: unknown;
  #latest = 0;

  constructor(
    private readonly host: CheckpointHost,
    private readonly changed: () => void,
  ) {}

  /** Clears all answers, for another model. */
  clear(): void {
    this.#latest++;
    this.encoded = this.written = this.failure = undefined;
    this.head = this.loss = this.thumbnails = this.measured = undefined;
    this.#wanted = this.#priced = undefined;
    this.isRunning = false;
  }

  async ask(model: OpenedModel, wanted: Wanted): Promise<void> {
    const before = this.#wanted;
    if (isSame(before, wanted)) return;
    this.#wanted = wanted;
    const { text, written, part, bend } = wanted;
    const isSameText =
      before?.text === text && before.written === written && this.encoded !== undefined;
    const isSamePart = isSameText && before?.part === part;
    // If only the head has changed, other questions in progress continue.
    if (isSamePart && isSame(before?.bend, bend))
      return this.#guarded(this.#latest, () => this.#readHead(model, wanted));
    const request = ++this.#latest;
    this.isRunning = true;
    if (!isSamePart) this.thumbnails = undefined;
    const started = performance.now();
    await this.#guarded(request, async () => {
      if (!isSameText) await this.#encode(model, wanted, request);
      if (request !== this.#latest || !this.encoded?.ids.length) return;
      await this.#readHead(model, wanted);
      await this.#readLoss(model, wanted, request);
      await this.#readThumbnails(model, wanted, request);
      await this.#readMeasures(model, request);
      if (request === this.#latest) this.milliseconds = performance.now() - started;
    });
    if (request !== this.#latest) return;
    this.isRunning = false;
    this.changed();
  }

  /** Shows the measures of all heads from now on, or no longer. */
  async showMeasures(model: OpenedModel, isShown: boolean): Promise<void> {
    this.showsMeasures = isShown;
    // Questions in progress end with this one.
    if (this.isRunning) return;
    const request = this.#latest;
    await this.#guarded(request, () => this.#readMeasures(model, request));
  }

  async #guarded(request: number, body: () => Promise<void>): Promise<void> {
    try {
      await body();
    } catch (reason) {
      if (request !== this.#latest) return;
      this.failure = failureOf(reason);
      // The next change repeats a cancelled question.
      if (this.failure.code === "aborted") this.failure = undefined;
      this.changed();
    }
  }

  async #encode(
    { decoder }: OpenedModel,
    { text, written }: Wanted,
    request: number,
  ): Promise<void> {
    const asked = [this.host.ask("checkpointEncode", { text, longest: longestRead })];
    if (decoder)
      asked.push(
        this.host.ask("checkpointEncode", { text: written, longest: longestRead, isWritten: true }),
      );
    const [encoded, answer] = await Promise.all(asked);
    if (request !== this.#latest) return;
    this.failure = this.head = this.loss = this.thumbnails = this.#priced = undefined;
    this.measured = undefined;
    this.encoded = encoded;
    this.written = answer;
  }

  /** Returns the text and, for an encoder-decoder model, the part and the decoder's text. */
  #question({ decoder }: OpenedModel, { bend, part }: Wanted) {
    const { ids } = this.encoded!;
    const written = this.written?.ids;
    return { ids, ...(bend && { bend }), ...(decoder && written && { written, part }) };
  }

  async #readHead(model: OpenedModel, wanted: Wanted): Promise<void> {
    const { encoded } = this;
    const { layer, head } = wanted;
    const question = { ...this.#question(model, wanted), layer, head };
    const answer = await this.host.ask("checkpointHead", question);
    if (this.#wanted !== wanted || this.encoded !== encoded) return;
    this.failure = undefined;
    this.head = answer;
    this.changed();
  }

  async #readLoss(model: OpenedModel, wanted: Wanted, request: number): Promise<void> {
    const { ids } = this.written ?? this.encoded!;
    if (request !== this.#latest || !model.predicts || ids.length < 2) return;
    const { part: _, ...question } = this.#question(model, { ...wanted, part: "decoder" });
    if (isSame(this.#priced, question)) return;
    const loss = await this.host.ask("checkpointLoss", question);
    if (request !== this.#latest) return;
    this.#priced = question;
    this.loss = loss;
    this.changed();
  }

  /** What every head does with the text, at the positions of its training. */
  async #readMeasures({ decoder }: OpenedModel, request: number): Promise<void> {
    if (request !== this.#latest || !this.showsMeasures || this.measured || decoder) return;
    const ids = this.encoded?.ids ?? [];
    if (ids.length < 2) return;
    const measured = await this.host.ask("checkpointMeasures", { ids });
    if (request !== this.#latest) return;
    this.measured = measured;
    this.changed();
  }

  async #readThumbnails(model: OpenedModel, wanted: Wanted, request: number): Promise<void> {
    const { numLayers, numHeads } = layerTypeOf(model, wanted.part);
    const longest = Math.max(this.encoded!.ids.length, this.written?.ids.length ?? 0);
    const ofLayer = 4 * numHeads * longest ** 2;
    const max = Math.floor(Math.min(mapBytes / ofLayer, maxHeads / numHeads));
    const step = Math.max(1, max);
    for (let first = 0; first < numLayers && request === this.#latest; first += step) {
      const count = Math.min(step, numLayers - first);
      const layers = Array.from({ length: count }, (_, i) => first + i);
      const question = { ...this.#question(model, wanted), layers };
      const answer = await this.host.ask("checkpointThumbnails", question);
      if (request !== this.#latest) return;
      this.#addThumbnails(answer, numHeads);
      this.changed();
    }
  }

  #addThumbnails(answer: ThumbnailsAnswer, numHeads: number): void {
    const { rows, columns, layers } = answer;
    const sheet = this.thumbnails ?? { weights: [], withoutFirst: [] };
    const area = rows * columns;
    for (const kind of ["weights", "withoutFirst"] as const)
      layers.forEach((layer, i) => {
        sheet[kind][layer] = Array.from({ length: numHeads }, (_, head) => {
          const at = (i * numHeads + head) * area;
          return answer[kind].subarray(at, at + area);
        });
      });
    this.thumbnails = { ...sheet, rows, columns };
  }
}
