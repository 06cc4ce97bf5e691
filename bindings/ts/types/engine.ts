/** The engine. */
import type { Attention, AttentionOptions } from "./attention.js";
import type { Variant } from "./load.js";
import type { KeptModel, Model, ModelSource, WeightType } from "./model.js";
import type { PictureBlock, PicturePositions } from "./picture-positions.js";
import type {
  Scheme,
  SchemeDescription,
  SchemeName,
  SchemeOptionsOf,
  SchemeShape,
} from "./scheme.js";
import type { EngineTensor, Matrix, Operand, Out, Tensor, TensorLike } from "./tensor.js";
import type { TokenizerOption } from "./tokenizer.js";
import type { Trainer, TrainerOptions } from "./trainer.js";

export interface Engine {
  readonly variant: Variant;
  /** Of the package. */
  readonly version: string;
  /** Every scheme there is, with its options. Frozen. */
  readonly schemes: readonly SchemeDescription[];
  /**
   * Configures a scheme; `id` may be a string that only the running program knows. Errors:
   * `unknown_scheme` and `unknown_option`, which list the known ones; `invalid_argument`, which
   * names the allowed range.
   */
  scheme<Id extends string>(id: SchemeName<Id>, options: SchemeShape & SchemeOptionsOf<Id>): Scheme;
  /**
   * Scaled dot-product attention. Errors: `invalid_argument` where sizes disagree, `unsupported`
   * for a scheme that is not defined across two sequences, where `isCross`.
   */
  attention(options: AttentionOptions): Attention;
  /**
   * The scheme that a config.json describes: by its family (`model_type`, see
   * `SchemeDescription.selects`), with Hugging Face's keys, v4 (`rope_theta`, `rope_scaling`) or v5
   * (`rope_parameters`, nested by type of layer or not); or this package's `schemes`. Errors:
   * `unsupported` where family or config ask for what no scheme here does, `invalid_argument`
   * without `layer` (from 0) where layers differ.
   */
  schemeFromConfig(config: Record<string, unknown>, options?: { layer?: number }): Scheme;
  /**
   * Positions of T tokens with pictures and videos among them, for schemes that read three axes, as
   * Qwen2-VL's get_rope_index. After a block the text goes on past the largest position so far
   * (default: transformers 4, with which the models came), or by as many as the block has rows or
   * columns, whichever are more (transformers 5). Errors: `invalid_argument` for blocks that
   * overlap or leave the text.
   */
  positionsWithPictures(
    tokens: number,
    blocks: readonly PictureBlock[],
    options?: { after?: "largest" | "rowsAndColumns" },
  ): PicturePositions;
  /**
   * A model from files, from its parts, or fresh from a config. Weights are read tensor by tensor;
   * `onProgress` counts their bytes. Errors: `network`, `malformed_file` naming the tensor that is
   * missing, unknown, misshapen or not finite, `unsupported` for a checkpoint of another
   * architecture, `aborted`, `out_of_memory`.
   */
  model(
    source: ModelSource,
    options?: {
      /**
       * A tokenizer, or the library that makes one from the files: the module
       * `@huggingface/tokenizers`; or a promise of either. Or, where `whereformer/tokenizer` was
       * imported, the address of a tokenizer.json or of its folder. Without one a model takes token
       * ids.
       */
      tokenizer?: TokenizerOption;
      /**
       * What the weights are kept as, tensor by tensor while loading. Default "f32". "bf16" and
       * "f16" are half of that, and are widened where they are multiplied: everything is computed
       * from floats; a finite weight that would become infinite is `unsupported`. With "int8" and
       * "int4" maps, terms, logits and losses are computed exactly from the rounded weights,
       * generation rounds activations too (`exact`); weights that are not finite are refused.
       */
      dtype?: WeightType;
      /** Weights may hold NaN and infinities; default false: they are refused, by their tensor. */
      allowNotFinite?: boolean;
      /**
       * Keeps the model's files in the browser's own storage under this name, and opens it from
       * there: `{ kept: name }` opens it again without the network. From a URL that is kept under
       * this name already, nothing is fetched; from anywhere else it takes the place of what was
       * kept. A model that cannot be opened is not kept. `onProgress` then counts each byte twice,
       * as it is written and as it is read. Errors: `unsupported` where there is no such storage,
       * as in Node; `storage_full`.
       */
      keep?: string;
      signal?: AbortSignal;
      onProgress?: (loaded: number, total: number) => void;
    },
  ): Promise<Model>;
  /**
   * What `keep` has kept in this browser for this page's origin, by name. A browser may clear it
   * when it is short of room. Errors: `unsupported` where there is no such storage, as in Node.
   */
  keptModels(): Promise<KeptModel[]>;
  /** Deletes a kept model; false where there is none of that name. Errors: as for `keptModels`. */
  deleteKept(name: string): Promise<boolean>;
  /**
   * A fresh model and what trains it. Errors: `unsupported` where the engine was loaded without
   * `training`; `invalid_argument` for a length the task has no data for.
   */
  trainer(options: TrainerOptions): Trainer;
  /**
   * `[M,K]` · `[K,N]` = `[M,N]`; with `transposeB` b is `[N,K]`, as weights usually are. A `Matrix`
   * has been told so already.
   */
  matmul(a: Operand, b: Operand | Matrix, options?: { transposeB?: boolean; out?: Out }): Tensor;
  /**
   * Keeps a right operand of products, so that it is copied and laid out once: weights above all.
   * Errors: as `matmul`; `out_of_memory`.
   */
  matrix(b: Operand, options?: { transposeB?: boolean }): Matrix;
  /**
   * Keeps numbers in the engine's memory: what many calls are given, such as a bias of attention.
   * Finite, or -Infinity where it is used as a mask. Errors: `invalid_argument`, `out_of_memory`.
   */
  tensor(value: TensorLike): EngineTensor;
  /** Over the last axis. */
  softmax(x: Operand, options?: { out?: Out }): Tensor;
  /**
   * Over the last axis, of E: (x - mean) / sqrt(variance + epsilon) · weight + bias (Ba et al.
   * 2016, arXiv 1607.06450, equation 4). Defaults: weight 1, bias 0, epsilon 1e-5.
   */
  layerNorm(
    x: Operand,
    options?: { weight?: Operand; bias?: Operand; epsilon?: number; out?: Out },
  ): Tensor;
  /**
   * Over the last axis, of E: x / sqrt(mean(x²) + epsilon) · weight (Zhang & Sennrich 2019, arXiv
   * 1910.07467, equation 4). Defaults: weight 1, epsilon 1e-5.
   */
  rmsNorm(x: Operand, weight?: Operand, options?: { epsilon?: number; out?: Out }): Tensor;
  /** Bytes of wasm memory, which grows and never shrinks. At most 2 GiB. */
  memory(): number;
}
