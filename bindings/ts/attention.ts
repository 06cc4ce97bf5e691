import {
  boolean,
  checkObject,
  checkOptions,
  floats,
  integer,
  positive,
  refuse,
  slidingWindow,
} from "./arguments.js";
import { decodingCall, sequencesOf } from "./attention-input.js";
import type {
  Core,
  RawAttention,
  RawAttentionArguments,
  RawAttentionConfig,
  RawCache,
} from "./core.js";
import { Handle } from "./handle.js";
import { joinRecords, shapedRecord } from "./recording.js";
import { headSizes, kvHeads, SchemeHandle } from "./schemes.js";
import type {
  Attention,
  AttentionInput,
  AttentionOptions,
  AttentionResult,
  KvCache,
  Tensor,
} from "./types.js";

const optionNames = [
  "scheme",
  "numHeads",
  "headDim",
  "numKvHeads",
  "valueDim",
  "isCausal",
  "isCross",
  "slidingWindow",
  "chunkSize",
  "softcap",
  "scale",
  "sinks",
];
const inputNames = [
  "q",
  "k",
  "v",
  "positions",
  "keyPositions",
  "segments",
  "keyLengths",
  "mask",
  "queryOffset",
  "prefixLength",
  "record",
  "region",
];
const decodeNames = ["q", "k", "v", "positions"];

function schemesOf(core: Core, value: unknown): SchemeHandle[] {
  const list: unknown[] = value === undefined ? [] : Array.isArray(value) ? value : [value];
  return list.map((item, i) => {
    const name = Array.isArray(value) ? `scheme[${i}]` : "scheme";
    if (!(item instanceof SchemeHandle)) return refuse(name, item, "what wf.scheme(…) returned");
    if (!item.belongsTo(core)) return refuse(name, item, "a scheme of the same engine");
    return item;
  });
}

/** Sizes from the schemes where they say them, else from the options; they must not disagree. */
function agreedConfig(
  options: Record<string, unknown>,
  schemes: readonly SchemeHandle[],
): RawAttentionConfig {
  const agreed = { ...options };
  for (const { madeFor } of schemes) {
    for (const [name, size] of Object.entries(madeFor)) {
      if (size === undefined) continue;
      if (agreed[name] !== undefined && agreed[name] !== size)
        refuse(name, agreed[name], `${size}, as the scheme was made for`);
      agreed[name] = size;
    }
  }
  const { numHeads, headDim } = headSizes(agreed);
  const optional = <T>(name: string, read: (name: string, value: unknown) => T, absent: T): T =>
    options[name] === undefined ? absent : read(name, options[name]);
  return {
    numHeads,
    headDim,
    numKvHeads: kvHeads(agreed["numKvHeads"], numHeads) ?? numHeads,
    valueDim: optional("valueDim", (name, value) => integer(name, value, 1, 65536), headDim),
    scale: optional("scale", positive, 0),
    isCausal: optional("isCausal", boolean, false),
    isCross: optional("isCross", boolean, false),
    slidingWindow: slidingWindow("slidingWindow", options["slidingWindow"]),
    chunkSize: optional("chunkSize", (name, value) => integer(name, value, 1), 0),
    softcap: optional("softcap", positive, 0),
  };
}

function sinksOf(value: unknown, numHeads: number): Float32Array {
  if (value === undefined) return new Float32Array(0);
  const sinks = floats("sinks", value);
  return sinks.length === numHeads
    ? sinks
    : refuse("sinks.length", sinks.length, `${numHeads}, one for each head`);
}

export class CacheHandle extends Handle<RawCache> implements KvCache {
  constructor(core: Core, raw: RawCache) {
    super(core, raw, "cache");
  }

  get length(): number {
    return this.raw.length;
  }

  get capacity(): number {
    return this.raw.capacity;
  }

  truncate(length: number): void {
    integer("length", length, 0, this.length);
    this.core.call(() => this.raw.truncate(length));
  }

  clone(): KvCache {
    return new CacheHandle(
      this.core,
      this.core.call(() => this.raw.copy()),
    );
  }
}

export class AttentionHandle extends Handle<RawAttention> implements Attention {
  readonly #config: RawAttentionConfig;

  constructor(core: Core, options: AttentionOptions) {
    checkOptions("options", options, optionNames);
    const given: unknown = options;
    checkObject("options", given);
    const schemes = schemesOf(core, options.scheme);
    const config = agreedConfig(given, schemes);
    const sinks = sinksOf(options.sinks, config.numHeads);
    const raws = schemes.map((scheme) => scheme.raw);
    super(
      core,
      core.call((engine) => engine.Attention.make(config, sinks)),
      "attention",
    );
    this.#config = config;
    try {
      for (const scheme of raws) core.call(() => this.raw.stack(scheme));
    } catch (error) {
      this.dispose();
      throw error;
    }
  }

  run(input: AttentionInput): AttentionResult {
    checkOptions("input", input, inputNames);
    const { batch, queries, calls } = sequencesOf(this.#config, input);
    const results = calls.map((call) => this.#runOne(call, queries));
    return batch ? joinRecords(results) : results[0]!;
  }

  #runOne(call: RawAttentionArguments, queries: number): AttentionResult {
    const raw = this.core.call(() => this.raw.run(call));
    return { output: this.#output(raw.output, queries), ...shapedRecord(raw, []) };
  }

  cache(options: { capacity: number }): KvCache {
    checkOptions("options", options, ["capacity"]);
    const capacity = integer("capacity", options.capacity, 1);
    return new CacheHandle(
      this.core,
      this.core.call(() => this.raw.makeCache(capacity)),
    );
  }

  decode(
    cache: KvCache,
    input: Pick<AttentionInput, "q" | "k" | "v" | "positions">,
  ): { output: Tensor } {
    if (!(cache instanceof CacheHandle)) refuse("cache", cache, "what attention.cache(…) returned");
    if (!cache.belongsTo(this.core)) refuse("cache", cache, "a cache of the same engine");
    checkOptions("input", input, decodeNames);
    const call = decodingCall(this.#config, input, cache.length);
    const raw = this.core.call(() => this.raw.decode(cache.raw, call));
    return { output: this.#output(raw.output, call.queries) };
  }

  #output(data: Float32Array, queries: number): Tensor {
    return { data, shape: [this.#config.numHeads, queries, this.#config.valueDim] };
  }
}
