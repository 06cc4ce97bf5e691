import {
  checkOptions,
  choice,
  indices,
  integer,
  integers,
  number,
  positions,
  refuse,
  seedOf,
} from "./arguments.js";
import type { Core, RawGeneration, RawModel, RawModelArguments } from "./core.js";
import { throwIfAborted } from "./error.js";
import { Handle } from "./handle.js";
import { layerConfig } from "./layer-config.js";
import { encoded } from "./model-source.js";
import { breathe } from "./pace.js";
import { checkRecord, recordNames, recordRequest, shapedRecord } from "./recording.js";
import type {
  GeneratedToken,
  GenerateOptions,
  Model,
  ModelResult,
  Positions,
  RecordName,
  Region,
  Tensor,
  Tokenizer,
} from "./types.js";

type ModelRecordName = RecordName | "vocabularyLogits" | "hidden";

const modelRecordNames: readonly ModelRecordName[] = [...recordNames, "vocabularyLogits", "hidden"];
const generateNames = ["maxTokens", "temperature", "topK", "topP", "seed", "stopId", "signal"];
const noIntegers = new Int32Array(0);

export class ModelHandle extends Handle<RawModel> implements Model {
  readonly config: Model["config"];
  readonly parameterCount: number;
  readonly tokenizer: Tokenizer | undefined;

  constructor(
    core: Core,
    raw: RawModel,
    sizes: RawModelArguments,
    tokenizer: Tokenizer | undefined,
  ) {
    super(core, raw, "model");
    const { seed: _seed, stacks: _stacks, stackOf: _of, layerTypes: _types, ...config } = sizes;
    this.config = Object.freeze({ ...config, ...layerConfig(sizes, raw.schemes()) });
    this.parameterCount = raw.parameterCount();
    this.tokenizer = tokenizer;
  }

  run(
    input: string | readonly number[] | Int32Array,
    options: { record?: readonly ModelRecordName[]; region?: Region; positions?: Positions } = {},
  ): ModelResult {
    checkOptions("options", options, ["record", "region", "positions"]);
    const { region } = options;
    const names = checkRecord(options.record, modelRecordNames);
    const ids = this.#ids("input", input, 1);
    const { numHeads, numLayers } = this.config;
    const record = recordRequest(names, region, {
      heads: numHeads,
      rows: ids.length,
      columns: ids.length,
    });
    const layers = indices("region.layers", region?.layers, numLayers);
    const raw = this.core.call(() =>
      this.raw.run({
        ids,
        positions:
          options.positions === undefined
            ? noIntegers
            : positions("positions", options.positions, ids.length),
        layers,
        record,
        vocabularyLogits: names.has("vocabularyLogits"),
        hidden: names.has("hidden"),
      }),
    );
    const result: ModelResult = {
      ids: [...ids],
      tokens: this.#tokens(ids),
      ...shapedRecord(raw, [layers.length || numLayers]),
    };
    const rows = (data: Float32Array, width: number): Tensor => ({
      data,
      shape: [ids.length, width],
    });
    if (raw.vocabularyLogits)
      result.vocabularyLogits = rows(raw.vocabularyLogits, this.config.vocabSize);
    if (raw.hidden) result.hidden = rows(raw.hidden, this.config.hiddenSize);
    return result;
  }

  loss(ids: readonly number[] | Int32Array): { mean: number; perToken: Float32Array } {
    const list = this.#ids("ids", ids, 2);
    return this.core.call(() => this.raw.loss(list));
  }

  generate(
    prompt: string | readonly number[],
    options: GenerateOptions = {},
  ): AsyncGenerator<GeneratedToken, void, void> {
    checkOptions("options", options, generateNames);
    const { signal, stopId } = options;
    if (signal !== undefined && !(signal instanceof AbortSignal))
      refuse("signal", signal, "an AbortSignal");
    if (stopId !== undefined) integer("stopId", stopId, 0, this.config.vocabSize - 1);
    const call = {
      prompt: this.#ids("prompt", prompt, 1),
      maxTokens: integer("maxTokens", options.maxTokens ?? 100, 1),
      temperature: number("temperature", options.temperature ?? 1, 0, 100),
      topK: integer("topK", options.topK ?? 0, 0),
      topP: number("topP", options.topP ?? 1, Number.MIN_VALUE, 1),
      seed: seedOf(options.seed),
    };
    throwIfAborted(signal);
    const raw = this.core.call((engine) => engine.Generation.make(this.raw, call));
    return this.#tokensOf(new GenerationHandle(this.core, raw), call.maxTokens, stopId, signal);
  }

  async *#tokensOf(
    generation: GenerationHandle,
    maxTokens: number,
    stopId: number | undefined,
    signal: AbortSignal | undefined,
  ) {
    try {
      for (let count = 0; count < maxTokens; count++) {
        throwIfAborted(signal);
        const id = generation.next();
        if (id === stopId) return;
        yield { id, text: this.tokenizer?.decode([id]) ?? "" };
        await breathe();
      }
    } finally {
      generation.dispose();
    }
  }

  save(options: { dtype?: "f32" | "f16" } = {}): Uint8Array {
    checkOptions("options", options, ["dtype"]);
    const dtype = choice("dtype", options.dtype ?? "f32", ["f32", "f16"]);
    return this.core.call(() => this.raw.save(dtype === "f16"));
  }

  #ids(argument: string, value: unknown, least: number): Int32Array {
    const ids = integers(
      argument,
      encoded(argument, value, this.tokenizer),
      0,
      this.config.vocabSize - 1,
    );
    return ids.length >= least
      ? ids
      : refuse(`${argument}.length`, ids.length, `${least} or more token ids`);
  }

  #tokens(ids: Int32Array): string[] {
    const { tokenizer } = this;
    return tokenizer ? Array.from(ids, (id) => tokenizer.decode([id])) : [];
  }
}

class GenerationHandle extends Handle<RawGeneration> {
  constructor(core: Core, raw: RawGeneration) {
    super(core, raw, "generation");
  }

  next(): number {
    return this.core.call(() => this.raw.next());
  }
}
