/** The rotary pairs of a model's config.json, with and without its scaling. */
import type { Engine } from "whereformer";
import type { PairsAnswer, PairsQuestion } from "../both/element-messages.js";

type Config = Record<string, unknown>;

const isObject = (value: unknown): value is Config => typeof value === "object" && value !== null;

/** Returns the config's scaling, from the keys of older or newer versions. */
const scalingOf = ({ rope_scaling, rope_parameters }: Config): Config =>
  isObject(rope_scaling) ? rope_scaling : isObject(rope_parameters) ? rope_parameters : {};

/** Returns a config without its scaling, for the keys of older and newer versions. */
function unscaled(config: Config): Config {
  const { rope_scaling: _scaling, ...rest } = config;
  const { rope_parameters } = config;
  if (!isObject(rope_parameters)) return rest;
  const { rope_theta, partial_rotary_factor } = rope_parameters;
  const kept = {
    rope_theta,
    ...(partial_rotary_factor !== undefined && { partial_rotary_factor }),
  };
  return { ...rest, rope_parameters: { rope_type: "default", ...kept } };
}

const positive = (...values: unknown[]): number =>
  Number(values.find((value) => typeof value === "number" && value > 0) ?? 0);

function frequenciesOf(wf: Engine, config: Config, length: number) {
  const scheme = wf.schemeFromConfig(config);
  try {
    return scheme.frequencies(length);
  } finally {
    scheme.dispose();
  }
}

export function configPairs(wf: Engine, { config, length: asked }: PairsQuestion): PairsAnswer {
  const { original_max_position_embeddings: inScaling, factor } = scalingOf(config);
  const { max_position_embeddings, original_max_position_embeddings: beside } = config;
  const max = positive(max_position_embeddings);
  const trained = positive(inScaling, beside, max);
  const length = asked || Math.max(max, trained * positive(factor, 1));
  const { inverseFrequencies: after, attentionFactor } = frequenciesOf(wf, config, length || 1);
  const { inverseFrequencies: before } = frequenciesOf(wf, unscaled(config), trained || 1);
  return { config, before, after, attentionFactor, trained, length };
}
