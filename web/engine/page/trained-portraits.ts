/** The gallery's pictures of what schemes have learnt, which the build takes from the models. */
import type { PortraitAnswer, SchemePicture } from "../both/messages.js";
import { readIndex } from "./models-index.js";

export type TrainedPortraits = ReadonlyMap<string, PortraitAnswer>;

/** In JSON, lists stand where the engine gives arrays. */
const numbersIn = <T extends object>(written: T): T =>
  Object.fromEntries(
    Object.entries(written).map(([name, value]) => [
      name,
      Array.isArray(value) ? Float32Array.from(value) : value,
    ]),
  ) as T;

function portraitIn(written: PortraitAnswer): PortraitAnswer {
  const { picture, reading } = written;
  return {
    ...written,
    picture: numbersIn<SchemePicture>(picture),
    reading: { ...numbersIn(reading), terms: numbersIn(reading.terms) },
  };
}

/** By scheme; none where the folder has none. */
export async function fetchTrainedPortraits(folder: string): Promise<TrainedPortraits> {
  const { experiments } = await readIndex(folder);
  if (!experiments.includes("portraits")) return new Map();
  const response = await fetch(new URL("portraits.json", folder));
  const written = (await response.json()) as Record<string, PortraitAnswer>;
  return new Map(Object.entries(written).map(([id, portrait]) => [id, portraitIn(portrait)]));
}
