/** Results of `npm run probes`: tasks that depend on position, learnt with each scheme. */
import { type ProbeTask, probeTasks } from "../../defaults.js";
import { type Spread, spreadOf } from "./length-results.js";

export interface ProbeScore extends Spread {
  /** Share of correct targets, one number per seed. */
  seeds: readonly number[];
}

export interface ProbeResults {
  /** Command that produced the results. */
  command: string;
  /** Sizes of the model, and its training. */
  numLayers: number;
  channels: number;
  steps: number;
  /** By scheme, in the recipe's order. */
  scores: ReadonlyMap<string, Readonly<Record<ProbeTask, ProbeScore>>>;
}

interface ProbeFile {
  command: string;
  plan: {
    small: { model: { num_hidden_layers: number; hidden_size: number } };
    probes: { training: { steps: number } };
  };
  results: Record<string, Record<string, Record<string, number>>>;
}

/** Parses the file that the command writes; a scheme without results for some task is left out. */
export function readProbes({ command, plan, results }: ProbeFile): ProbeResults {
  const done = Object.entries(results).filter(([, tasks]) => probeTasks.every((id) => tasks[id]));
  const scoreOf = (bySeed: Record<string, number>): ProbeScore => {
    const seeds = Object.values(bySeed);
    return { ...spreadOf(seeds), seeds };
  };
  return {
    command,
    numLayers: plan.small.model.num_hidden_layers,
    channels: plan.small.model.hidden_size,
    steps: plan.probes.training.steps,
    scores: new Map(
      done.map(([scheme, tasks]) => [
        scheme,
        Object.fromEntries(probeTasks.map((id) => [id, scoreOf(tasks[id]!)])) as Record<
          ProbeTask,
          ProbeScore
        >,
      ]),
    ),
  };
}
