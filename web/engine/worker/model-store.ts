/** The trained models, their tokenizer and held-out text, each fetched once for all figures. */
import type { Engine, Model, Tokenizer } from "whereformer";
import type { Job } from "whereformer/requests";
import { type HeldOut, readHeldOut } from "./held-out.js";
import { readTokenizer } from "./tokenizer.js";

export class ModelStore {
  readonly models = new Map<string, Model>();
  #tokenizer: Tokenizer | undefined;
  #heldOut: HeldOut[] | undefined;

  constructor(readonly engine: () => Promise<Engine>) {}

  async tokenizer(folder: string, { signal }: Pick<Job, "signal">): Promise<Tokenizer> {
    this.#tokenizer ??= await readTokenizer(new URL("tokenizer.json", folder), signal);
    return this.#tokenizer;
  }

  async model(folder: string, scheme: string, job: Job): Promise<Model> {
    const known = this.models.get(scheme);
    if (known) return known;
    const wf = await this.engine();
    const { signal, progress: onProgress } = job;
    const model = await wf.model(new URL(`${scheme}/`, folder), { signal, onProgress });
    // Another question may have fetched the model in the meantime.
    const first = this.models.get(scheme) ?? model;
    if (first !== model) model.dispose();
    this.models.set(scheme, first);
    return first;
  }

  async heldOut(folder: string, job: Pick<Job, "signal">): Promise<HeldOut[]> {
    this.#heldOut ??= await readHeldOut(
      new URL(folder),
      await this.tokenizer(folder, job),
      job.signal,
    );
    return this.#heldOut;
  }
}
