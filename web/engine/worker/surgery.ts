/** Surgery on a trained model, with its effect on a text and on held-out text. */
import type { Engine, Model } from "whereformer";
import type { OperateAnswer, OperateQuestion } from "../both/surgery-messages.js";
import { type HeldOut, lossesOf, scoredIn } from "./held-out.js";
import { argumentsOf, offerOf, prepareSurgery } from "./prepared-surgery.js";

/** The model under surgery, and the texts that show the effect. */
export interface Subject {
  model: Model;
  ids: readonly number[];
  tokens: string[];
  wavelengths: Float32Array | undefined;
  heldOut: readonly HeldOut[];
}

/** `yieldToUrgent` throws if a newer question has arrived. */
export async function operate(
  wf: Engine,
  { model, ids, tokens, wavelengths, heldOut }: Subject,
  { folder: _folder, ...request }: OperateQuestion,
  yieldToUrgent: () => Promise<void>,
): Promise<OperateAnswer> {
  const started = performance.now();
  const offer = offerOf(wf, model, wavelengths);
  const { inForce, moved } = prepareSurgery(model, offer, request, ids.length);
  const region = { layers: [request.layer], heads: [request.head] };
  const look = (with_: object) =>
    model.run(ids, { record: ["weights"], region, ...with_ }).weights!.data;
  const before = look({});
  const after = look(argumentsOf(inForce));
  const losses = await lossesOf(model, heldOut, inForce.surgery, moved, yieldToUrgent);
  return {
    ...inForce,
    tokens,
    ids: [...ids],
    before,
    after,
    losses,
    scored: scoredIn(heldOut),
    milliseconds: performance.now() - started,
  };
}
