/** Rotary parameters of a GGUF file, with config.json's keys. */

import { refuse } from "../wire/arguments.js";
import type { GgufParts } from "./gguf-parts.js";
import type { GgufReader } from "./gguf-reader.js";

type Config = Record<string, unknown>;

/** Divisors of the frequencies of half an attention head's channels in Llama 3's scaling. */
function llama3Divisors(base: number, count: number, factor: number, original: number) {
  return Array.from({ length: count }, (_, i) => {
    const rotations = original / (2 * Math.PI * base ** (i / count));
    if (rotations > 4) return 1;
    if (rotations < 1) return factor;
    const share = (rotations - 1) / 3;
    return 1 / ((1 - share) / factor + share);
  });
}

const divisorsName = "rope_freqs.weight";

/** Recovers Llama 3's scaling from the divisors of the frequencies. */
function scalingOfDivisors(divisors: Float32Array, base: number, context: number): Config {
  // The divisors are in single precision.
  const factor = Number(Math.max(...divisors).toPrecision(6));
  for (const original of [8192, context]) {
    const expected = llama3Divisors(base, divisors.length, factor, original);
    if (!expected.every((value, i) => Math.abs(divisors[i]! / value - 1) < 1e-4)) continue;
    return {
      rope_type: "llama3",
      factor,
      low_freq_factor: 1,
      high_freq_factor: 4,
      original_max_position_embeddings: original,
    };
  }
  return refuse(
    divisorsName,
    divisors,
    "the divisors of Llama 3's scaling with low_freq_factor 1 and high_freq_factor 4",
    "unsupported",
  );
}

const originalLength = (reader: GgufReader) =>
  reader.number("rope.scaling.original_context_length") || reader.number("context_length");

/** YaRN's temperature, a factor on cosines and sines (Peng et al. 2023, arXiv 2309.00071). */
const temperature = (factor: number, share = 1) =>
  factor > 1 ? 0.1 * share * Math.log(factor) + 1 : 1;

function yarn(reader: GgufReader, factor: number): Config {
  const key = (name: string) => reader.number(`rope.scaling.${name}`);
  const usual = temperature(factor);
  // llama.cpp ignores this key and computes the usual temperature.
  const said = key("yarn_attn_factor");
  if (said !== 1 && Math.abs(said / usual - 1) > 1e-5)
    refuse(
      reader.name("rope.scaling.yarn_attn_factor"),
      said,
      `1 or the usual ${usual}`,
      "unsupported",
    );
  const attention = (usual * key("attn_factor")) / temperature(factor, key("yarn_log_multiplier"));
  return {
    rope_type: "yarn",
    factor,
    original_max_position_embeddings: originalLength(reader),
    beta_fast: key("yarn_beta_fast"),
    beta_slow: key("yarn_beta_slow"),
    ...(attention !== usual && { attention_factor: attention }),
  };
}

/** `rope_scaling`, or undefined without scaling. A factor without a type is linear. */
export function ropeScaling(reader: GgufReader): Config | undefined {
  const factor = reader.number("rope.scaling.factor") || 1;
  const type = reader.word("rope.scaling.type");
  if (type === "yarn") return yarn(reader, factor);
  const attention = reader.number("rope.scaling.attn_factor");
  if (attention !== 1)
    refuse(
      reader.name("rope.scaling.attn_factor"),
      attention,
      '1 unless rope.scaling.type is "yarn"',
      "unsupported",
    );
  return type === "none" || factor === 1 ? undefined : { rope_type: "linear", factor };
}

/** Base and scaling of all layers. Llama 3's scaling is stored as a tensor of divisors. */
export async function llamaRotary(reader: GgufReader, parts: GgufParts): Promise<Config> {
  const base = reader.number("rope.freq_base");
  const scaling = ropeScaling(reader);
  const pairs = Math.floor(reader.number("attention.key_length") / 2);
  const divisors = await parts.floats(divisorsName, pairs);
  if (divisors?.every((value) => value === 1) ?? true)
    return { rope_theta: base, ...(scaling && { rope_scaling: scaling }) };
  if (scaling)
    refuse(
      reader.name("rope.scaling.factor"),
      scaling["factor"],
      `no such key with the tensor ${divisorsName}`,
      "unsupported",
    );
  return {
    rope_theta: base,
    rope_scaling: scalingOfDivisors(divisors!, base, originalLength(reader)),
  };
}

/** `rope_parameters` of Transformers 5, with the share of a head's channels that rotate. */
export function ropeParameters(reader: GgufReader, base: number, scaling?: Config): Config {
  const [rotated, all] = [
    reader.number("rope.dimension_count"),
    reader.number("attention.key_length"),
  ];
  if (rotated > all || rotated % 2)
    refuse(
      reader.name("rope.dimension_count"),
      rotated,
      `an even number up to ${all} (attention.key_length)`,
      "malformed_file",
    );
  // A quarter channel more, since the engine rounds share times channels down.
  const share = (rotated + 0.25) / all;
  return {
    rope_type: "default",
    ...scaling,
    rope_theta: base,
    ...(rotated < all && { partial_rotary_factor: share }),
  };
}
