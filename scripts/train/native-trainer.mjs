// Builds and runs the native trainer: options in, one JSON object per line out.

import { join } from "node:path";
import { root } from "../setup/ensure.mjs";
import { run, runOrFail, SetupError } from "../setup/process.mjs";

const program = join(root, "build", "release", "trainer");

export async function buildTrainer() {
  await runOrFail("cmake", ["--preset", "release"], { cwd: root });
  await runOrFail("cmake", ["--build", "--preset", "train"], { cwd: root });
}

/** Command-line options that describe a model, from its config.json. */
export function modelOptions(config) {
  if (config.schemes.length !== 1) throw new SetupError("a model of the trainer has one scheme");
  const [scheme] = config.schemes;
  return [
    ["scheme", scheme.id],
    ...Object.entries(scheme.options).map(([key, value]) => ["scheme-option", `${key}:${value}`]),
    ["vocab-size", config.vocab_size],
    ["hidden-size", config.hidden_size],
    ["layers", config.num_hidden_layers],
    ["heads", config.num_attention_heads],
    ["kv-heads", config.num_key_value_heads],
    ["head-dim", config.head_dim],
    ["intermediate-size", config.intermediate_size],
    ["norm-epsilon", config.rms_norm_eps],
    ["causal", config.is_causal],
    ...(config.initializer_range ? [["initializer-range", config.initializer_range]] : []),
  ];
}

/** Command-line options for the training settings. */
export function trainingOptions(training) {
  return [
    ["batch", training.batch],
    ["length", training.length],
    ["slices", training.slices],
    ["steps", training.steps],
    ["peak-rate", training.peakRate],
    ["floor-rate", training.floorRate],
    ["warmup-steps", Math.min(training.warmupSteps, training.steps)],
    ["beta1", training.beta1],
    ["beta2", training.beta2],
    ["weight-decay", training.weightDecay],
    ["clip", training.clip],
    ["seed", training.seed],
  ];
}

/** Runs `trainer <verb>` and calls `onEvent` with every object that it prints. */
export async function runTrainer(verb, options, onEvent) {
  const words = options.flatMap(([name, value]) => [`--${name}`, String(value)]);
  const { code, output } = await run(program, [verb, ...words], {
    onLine: (line) => line.startsWith("{") && onEvent(JSON.parse(line)),
  });
  if (code !== 0) {
    throw new SetupError(`The trainer failed (exit ${code}):\n${output.slice(-2000).trimEnd()}`);
  }
}
