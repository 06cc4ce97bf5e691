/**
 * Query and key projections of a trained model's first layer. If the server supports HTTP ranges
 * (RFC 9110), only a fortieth of the file is fetched.
 */
import type { Engine, Scheme } from "whereformer";
import type { Job } from "whereformer/requests";
import { halfTensorsIn, headerOf } from "./saved-tensors.js";

export interface FirstLayer {
  numHeads: number;
  headDim: number;
  hiddenSize: number;
  gain: Float32Array;
  queries: Float32Array;
  keys: Float32Array;
  /** The scheme, with the options of the model's training. */
  scheme: Scheme;
}

const names = {
  gain: "layers.0.input_layernorm.weight",
  queries: "layers.0.self_attn.q_proj.weight",
  keys: "layers.0.self_attn.k_proj.weight",
};

/** Enough for the header of a small model; a file with a longer one is read whole. */
const headerBytes = 16_384;

/**
 * Returns the bytes of a file from `from` up to `to`; undefined if the server does not support
 * ranges.
 */
async function bytesAt(url: URL, from: number, to: number, { signal }: Pick<Job, "signal">) {
  const headers = { Range: `bytes=${from}-${to - 1}` };
  const response = await fetch(url, { headers, signal });
  if (response.status === 206) return new Uint8Array(await response.arrayBuffer());
  await response.body?.cancel();
  return undefined;
}

/**
 * Returns the needed part of a model whose scheme is a formula, in one or two small requests;
 * undefined if that is not possible and the whole model must be fetched.
 */
export async function firstLayer(
  wf: Engine,
  folder: URL,
  job: Pick<Job, "signal">,
): Promise<FirstLayer | undefined> {
  const response = await fetch(new URL("config.json", folder), job);
  const config = response.ok ? await response.json().catch(() => undefined) : undefined;
  const [named] = config?.schemes ?? [];
  if (config?.model_type !== "whereformer" || !named) return undefined;
  const file = new URL("model.safetensors", folder);
  const head = await bytesAt(file, 0, headerBytes, job);
  const known = head && headerOf(head);
  const entries = Object.values(names).map((name) => known?.entries[`model.${name}`]);
  if (!known || entries.some((entry) => entry?.dtype !== "F16")) return undefined;
  const ends = entries.flatMap((entry) => entry!.data_offsets);
  const [from, to] = [Math.min(...ends), Math.max(...ends)];
  const body = await bytesAt(file, known.start + from, known.start + to, job);
  if (!body) return undefined;
  const tensor = halfTensorsIn(body, known.entries, from);
  const shape = {
    numHeads: config.num_attention_heads,
    headDim: config.head_dim,
    hiddenSize: config.hidden_size,
  };
  const options = { ...shape, ...named.options };
  return {
    ...shape,
    gain: tensor(`model.${names.gain}`),
    queries: tensor(`model.${names.queries}`),
    keys: tensor(`model.${names.keys}`),
    scheme: wf.scheme(named.id, options),
  };
}
