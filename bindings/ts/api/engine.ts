import { schemeInFile } from "../config/config-file.js";
import { modelArguments, modelItems } from "../config/model-config.js";
import { readSource, sourceOptions } from "../config/model-source.js";
import { version } from "../generated/version.js";
import type {
  Attention,
  AttentionOptions,
  Engine,
  EngineTensor,
  Matrix,
  Model,
  ModelSource,
  Operand,
  PictureBlock,
  PicturePositions,
  Scheme,
  SchemeDescription,
  SchemeId,
  SchemeOptions,
  SchemeShape,
  Tensor,
  TensorLike,
  Trainer,
  TrainerOptions,
  Variant,
} from "../types/index.js";
import type { Core } from "../wire/core.js";
import { AttentionHandle } from "./attention.js";
import { describeSchemes } from "./descriptions.js";
import { ModelHandle } from "./model.js";
import { positionsWithPictures } from "./picture-positions.js";
import { layerNorm, MatrixHandle, matmul, softmax } from "./products.js";
import { SchemeHandle } from "./scheme.js";
import { TensorHandle } from "./tensors.js";
import { TrainerHandle } from "./trainer.js";

function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null) {
    Object.values(value).forEach(deepFreeze);
    Object.freeze(value);
  }
  return value;
}

export class EngineInstance implements Engine {
  readonly variant: Variant;
  readonly version = version;
  readonly schemes: readonly SchemeDescription[];
  readonly #core: Core;

  constructor(core: Core, variant: Variant) {
    this.#core = core;
    this.variant = variant;
    this.schemes = deepFreeze(describeSchemes(core));
  }

  scheme<Id extends SchemeId>(id: Id, options: SchemeShape & SchemeOptions[Id]): Scheme {
    return new SchemeHandle(this.#core, this.schemes, id, options);
  }

  attention(options: AttentionOptions): Attention {
    return new AttentionHandle(this.#core, options);
  }

  schemeFromConfig(config: Record<string, unknown>, options?: { layer?: number }): Scheme {
    const found = schemeInFile(this.schemes, config, options);
    return new SchemeHandle(this.#core, this.schemes, found.id, found.options);
  }

  positionsWithPictures(
    tokens: number,
    blocks: readonly PictureBlock[],
    options: Parameters<Engine["positionsWithPictures"]>[2] = {},
  ): PicturePositions {
    return positionsWithPictures(this.#core, tokens, blocks, options);
  }

  async model(source: ModelSource, options: Parameters<Engine["model"]>[1] = {}): Promise<Model> {
    const { download, tokenizer } = sourceOptions(options);
    const parts = await readSource(this.schemes, source, download);
    const sizes = modelArguments(this.schemes, parts.config);
    const address = this.#core.make("makeModel", 0, modelItems(sizes));
    const model = new ModelHandle(
      this.#core,
      address,
      this.schemes,
      sizes,
      tokenizer ?? parts.tokenizer,
    );
    if (!parts.weights) return model;
    try {
      model.load(parts.weights);
    } catch (error) {
      model.dispose();
      throw error;
    }
    return model;
  }

  trainer(options: TrainerOptions): Trainer {
    return new TrainerHandle(this.#core, this.schemes, options);
  }

  matmul(a: Operand, b: Operand | Matrix, options?: Parameters<Engine["matmul"]>[2]): Tensor {
    return matmul(this.#core, a, b, options);
  }

  tensor(value: TensorLike): EngineTensor {
    return new TensorHandle(this.#core, value);
  }

  matrix(b: Operand, options?: Parameters<Engine["matrix"]>[1]): Matrix {
    return new MatrixHandle(this.#core, b, options);
  }

  softmax(x: Operand, options?: Parameters<Engine["softmax"]>[1]): Tensor {
    return softmax(this.#core, x, options);
  }

  layerNorm(x: Operand, options?: Parameters<Engine["layerNorm"]>[1]): Tensor {
    return layerNorm(this.#core, x, options);
  }

  memory(): number {
    return this.#core.make("memoryBytes", 0, []);
  }
}
