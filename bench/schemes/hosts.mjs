// Hosts that measure schemes: the package in a fresh Node process, and the native trainer, built
// from the same sources.

import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { relaxedSimdFlags, SetupError } from "../../scripts/setup/process.mjs";
import { modelOptions, runTrainer } from "../../scripts/train/native-trainer.mjs";
import { modelConfig } from "../../scripts/train/recipe.mjs";

const child = fileURLToPath(new URL("./process.mjs", import.meta.url));

/** Measures the package as planned, and reports each result as a message. */
export function measurePackage(plan, onMessage) {
  return new Promise((resolve, reject) => {
    const worker = fork(child, { execArgv: relaxedSimdFlags() });
    worker.on("message", onMessage);
    worker.on("exit", (code, signal) =>
      code === 0
        ? resolve()
        : reject(new SetupError(`the process that measures ended with ${code ?? signal}`)),
    );
    worker.send(plan);
  });
}

/** Returns the options of a scheme in the form of the trainer's `cost`. */
function nativeOptions(plan) {
  return Object.values(plan.schemes).flatMap(([{ id, options }, ...more]) => {
    if (more.length > 0) throw new SetupError("a model of the trainer has one scheme");
    const given = Object.entries(options).map(([key, value]) => [
      "scheme-option",
      `${id}.${key}:${key === "maxPositions" ? "length" : value}`,
    ]);
    return [["scheme", id], ...given];
  });
}

/** Times the works natively, in one thread. */
export async function measureNative(plan, onMessage) {
  const { model, vocabulary, rounds } = plan;
  const config = modelConfig(model, [{ id: "", options: {} }], { vocabulary });
  const sizes = modelOptions(config).filter(([name]) => name !== "scheme");
  const works = { forward: "inference", train: "training" };
  await runTrainer(
    "cost",
    [
      ...sizes,
      ...nativeOptions(plan),
      ...plan.inference.map((length) => ["forward", length]),
      ...plan.training.map((length) => ["train", length]),
      ["tokens", plan.tokensOfStep],
      ["rounds", rounds.rounds],
      ["least-rounds", rounds.min],
      ["budget-ms", rounds.budgetMs],
    ],
    ({ work, length, times }) => onMessage({ work: works[work], length, rounds: [times] }),
  );
}
