/** A reader's own model in the lab: a map of one head, and that map after surgery. */
import type { Engine, Model } from "whereformer";
import type { Job } from "whereformer/requests";
import type { OpenedMapAnswer, OpenedMapQuestion } from "../both/checkpoint-messages.js";
import { failureOf } from "../both/failure.js";
import type { MapSurgery, OperatedMap } from "../both/map-messages.js";
import type { SurgeryOffer } from "../both/surgery-messages.js";
import { yieldToUrgent } from "./job.js";
import { partOf } from "./map-part.js";
import { argumentsOf, offerOf, prepareSurgery } from "./prepared-surgery.js";
import { wavelengthsOf } from "./wavelengths.js";

/**
 * Returns the surgery on offer: if layers have different schemes, none can be swapped in for all.
 */
function offerFor(wf: Engine, model: Model): SurgeryOffer {
  const offer = offerOf(wf, model, wavelengthsOf(wf, model));
  if (!Object.keys(model.config.layers ?? {}).length) return offer;
  const operations = offer.operations.filter((one) => !["option", "remap", "scheme"].includes(one));
  return { ...offer, operations };
}

const bitsPerToken = ({ mean }: { mean: number }): number => mean / Math.LN2;

async function operatedOn(
  wf: Engine,
  model: Model,
  ids: readonly number[],
  { layer, head, part }: Pick<OpenedMapQuestion, "layer" | "head" | "part">,
  request: MapSurgery,
  job: Job,
): Promise<OperatedMap> {
  const { scheme, operation } = request;
  const offer = offerFor(wf, model);
  const nothing = { scheme, offer, losses: [], scored: 0 };
  if (operation === "none") return nothing;
  const asked = { ...request, operation, layer, head };
  const { inForce } = prepareSurgery(model, offer, asked, ids.length);
  const changes = argumentsOf(inForce);
  try {
    await yieldToUrgent(job);
    const values = partOf(model, ids, { layer, head, part }, changes);
    const { isCausal, architecture } = model.config;
    if (!isCausal || architecture?.head === "none") return { ...nothing, inForce, values };
    await yieldToUrgent(job);
    const before = bitsPerToken(model.loss(ids));
    const textLoss = { before, after: bitsPerToken(model.loss(ids, changes)) };
    return { ...nothing, inForce, values, textLoss };
  } catch (reason) {
    // For example, a table has no such position; the map before surgery is still returned.
    return { ...nothing, inForce, failure: failureOf(reason) };
  }
}

/** That layer, or the next one with attention, which some layers lack. */
function withAttention({ layerTypes = [], layers = {} }: Model["config"], layer: number): number {
  const has = layerTypes.map((type) => {
    const { convolution, deltaRule, stateSpace } = layers[type] ?? {};
    return !convolution && !deltaRule && !stateSpace;
  });
  if (has[layer] !== false) return layer;
  const next = has.indexOf(true, layer);
  return next < 0 ? has.lastIndexOf(true) : next;
}

export async function openedMap(
  wf: Engine,
  model: Model,
  question: OpenedMapQuestion,
  ids: readonly number[],
  job: Job,
): Promise<Pick<OpenedMapAnswer, "layer" | "head" | "values" | "operated">> {
  const config = model.encoderConfig ?? model.config;
  const { numLayers, numHeads } = config;
  const { part, operation } = question;
  const layer = withAttention(config, Math.min(question.layer, numLayers - 1));
  const head = Math.min(question.head, numHeads - 1);
  const values = ids.length ? partOf(model, ids, { layer, head, part }) : new Float32Array(0);
  const canBeOperated = operation !== undefined && !model.encoderConfig && ids.length > 1;
  const operated =
    canBeOperated && (await operatedOn(wf, model, ids, { layer, head, part }, operation, job));
  return { layer, head, values, ...(operated && { operated }) };
}
