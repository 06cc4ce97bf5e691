/**
 * Questions of the elements for any page about one scheme: rows that it adds, biases by distance.
 */
import type { Engine, Scheme, SchemeShape } from "whereformer";
import {
  type BiasAnswer,
  type BiasQuestion,
  type EncodingAnswer,
  type EncodingQuestion,
  encodingSeed,
  type SchemeQuestion,
} from "../both/element-messages.js";
import { count } from "./configured-scheme.js";
import { givenOptions } from "./given-options.js";

/** Returns the result of `work` with a scheme of these sizes. */
function withGiven<T>(
  wf: Engine,
  { scheme: id, options }: SchemeQuestion,
  sizes: SchemeShape,
  work: (scheme: Scheme) => T,
): T {
  const description = wf.schemes.find((one) => one.id === id);
  const given = description ? givenOptions(description, options) : {};
  const scheme = wf.scheme(id, { ...sizes, ...given });
  try {
    return work(scheme);
  } finally {
    scheme.dispose();
  }
}

export function encodingRows(wf: Engine, question: EncodingQuestion): EncodingAnswer {
  const { length, channels } = question;
  const sizes = { numHeads: 1, headDim: channels, hiddenSize: channels };
  return withGiven(wf, question, sizes, (scheme) => {
    const isInitial = Object.keys(scheme.parameters()).length > 0;
    const { data } = scheme.embeddings(count(length), isInitial ? { seed: encodingSeed } : {});
    return { ...question, values: data, isInitial };
  });
}

/** Channels of a head: the engine requires them, though no bias depends on them. */
const headDim = 16;

export function biasByDistance(wf: Engine, question: BiasQuestion): BiasAnswer {
  const { heads, length } = question;
  return withGiven(wf, question, { numHeads: heads, headDim }, (scheme) => {
    const { data } = scheme.bias([length - 1], count(length));
    const curves = new Float32Array(heads * length);
    for (let head = 0; head < heads; head++)
      for (let distance = 0; distance < length; distance++)
        curves[head * length + distance] = data[head * length + length - 1 - distance]!;
    return { ...question, curves };
  });
}
