/** The public types of the engine. */
import type { Attention, AttentionOptions } from "./attention.js";
import type { Variant } from "./load.js";
import type { KeptModel, Model, ModelConfig, ModelSource, WeightType } from "./model.js";
import type { PictureBlock, PicturePositions } from "./picture-positions.js";
import type { Scheme, SchemeArguments, SchemeDescription, SchemeName } from "./scheme.js";
import type { EngineTensor, Matrix, Operand, Out, Tensor, TensorLike } from "./tensor.js";
import type { TokenizerOption } from "./tokenizer.js";
import type { Trainer, TrainerOptions } from "./trainer.js";

export interface Engine {
  readonly variant: Variant;
  /** Version of the package. */
  readonly version: string;
  /** All schemes with their options, but "formula", which its user writes. Frozen. */
  readonly schemes: readonly SchemeDescription[];
  /**
   * Configures a scheme; `id` may be a string known only at run time. Errors: `unknown_scheme` and
   * `unknown_option`, which list the known ones; `invalid_argument`, which names the allowed range.
   */
  scheme<Id extends string>(id: SchemeName<Id>, options: SchemeArguments<Id>): Scheme;
  /**
   * Scaled dot-product attention. Errors: `invalid_argument` if sizes disagree, `unsupported` with
   * `isCross` for a scheme that is not defined across two sequences.
   */
  attention(options: AttentionOptions): Attention;
  /**
   * The scheme that a config.json describes: by its family (`model_type`, see
   * `SchemeDescription.selects`), with Hugging Face's keys, v4 (`rope_theta`, `rope_scaling`) or v5
   * (`rope_parameters`, nested by layer type or not); or this package's `schemes`. Errors:
   * `unsupported` if no scheme here does what the config requires, `invalid_argument` without
   * `layer` (from 0) if layers differ.
   */
  schemeFromConfig(config: Record<string, unknown>, options?: { layer?: number }): Scheme;
  /**
   * What a model's config says, without its weights: a config.json of a known family
   * (`model_type`), or this package's config, completed with defaults, as `model.config` would be;
   * of a model with an encoder and a decoder, the decoder's. Errors: `unsupported` and
   * `invalid_argument` for what `model` would refuse.
   */
  modelConfig(config: ModelConfig | Record<string, unknown>): Promise<Model["config"]>;
  /**
   * Positions of T tokens that include pictures and videos, for schemes that read three axes, as in
   * Qwen2-VL's get_rope_index. After a block the text continues past the largest position so far
   * (default: transformers 4, with which the models were released), or by the block's rows or
   * columns, whichever are more (transformers 5). Errors: `invalid_argument` for blocks that
   * overlap or exceed the text.
   */
  positionsWithPictures(
    tokens: number,
    blocks: readonly PictureBlock[],
    options?: { after?: "largest" | "rowsAndColumns" },
  ): PicturePositions;
  /**
   * Makes a model from files, from its parts, or with initial weights from a config. Weights are
   * read tensor by tensor; `onProgress` counts their bytes. Errors: `network`, `malformed_file`
   * naming the tensor that is missing, unknown, misshapen or not finite, `unsupported` for a
   * checkpoint of another architecture, `aborted`, `out_of_memory`.
   */
  model(
    source: ModelSource,
    options?: {
      /**
       * A tokenizer, or the library that makes one from the files: the module
       * `@huggingface/tokenizers`; or a promise of either. If `whereformer/tokenizer` was imported,
       * also the address of a tokenizer.json or of its folder. Without one a model takes only token
       * ids.
       */
      tokenizer?: TokenizerOption;
      /**
       * Type in which the weights are kept, converted tensor by tensor while loading. Default
       * "f32". "bf16" and "f16" need half the memory, and are widened when they are multiplied: all
       * arithmetic is in f32; a finite weight that would become infinite is `dtype_overflow`. With
       * "int8" and "int4" maps, terms, logits and losses are computed exactly from the rounded
       * weights, while generation rounds activations too (`exact`); weights that are not finite are
       * refused.
       */
      dtype?: WeightType;
      /** Whether weights may be NaN or infinite. Default false: an error names the tensor. */
      allowNotFinite?: boolean;
      /**
       * Keeps the model's files in the browser's storage under this name, and opens it from there:
       * `{ kept: name }` opens it again without the network. If the same URL is kept under this
       * name already, nothing is fetched; any other source replaces the model kept there. A model
       * that cannot be opened is not kept. `onProgress` then counts each byte twice, when it is
       * written and when it is read. Errors: `unsupported` if there is no such storage, as in Node;
       * `storage_full`.
       */
      keep?: string;
      signal?: AbortSignal;
      onProgress?: (loaded: number, total: number) => void;
    },
  ): Promise<Model>;
  /**
   * The models that `keep` has stored in this browser for the page's origin, by name. A browser may
   * delete them if it is short of space. Errors: `unsupported` if there is no such storage, as in
   * Node.
   */
  keptModels(): Promise<KeptModel[]>;
  /** Deletes a kept model; false if there is none of that name. Errors: as for `keptModels`. */
  deleteKept(name: string): Promise<boolean>;
  /**
   * Makes a trainer of a new model, or of a copy of an existing one. Errors: `unsupported` if the
   * engine was loaded without `training`; `invalid_argument` for a length the task has no data for.
   */
  trainer(options: TrainerOptions): Trainer;
  /**
   * `[M,K]` · `[K,N]` = `[M,N]`; with `transposeB` b is `[N,K]`, as weights usually are. For a
   * `Matrix`, set `transposeB` in `wf.matrix` instead.
   */
  matmul(a: Operand, b: Operand | Matrix, options?: { transposeB?: boolean; out?: Out }): Tensor;
  /**
   * Keeps a right operand of products in the engine, so that it is copied and laid out once: above
   * all weights. Errors: as for `matmul`; `out_of_memory`.
   */
  matrix(b: Operand, options?: { transposeB?: boolean }): Matrix;
  /**
   * Keeps a tensor in the engine's memory for use in many calls, such as a bias of attention.
   * Finite, or -Infinity if it is used as a mask. Errors: `invalid_argument`, `out_of_memory`.
   */
  tensor(value: TensorLike): EngineTensor;
  /** Softmax over the last axis. */
  softmax(x: Operand, options?: { out?: Out }): Tensor;
  /**
   * Layer normalisation over the last axis, of E: (x - mean) / sqrt(variance + epsilon) · weight +
   * bias (Ba et al. 2016, arXiv 1607.06450, equation 4). Defaults: weight 1, bias 0, epsilon 1e-5.
   */
  layerNorm(
    x: Operand,
    options?: { weight?: Operand; bias?: Operand; epsilon?: number; out?: Out },
  ): Tensor;
  /**
   * RMSNorm over the last axis, of E: x / sqrt(mean(x²) + epsilon) · weight (Zhang & Sennrich 2019,
   * arXiv 1910.07467, equation 4). Defaults: weight 1, epsilon 1e-5.
   */
  rmsNorm(x: Operand, weight?: Operand, options?: { epsilon?: number; out?: Out }): Tensor;
  /** Returns the bytes of wasm memory, which grows and never shrinks. At most 2 GiB. */
  memory(): number;
}
