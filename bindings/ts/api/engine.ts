import { enumerator } from "../config/fields.js";
import { isFormula } from "../config/formula-options.js";
import { type ModelArguments, modelArguments } from "../config/model-config.js";
import { dropped, isConfig, sourceOptions } from "../config/model-source.js";
import { hasFamily, isConfigJson, readPlainConfig, schemeInFile } from "../families/config-json.js";
import { weightTypes } from "../generated/fields.js";
import { version } from "../generated/version.js";
import type {
  Attention,
  AttentionOptions,
  Engine,
  KeptModel,
  Model,
  ModelConfig,
  ModelSource,
  PictureBlock,
  PicturePositions,
  Scheme,
  SchemeArguments,
  SchemeDescription,
  SchemeName,
  Trainer,
  TrainerOptions,
  Variant,
} from "../types/index.js";
import { checkObject, refuse } from "../wire/arguments.js";
import type { Core } from "../wire/core.js";
import { guard } from "../wire/guard.js";
import { throwIfAborted } from "../wire/signal.js";
import { AttentionHandle } from "./attention.js";
import { describeSchemes } from "./descriptions.js";
import { ModelHandle } from "./model.js";
import { withLayout } from "./model-layout.js";
import { positionsWithPictures } from "./picture-positions.js";
import { PlainCalls } from "./products.js";
import { SchemeHandle } from "./scheme.js";
import { TrainerHandle } from "./trainer.js";

function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null) {
    Object.values(value).forEach(deepFreeze);
    Object.freeze(value);
  }
  return value;
}

export class EngineInstance extends PlainCalls implements Engine {
  readonly variant: Variant;
  readonly version = version;
  /** With "formula", which is not one scheme, at the end. */
  readonly #all: readonly SchemeDescription[];
  readonly #schemes: readonly SchemeDescription[];
  readonly #core: Core;

  /** @internal */
  readonly threads: number;

  constructor(core: Core, variant: Variant, threads = 1) {
    super(core);
    this.threads = threads;
    this.#core = core;
    this.variant = variant;
    this.#all = deepFreeze(describeSchemes(core));
    this.#schemes = Object.freeze(this.#all.filter((description) => !isFormula(description)));
  }

  /** A getter of the class, not a property, so that a console shows an engine in one line. */
  get schemes(): readonly SchemeDescription[] {
    return this.#schemes;
  }

  scheme<Id extends string>(id: SchemeName<Id>, options: SchemeArguments<Id>): Scheme {
    return new SchemeHandle(this.#core, this.#all, id, options);
  }

  attention(options: AttentionOptions): Attention {
    return new AttentionHandle(this.#core, options);
  }

  schemeFromConfig(config: Record<string, unknown>, options?: { layer?: number }): Scheme {
    const found = schemeInFile(this.#all, config, options);
    return new SchemeHandle(this.#core, this.#all, found.id, found.options);
  }

  positionsWithPictures(
    tokens: number,
    blocks: readonly PictureBlock[],
    options: Parameters<Engine["positionsWithPictures"]>[2] = {},
  ): PicturePositions {
    return positionsWithPictures(this.#core, tokens, blocks, options);
  }

  async model(source: ModelSource, options: Parameters<Engine["model"]>[1] = {}): Promise<Model> {
    const given = sourceOptions(options);
    const found = dropped(source);
    throwIfAborted(given.download.signal);
    const core = this.#core;
    if (!isConfig(found)) {
      const { loadModel } = await import("../families.js");
      return loadModel(core, this.#all, found, given);
    }
    if (given.keep !== undefined)
      return refuse(
        "keep",
        given.keep,
        "undefined for a new model; only models from files can be kept",
      );
    const sizes = await this.#sizesIn(found);
    const tokenizer = await given.tokenizer?.of(async () => undefined);
    throwIfAborted(given.download.signal);
    const made = withLayout(core, sizes, (layout) =>
      core.run(0, (raw) =>
        core.made(raw.Model.make(layout, sizes.seed, enumerator(weightTypes, given.dtype))),
      ),
    );
    return new ModelHandle(core, made, this.#all, sizes, tokenizer);
  }

  async #sizesIn(config: Record<string, unknown>): Promise<ModelArguments> {
    if (hasFamily(config))
      return (await import("../families.js")).readFamily(this.#all, config).config;
    return isConfigJson(config)
      ? readPlainConfig(this.#all, config).config
      : modelArguments(this.#all, config);
  }

  async modelConfig(config: ModelConfig | Record<string, unknown>): Promise<Model["config"]> {
    checkObject("config", config);
    const sizes = await this.#sizesIn(config);
    return (await import("../families.js")).configOfSizes(this.#core, sizes);
  }

  async keptModels(): Promise<KeptModel[]> {
    return (await import("../families.js")).keptModels();
  }

  async deleteKept(name: string): Promise<boolean> {
    return (await import("../families.js")).deleteKept(name);
  }

  trainer(options: TrainerOptions): Trainer {
    return new TrainerHandle(this.#core, this.#all, options);
  }
}

const max = {
  scheme: 2,
  attention: 1,
  schemeFromConfig: 2,
  positionsWithPictures: 3,
  model: 2,
  modelConfig: 1,
  keptModels: 0,
  deleteKept: 1,
  trainer: 1,
} as const;
guard(EngineInstance, max, PlainCalls);
