/** The public types of training. */
import type { Model, ModelConfig } from "./model.js";
import type { TokenIds } from "./tokenizer.js";

/**
 * The task to learn: predicting the next token in windows of a text; repeating a sequence after a
 * separator; or continuing a pattern of unknown period (Olsson et al. 2022, arXiv 2209.11895).
 */
export type TaskSpec =
  | { id: "language_model"; ids: TokenIds }
  | { id: "copy" }
  | { id: "induction" };

/** Training of a new model. */
export interface NewTraining extends TrainingSettings {
  /** Its `seed` is that of the initial weights. */
  config: ModelConfig;
}

/** Training that continues from a model's weights, such as those of a published one. */
export interface FurtherTraining extends TrainingSettings {
  /**
   * It is copied, and does not change. Errors: `unsupported` for a model of another dtype than
   * "f32", and for one with an encoder.
   */
  model: Model;
}

export type TrainerOptions = NewTraining | FurtherTraining;

/** Settings of AdamW (Loshchilov & Hutter 2019, arXiv 1711.05101), and the task. */
export interface TrainingSettings {
  task: TaskSpec;
  /** Seed of the batches; default 0. */
  seed?: number;
  /** Sequences in a step. Default 16. */
  batchSize?: number;
  /** Tokens in a sequence. Default 64. */
  length?: number;
  /** Maximum learning rate; default 3e-3. */
  learningRate?: number;
  /** Steps of the linear warm-up from 0. Default 20, or totalSteps if that is less. */
  warmupSteps?: number;
  /**
   * Step at which the cosine decay ends, at a tenth of the maximum, which it then keeps. Default
   * 500.
   */
  totalSteps?: number;
  /** Decoupled weight decay of matrices; default 0.1. */
  weightDecay?: number;
  /** Maximum global norm of the gradient; 0: no limit. Default 1. */
  clipNorm?: number;
  /**
   * The result of `save()` of a trainer of the same model: weights, moments, number of steps and
   * random state continue from there, so with otherwise equal options the run equals an
   * uninterrupted one. Errors: `malformed_file` if the bytes are not such a state, or are of a
   * model of another size.
   */
  resume?: Uint8Array;
}

export interface Trainer {
  readonly stepsDone: number;
  /**
   * Bytes of the engine's memory that this trainer holds: model, gradients, moments, activations.
   * Grows in the first step and, if all batches are of one size, never again. A trainer takes at
   * most 1 GiB: one that would take more is refused as `out_of_memory`, with the largest batch or
   * length that fits.
   */
  readonly memoryBytes: number;
  /**
   * Runs n steps (default 1) and returns the loss of each before its update, `[n]`, in nats per
   * scored token. Errors: `internal` if a gradient is not finite; the model is then unchanged.
   */
  step(n?: number): Float32Array;
  /**
   * Mean loss, in nats per scored token, and the share of tokens predicted correctly, on new
   * sequences of the task at each length (default: the training length; 16 sequences; seed 1).
   * `language_model` draws them from its own ids: for text held out, use `model().loss(ids)`. The
   * random state of training does not change.
   */
  evaluate(options?: {
    lengths?: readonly number[];
    sequences?: number;
    seed?: number;
  }): { length: number; loss: number; accuracy: number }[];
  /**
   * The state that `resume` takes, as safetensors of three flat float32 tensors (`values`,
   * `first_moments`, `second_moments`); three times the size of the weights. For weights alone, use
   * `model().save()`.
   */
  save(): Uint8Array;
  /** A copy of the model in its current state. */
  model(): Model;
  dispose(): void;
  [Symbol.dispose](): void;
}
