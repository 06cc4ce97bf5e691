/** Results of `npm run extension`: the rotary model on texts longer than any in its training. */
import { type Language, type StretchMethod, stretchMethods } from "../../defaults.js";

export interface LongerScore {
  bitsPerToken: number;
  /** In stretches as long as the training, one after the other. */
  byPosition: readonly number[];
}

export interface ExtensionResults {
  /** The command that made them. */
  command: string;
  /** Tokens of a training window. */
  length: number;
  multiples: readonly number[];
  /** Methods that were measured, in the page's order. */
  methods: readonly StretchMethod[];
  scoreOf: (method: StretchMethod, multiple: number, language: Language) => LongerScore | undefined;
}

interface ExtensionFile {
  command: string;
  plan: {
    extension: { multiples: number[] };
    config: { max_training_length: number };
  };
  results: Record<string, Record<string, Record<Language, LongerScore>>>;
}

/** Reads what the command has written. */
export function readExtension({ command, plan, results }: ExtensionFile): ExtensionResults {
  return {
    command,
    length: plan.config.max_training_length,
    multiples: plan.extension.multiples,
    methods: stretchMethods.filter((method) => results[method]),
    scoreOf: (method, multiple, language) => results[method]?.[multiple]?.[language],
  };
}
