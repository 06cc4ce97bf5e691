/** Sessions: texts that a model reads once and continues. */

import { withTexts } from "../config/text-stream.js";
import { encoded } from "../config/tokenizer.js";
import type {
  Memory,
  Model as RawModel,
  Session as RawSession,
  Sampling,
} from "../generated/module.js";
import type {
  AppendOptions,
  AttentionRecord,
  Eviction,
  GeneratedToken,
  GenerateOptions,
  Generation,
  Model,
  SchemeDescription,
  Session,
  TokenIds,
  Tokenizer,
} from "../types/index.js";
import { checkOptions, integer, refuse } from "../wire/arguments.js";
import { progressOf } from "../wire/binary.js";
import { type Core, space } from "../wire/core.js";
import { guard } from "../wire/guard.js";
import { EngineObject } from "../wire/handle.js";
import { integers } from "../wire/lists.js";
import { signalOf, throwIfAborted } from "../wire/signal.js";
import { yieldIfDue, yieldToEvents } from "../wire/yield.js";
import {
  type GenerationSettings,
  generateNames,
  generationSettings,
  type RecordedRows,
} from "./generation.js";
import { joinRecords, noRecord, readRecord, recordRequest, spaceOfRecord } from "./recording.js";
import { checkFits, readsAfreshBeyond } from "./table.js";

/** The parts of a model that a session needs. */
export interface SessionModel {
  core: Core;
  /** Errors: disposed. */
  raw: () => RawModel;
  config: Model["config"];
  schemes: readonly SchemeDescription[];
  tokenizer: Tokenizer | undefined;
  endTokens: readonly number[];
}

/** How a session is made. */
interface MadeWith {
  isExact: boolean;
  eviction?: Required<Eviction> | undefined;
}

/** Checks the option `eviction`. */
export function evictionOf(
  value: Eviction | undefined,
  config: Model["config"],
): Required<Eviction> | undefined {
  if (value === undefined) return undefined;
  checkOptions("eviction", value, ["first", "last", "step"]);
  const first = integer("eviction.first", value.first ?? 4, 0, maxEviction);
  const last = integer("eviction.last", value.last, 1, maxEviction);
  const step = integer("eviction.step", value.step ?? 1, 1, last);
  const max = readsAfreshBeyond(config);
  if (first + last > max)
    refuse(
      "eviction.last",
      last,
      `at most ${max - first}: frequencies of longer texts depend on their length`,
      "unsupported",
    );
  return { first, last, step };
}

const noRows = { lists: noRecord, layers: new Int32Array(0) };

type Progress = ((done: number, total: number) => void) | undefined;

/** Tokens are read in steps of about this time, between which an abort takes effect. */
const stepMilliseconds = 50;
const maxStep = 64;
/**
 * A step reads all weights, however few its tokens are: with one token in each, the prompt of a
 * large model would take many times as long. Fewer where somebody waits for an abort.
 */
const minStep = { abortable: 2, other: 16 };
const maxEviction = 2 ** 24;

/** The progress of each generation, which its iterator returns at its end. */
const progressOfGenerations = new WeakMap<object, Generation>();

/** @internal What a generation that was ended early has done. */
export const generationOf = (tokens: object): Generation | undefined =>
  progressOfGenerations.get(tokens);

const sharedLength = (a: readonly number[], b: ArrayLike<number>): number => {
  let count = 0;
  while (count < a.length && a[count] === b[count]) count++;
  return count;
};

/** Continues a prompt in a session that is disposed of at the end. */
export function endingWith(
  session: SessionHandle,
  prompt: TokenIds,
  options: GenerateOptions,
): AsyncGenerator<GeneratedToken, Generation, void> {
  try {
    const tokens = session.generate(prompt, options);
    const all = disposing(session, tokens);
    progressOfGenerations.set(all, generationOf(tokens)!);
    return all;
  } catch (cause) {
    session.dispose();
    throw cause;
  }
}

async function* disposing(
  session: SessionHandle,
  tokens: AsyncGenerator<GeneratedToken, Generation, void>,
): AsyncGenerator<GeneratedToken, Generation, void> {
  try {
    return yield* tokens;
  } finally {
    session.dispose();
  }
}

export class SessionHandle extends EngineObject<RawSession> implements Session {
  readonly #model: SessionModel;
  /** The text. */
  #ids: number[];
  readonly #eviction: Required<Eviction> | undefined;
  /** Tokens that were evicted, after the first. */
  #evicted = 0;
  /** Whether the engine has the logits of the token after the text. */
  #hasLogits: boolean;
  /** @internal */
  readonly isExact: boolean;
  #isBusy = false;
  #isReleased = false;
  /** Tokens that take about `stepMilliseconds`, for the next step. */
  #step: number;

  /** `from`: the session whose text the engine's session `raw` already has. */
  constructor(model: SessionModel, raw: RawSession, made: MadeWith, from?: SessionHandle) {
    super(model.core, raw, "session");
    this.isExact = made.isExact;
    this.#eviction = made.eviction;
    this.#evicted = from ? from.#evicted : 0;
    this.#model = model;
    this.#ids = from ? [...from.#ids] : [];
    this.#hasLogits = from ? from.#hasLogits : false;
    this.#step = from ? from.#step : 16;
  }

  /** `memory`: the other text of a model with an encoder. */
  static make(model: SessionModel, made: MadeWith, memory: Memory | null = null): SessionHandle {
    const { core } = model;
    const raw = core.run(0, (module) =>
      core.made(module.Session.make(model.raw(), made.isExact, memory)),
    );
    const session = new SessionHandle(model, raw, made);
    try {
      if (made.eviction) core.run(0, () => core.check(raw.prepareToEvict()));
    } catch (cause) {
      session.dispose();
      throw cause;
    }
    return session;
  }

  /** Disposes of a session at the end of the call in progress, if there is one. */
  static release(session: SessionHandle | undefined): void {
    if (!session) return;
    session.#isReleased = true;
    if (!session.#isBusy) session.dispose();
  }

  get length(): number {
    void this.raw;
    return this.#ids.length;
  }

  get memoryBytes(): number {
    const { core, raw } = this;
    return core.run(0, () => raw.bytes());
  }

  ids(): number[] {
    void this.raw;
    return [...this.#ids];
  }

  async append(input: string | TokenIds, options: AppendOptions = {}): Promise<void> {
    checkOptions("options", options, ["signal", "onProgress"]);
    const signal = signalOf(options.signal);
    const onProgress = progressOf(options.onProgress);
    const added = this.#idsOf("input", input);
    throwIfAborted(signal);
    await this.#busy(async () => {
      this.#fits("input", this.#ids.length + added.length);
      this.#replaceText([...this.#ids, ...added]);
      await this.#read(signal, onProgress);
    });
  }

  generate(
    prompt?: string | TokenIds,
    options: GenerateOptions = {},
  ): AsyncGenerator<GeneratedToken, Generation, void> {
    checkOptions("options", options, generateNames);
    if (options.exact !== undefined)
      refuse("exact", options.exact, "undefined; it is an option of model.session", "unsupported");
    const settings = generationSettings(options, this.#model);
    const ids = prompt === undefined ? undefined : this.#idsOf("prompt", prompt);
    const promptTokens = ids?.length ?? this.length;
    if (!promptTokens) refuse("prompt", prompt, "a text, since the session has none");
    this.#fits("prompt", promptTokens);
    throwIfAborted(settings.signal);
    const { core, raw } = this;
    const tokens = Math.min(promptTokens + settings.maxTokens, this.#maxTokens);
    core.run(0, () => core.check(raw.reserve(tokens)));
    const done: Generation = {
      ...({ reason: "maxTokens", promptTokens, readTokens: 0, tokens: 0 } as const),
      ...{ readSeconds: 0, writeSeconds: 0 },
    };
    const written = this.#written(ids, settings, done);
    const all = withTexts(written, done, this.#model.tokenizer, settings);
    progressOfGenerations.set(all, done);
    return all;
  }

  truncate(length: number): void {
    integer("length", length, 0, this.length);
    this.#checkIdle();
    this.#keep(length);
  }

  fork(): Session {
    this.#checkIdle();
    const { core, raw } = this;
    return new SessionHandle(
      this.#model,
      core.run(0, () => core.made(raw.fork())),
      { isExact: this.isExact, eviction: this.#eviction },
      this,
    );
  }

  /** Yields tokens as they are chosen, and recorded ones when they have been read. */
  async *#written(
    ids: Int32Array | undefined,
    settings: GenerationSettings,
    done: Generation,
  ): AsyncGenerator<Omit<GeneratedToken, "text">, void, void> {
    this.#checkIdle();
    this.#isBusy = true;
    const { core } = this;
    const { maxTokens, endIds, signal, onProgress, rows } = settings;
    let sampling: Sampling | undefined;
    try {
      const started = performance.now();
      throwIfAborted(signal);
      if (ids) this.#replaceText([...ids]);
      if (rows) this.#record(rows);
      sampling = this.#sampling(settings);
      done.readTokens = await this.#read(signal, onProgress);
      const read = performance.now();
      done.readSeconds = (read - started) / 1000;
      for (; done.tokens < maxTokens; done.tokens++) {
        throwIfAborted(signal);
        this.#fits("prompt", this.#ids.length);
        this.#readStep(this.#ids.length);
        const id = this.#next(sampling);
        if (endIds.includes(id)) {
          done.reason = "endToken";
          return;
        }
        this.#ids.push(id);
        const row = rows && this.#recorded(rows);
        done.writeSeconds = (performance.now() - read) / 1000;
        yield { id, ...row };
        await yieldIfDue();
      }
    } finally {
      if (sampling) core.free(sampling);
      if (rows) this.#record();
      this.#finish();
    }
  }

  /** Prepares to record rows, for which the engine may forget what it has read; or ends that. */
  #record(rows?: RecordedRows): void {
    const { core, raw } = this;
    const { lists, layers } = rows ?? noRows;
    core.run(spaceOfRecord(lists) + space(layers), () =>
      core.check(raw.record(recordRequest(core, lists), core.list(layers))),
    );
    if (core.run(0, () => raw.length()) === 0) this.#evicted = 0;
    if (this.#readTokens < this.#ids.length) this.#hasLogits = false;
  }

  /** Reads the last token; returns its rows. */
  #recorded({ names }: RecordedRows): AttentionRecord {
    const { core, raw } = this;
    this.#fits("prompt", this.#ids.length);
    this.#readStep(this.#ids.length, true);
    const count = core.run(0, () => raw.recordCount());
    return joinRecords(
      Array.from({ length: count }, (_, slot) =>
        readRecord(
          core,
          core.run(0, () => core.made(raw.row(slot))),
          names,
        ),
      ),
    );
  }

  #sampling({ sampling, biases }: GenerationSettings): Sampling {
    const { core } = this;
    const raw = this.#model.raw();
    const text = Int32Array.from(this.#ids);
    const [biased, added] = [Int32Array.from(biases.keys()), Float32Array.from(biases.values())];
    return core.run(space(text) + space(biased) + space(added), (module) => {
      const [idsAt, addedAt, textAt] = [core.put(biased), core.put(added), core.put(text)];
      return core.made(
        module.Sampling.make(
          ...([raw, sampling, idsAt, biased.length, addedAt, added.length] as const),
          ...([textAt, text.length] as const),
        ),
      );
    });
  }

  #next(sampling: Sampling): number {
    const { core, raw } = this;
    const { code, id } = core.run(0, () => raw.next(sampling));
    core.check(code);
    return id;
  }

  /** Makes `ids` the text; keeps what the engine has read of their common beginning. */
  #replaceText(ids: number[]): void {
    const isAfresh = ids.length > readsAfreshBeyond(this.#model.config);
    this.#keep(isAfresh ? 0 : sharedLength(this.#ids, ids));
    this.#ids = ids;
  }

  /** Removes all tokens from index `length` on. */
  #keep(length: number): void {
    const { core, raw } = this;
    this.#ids.length = length;
    if (this.#readTokens <= length) return;
    const first = this.#eviction?.first ?? 0;
    // Of a text that ends among evicted tokens, only the first are there.
    if (length < first + this.#evicted) {
      core.run(0, () => core.check(raw.truncate(Math.min(length, first))));
      this.#evicted = 0;
    } else core.run(0, () => core.check(raw.truncate(length - this.#evicted)));
    this.#hasLogits = false;
  }

  /** Tokens of the text that the engine has read. */
  get #readTokens(): number {
    return this.core.run(0, () => this.raw.length()) + this.#evicted;
  }

  /** Tokens that it can have at once. */
  get #maxTokens(): number {
    return this.#eviction ? this.#eviction.first + this.#eviction.last : Infinity;
  }

  /** Evicts tokens if there are as many as can be; returns how many more can be read. */
  #space(): number {
    const { core, raw } = this;
    const space = this.#maxTokens - (this.#readTokens - this.#evicted);
    if (space) return space;
    const { first, step } = this.#eviction!;
    core.run(0, () => core.check(raw.evict(first, step)));
    this.#evicted += step;
    return step;
  }

  /**
   * Reads the rest of the text, in steps between which it yields; returns the number of tokens
   * read. After an error the text is as long as what was read.
   */
  async #read(signal: AbortSignal | undefined, onProgress: Progress): Promise<number> {
    const { core, raw } = this;
    const total = this.#ids.length;
    let first = this.#readTokens;
    if (first === total && !this.#hasLogits) {
      // The logits follow from the last token.
      first = total - 1;
      core.run(0, () => core.check(raw.truncate(first - this.#evicted)));
      first = this.#readTokens; // 0 in a model whose layers forget only all at once
    }
    try {
      for (let done = first; done < total; ) {
        const began = performance.now();
        const min = signal ? minStep.abortable : minStep.other;
        const step = Math.min(Math.max(min, this.#step), total - done, this.#space());
        this.#readStep(done + step);
        done += step;
        const milliseconds = Math.max(performance.now() - began, 0.01);
        const fitting = Math.floor((step * stepMilliseconds) / milliseconds);
        this.#step = Math.max(1, Math.min(maxStep, fitting));
        onProgress?.(done - first, total - first);
        if (signal || onProgress) await yieldToEvents();
        else await yieldIfDue();
        throwIfAborted(signal);
      }
      return total - first;
    } catch (cause) {
      if (this.#ids.length > 0) this.#ids.length = this.#readTokens;
      throw cause;
    }
  }

  /** Reads the tokens up to index `end`; to record a row, a single one. */
  #readStep(end: number, isRecorded = false): void {
    const { core, raw } = this;
    const first = this.#readTokens;
    if (first === end) return;
    this.#space();
    const ids = Int32Array.from(this.#ids.slice(first, end));
    const isEnd = end === this.#ids.length;
    this.#hasLogits = false;
    core.run(space(ids), () =>
      core.check(raw.append(core.put(ids), ids.length, isEnd, isRecorded)),
    );
    this.#hasLogits = isEnd;
  }

  async #busy(work: () => Promise<void>): Promise<void> {
    this.#checkIdle();
    this.#isBusy = true;
    try {
      await work();
    } finally {
      this.#finish();
    }
  }

  #finish(): void {
    this.#isBusy = false;
    if (this.#isReleased) this.dispose();
  }

  /** @internal */
  get isBusy(): boolean {
    return this.#isBusy;
  }

  #checkIdle(): void {
    if (this.#isBusy)
      refuse("session", "in use", "a session without a call in progress", "unsupported");
  }

  #fits(argument: string, count: number): void {
    const { config, schemes } = this.#model;
    checkFits(argument, Math.min(count, this.#maxTokens), config, schemes);
  }

  #idsOf(argument: string, value: unknown): Int32Array {
    const { tokenizer, config } = this.#model;
    const ids = integers(argument, encoded(argument, value, tokenizer), 0, config.vocabSize - 1);
    return ids.length ? ids : refuse(`${argument}.length`, 0, "1 or more token ids");
  }
}

guard(SessionHandle, {
  ids: 0,
  append: 2,
  generate: 2,
  truncate: 1,
  fork: 0,
});
