/**
 * "Train short, test long": small models, one for each scheme and seed, trained side by side in
 * workers and tested on longer texts. Each worker has one model at a time; there are at most as
 * many workers as cores, and further models wait.
 */
import type { FormulaOptions, NewTraining, SchemeDescription, SchemeSpec } from "whereformer";
import type { RemoteEngine, RemoteModel, RemoteTrainer } from "whereformer/worker";
import { Changes } from "../../changes.js";
import { formulaScheme, type LengthTask, lengthRecipe as recipe } from "../../defaults.js";
import { type Failure, failureOf } from "../both/failure.js";
import type { LengthText } from "./length-text.js";
import type { TrainingNote, withNote } from "./training-file.js";

export type Stage = "ready" | "running" | "paused" | "done" | "failed";

export interface Run {
  scheme: string;
  seed: number;
  stage: "waiting" | "training" | "testing" | "done" | "failed";
  /** Training steps when it is done, with those before this run. */
  steps: number;
  firstStep: number;
  /** Loss at each step of this run, before its update, in bits per character. */
  losses: number[];
  /**
   * Result at each multiple of the training length, in bits per character of a text or in percent
   * of right answers of a task; `undefined` if the scheme is not defined there.
   */
  tested: (number | undefined)[];
  /** Bytes of engine memory that the training took. */
  memoryBytes: number;
  /** The trained model as a file, to save or to train further. */
  file: Uint8Array<ArrayBuffer> | undefined;
  failure: Failure | undefined;
}

/** Trainings must agree in these to continue one another. */
const recipeKey = JSON.stringify([recipe.model, recipe.length, recipe.tableMultiple]);

const stepsAtOnce = 5;
const quietMilliseconds = 80;
const bits = (nats: number): number => nats / Math.LN2;

/** Returns the scheme as it is trained: a table of positions ends at the recipe's multiple. */
function specOf({ id, options }: SchemeDescription): SchemeSpec {
  const hasTable = options.some(({ key }) => key === "maxPositions");
  const maxPositions = recipe.tableMultiple * recipe.length;
  return (hasTable ? { id, options: { maxPositions } } : id) as SchemeSpec;
}

/** Returns the engine's options for the training. */
function trainerOptions(
  scheme: SchemeSpec,
  seed: number,
  task: LengthTask,
  text: LengthText,
): NewTraining {
  const { model, length, steps } = recipe;
  const { batchSize, learningRate } = task === "text" ? recipe : recipe.ofTask;
  const vocabSize = task === "text" ? text.vocabSize : recipe.ofTask.symbols;
  return {
    config: { ...model, vocabSize, scheme, seed },
    task: task === "text" ? { id: "language_model", ids: text.ids } : { id: task },
    seed,
    length,
    batchSize,
    learningRate,
    totalSteps: steps,
  };
}

/** Returns undefined if the scheme is not defined at the length of a test. */
async function ifDefined<T>(test: Promise<T>): Promise<T | undefined> {
  try {
    return await test;
  } catch (reason) {
    if ((reason as { code?: string }).code === "invalid_argument") return undefined;
    throw reason;
  }
}

/** Returns the mean loss over the windows of the whole test, in bits. */
async function lossAt(model: RemoteModel, length: number, { test }: LengthText): Promise<number> {
  const windows = Math.floor((test.length - 1) / length);
  const parts = Array.from({ length: windows }, (_, index) =>
    model.loss(test.slice(index * length, (index + 1) * length + 1)),
  );
  try {
    const losses = await Promise.all(parts);
    return bits(losses.reduce((sum, { mean }) => sum + mean, 0) / losses.length);
  } finally {
    await Promise.allSettled(parts);
  }
}

/** Returns the share of right answers on new sequences of the task, in percent. */
async function rightAt(trainer: RemoteTrainer, length: number): Promise<number> {
  const { testSequences: sequences, testSeed: seed } = recipe;
  const [score] = await trainer.evaluate({ lengths: [length], sequences, seed });
  return 100 * score!.accuracy;
}

export class Experiment {
  /** Fires when a run or the whole experiment has made progress. */
  readonly changes = new Changes<"runs">();
  stage: Stage = "ready";
  failure: Failure | undefined;
  runs: Run[] = [];
  #task: LengthTask = "text";
  /** The reader's formula, a further scheme; throws if it cannot be read. */
  formula: () => FormulaOptions = () => ({});

  #engines: RemoteEngine[] = [];
  /** Counts trainings; results of an earlier one are ignored. */
  #round = 0;
  #withNote: typeof withNote | undefined;
  #resumed: Promise<void> = Promise.resolve();
  #resume: () => void = () => {};
  #activeSince = 0;
  #activeBefore = 0;
  #stepsDone = 0;
  #quiet = 0;

  constructor(
    readonly text: LengthText,
    readonly schemes: readonly SchemeDescription[],
  ) {}

  /** Returns the scheme of an id as it is trained. */
  specOf(scheme: string): SchemeSpec {
    if (scheme === formulaScheme) return { id: scheme, options: this.formula() } as SchemeSpec;
    return specOf(this.schemes.find(({ id }) => id === scheme)!);
  }

  /** Returns what a saved training must agree in, to be continued. */
  recipeOf(scheme: string): string {
    const key = this.#task === "text" ? recipeKey : JSON.stringify([recipeKey, this.#task]);
    return scheme === formulaScheme ? JSON.stringify([key, this.formula()]) : key;
  }

  /** What the models learn. */
  get task(): LengthTask {
    return this.#task;
  }

  /** Ends the training of another task, and drops its results. */
  set task(task: LengthTask) {
    if (task === this.#task) return;
    this.#task = task;
    this.runs = [];
    this.#end("ready");
  }

  /** Trains every scheme with every seed; all schemes of one seed before the next seed. */
  start(schemes: readonly string[]): Promise<void> {
    const runs = recipe.seeds.flatMap((seed) => schemes.map((scheme) => newRun(scheme, seed)));
    this.runs = runs;
    return this.#begin(runs, new Map());
  }

  /** Trains a saved model for the given number of further steps, beside the existing runs. */
  goOn(file: Uint8Array, { scheme, seed }: TrainingNote, stepsBefore: number): Promise<void> {
    const run = newRun(scheme, seed, stepsBefore);
    this.runs = [...this.runs.filter((other) => other.stage === "done"), run];
    return this.#begin([run], new Map([[run, file]]));
  }

  pause(): void {
    if (this.stage !== "running") return;
    this.stage = "paused";
    this.#resumed = new Promise((resolve) => {
      this.#resume = resolve;
    });
    this.#activeBefore += performance.now() - this.#activeSince;
    this.#notify();
  }

  resume(): void {
    if (this.stage !== "paused") return;
    this.stage = "running";
    this.#activeSince = performance.now();
    this.#resume();
    this.#notify();
  }

  /** Ends the workers; finished models stay. */
  cancel(): void {
    if (this.stage !== "running" && this.stage !== "paused") return;
    this.runs = this.runs.filter((run) => run.stage === "done");
    this.#end(this.runs.length ? "done" : "ready");
  }

  get progress(): { done: number; total: number; secondsLeft: number | undefined } {
    const total = this.runs.reduce((sum, run) => sum + run.steps - run.firstStep, 0);
    const done = this.runs.reduce(
      (sum, { losses, stage, steps, firstStep }) =>
        sum + (stage === "failed" ? steps - firstStep : losses.length),
      0,
    );
    const active =
      this.#activeBefore + (this.stage === "running" ? performance.now() - this.#activeSince : 0);
    const secondsLeft =
      this.#stepsDone > 20 ? ((total - done) * active) / this.#stepsDone / 1000 : undefined;
    return { done, total, secondsLeft };
  }

  /** Seconds of computing, without pauses. */
  get seconds(): number {
    return this.#activeBefore / 1000;
  }

  async #begin(runs: Run[], states: ReadonlyMap<Run, Uint8Array>): Promise<void> {
    this.#endWorkers();
    const round = ++this.#round;
    this.stage = "running";
    this.failure = undefined;
    this.#resumed = Promise.resolve();
    this.#stepsDone = 0;
    this.#activeBefore = 0;
    this.#activeSince = performance.now();
    this.#notify();
    const queue = [...runs];
    const count = Math.max(1, Math.min(navigator.hardwareConcurrency || 2, queue.length));
    try {
      // Loaded with the first training.
      const { load, withNote } = await import("./remote.js");
      this.#withNote = withNote;
      await Promise.all(
        Array.from({ length: count }, async () => {
          const engine = await load({ training: true });
          if (round !== this.#round) return engine.dispose();
          this.#engines.push(engine);
          for (let run = queue.shift(); run; run = queue.shift())
            await this.#train(engine, run, states.get(run), round);
        }),
      );
      if (round === this.#round) this.#end("done");
    } catch (reason) {
      if (round !== this.#round) return;
      this.failure = failureOf(reason);
      this.#end("failed");
    }
  }

  async #train(
    engine: RemoteEngine,
    run: Run,
    resume: Uint8Array | undefined,
    round: number,
  ): Promise<void> {
    run.stage = "training";
    let trainer: RemoteTrainer | undefined;
    try {
      const scheme = this.specOf(run.scheme);
      const options = trainerOptions(scheme, run.seed, this.#task, this.text);
      trainer = await engine.trainer(resume ? { ...options, resume } : options);
      while (run.losses.length < run.steps - run.firstStep) {
        await this.#resumed;
        if (round !== this.#round) return;
        const left = run.steps - run.firstStep - run.losses.length;
        const losses = await trainer.step(Math.min(stepsAtOnce, left));
        if (round !== this.#round) return;
        run.losses.push(...Array.from(losses, bits));
        this.#stepsDone += losses.length;
        this.#notifySoon();
      }
      run.memoryBytes = trainer.memoryBytes;
      run.stage = "testing";
      await this.#test(trainer, run);
      const note = { scheme: run.scheme, seed: run.seed, recipe: this.recipeOf(run.scheme) };
      run.file = this.#withNote!(await trainer.save(), note);
      run.stage = "done";
    } catch (reason) {
      if (round !== this.#round) return;
      // If the engine rejects one scheme, the others continue.
      if ((reason as { code?: string }).code === "internal") throw reason;
      run.stage = "failed";
      run.failure = failureOf(reason);
    } finally {
      if (round === this.#round) trainer?.dispose();
    }
    this.#notify();
  }

  async #test(trainer: RemoteTrainer, run: Run): Promise<void> {
    const model = await trainer.model();
    const tested: Run["tested"] = [];
    for (const multiple of recipe.multiples) {
      await this.#resumed;
      const length = multiple * recipe.length;
      const result =
        this.#task === "text" ? lossAt(model, length, this.text) : rightAt(trainer, length);
      tested.push(await ifDefined(result));
    }
    model.dispose();
    run.tested = tested;
  }

  #end(stage: Stage): void {
    if (this.stage === "running") this.#activeBefore += performance.now() - this.#activeSince;
    this.#round++;
    this.#endWorkers();
    this.stage = stage;
    // Ends the pause, so that waiting runs notice the end.
    this.#resume();
    this.#notify();
  }

  #endWorkers(): void {
    for (const engine of this.#engines) engine.dispose();
    this.#engines = [];
  }

  #notify(): void {
    clearTimeout(this.#quiet);
    this.#quiet = 0;
    this.changes.tell("runs");
  }

  /** Notifies listeners at intervals: losses arrive faster than they can be read. */
  #notifySoon(): void {
    this.#quiet ||= window.setTimeout(() => this.#notify(), quietMilliseconds);
  }
}

const newRun = (scheme: string, seed: number, firstStep = 0): Run => ({
  scheme,
  seed,
  stage: "waiting",
  steps: firstStep + recipe.steps,
  firstStep,
  losses: [],
  tested: [],
  memoryBytes: 0,
  file: undefined,
  failure: undefined,
});
