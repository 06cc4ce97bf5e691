import { readFields, type Values } from "../config/fields.js";
import { checkKvHeads } from "../config/head-sizes.js";
import { attentionFields } from "../generated/fields.js";
import type { Attention as RawAttention, KvCache as RawCache } from "../generated/module.js";
import type {
  Attention,
  AttentionInput,
  AttentionOptions,
  AttentionRecord,
  AttentionResult,
  KvCache,
  Recorded,
  RecordName,
  Tensor,
} from "../types/index.js";
import {
  checkObject,
  checkOptions,
  integer,
  listOf,
  refuse,
  refuseOther,
  windowSize,
} from "../wire/arguments.js";
import { bufferOf, copyOver, lengthOf, part } from "../wire/arrays.js";
import { type Core, EngineFloats, space, spaceOfFloats } from "../wire/core.js";
import { guard } from "../wire/guard.js";
import { EngineObject } from "../wire/handle.js";
import { floats, nameNotFinite } from "../wire/lists.js";
import {
  decodingCall,
  inputOf,
  type SequenceCall,
  sequencesOf,
  spaceOfCall,
} from "./attention-input.js";
import {
  joinRecords,
  type RecordLists,
  readRecord,
  recordRequest,
  spaceOfRecord,
} from "./recording.js";
import { SchemeHandle } from "./scheme.js";

const optionNames = ["scheme", ...Object.keys(attentionFields), "sinks"];
const decodeNames = ["q", "k", "v", "positions", "out"];

function schemesOf(core: Core, value: unknown): SchemeHandle[] {
  if (value === undefined) return [];
  const one = (name: string, item: unknown) => {
    if (!(item instanceof SchemeHandle))
      return refuseOther(name, item, "scheme", "a scheme from wf.scheme(…)");
    if (!item.belongsTo(core)) return refuse(name, item, "a scheme of the same engine");
    return item;
  };
  if (!Array.isArray(value)) return [one("scheme", value)];
  return listOf("scheme", value, "a list of schemes", (item, i) => one(`scheme[${i}]`, item));
}

type AttentionConfig = Values<typeof attentionFields>;

/** Sizes from the schemes if they define them, else from the options. Errors if they disagree. */
function agreedConfig(
  options: Record<string, unknown>,
  schemes: readonly SchemeHandle[],
): AttentionConfig {
  const agreed: Record<string, unknown> = { ...options };
  for (const { madeFor } of schemes) {
    for (const [name, size] of Object.entries(madeFor)) {
      if (size === undefined) continue;
      if (agreed[name] !== undefined && agreed[name] !== size)
        refuse(name, agreed[name], `${size}, for which the scheme was made`);
      agreed[name] = size;
    }
  }
  const { numHeads, numKvHeads = numHeads, headDim, valueDim = headDim } = agreed;
  const slidingWindow = windowSize("slidingWindow", agreed["slidingWindow"]);
  const sizes = { numKvHeads, valueDim, slidingWindow };
  const config = readFields(attentionFields, { ...agreed, ...sizes });
  checkKvHeads(config);
  return config;
}

function sinksOf(value: unknown, numHeads: number): Float32Array {
  if (value === undefined) return new Float32Array(0);
  const sinks = floats("sinks", value);
  const count = lengthOf(sinks);
  return count === numHeads
    ? sinks
    : refuse("sinks.length", count, `${numHeads}, one number for each head`);
}

export class CacheHandle extends EngineObject<RawCache> implements KvCache {
  constructor(core: Core, raw: RawCache) {
    super(core, raw, "cache");
  }

  get length(): number {
    const { core, raw } = this;
    return core.run(0, () => raw.length());
  }

  get capacity(): number {
    const { core, raw } = this;
    return core.run(0, () => raw.capacity());
  }

  truncate(length: number): void {
    const kept = integer("length", length, 0, this.length);
    const { core, raw } = this;
    core.run(0, () => core.check(raw.truncate(kept)));
  }

  clone(): KvCache {
    const { core, raw } = this;
    return new CacheHandle(
      core,
      core.run(0, () => core.made(raw.copy())),
    );
  }
}

export class AttentionHandle extends EngineObject<RawAttention> implements Attention {
  readonly #config: AttentionConfig;

  constructor(core: Core, options: AttentionOptions) {
    checkOptions("options", options, optionNames);
    const given: unknown = options;
    checkObject("options", given);
    const schemes = schemesOf(core, options.scheme);
    const config = agreedConfig(given, schemes);
    const sinks = sinksOf(options.sinks, config.numHeads);
    // Read `raw` last: a caller's getter may have disposed of a scheme.
    const rawSchemes = schemes.map((scheme) => scheme.raw);
    const made = core.run(space(sinks), (raw) =>
      core.made(raw.Attention.make(config, core.put(sinks), lengthOf(sinks))),
    );
    super(core, made, "attention");
    this.#config = config;
    try {
      core.run(0, () => {
        for (const scheme of rawSchemes) core.check(made.addScheme(scheme));
      });
    } catch (error) {
      this.dispose();
      throw error;
    }
  }

  run<const Names extends readonly RecordName[] = readonly []>(
    input: AttentionInput & { record?: Names },
  ): AttentionResult & Recorded<AttentionRecord, Names> {
    const sequences = sequencesOf(this.core, this.#config, input);
    const { batch, calls, record, names, given, out: asked } = sequences;
    const shape = [this.#config.numHeads, calls[0]!.queries, this.#config.valueDim];
    const size = shape[0]! * shape[1]! * shape[2]!;
    // An earlier sequence must not overwrite the input of a later one.
    const isRead =
      batch > 0 &&
      asked !== undefined &&
      Object.values(given).some(
        (x) => x && !(x instanceof EngineFloats) && bufferOf(x) === bufferOf(asked),
      );
    const out = asked && !isRead ? asked : this.core.floats(calls.length * size);
    const records = nameNotFinite(given, () =>
      calls.map((call, entry) =>
        this.#runOne(call, record, names, part(out, entry * size, (entry + 1) * size)),
      ),
    );
    if (isRead) copyOver(asked, out);
    const output = { data: asked ?? out, shape: batch ? [batch, ...shape] : shape };
    const recorded = (batch ? joinRecords(records) : records[0]!) as AttentionRecord &
      Recorded<AttentionRecord, Names>;
    return { output, ...recorded };
  }

  #runOne(
    call: SequenceCall,
    record: RecordLists,
    names: ReadonlySet<RecordName>,
    out: Float32Array,
  ): AttentionRecord {
    const { core, raw } = this;
    const count = out.length;
    const bytes =
      spaceOfCall(call) + spaceOfFloats(count) + (names.size ? spaceOfRecord(record) : 0);
    core.run(bytes, (module) => {
      const input = inputOf(core, module, call);
      const at = core.room(count);
      core.check(
        names.size
          ? raw.runRecorded(input, recordRequest(core, record), at, count)
          : raw.run(input, at, count),
      );
      core.take(at, count, out);
    });
    if (!names.size) return {};
    return readRecord(
      core,
      core.run(0, () => core.made(raw.takeRecord())),
      names,
    );
  }

  cache(options: { capacity: number }): KvCache {
    checkOptions("options", options, ["capacity"]);
    const capacity = integer("capacity", options.capacity, 1);
    const { core, raw } = this;
    return new CacheHandle(
      core,
      core.run(0, () => core.made(raw.makeCache(capacity))),
    );
  }

  decode(
    cache: KvCache,
    input: Pick<AttentionInput, "q" | "k" | "v" | "positions" | "out">,
  ): { output: Tensor } {
    if (!(cache instanceof CacheHandle))
      refuseOther("cache", cache, "cache", "a cache from attention.cache(…)");
    if (!cache.belongsTo(this.core)) refuse("cache", cache, "a cache of the same engine");
    checkOptions("input", input, decodeNames);
    const { core } = this;
    const { call, out } = decodingCall(core, this.#config, input, () => cache.length);
    const { q, k, v } = call;
    const shape = [this.#config.numHeads, call.queries, this.#config.valueDim];
    const count = shape[0]! * shape[1]! * shape[2]!;
    const { raw } = this;
    const held = cache.raw;
    const data = nameNotFinite({ q, k, v }, () =>
      core.run(spaceOfCall(call) + spaceOfFloats(count), (module) => {
        const at = core.room(count);
        core.check(raw.decode(held, inputOf(core, module, call), at, count));
        return core.take(at, count, out);
      }),
    );
    return { output: { data, shape } };
  }
}

guard(CacheHandle, { truncate: 1, clone: 0 });
guard(AttentionHandle, { run: 1, cache: 1, decode: 2 });
