/**
 * Results of `npm run extension` and `npm run longrope`: the rotary model on texts longer than any
 * in its training.
 */
import { type Language, type StretchMethod, stretchMethods } from "../../defaults.js";
import { readIndex } from "./models-index.js";

export interface LongerScore {
  bitsPerToken: number;
  /** Loss in consecutive pieces as long as the training window. */
  byPosition: readonly number[];
}

export interface ExtensionResults {
  /** Command that produced the results. */
  command: string;
  /** Tokens of a training window. */
  length: number;
  multiples: readonly number[];
  /** Measured methods, in the page's order. */
  methods: readonly StretchMethod[];
  scoreOf: (method: StretchMethod, multiple: number, language: Language) => LongerScore | undefined;
  /** LongRoPE's divisors of all pairs for a multiple, if they were searched. */
  divisorsFor: (multiple: number) => readonly number[] | undefined;
}

type Scores = Record<Language, LongerScore>;

interface ExtensionFile {
  command: string;
  plan: {
    extension: { multiples: number[] };
    config: { max_training_length: number };
  };
  results: Record<string, Record<string, Scores>>;
}

interface LongropeFile {
  results: Record<string, Scores & { divisors: number[] }>;
}

/** Parses the files of the two commands. */
export function readExtension(
  { command, plan, results }: ExtensionFile,
  searched?: LongropeFile,
): ExtensionResults {
  const all: ExtensionFile["results"] = searched
    ? { ...results, longrope: searched.results }
    : results;
  return {
    command,
    length: plan.config.max_training_length,
    multiples: plan.extension.multiples,
    methods: stretchMethods.filter((method) => all[method]),
    scoreOf: (method, multiple, language) => all[method]?.[multiple]?.[language],
    divisorsFor: (multiple) => searched?.results[multiple]?.divisors,
  };
}

/** Fetches the results from a folder of models; undefined if it has none. */
export async function fetchExtension(folder: string): Promise<ExtensionResults | undefined> {
  const { experiments } = await readIndex(folder);
  if (!experiments.includes("extension")) return undefined;
  const get = async (name: string) => (await fetch(new URL(`${name}.json`, folder))).json();
  const [file, searched] = await Promise.all([
    get("extension"),
    experiments.includes("longrope") ? get("longrope") : undefined,
  ]);
  return readExtension(file, searched);
}
