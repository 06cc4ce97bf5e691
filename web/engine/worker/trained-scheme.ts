/** A trained model's own scheme by itself, with the numbers that it has learnt. */
import type { Engine, Model, Scheme } from "whereformer";
import { tensorsOf } from "./saved-tensors.js";

/** The sizes that a scheme is made for. */
export const shapeOf = ({ config }: Model) => ({
  numHeads: config.numHeads,
  headDim: config.headDim,
  hiddenSize: config.hiddenSize,
});

/** `changed` are options that the model was not trained with; tables keep their shape. */
export function trainedScheme(
  wf: Engine,
  model: Model,
  changed: Readonly<Record<string, unknown>> = {},
): Scheme {
  const { id, options } = model.config.scheme[0]!;
  const given = { ...shapeOf(model), ...options, ...changed };
  const tensor = tensorsOf(model.save());
  const untrained = wf.scheme(id as never, given as never);
  const parameters = Object.fromEntries(
    Object.entries(untrained.parameters()).map(([name, { shape }]) => [
      name,
      { data: tensor(`position.${id}.${name}`), shape },
    ]),
  );
  untrained.dispose();
  return wf.scheme(id as never, { ...given, parameters } as never);
}
