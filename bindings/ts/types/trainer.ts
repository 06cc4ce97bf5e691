/** The public types of training. */
import type { Model, ModelConfig } from "./model.js";
import type { TokenIds } from "./tokenizer.js";

/**
 * What to learn: the next token of windows of a text; repeating a sequence after a separator; or
 * continuing a pattern of unknown period (Olsson et al. 2022, arXiv 2209.11895).
 */
export type TaskSpec =
  | { id: "language_model"; ids: TokenIds }
  | { id: "copy" }
  | { id: "induction" };

/** Training of a new model. */
export interface NewTraining extends TrainingSettings {
  /** Its `seed` is that of the first weights. */
  config: ModelConfig;
}

/** Training that goes on from a model's weights, such as those of a published one. */
export interface FurtherTraining extends TrainingSettings {
  /**
   * It is copied, and stays as it is. Errors: `unsupported` for a model of another dtype than
   * "f32", and for one with an encoder.
   */
  model: Model;
}

export type TrainerOptions = NewTraining | FurtherTraining;

/** AdamW (Loshchilov & Hutter 2019, arXiv 1711.05101) and what it learns from. */
export interface TrainingSettings {
  task: TaskSpec;
  /** Of the batches; default 0. */
  seed?: number;
  /** Sequences in a step. Default 16. */
  batchSize?: number;
  /** Tokens in a sequence. Default 64. */
  length?: number;
  /** At its highest; default 3e-3. */
  learningRate?: number;
  /**
   * Steps in which it rises from 0, in a straight line. Default 20, or totalSteps where that is
   * less.
   */
  warmupSteps?: number;
  /** Step from which it stays at a tenth, after half a cosine. Default 500. */
  totalSteps?: number;
  /** Of matrices, decoupled; default 0.1. */
  weightDecay?: number;
  /** Largest global norm of the gradient; 0: no limit. Default 1. */
  clipNorm?: number;
  /**
   * What `save()` of a trainer of the same model gave: weights, moments, steps done and state of
   * chance go on from there, so that with the same other options the run is the one that was not
   * interrupted. Errors: `malformed_file` where the bytes are not that, or of a model of another
   * size.
   */
  resume?: Uint8Array;
}

export interface Trainer {
  readonly stepsDone: number;
  /**
   * Bytes of the engine's memory that this trainer holds: model, gradients, moments, activations.
   * Grows in the first step and, where the batches are alike, never again. A trainer takes at most
   * 1 GiB: one that would take more is refused as `out_of_memory`, with the largest batch or length
   * that fits.
   */
  readonly memoryBytes: number;
  /**
   * Runs n steps (default 1) and returns the loss of each before its update, `[n]`, in nats per
   * scored token. Errors: `internal` when a gradient is not finite; the model is then as it was.
   */
  step(n?: number): Float32Array;
  /**
   * Mean loss, in nats per scored token, and the share of them predicted best, on new sequences of
   * the task at each length (default: the training length; 16 sequences; seed 1). `language_model`
   * draws them from its own ids: for text held out, ask `model().loss(ids)`. Training's own stream
   * of chance is not touched.
   */
  evaluate(options?: {
    lengths?: readonly number[];
    sequences?: number;
    seed?: number;
  }): { length: number; loss: number; accuracy: number }[];
  /**
   * Everything that `resume` needs, as safetensors of three flat float32 tensors (`values`,
   * `first_moments`, `second_moments`); three times the weights. For weights alone,
   * `model().save()`.
   */
  save(): Uint8Array;
  /** A copy of the model as it is now. */
  model(): Model;
  dispose(): void;
  [Symbol.dispose](): void;
}
