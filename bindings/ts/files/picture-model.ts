/** Opens a model of pictures: its config, the tensors that make vectors of pictures, the others. */

import { harmless } from "../families/harmless.js";
import { readOne, withLeftOut } from "../families/read-family.js";
import type { SchemeDescription } from "../types/index.js";
import { withConstants } from "./shown-file.js";
import type { OpenModel, Source } from "./source.js";

/** The settings of pictures in a folder, of its own file or of one for all kinds of input. */
async function preprocessorIn({ json }: Source): Promise<Record<string, unknown> | undefined> {
  const alone = await json("preprocessor_config.json");
  const all = alone ? undefined : await json("processor_config.json");
  return alone ?? (all?.["image_processor"] as Record<string, unknown> | undefined);
}

export async function openPictureModel(
  schemes: readonly SchemeDescription[],
  configFile: Record<string, unknown>,
  source: Source,
): Promise<OpenModel> {
  const { openPictures, pictureConfig, pictureFamily } = await import("../pictures.js");
  const config = pictureConfig(configFile, harmless);
  const { family, layout } = pictureFamily(String(config["model_type"]));
  const read = readOne(schemes, { ...config }, family);
  try {
    const width = read.config.hiddenSize;
    const opened = await openPictures(
      source.weights,
      layout(),
      width,
      await preprocessorIn(source),
    );
    const [first, ...rest] = opened.weights;
    const { constants } = read;
    return {
      ...read,
      weights:
        first && constants ? [await withConstants(first, constants), ...rest] : opened.weights,
      files: { ...source.files, pictures: opened.reader },
    };
  } catch (cause) {
    throw withLeftOut(cause, read.leftOut);
  }
}
