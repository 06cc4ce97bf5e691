/** The contents of the folder of models: its index.json, written by the page's build. */
import { comparedSchemes, modelsFolder } from "../../defaults.js";
import { siteRoot } from "../../site-root.js";

export interface ModelsIndex {
  /** Ids of the schemes that have a trained model, in the recipe's order. */
  schemes: readonly string[];
  /** Ids of those whose heads have been measured over the held-out text. */
  heads: readonly string[];
  /** Names of experiments with a result. */
  experiments: readonly string[];
}

/** Defaults for a folder without an index: the models compared at first, and no measurements. */
const unlisted: ModelsIndex = {
  schemes: comparedSchemes.map(({ id }) => id),
  heads: [],
  experiments: [],
};

const isList = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((part) => typeof part === "string");

/**
 * Returns the folder's URL; an attribute gives it relative to the document, the default is at the
 * root of the site.
 */
export function folderAddress(folder: string): string {
  const path = folder === modelsFolder ? siteRoot() + folder : folder;
  return new URL(path.replace(/\/?$/, "/"), document.baseURI).href;
}

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
