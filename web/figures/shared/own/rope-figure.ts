/**
 * What the elements about rotary pairs share: the pairs of a model's config.json, or of a base, a
 * width and a scaling that stand in the attributes.
 */
import type { PairsAnswer } from "../../../engine/both/element-messages.js";
import { NewestWins } from "../../../engine/page/newest-wins.js";
import { OwnFigure } from "./own-figure.js";
import { fetchJson, malformed } from "./own-source.js";

type Config = Record<string, unknown>;

/** A scaling as an attribute has it: a type by name, or JSON with the keys of `rope_scaling`. */
function readScaling(scaling: string | Config): Config {
  if (typeof scaling !== "string") return scaling;
  if (!/^\s*\{/.test(scaling)) return { rope_type: scaling.trim() || "default" };
  try {
    return JSON.parse(scaling) as Config;
  } catch (reason) {
    throw malformed(`scaling: ${(reason as Error).message}`);
  }
}

export abstract class RopeFigure extends OwnFigure<PairsAnswer> {
  static override properties = {
    ...OwnFigure.properties,
    config: { attribute: false },
    base: { type: Number },
    dim: { type: Number },
    scaling: {},
    factor: { type: Number },
    trained: { type: Number },
  };

  /** A model's config.json as an object, in the place of base, width and scaling. */
  declare config: Record<string, unknown> | undefined;
  /** Base of the frequencies. */
  declare base: number;
  /** Channels of a head: two for each pair. */
  declare dim: number;
  /** Type of the scaling (`linear`, `ntk`, `yarn`, `llama3` …), or its `rope_scaling` as JSON. */
  declare scaling: string | Record<string, unknown>;
  /** How many times the trained length is read. */
  declare factor: number;
  /** Tokens of the training. */
  declare trained: number;
  #line = new NewestWins("pairs");

  constructor() {
    super();
    this.base = 10_000;
    this.dim = 32;
    this.scaling = "";
    this.factor = 1;
    this.trained = 4096;
  }

  /** The pairs are those of a model's config.json. */
  protected get isOwn(): boolean {
    return Boolean(this.config || this.src);
  }

  protected get wish() {
    const { config, src, base, dim, scaling, factor, trained } = this;
    return this.isOwn ? [config, src] : [base, dim, scaling, factor, trained];
  }

  /** What the attributes say, as a config.json would. */
  get #written(): Config {
    const { base, dim, factor, trained } = this;
    const scaling = readScaling(this.scaling);
    return {
      model_type: "llama",
      num_attention_heads: 1,
      ...{ hidden_size: dim, head_dim: dim, rope_theta: base, max_position_embeddings: trained },
      rope_scaling: { factor, original_max_position_embeddings: trained, ...scaling },
    };
  }

  async #given(signal: AbortSignal): Promise<Config> {
    const { config, src } = this;
    const given = config ?? (src ? await fetchJson(src, signal) : this.#written);
    // As JSON has it: a store's proxy of an object cannot be sent to a worker.
    if (typeof given === "object" && given !== null && !Array.isArray(given))
      return JSON.parse(JSON.stringify(given)) as Config;
    throw malformed("config: not an object, as a config.json is");
  }

  protected async read(signal: AbortSignal): Promise<PairsAnswer | undefined> {
    return this.#line.ask({ config: await this.#given(signal), length: 0 });
  }
}
