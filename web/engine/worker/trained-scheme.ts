/** A trained model's scheme by itself, with its trained parameters. */
import type { Engine, Model, Scheme } from "whereformer";
import { tensorsOf } from "./saved-tensors.js";

/** Returns the sizes for which a scheme is created. */
export const shapeOf = ({ config }: Model) => ({
  numHeads: config.numHeads,
  headDim: config.headDim,
  hiddenSize: config.hiddenSize,
});

/** Returns the scheme's trained parameters in a layer, by name and with their shapes. */
export function trainedParameters(
  wf: Engine,
  model: Model,
  layer: number,
): Record<string, { data: Float32Array; shape: readonly number[] }> {
  const { id, options } = model.config.scheme[0]!;
  const tensor = tensorsOf(model.save());
  const untrained = wf.scheme(id, { ...shapeOf(model), ...options });
  const parameters = Object.entries(untrained.parameters()).map(([name, { shape }]) => {
    const key = `position.${id}.${name}`;
    return [name, { data: tensor(`layers.${layer}.self_attn.${key}`, key), shape }];
  });
  untrained.dispose();
  return Object.fromEntries(parameters);
}

/** `changed` are options that differ from those of the training; tables keep their shape. */
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
