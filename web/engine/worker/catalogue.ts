/** Every scheme with its properties, limits and costs, from the engine. */
import type { Engine, SchemeDescription } from "whereformer";
import { galleryView } from "../../defaults.js";
import type { CatalogueRow } from "../both/catalogue-messages.js";
import { textLengths } from "../both/chooser-lengths.js";
import { costOf } from "./counted-cost.js";
import { endsSomewhere } from "./ends.js";
import { socketsOf } from "./sockets.js";

function rowOf(wf: Engine, description: SchemeDescription): CatalogueRow {
  const { id, family, positionAxes, claims } = description;
  const question = { scheme: id, options: {}, tokens: [], isDetailed: false };
  const cost = costOf(wf, question);
  const ends = endsSomewhere(wf, question, galleryView.farthest);
  const hasTable =
    ends && (positionAxes === 2 || description.options.some(({ key }) => key === "maxPositions"));
  const reached = () =>
    textLengths.findLast((length) => !endsSomewhere(wf, question, length - 1)) ?? 0;
  return {
    scheme: id,
    family,
    positionAxes,
    sockets: socketsOf(wf, description),
    isShiftInvariant: claims.shiftInvariant,
    isBidirectional: claims.bidirectional,
    decodes: claims.decodes,
    ends,
    hasTable,
    reach: ends && !hasTable ? reached() : Number.POSITIVE_INFINITY,
    parameters: cost.parameters,
    share: cost.layerFlops / cost.attentionFlops,
    cacheBytes: cost.cacheBytes,
  };
}

export const catalogueOf = (wf: Engine): CatalogueRow[] =>
  wf.schemes.map((description) => rowOf(wf, description));
