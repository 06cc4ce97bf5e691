/** The map of a trained model after surgery, and the effect on its loss on held-out text. */
import type { Job } from "whereformer/requests";
import { heldOutWindow } from "../../defaults.js";
import { failureOf } from "../both/failure.js";
import type { MapSurgery, MapsQuestion, OperatedMap } from "../both/map-messages.js";
import { lossesOf, scoredIn } from "./held-out.js";
import { yieldToUrgent } from "./job.js";
import { partOf } from "./map-part.js";
import type { ModelStore } from "./model-store.js";
import { argumentsOf, offerOf, prepareSurgery } from "./prepared-surgery.js";
import { wavelengthsOf } from "./wavelengths.js";

export async function operatedMap(
  store: ModelStore,
  question: MapsQuestion & { operation: MapSurgery },
  { ids }: { ids: readonly number[] },
  job: Job,
): Promise<OperatedMap> {
  const wf = await store.engine();
  const { folder, operation: request } = question;
  const { scheme } = request;
  const model = await store.model(folder, scheme, { signal: job.signal, progress: () => {} });
  const offer = offerOf(wf, model, wavelengthsOf(wf, model));
  const { operation } = request;
  if (operation === "none") return { scheme, offer, losses: [], scored: 0 };
  const { numLayers, numHeads } = model.config;
  const layer = Math.min(question.layer, numLayers - 1);
  const head = Math.min(question.head, numHeads - 1);
  const asked = { ...request, operation, layer, head };
  const { inForce, moved } = prepareSurgery(model, offer, asked, ids.length);
  try {
    await yieldToUrgent(job);
    const { part } = question;
    const values = partOf(model, ids, { layer, head, part }, argumentsOf(inForce));
    const heldOut = await store.heldOut(folder, job);
    const isSeen = !moved || inForce.token < heldOutWindow;
    const losses = isSeen
      ? await lossesOf(model, heldOut, inForce.surgery, moved, () => yieldToUrgent(job))
      : [];
    return { scheme, offer, inForce, values, losses, scored: scoredIn(heldOut) };
  } catch (reason) {
    const failure = failureOf(reason);
    if (failure.code === "network" || failure.code === "aborted") throw reason;
    // For example, the model has no such position; the map before surgery is still returned.
    return { scheme, offer, inForce, failure, losses: [], scored: 0 };
  }
}
