import { readLayers } from "../config/layer-config.js";
import { type ModelArguments, modelItems } from "../config/model-config.js";
import { encoded } from "../config/model-source.js";
import type {
  GeneratedToken,
  GenerateOptions,
  Model,
  ModelResult,
  Positions,
  RecordName,
  Region,
  SchemeDescription,
  Surgery,
  Tensor,
  Tokenizer,
} from "../types/index.js";
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
} from "../wire/arguments.js";
import type { Core, Item } from "../wire/core.js";
import { throwIfAborted } from "../wire/error.js";
import { Handle } from "../wire/handle.js";
import { breathe } from "./pace.js";
import { checkRecord, joinRecords, readRecord, recordNames, recordRequest } from "./recording.js";
import { operation } from "./surgery.js";

type ModelRecordName = RecordName | "vocabularyLogits" | "hidden";

const modelRecordNames: readonly ModelRecordName[] = [...recordNames, "vocabularyLogits", "hidden"];
const generateNames = ["maxTokens", "temperature", "topK", "topP", "seed", "stopId", "signal"];

const positionsGiven = (given: Positions | undefined, count: number): Int32Array =>
  given === undefined ? new Int32Array(0) : positions("positions", given, count);

export class ModelHandle extends Handle implements Model {
  readonly config: Model["config"];
  readonly parameterCount: number;
  readonly tokenizer: Tokenizer | undefined;
  readonly #schemes: readonly SchemeDescription[];
  readonly #sizes: ModelArguments;
  /** The last of the same weights under other schemes. */
  #graft: { key: string; model: ModelHandle } | undefined;

  constructor(
    core: Core,
    address: number,
    schemes: readonly SchemeDescription[],
    sizes: ModelArguments,
    tokenizer: Tokenizer | undefined,
  ) {
    super(core, address, "model");
    this.#schemes = schemes;
    this.#sizes = sizes;
    const { seed: _seed, stacks: _stacks, stackOf: _of, layerTypes: _types, ...config } = sizes;
    [this.parameterCount, this.config] = this.call("modelFacts", [], (answer) => [
      answer.number(),
      Object.freeze({ ...config, ...readLayers(answer, sizes) }),
    ]);
    this.tokenizer = tokenizer;
  }

  run(
    input: string | readonly number[] | Int32Array,
    options: {
      record?: readonly ModelRecordName[];
      region?: Region;
      positions?: Positions;
      surgery?: Surgery | readonly Surgery[];
    } = {},
  ): ModelResult {
    checkOptions("options", options, ["record", "region", "positions", "surgery"]);
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
    const { model, cuts } = this.#operated(options.surgery);
    const items = [
      ids,
      positionsGiven(options.positions, ids.length),
      ...cuts,
      layers,
      ...record,
      names.has("vocabularyLogits"),
      names.has("hidden"),
    ];
    return model.call("runModel", items, (answer) => {
      const result: ModelResult = { ids: [...ids], tokens: this.#tokens(ids) };
      if (recordNames.some((name) => names.has(name)))
        Object.assign(result, joinRecords(answer.list(() => readRecord(answer, names))));
      const rows = (width: number): Tensor => ({
        data: answer.floats(),
        shape: [ids.length, width],
      });
      if (names.has("vocabularyLogits")) result.vocabularyLogits = rows(this.config.vocabSize);
      if (names.has("hidden")) result.hidden = rows(this.config.hiddenSize);
      return result;
    });
  }

  /** @internal Fills the weights from safetensors bytes. */
  load(weights: Uint8Array): void {
    this.call("load", [weights], () => {});
  }

  loss(
    ids: readonly number[] | Int32Array,
    options: { positions?: Positions; surgery?: Surgery | readonly Surgery[] } = {},
  ): { mean: number; perToken: Float32Array } {
    checkOptions("options", options, ["positions", "surgery"]);
    const list = this.#ids("ids", ids, 2);
    // The last token is predicted, not read.
    const read = positionsGiven(options.positions, list.length).filter(
      (_, i) => (i + 1) % list.length,
    );
    const { model, cuts } = this.#operated(options.surgery);
    return model.call("loss", [list, read, ...cuts], (answer) => ({
      mean: answer.number(),
      perToken: answer.floats(),
    }));
  }

  /** The model that a surgery makes of this one, and what it cuts there. */
  #operated(surgery: unknown): { model: ModelHandle; cuts: Item[] } {
    const { core, address, tokenizer } = this;
    const { sizes, cuts } = operation(this.#schemes, this.#sizes, surgery);
    if (sizes === this.#sizes) return { model: this, cuts };
    const items = modelItems(sizes);
    const key = JSON.stringify(items);
    if (this.#graft?.key !== key) {
      this.#graft?.model.dispose();
      this.#graft = undefined;
      const made = core.make("graftModel", address, items);
      const model = new ModelHandle(core, made, this.#schemes, sizes, tokenizer);
      this.#graft = { key, model };
    }
    return { model: this.#graft.model, cuts };
  }

  override dispose(): void {
    this.#graft?.model.dispose();
    super.dispose();
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
    const prompted = this.#ids("prompt", prompt, 1);
    const maxTokens = integer("maxTokens", options.maxTokens ?? 100, 1);
    const items = [
      this.address,
      prompted,
      maxTokens,
      number("temperature", options.temperature ?? 1, 0, 100),
      integer("topK", options.topK ?? 0, 0),
      number("topP", options.topP ?? 1, Number.MIN_VALUE, 1),
      seedOf(options.seed),
    ];
    throwIfAborted(signal);
    const generation = new GenerationHandle(this.core, this.core.make("makeGeneration", 0, items));
    return this.#tokensOf(generation, maxTokens, stopId, signal);
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
    return this.call("save", [dtype === "f16"], (answer) => answer.bytes());
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

class GenerationHandle extends Handle {
  constructor(core: Core, address: number) {
    super(core, address, "generation");
  }

  next(): number {
    return this.call("next", [], (answer) => answer.number());
  }
}
