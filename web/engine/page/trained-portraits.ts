/** The gallery's pictures of trained schemes, which the build computes from the models. */
import type { PortraitAnswer, SchemePicture } from "../both/messages.js";
import { readIndex } from "./models-index.js";

export type TrainedPortraits = ReadonlyMap<string, PortraitAnswer>;

/** JSON has lists in place of the engine's arrays. */
const numbersIn = <T extends object>(written: T): T =>
  Object.fromEntries(
    Object.entries(written).map(([name, value]) => [
      name,
      Array.isArray(value) ? Float32Array.from(value) : value,
    ]),
  ) as T;

function portraitIn(written: PortraitAnswer): PortraitAnswer {
  const { picture, record } = written;
  return {
    ...written,
    picture: numbersIn<SchemePicture>(picture),
    record: { ...numbersIn(record), terms: numbersIn(record.terms) },
  };
}

/** Fetches the pictures by scheme; empty if the folder has none. */
export async function fetchTrainedPortraits(folder: string): Promise<TrainedPortraits> {
  const { experiments } = await readIndex(folder);
  if (!experiments.includes("portraits")) return new Map();
  const response = await fetch(new URL("portraits.json", folder));
  const written = (await response.json()) as Record<string, PortraitAnswer>;
  return new Map(Object.entries(written).map(([id, portrait]) => [id, portraitIn(portrait)]));
}
