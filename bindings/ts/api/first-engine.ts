/**
 * The calls of the page's first figure: untrained models that are run over tokens. The page's
 * worker contains this file and loads the package later. It is a third of the package's size,
 * because it has no other calls, and checks only numbers. No entry of the package imports it.
 */
import { readFields } from "../config/fields.js";
import {
  architectureFields,
  layerTypeFields,
  modelFields,
  recordKinds,
} from "../generated/fields.js";
import type { Model as RawModel } from "../generated/module.js";
import type { ModelConfig, Tensor, Variant } from "../types/index.js";
import { Core } from "../wire/core.js";
import { canRun } from "../wire/features.js";
import makeEngine from "../wire/first-glue.mjs";
import { instantiate } from "../wire/instantiate.js";
import { withLayout } from "./model-layout.js";
import { runText, takeRecords, takeRows } from "./model-run.js";
import { noRecord } from "./recording.js";

/** All other settings have their defaults. */
export type FirstModelConfig = Required<
  Pick<
    ModelConfig,
    | ("vocabSize" | "hiddenSize" | "numLayers" | "numHeads" | "headDim" | "intermediateSize")
    | ("isCausal" | "seed" | "scheme")
  >
>;

/** The part of a run's options that is supported. */
export interface FirstRunOptions {
  record: readonly ["weights", "hidden"];
  region: { heads: readonly number[] };
}

const none = new Int32Array(0);

/** As `Model`, with the part of its interface that the first figure calls. */
export class FirstModel {
  readonly parameterCount: number;
  readonly #core: Core;
  readonly #raw: RawModel;
  readonly #config: FirstModelConfig;

  constructor(core: Core, raw: RawModel, config: FirstModelConfig) {
    this.#core = core;
    this.#raw = raw;
    this.#config = config;
    this.parameterCount = core.run(0, () => raw.parameterCount());
  }

  /** Attention weights [L,heads,T,T] of all layers, and the output vectors [T,E]. */
  run(tokens: readonly number[], { region }: FirstRunOptions): { weights: Tensor; hidden: Tensor } {
    const [core, raw] = [this.#core, this.#raw];
    const { numLayers, hiddenSize } = this.#config;
    const states = { heads: new Uint8Array(0), patches: [] };
    runText(core, raw, {
      ids: Int32Array.from(tokens),
      padding: { positions: none, embedding: none, visible: new Uint8Array(0) },
      layers: none,
      record: { ...noRecord, kinds: recordKinds.weights, heads: Int32Array.from(region.heads) },
      beside: noRecord,
      states: undefined,
      changes: { numLayers, ablations: [], states },
    });
    const { weights } = takeRecords(core, raw, new Set(["weights"]), false);
    const hidden = takeRows(core, tokens.length, none, hiddenSize, (...to) =>
      raw.readHidden(...to),
    );
    return { weights: weights!, hidden };
  }

  dispose(): void {
    this.#core.free(this.#raw);
  }
}

/** As `Engine`, with the one call that the first figure makes. */
export class FirstEngine {
  readonly #core: Core;

  constructor(core: Core) {
    this.#core = core;
  }

  async model(config: FirstModelConfig): Promise<FirstModel> {
    const core = this.#core;
    const scheme = core.run(0, (raw) => {
      const ids = Array.from(
        { length: raw.schemeCount() },
        (_, index) => raw.schemeFacts(index).id,
      );
      return ids.indexOf(config.scheme as string);
    });
    const layerType = {
      ...readFields(layerTypeFields, {}),
      schemes: [{ choice: { scheme, options: [] } }],
    };
    const sizes = {
      ...readFields(modelFields, { ...config, numKvHeads: config.numHeads }),
      architecture: { ...readFields(architectureFields, {}), cutoffs: [] },
      types: [layerType],
      typeOfLayer: Array(config.numLayers).fill(0),
    };
    const raw = withLayout(core, sizes, (layout) =>
      core.run(0, ({ Model }) => core.made(Model.make(layout, config.seed, { value: 0 }))),
    );
    return new FirstModel(core, raw, config);
  }
}

/** Errors: as for `instantiate`. */
export const makeFirstEngine = async (
  module: WebAssembly.Module,
  variant: Variant,
): Promise<FirstEngine> =>
  new FirstEngine(new Core(await instantiate(makeEngine, module, variant)));

/**
 * Loads the first engine from the address of the variant's binary. Errors: any; the whole engine
 * then answers, or explains why it cannot.
 */
export async function loadFirstEngine(
  wasm: Partial<Record<Variant, string>>,
): Promise<FirstEngine> {
  const variant = canRun("relaxed") ? "relaxed" : "simd";
  return makeFirstEngine(await WebAssembly.compileStreaming(fetch(wasm[variant]!)), variant);
}
