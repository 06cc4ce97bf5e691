/** What the folder of the models holds: its index.json, written where the page is built. */
import { comparedSchemes } from "../../defaults.js";

export interface ModelsIndex {
  /** Ids of the schemes that have a trained model, in the recipe's order. */
  schemes: readonly string[];
  /** Those of them whose heads have been measured over the held-out text. */
  heads: readonly string[];
  /** Names of experiments that have a result. */
  experiments: readonly string[];
}

/** A folder without an index is taken to hold the models of the beginning, and nothing measured. */
const unlisted: ModelsIndex = {
  schemes: comparedSchemes.map(({ id }) => id),
  heads: [],
  experiments: [],
};

const isList = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((part) => typeof part === "string");

/** Address of the folder, which an attribute names as seen from the document. */
export const folderAddress = (folder: string): string =>
  new URL(folder.replace(/\/?$/, "/"), document.baseURI).href;

export async function readIndex(folder: string): Promise<ModelsIndex> {
  try {
    const response = await fetch(new URL("index.json", folder));
    const { schemes, heads, experiments } = (await response.json()) as Record<string, unknown>;
    if (!isList(schemes) || !schemes.length) return unlisted;
    return {
      schemes,
      heads: isList(heads) ? heads : [],
      experiments: isList(experiments) ? experiments : [],
    };
  } catch {
    return unlisted;
  }
}
