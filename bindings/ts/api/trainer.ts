import { type ModelArguments, modelArguments, modelItems } from "../config/model-config.js";
import type {
  Model,
  SchemeDescription,
  TaskSpec,
  Trainer,
  TrainerOptions,
} from "../types/index.js";
import {
  checkObject,
  checkOptions,
  choice,
  integer,
  integers,
  number,
  positive,
  refuse,
  seedOf,
} from "../wire/arguments.js";
import type { Core } from "../wire/core.js";
import { Handle } from "../wire/handle.js";
import { ModelHandle } from "./model.js";

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
  "resume",
];
const mostLength = 2 ** 20;
const mostSteps = 2 ** 30;

/** The index of a task and, where the task learns from a text, its ids. */
function taskOf(
  task: unknown,
  taskIds: readonly string[],
  vocabSize: number,
): [task: number, ids: Int32Array] {
  checkObject("task", task);
  const id = choice("task.id", task["id"], taskIds as TaskSpec["id"][]);
  const usesText = id === "language_model";
  checkOptions("task", task, usesText ? ["id", "ids"] : ["id"]);
  return [
    taskIds.indexOf(id),
    usesText ? integers("task.ids", task["ids"], 0, vocabSize - 1) : new Int32Array(0),
  ];
}

/** How many steps one call may ask for. */
export const stepCount = (n: unknown): number => integer("n", n, 1, mostLength);

export class TrainerHandle extends Handle implements Trainer {
  readonly #schemes: readonly SchemeDescription[];
  readonly #sizes: ModelArguments;
  readonly #length: number;

  constructor(core: Core, schemes: readonly SchemeDescription[], options: TrainerOptions) {
    checkOptions("options", options, names);
    const config = modelArguments(schemes, options.config);
    const length = integer("length", options.length ?? 64, 1, mostLength);
    const totalSteps = integer("totalSteps", options.totalSteps ?? 500, 1, mostSteps);
    const learningRate = positive("learningRate", options.learningRate ?? 3e-3);
    const taskIds = core.call("taskIds", 0, [], (answer) => answer.list(answer.text));
    const items = [
      ...modelItems(config),
      ...taskOf(options.task, taskIds, config.vocabSize),
      seedOf(options.seed),
      integer("batchSize", options.batchSize ?? 16, 1, 65536),
      length,
      number("learningRate", learningRate, 0, 10),
      integer("warmupSteps", options.warmupSteps ?? Math.min(20, totalSteps), 0, totalSteps),
      totalSteps,
      number("weightDecay", options.weightDecay ?? 0.1, 0, 10),
      number("clipNorm", options.clipNorm ?? 1, 0),
    ];
    const { resume } = options;
    if (resume !== undefined && !(resume instanceof Uint8Array))
      refuse("resume", resume, "a Uint8Array that save() gave");
    super(core, core.make("makeTrainer", 0, items), "trainer");
    this.#schemes = schemes;
    this.#sizes = config;
    this.#length = length;
    if (resume) this.#restore(resume);
  }

  #restore(state: Uint8Array): void {
    try {
      this.call("restoreTrainer", [state], () => {});
    } catch (error) {
      this.dispose();
      throw error;
    }
  }

  #facts(): [stepsDone: number, memoryBytes: number] {
    return this.call("trainerFacts", [], (answer) => [answer.number(), answer.number()]);
  }

  get stepsDone(): number {
    return this.#facts()[0];
  }

  get memoryBytes(): number {
    return this.#facts()[1];
  }

  step(n = 1): Float32Array {
    const losses = new Float32Array(stepCount(n));
    for (let i = 0; i < losses.length; i++)
      losses[i] = this.call("step", [], (answer) => answer.number());
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
      ...this.call("evaluate", [length, sequences, seed], (answer) => ({
        loss: answer.number(),
        accuracy: answer.number(),
      })),
    }));
  }

  save(): Uint8Array {
    return this.call("saveTrainer", [], (answer) => answer.bytes());
  }

  model(): Model {
    const address = this.core.make("copyModel", this.address, []);
    return new ModelHandle(this.core, address, this.#schemes, this.#sizes, undefined);
  }
}
