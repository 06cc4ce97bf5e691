/** Questions about one head of schemes or trained models, for any of its maps of a text. */
import { modelsFolder, sightedScheme } from "../../../defaults.js";
import { EngineFailure } from "../../../engine/both/failure.js";
import { longestLab, maxInLab } from "../../../engine/both/lab-sizes.js";
import type { MapPart, MapsAnswer, MapsQuestion } from "../../../engine/both/map-messages.js";
import { folderAddress } from "../../../engine/page/models-index.js";
import type { NewestWins } from "../../../engine/page/newest-wins.js";

/** The question that an element's attributes describe. */
export interface MapsRequest {
  /** Ids, separated by spaces. */
  scheme: string;
  model: string | undefined;
  text: string;
  layer: number;
  head: number;
  models: string | undefined;
  language: "en" | "zh";
}

export const idsIn = (written: string): string[] => written.split(/[\s,]+/).filter(Boolean);

export function mapsQuestion(request: MapsRequest, part: MapPart): MapsQuestion {
  const { scheme, model, models, ...rest } = request;
  return {
    ...rest,
    folder: folderAddress(models ?? modelsFolder),
    reader: model ? "model" : "scheme",
    schemes: idsIn(model ?? (scheme || sightedScheme)).slice(0, maxInLab),
    length: 0,
    unit: "token",
    longest: longestLab,
    part,
  };
}

/** Returns the maps; throws the first failure among them. */
export async function askMaps(
  line: NewestWins<"maps">,
  question: MapsQuestion,
): Promise<MapsAnswer | undefined> {
  const answer = await line.ask(question);
  const failure = answer?.maps.find((map) => map.failure)?.failure;
  if (failure) throw new EngineFailure(failure);
  return answer;
}
