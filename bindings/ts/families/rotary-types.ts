/**
 * Rotary parameters of layers with full attention and of those with a window, in either version.
 */

import type { ConfigReader } from "./config-reader.js";
import { isObject } from "./schemes.js";

const types = ["full_attention", "sliding_attention"] as const;
type Type = (typeof types)[number];

/**
 * For each layer type, its base's key in version 4 and the default base. `rope_parameters` wins;
 * `rope_scaling` applies to the types in `scaled`.
 */
export function rotaryOfTypes(
  file: ConfigReader,
  bases: Record<Type, [key: string, absent: number]>,
  scaled: readonly Type[] = ["full_attention"],
) {
  const given = file.value("rope_parameters");
  const scaling = file.value("rope_scaling");
  const of = (type: Type) => {
    const [key, absent] = bases[type];
    const inner = isObject(given) ? given[type] : undefined;
    const ofType = isObject(inner) ? inner : {};
    if (inner === null && scaled.includes("sliding_attention"))
      file.refuse(`rope_parameters.${type}`, null, "an object, or no such key");
    return {
      rope_theta: file.value(key) ?? absent,
      ...ofType,
      ...(scaled.includes(type) && isObject(scaling) ? scaling : {}),
    };
  };
  const both = Object.fromEntries(types.map((type) => [type, of(type)]));
  return { rope_parameters: both, rope_scaling: null };
}
