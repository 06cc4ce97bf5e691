/** Reads the layer types of a config.json. */

import type { LayerSpec, ModelConfig, SchemeDescription, SchemeSpec } from "../types/index.js";
import { checkObject, integer, listOf, refuse, text } from "../wire/arguments.js";
import { isObject, schemesFromFile } from "./schemes.js";

type File = Record<string, unknown>;
type Layers = Pick<ModelConfig, keyof LayerSpec | "layerTypes" | "layers">;

const maxLayers = 256;

const has = (file: File, key: string) => (file[key] ?? undefined) !== undefined;

/** This package's own form: `layer_types`, and for each type its schemes, window and chunk. */
function layersIn(schemes: readonly SchemeDescription[], file: File): Layers {
  checkObject("config.layers", file["layers"]);
  const layers = Object.entries(file["layers"]).map(([type, spec]) => {
    checkObject(`config.layers.${type}`, spec);
    return [type, { scheme: schemesFromFile(schemes, spec), ...reach(spec, true, true) }];
  });
  const types = listOf("config.layer_types", file["layer_types"], "a list of names", (type, i) =>
    text(`config.layer_types[${i}]`, type),
  );
  return { layerTypes: types, layers: Object.fromEntries(layers) };
}

function reach(file: File, windowed: boolean, chunked: boolean): LayerSpec {
  return {
    ...(has(file, "convolution") ? { convolution: file["convolution"] as number } : {}),
    ...(file["delta_rule"] === true ? { deltaRule: true } : {}),
    ...(file["state_space"] === true ? { stateSpace: true } : {}),
    ...(has(file, "query_key_norm")
      ? { queryKeyNorm: file["query_key_norm"] as NonNullable<LayerSpec["queryKeyNorm"]> }
      : {}),
    ...(windowed && has(file, "sliding_window")
      ? { slidingWindow: file["sliding_window"] as number }
      : {}),
    ...(chunked && has(file, "attention_chunk_size")
      ? { chunkSize: file["attention_chunk_size"] as number }
      : {}),
  };
}

/** Llama 4 may have norms of queries and keys, and has them only in layers that rotate. */
function withNorms(file: File, isRotated: boolean): File {
  return file["use_qk_norm"] === true && isRotated ? { ...file, query_key_norm: "plain" } : file;
}

/**
 * The part of a file that applies to layers of one type, with its rotary parameters as version 5 of
 * Transformers writes them, or version 4 for Gemma 3.
 */
function fileOfType(file: File, type: string): File {
  const parameters = file["rope_parameters"];
  if (isObject(parameters) && isObject(parameters[type]))
    return { ...file, rope_parameters: parameters[type] };
  if (type === "sliding_attention" && has(file, "rope_local_base_freq"))
    return { ...file, rope_theta: file["rope_local_base_freq"], rope_scaling: null };
  return file;
}

/**
 * The type of each layer, if the file lists them or gives a period ("every n-th layer is full").
 */
function typesOf(file: File): unknown {
  if (has(file, "layer_types")) return file["layer_types"];
  const after = file["sliding_window_pattern"] ?? undefined;
  const every = file["global_attn_every_n_layers"] ?? undefined;
  if (after === undefined && every === undefined) return undefined;
  const count = integer("config.num_hidden_layers", file["num_hidden_layers"], 1, maxLayers);
  const isFull = (i: number) =>
    typeof after === "string"
      ? after[i % after.length] === "G"
      : every === undefined
        ? (i + 1) % integer("config.sliding_window_pattern", after, 1) === 0
        : i % integer("config.global_attn_every_n_layers", every, 1) === 0;
  return Array.from({ length: count }, (_, i) =>
    isFull(i) ? "full_attention" : "sliding_attention",
  );
}

/** Layers without rotation, with Llama 4's temperature if the file enables it. */
function withoutRotation({ id, options }: SchemeDescription, file: File): SchemeSpec {
  const isAsked = file["attn_temperature_tuning"] === true;
  const asked = options.map(({ key, configKey, default: absent }) => [
    key,
    (isAsked && file[configKey]) || absent,
  ]);
  return { id, options: Object.fromEntries(asked) } as SchemeSpec;
}

/**
 * Hugging Face's form: `layer_types`, with one window and one chunk size for all types, and
 * `no_rope_layers` (0 for a layer without rotation), both as lists over the layers.
 */
export function layersFromFile(schemes: readonly SchemeDescription[], file: File): Layers {
  if (has(file, "layers")) return layersIn(schemes, file);
  const types = typesOf(file);
  const rotations = file["no_rope_layers"] ?? undefined;
  if (types !== undefined && !Array.isArray(types))
    refuse("config.layer_types", types, "a list of names");
  if (rotations !== undefined && !Array.isArray(rotations))
    refuse("config.no_rope_layers", rotations, "a list of 0 and 1");
  const windowed = file["use_sliding_window"] !== false;
  if (types === undefined && rotations === undefined) {
    return {
      scheme: schemesFromFile(schemes, file),
      ...reach(withNorms(file, true), windowed, true),
    };
  }
  const count = integer("config.layer_types.length", (types ?? rotations)!.length, 1, maxLayers);
  const none = schemes.find(({ family }) => family === "none")!;
  const others = schemes.filter((scheme) => scheme !== none);
  const layers: Record<string, LayerSpec> = {};
  const layerTypes = Array.from({ length: count }, (_, i) => {
    const type =
      types?.[i] ??
      (windowed && has(file, "sliding_window") ? "sliding_attention" : "full_attention");
    if (!["full_attention", "sliding_attention", "chunked_attention"].includes(type)) {
      return refuse(
        `config.layer_types[${i}]`,
        type,
        '"full_attention", "sliding_attention" or "chunked_attention"',
        "unsupported",
      );
    }
    const isRotated = rotations === undefined || rotations[i] !== 0;
    const name = isRotated ? type : `${type}_nope`;
    layers[name] ??= {
      scheme:
        isRotated || has(file, "model_type")
          ? schemesFromFile(rotations && isRotated ? others : schemes, {
              ...fileOfType(file, type),
              layer_type: type,
              use_rope: isRotated,
            })
          : withoutRotation(none, file),
      ...reach(
        withNorms(file, isRotated),
        type === "sliding_attention",
        type === "chunked_attention",
      ),
    };
    return name;
  });
  return { layerTypes, layers };
}

/** Those layers with a mark for the dense ones of a model with experts. */
export function withDense(layers: Layers, dense: readonly boolean[] | undefined): Layers {
  if (!dense?.includes(true)) return layers;
  const { layerTypes, layers: types, ...all } = layers;
  const marked: Record<string, LayerSpec> = {};
  const names = dense.map((isDense, i) => {
    const type = layerTypes?.[i] ?? "";
    const spec = types?.[type] ?? all;
    const name = isDense ? `${type}${type && "_"}dense` : type || "experts";
    marked[name] ??= isDense ? { ...spec, dense: true } : spec;
    return name;
  });
  return { layerTypes: names, layers: marked };
}
