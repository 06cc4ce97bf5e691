/** Other positions for distant keys, as the reader chooses them: a method and its window. */
import type { Remap } from "whereformer";
import { type RemapMethod, remapSizes } from "../../defaults.js";

/** Reads "self_extend:16". */
export function remapParts(value: string): { method: RemapMethod; window: number } {
  const [method, window] = value.split(":");
  return { method: method as RemapMethod, window: Number(window) };
}

/** Returns the engine's options. */
export function remapOf(value: string, group = remapSizes.group): Remap {
  const { method, window } = remapParts(value);
  return {
    method,
    window,
    ...((method === "leaky_rerope" || method === "self_extend") && { group }),
    ...(method === "dual_chunk" && { chunk: remapSizes.chunk * window }),
    ...(method === "lm_infinite" && { kept: remapSizes.kept }),
  };
}
