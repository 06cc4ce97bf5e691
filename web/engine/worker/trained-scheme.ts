/** A trained model's own scheme by itself, with the numbers that it has learnt. */
import type { Engine, Model, Scheme } from "whereformer";
import { tensorsOf } from "./saved-tensors.js";

/** The sizes that a scheme is made for. */
export const shapeOf = ({ config }: Model) => ({
  numHeads: config.numHeads,
  headDim: config.headDim,
  hiddenSize: config.hiddenSize,
});

/** What the scheme has learnt in a layer, by the names and in the shapes of its parameters. */
export function trainedParameters(
  wf: Engine,
  model: Model,
  layer: number,
): Record<string, { data: Float32Array; shape: readonly number[] }> {
  const { id, options } = model.config.scheme[0]!;
  const tensor = tensorsOf(model.save());
  const untrained = wf.scheme(id, { ...shapeOf(model), ...options });
  const parameters = Object.entries(untrained.parameters()).map(([name, { shape }]) => {
    const own = `position.${id}.${name}`;
    return [name, { data: tensor(`layers.${layer}.self_attn.${own}`, own), shape }];
  });
  untrained.dispose();
  return Object.fromEntries(parameters);
}

/** `changed` are options that the model was not trained with; tables keep their shape. */
export function trainedScheme(
  wf: Engine,
  model: Model,
  changed: Readonly<Record<string, unknown>> = {},
): Scheme {
  const { id, options } = model.config.scheme[0]!;
  const given = { ...shapeOf(model), ...options, ...changed };
  const tensor = tensorsOf(model.save());
  const untrained = wf.scheme(id, given);
  const parameters = Object.fromEntries(
    Object.entries(untrained.parameters()).map(([name, { shape }]) => [
      name,
      { data: tensor(`position.${id}.${name}`), shape },
    ]),
  );
  untrained.dispose();
  return wf.scheme(id, { ...given, parameters });
}
