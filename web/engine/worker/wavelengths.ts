/** Wavelengths of a rotary model's pairs. */
import type { Engine, Model } from "whereformer";

/**
 * Returns the tokens for one full rotation of each channel pair of a rotary model; undefined for
 * others.
 */
export function wavelengthsOf(wf: Engine, model: Model): Float32Array | undefined {
  const { scheme, numHeads, headDim } = model.config;
  const rotary = scheme.find(({ id }) =>
    wf.schemes.some((description) => description.id === id && description.family === "rotary"),
  );
  if (!rotary) return undefined;
  const configured = wf.scheme(rotary.id, { numHeads, headDim, ...rotary.options });
  const { inverseFrequencies } = configured.frequencies();
  configured.dispose();
  return inverseFrequencies.map((radians) => (2 * Math.PI) / radians);
}
