/**
 * The calls of the compiled module, whose types come from their registration in bindings/embind.
 * Nothing here runs: `tsc` must accept it, with an error on each marked line.
 */
import type {
  Attention,
  AttentionInput,
  Code,
  KvCache,
  MainModule,
  Scheme,
  Tensor,
} from "../../bindings/ts/generated/module.js";

declare const raw: MainModule;
declare const attention: Attention;
declare const input: AttentionInput;
declare const cache: KvCache;
declare const scheme: Scheme;

const code: Code = raw.softmax(8, 64, 16);
// @ts-expect-error: the array's length is missing
raw.softmax(8, 64);
// @ts-expect-error: an array is passed by its address
raw.softmax(8, new Float32Array(16), 16);
// @ts-expect-error: there is no such call
raw.softMax(8, 64, 16);
// @ts-expect-error: a choice is not a number
raw.matmul(1, 1, 1, 0, 64, 1, 128, 1, 192, 1);
// @ts-expect-error: an address is not an error code
const address: Code = raw.reserve(64);

attention.run(input, 64, 16);
attention.decode(cache, input, 64, 16);
// @ts-expect-error: the cache comes first
attention.decode(input, cache, 64, 16);
// @ts-expect-error: a scheme cannot take the place of a cache
attention.decode(scheme, input, 64, 16);
// @ts-expect-error: a refused object is null
const made: Tensor = raw.Tensor.make(64, 16);
const sizes = {
  numHeads: 1,
  numKvHeads: 1,
  headDim: 4,
  valueDim: 4,
  scale: 0,
  isCausal: true,
  isCross: false,
  slidingWindow: 0,
  chunkSize: 0,
};
// @ts-expect-error: a setting is missing
raw.Attention.make(sizes, 0, 0);
raw.Attention.make({ ...sizes, softcap: 0 }, 0, 0);

export const used = [code, address, made];
