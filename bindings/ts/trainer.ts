import {
  checkObject,
  checkOptions,
  choice,
  integer,
  integers,
  number,
  positive,
  seedOf,
} from "./arguments.js";
import type { Core, RawModelArguments, RawTrainer } from "./core.js";
import { Handle } from "./handle.js";
import { ModelHandle } from "./model.js";
import { modelArguments } from "./model-config.js";
import type { Model, SchemeDescription, TaskSpec, Trainer, TrainerOptions } from "./types.js";

const names = [
  "config",
  "task",
  "seed",
  "batchSize",
  "length",
  "learningRate",
  "warmupSteps",
  "totalSteps",
  "weightDecay",
  "clipNorm",
];
const mostLength = 2 ** 20;
const mostSteps = 2 ** 30;

/** A task's id and, where the task learns from a text, its ids. */
function taskOf(
  task: unknown,
  taskIds: readonly string[],
  vocabSize: number,
): { task: string; ids: Int32Array } {
  checkObject("task", task);
  const id = choice("task.id", task["id"], taskIds as TaskSpec["id"][]);
  const usesText = id === "language_model";
  checkOptions("task", task, usesText ? ["id", "ids"] : ["id"]);
  return {
    task: id,
    ids: usesText ? integers("task.ids", task["ids"], 0, vocabSize - 1) : new Int32Array(0),
  };
}

/** How many steps one call may ask for. */
export const stepCount = (n: unknown): number => integer("n", n, 1, mostLength);

export class TrainerHandle extends Handle<RawTrainer> implements Trainer {
  readonly #sizes: RawModelArguments;
  readonly #length: number;

  constructor(core: Core, schemes: readonly SchemeDescription[], options: TrainerOptions) {
    checkOptions("options", options, names);
    const config = modelArguments(schemes, options.config);
    const length = integer("length", options.length ?? 64, 1, mostLength);
    const totalSteps = integer("totalSteps", options.totalSteps ?? 500, 1, mostSteps);
    const learningRate = positive("learningRate", options.learningRate ?? 3e-3);
    const given = {
      config,
      ...taskOf(options.task, core.raw.taskIds(), config.vocabSize),
      seed: seedOf(options.seed),
      batchSize: integer("batchSize", options.batchSize ?? 16, 1, 65536),
      length,
      learningRate: number("learningRate", learningRate, 0, 10),
      warmupSteps: integer(
        "warmupSteps",
        options.warmupSteps ?? Math.min(20, totalSteps),
        0,
        totalSteps,
      ),
      totalSteps,
      weightDecay: number("weightDecay", options.weightDecay ?? 0.1, 0, 10),
      clipNorm: number("clipNorm", options.clipNorm ?? 1, 0),
    };
    super(
      core,
      core.call((engine) => engine.Trainer.make(given)),
      "trainer",
    );
    this.#sizes = config;
    this.#length = length;
  }

  get stepsDone(): number {
    return this.raw.stepsDone;
  }

  step(n = 1): Float32Array {
    const losses = new Float32Array(stepCount(n));
    for (let i = 0; i < losses.length; i++) losses[i] = this.core.call(() => this.raw.step());
    return losses;
  }

  evaluate(
    options: { lengths?: readonly number[]; sequences?: number; seed?: number } = {},
  ): { length: number; loss: number; accuracy: number }[] {
    checkOptions("options", options, ["lengths", "sequences", "seed"]);
    const lengths = integers("lengths", options.lengths ?? [this.#length], 1, mostLength);
    const sequences = integer("sequences", options.sequences ?? 16, 1, 65536);
    const seed = seedOf(options.seed, 1);
    return Array.from(lengths, (length) => ({
      length,
      ...this.core.call(() => this.raw.evaluate(length, sequences, seed)),
    }));
  }

  model(): Model {
    const raw = this.core.call(() => this.raw.model());
    return new ModelHandle(this.core, raw, this.#sizes, undefined);
  }
}
