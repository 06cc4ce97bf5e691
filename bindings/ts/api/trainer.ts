import { readFields, type Values } from "../config/fields.js";
import { type ModelArguments, modelArguments } from "../config/model-config.js";
import { trainingFields } from "../generated/fields.js";
import type { Trainer as RawTrainer } from "../generated/module.js";
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
  refuse,
  refuseOther,
  seedOf,
} from "../wire/arguments.js";
import { bytesOf, isBytes } from "../wire/arrays.js";
import { type Core, space } from "../wire/core.js";
import { WhereformerError } from "../wire/error.js";
import { guard } from "../wire/guard.js";
import { EngineObject } from "../wire/handle.js";
import { integers } from "../wire/lists.js";
import { taskIds } from "./descriptions.js";
import { ModelHandle, readBytes } from "./model.js";
import { withLayout } from "./model-layout.js";

const names = ["config", "model", "task", "seed", ...Object.keys(trainingFields), "resume"];
const { max: maxLength } = trainingFields.length;

/** The index of a task and, if the task learns from a text, its ids. */
function taskOf(
  task: unknown,
  known: readonly string[],
  vocabSize: number,
): { task: number; ids: Int32Array } {
  checkObject("task", task);
  const id = choice("task.id", task["id"], known as TaskSpec["id"][]);
  const usesText = id === "language_model";
  checkOptions("task", task, usesText ? ["id", "ids"] : ["id"]);
  return {
    task: known.indexOf(id),
    ids: usesText ? integers("task.ids", task["ids"], 0, vocabSize - 1) : new Int32Array(0),
  };
}

/** The settings, completed; a warm-up is not longer than the training by default. */
function trainingSettings(options: TrainerOptions): Values<typeof trainingFields> {
  const { totalSteps, warmupSteps } = trainingFields;
  const steps = integer("totalSteps", options.totalSteps ?? totalSteps.absent, totalSteps.min);
  const settings = readFields(trainingFields, {
    ...options,
    totalSteps: steps,
    warmupSteps: options.warmupSteps ?? Math.min(warmupSteps.absent, steps),
  });
  integer("warmupSteps", settings.warmupSteps, 0, steps);
  return settings;
}

/** The number of steps of one call, checked. */
export const stepCount = (n: unknown): number => integer("n", n, 1, maxLength);

/** Start of the numbers in a safetensors file: after the header's length and the header. */
const dataStart = (file: Uint8Array): number =>
  8 + new DataView(file.buffer, file.byteOffset).getUint32(0, true);

export class TrainerHandle extends EngineObject<RawTrainer> implements Trainer {
  readonly #schemes: readonly SchemeDescription[];
  readonly #sizes: ModelArguments;
  readonly #length: number;

  constructor(core: Core, schemes: readonly SchemeDescription[], options: TrainerOptions) {
    // The binary with threads includes the training part.
    if (core.training?.isThere === false)
      throw new WhereformerError(
        "unsupported",
        "trainer: this engine was loaded without its training part; use load({ training: true })",
        { argument: "training" },
      );
    checkOptions("options", options, names);
    const { model, config: given } = options as { model?: unknown; config?: unknown };
    if (model !== undefined && !(model instanceof ModelHandle))
      refuseOther("model", model, "model", "a model of wf.model");
    if (model && given !== undefined)
      refuse("config", given, "undefined with model, which has a config");
    const config = model?.sizes ?? modelArguments(schemes, given);
    const { task, ids } = taskOf(options.task, taskIds(core), config.vocabSize);
    const fields = trainingSettings(options);
    const settings = { task, modelSeed: config.seed, seed: seedOf(options.seed), ...fields };
    const { resume } = options;
    if (resume !== undefined && !isBytes(resume))
      refuse("resume", resume, "a Uint8Array that save() returned");
    const made = withLayout(core, config, (layout) =>
      core.run(space(ids), (raw) =>
        core.made(raw.Trainer.make(layout, settings, core.put(ids), ids.length)),
      ),
    );
    super(core, made, "trainer");
    this.#schemes = schemes;
    this.#sizes = config;
    this.#length = fields.length;
    if (model) this.#restore(this.#withWeights(model));
    if (resume) this.#restore(bytesOf(resume));
  }

  /** The trainer's state at step 0 with a model's weights and sizes. */
  #withWeights(model: ModelHandle): Uint8Array {
    try {
      const state = this.save();
      const weights = model.save();
      // Both files have f32 values in the order of the table; in the state, moments follow.
      const values = weights.subarray(dataStart(weights));
      const start = dataStart(state);
      if (3 * values.length !== state.length - start)
        throw new WhereformerError("internal", "a model and its training differ in size");
      state.set(values, start);
      return state;
    } catch (error) {
      this.dispose();
      throw error;
    }
  }

  #restore(state: Uint8Array): void {
    try {
      const { core, raw } = this;
      core.run(space(state), () => core.check(raw.restore(core.put(state), state.length)));
    } catch (error) {
      this.dispose();
      throw error;
    }
  }

  get stepsDone(): number {
    const { core, raw } = this;
    return core.run(0, () => raw.stepsDone());
  }

  get memoryBytes(): number {
    const { core, raw } = this;
    return core.run(0, () => raw.memoryBytes());
  }

  step(n = 1): Float32Array {
    const losses = new Float32Array(stepCount(n));
    const { core, raw } = this;
    for (let i = 0; i < losses.length; i++) {
      const { code, loss } = core.run(0, () => raw.step());
      core.check(code);
      losses[i] = loss;
    }
    return losses;
  }

  evaluate(
    options: { lengths?: readonly number[]; sequences?: number; seed?: number } = {},
  ): { length: number; loss: number; accuracy: number }[] {
    checkOptions("options", options, ["lengths", "sequences", "seed"]);
    const lengths = integers("lengths", options.lengths ?? [this.#length], 1, maxLength);
    const sequences = integer("sequences", options.sequences ?? 16, 1, 65536);
    const seed = seedOf(options.seed, 1);
    const { core, raw } = this;
    return Array.from(lengths, (length) => {
      const { code, ...scores } = core.run(0, () => raw.evaluate(length, sequences, seed));
      core.check(code);
      return { length, ...scores };
    });
  }

  save(): Uint8Array {
    const { core, raw } = this;
    return readBytes(
      core,
      core.run(0, () => core.made(raw.save())),
    );
  }

  model(): Model {
    const { core, raw } = this;
    const made = core.run(0, () => core.made(raw.copyModel()));
    return new ModelHandle(core, made, this.#schemes, this.#sizes, undefined);
  }
}

guard(TrainerHandle, { step: 1, evaluate: 1, save: 0, model: 0 });
