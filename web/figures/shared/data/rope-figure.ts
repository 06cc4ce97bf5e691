/**
 * Base of the elements for rotary pairs: the pairs of a model's config.json, or of a base, a width
 * and a scaling in attributes.
 */

import type { PairsAnswer } from "../../../engine/both/element-messages.js";
import { NewestWins } from "../../../engine/page/newest-wins.js";
import {
  config as configObject,
  even,
  isObject,
  numberFrom,
  ofKind,
  positive,
  scaling,
  whole,
} from "../given/kinds.js";
import { refused } from "../given/refused.js";
import { DataFigure } from "./data-figure.js";
import { fetchJson } from "./data-source.js";

type Config = Record<string, unknown>;

/** Returns a scaling from the name of its type, or from the keys of `rope_scaling`. */
function scalingIn(scaling: string | Config): Config {
  return typeof scaling === "string" ? { rope_type: scaling.trim() || "default" } : scaling;
}

/** Returns undefined for a value that JSON cannot hold: a cycle, or a BigInt. */
function inJson(given: Config): unknown {
  try {
    return JSON.parse(JSON.stringify(given));
  } catch {
    return undefined;
  }
}

export abstract class RopeFigure extends DataFigure<PairsAnswer> {
  static override properties = {
    ...DataFigure.properties,
    config: ofKind(configObject),
    base: ofKind(positive(), 10_000),
    dim: ofKind(even(2, 4096), 32),
    scaling: ofKind(scaling, ""),
    factor: ofKind(numberFrom(1), 1),
    trained: ofKind(whole(1), 4096),
  };

  /** A model's config.json as an object, instead of base, width and scaling. */
  declare config: Record<string, unknown> | undefined;
  /** Base of the frequencies. */
  declare base: number;
  /** Channels of a head: two for each pair. */
  declare dim: number;
  /** Type of the scaling (`linear`, `ntk`, `yarn`, `llama3` …), or its `rope_scaling` as JSON. */
  declare scaling: string | Record<string, unknown>;
  /** Length of the text as a multiple of the trained length. */
  declare factor: number;
  /** Trained length in tokens. */
  declare trained: number;
  #line = new NewestWins("pairs");

  /** True for the pairs of a model's config.json. */
  protected get readsConfig(): boolean {
    return Boolean(this.config || this.src);
  }

  protected override get origins() {
    return {
      numbers: ["config"],
      asks: ["base", "dim", "scaling", "factor", "trained"],
      readsModels: false,
    };
  }

  protected get inputs() {
    const { config, src, base, dim, scaling, factor, trained } = this;
    return this.readsConfig ? [config, src] : [base, dim, scaling, factor, trained];
  }

  /** The attributes in the form of a config.json. */
  get #written(): Config {
    const { base, dim, factor, trained } = this;
    const scaling = scalingIn(this.scaling);
    return {
      model_type: "llama",
      num_attention_heads: 1,
      hidden_size: dim,
      head_dim: dim,
      rope_theta: base,
      max_position_embeddings: trained,
      rope_scaling: { factor, original_max_position_embeddings: trained, ...scaling },
    };
  }

  async #given(signal: AbortSignal): Promise<Config> {
    const { config, src } = this;
    const given = config ?? (src ? await fetchJson(src, signal) : this.#written);
    const name = config ? "config" : src ? "src" : "scaling";
    // Copied through JSON, because a store's proxy of an object cannot be sent to a worker.
    const plain = isObject(given) ? inJson(given) : undefined;
    if (!isObject(plain)) throw refused(name, given, { expected: "object" });
    return plain;
  }

  protected async read(signal: AbortSignal): Promise<PairsAnswer | undefined> {
    return this.#line.ask({ config: await this.#given(signal), length: 0 });
  }
}
