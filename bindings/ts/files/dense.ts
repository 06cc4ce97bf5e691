/** Layers that sentence-transformers' folders apply to vectors: Dense, LayerNorm. */

import type { Step } from "../api/pooling.js";
import type { DenseLayer } from "../types/index.js";
import { refuse } from "../wire/arguments.js";
import { unexpected, WhereformerError } from "../wire/error.js";
import type { SmallTensor } from "./small-tensors.js";

/** The error function: Abramowitz and Stegun 1964, 7.1.26, within 1.5e-7. */
function erf(x: number): number {
  const t = 1 / (1 + 0.3275911 * Math.abs(x));
  const terms = [1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592];
  const sum = terms.reduce((total, factor) => (total + factor) * t, 0);
  return Math.sign(x) * (1 - sum * Math.exp(-x * x));
}

const sigmoid = (x: number) => 1 / (1 + Math.exp(-x));
const softplus = (x: number) => Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x)));

/** PyTorch's activations with their default settings. */
const activations: Record<string, (x: number) => number> = {
  Identity: (x) => x,
  Tanh: Math.tanh,
  ReLU: (x) => Math.max(x, 0),
  GELU: (x) => (x * (1 + erf(x / Math.SQRT2))) / 2,
  Sigmoid: sigmoid,
  SiLU: (x) => x * sigmoid(x),
  LeakyReLU: (x) => (x < 0 ? x / 100 : x),
  ELU: (x) => (x < 0 ? Math.expm1(x) : x),
  Softplus: softplus,
  Mish: (x) => x * Math.tanh(softplus(x)),
};

const allowed = Object.keys(activations).map((name) => `torch's ${name}`);

/** A module's config and tensors, and the names of its files for messages. */
export interface LayerFiles {
  /** Path of the module's config.json: "2_Dense/config.json". */
  where: string;
  config: Record<string, unknown>;
  tensors: ReadonlyMap<string, SmallTensor>;
}

function tensorOf({ where, tensors }: LayerFiles, name: string, shape: readonly number[]) {
  const found = tensors.get(name);
  if (found && String(found.shape) === String(shape)) return found.data;
  const value = found ? `shape [${found.shape}]` : "missing";
  throw new WhereformerError(
    "malformed_file",
    unexpected(`${where}: ${name}`, value, `shape [${shape}]`),
  );
}

function size({ where, config }: LayerFiles, key: string): number {
  const value = config[key];
  return Number.isSafeInteger(value) && Number(value) > 0
    ? (value as number)
    : refuse(`${where}: ${key}`, value, "an integer from 1", "malformed_file");
}

function flag({ where, config }: LayerFiles, key: string, absent: boolean): boolean {
  const value = config[key] ?? absent;
  return typeof value === "boolean"
    ? value
    : refuse(`${where}: ${key}`, value, "true or false", "malformed_file");
}

/** W x: `weights` [out,in], row-major. */
function product(weights: Float64Array, x: Float64Array, out: number): Float64Array {
  return Float64Array.from({ length: out }, (_, row) => {
    let sum = 0;
    for (let i = 0; i < x.length; i++) sum += weights[row * x.length + i]! * x[i]!;
    return sum;
  });
}

/** Refuses a vector of another length, as a pooling that the caller chose may give. */
function checkWidth(where: string, x: Float64Array, width: number): void {
  if (x.length !== width)
    throw new WhereformerError(
      "invalid_argument",
      unexpected(`${where}: pooled vector`, `${x.length} numbers`, `${width}`),
      { argument: "pooling" },
    );
}

/** Errors: malformed_file; unsupported for another activation. */
export function denseOf(files: LayerFiles): { said: DenseLayer; step: Step } {
  const { where, config } = files;
  const [inFeatures, outFeatures] = [size(files, "in_features"), size(files, "out_features")];
  const [bias, residual] = [flag(files, "bias", true), flag(files, "use_residual", false)];
  // sentence-transformers too runs only torch's own classes, unless told to trust a folder's code.
  const name = config["activation_function"] ?? "torch.nn.modules.activation.Tanh";
  const activation = /^torch\..*?(\w+)$/.exec(String(name))?.[1] ?? "";
  if (!Object.hasOwn(activations, activation))
    refuse(`${where}: activation_function`, name, `one of ${allowed.join(", ")}`, "unsupported");
  const act = activations[activation]!;
  const weights = tensorOf(files, "linear.weight", [outFeatures, inFeatures]);
  const added = bias ? tensorOf(files, "linear.bias", [outFeatures]) : undefined;
  const isProjected = residual && inFeatures !== outFeatures;
  const beside = isProjected && tensorOf(files, "residual.weight", [outFeatures, inFeatures]);
  const apply = (x: Float64Array) => {
    checkWidth(where, x, inFeatures);
    const sums = product(weights, x, outFeatures).map((sum, i) => act(sum + (added?.[i] ?? 0)));
    if (!residual) return sums;
    const kept = beside ? product(beside, x, outFeatures) : x;
    return sums.map((sum, i) => sum + kept[i]!);
  };
  const said = { inFeatures, outFeatures, bias, activation, residual };
  return { said, step: { isNorm: false, width: outFeatures, apply } };
}

/** `torch.nn.LayerNorm` at its default epsilon. Errors: malformed_file. */
export function layerNormOf(files: LayerFiles): Step {
  const width = size(files, "dimension");
  const weights = tensorOf(files, "norm.weight", [width]);
  const added = tensorOf(files, "norm.bias", [width]);
  const apply = (x: Float64Array) => {
    checkWidth(files.where, x, width);
    const mean = x.reduce((sum, value) => sum + value, 0) / width;
    const variance = x.reduce((sum, value) => sum + (value - mean) ** 2, 0) / width;
    return x.map(
      (value, i) => ((value - mean) / Math.sqrt(variance + 1e-5)) * weights[i]! + added[i]!,
    );
  };
  return { isNorm: false, apply };
}
