/** Reads a family's config.json key by key, and knows afterwards which keys nobody read. */

import { at, missing } from "../config/scheme-file.js";
import type { Architecture } from "../types/index.js";
import { refuse } from "../wire/arguments.js";
import { WhereformerError } from "../wire/error.js";

type File = Record<string, unknown>;

/** Of every family: what names, trains or samples, and changes no number of a forward pass. */
const harmless = new Set(
  `_name_or_path _model_name_or_path _attn_implementation _attn_implementation_autoset
  _commit_hash architectures
  attn_implementation auto_map bad_words_ids begin_suppress_tokens bos_token_id
  chunk_size_feed_forward cls_token_id decoder_start_token_id diversity_penalty do_sample
  dtype early_stopping encoder_no_repeat_ngram_size eos_token_id exponential_decay_length_penalty
  finetuning_task forced_bos_token_id forced_eos_token_id gradient_checkpointing id2label
  initializer_factor initializer_range is_encoder_decoder label2id length_penalty max_length
  mask_token_id min_length model_type name_or_path no_repeat_ngram_size num_beam_groups num_beams
  num_return_sequences output_attentions output_hidden_states output_scores pad_token_id prefix
  problem_type remove_invalid_values repetition_penalty return_dict return_dict_in_generate
  sep_token_id suppress_tokens task_specific_params temperature tf_legacy_loss
  tie_encoder_decoder tokenizer_class top_k top_p torch_dtype torchscript transformers_version
  typical_p unsloth_version unsloth_fixed unk_token_id use_bfloat16 use_cache
  attention_dropout attention_probs_dropout_prob attn_pdrop classifier_dropout dropout embd_pdrop
  emb_pdrop embedding_dropout hidden_dropout hidden_dropout_prob layerdrop activation_dropout
  resid_pdrop residual_dropout activation_dropout seq_classif_dropout qa_dropout
  output_router_logits pretraining_tp`.split(/\s+/),
);

const activations: Record<string, NonNullable<Architecture["activation"]>> = {
  silu: "silu",
  swish: "silu",
  gelu: "gelu",
  gelu_python: "gelu",
  gelu_new: "geluTanh",
  gelu_fast: "geluTanh",
  gelu_pytorch_tanh: "geluTanh",
  gelu_accurate: "geluTanh",
  relu: "relu",
  quick_gelu: "geluSigmoid",
};

const namesOf = (values: readonly unknown[]) => values.map((value) => JSON.stringify(value));

export class ConfigReader {
  readonly #file: File;
  readonly #read = new Set<string>();

  constructor(file: File) {
    this.#file = file;
  }

  /** Undefined where the key is absent or null. */
  value(key: string): unknown {
    this.#read.add(key.split(".")[0]!);
    return at(this.#file, key);
  }

  number(key: string, absent?: number): number {
    const value = this.value(key) ?? absent;
    if (value === undefined) throw missing(key);
    return typeof value === "number" && Number.isFinite(value)
      ? value
      : refuse(`config.${key}`, value, "a finite number");
  }

  flag(key: string, absent: boolean): boolean {
    const value = this.value(key) ?? absent;
    return typeof value === "boolean" ? value : refuse(`config.${key}`, value, "true or false");
  }

  activation(key: string, absent: string): NonNullable<Architecture["activation"]> {
    return this.activationOf(key, this.value(key) ?? absent);
  }

  /** Of a word that a key says in a form of its own. */
  activationOf(key: string, value: unknown): NonNullable<Architecture["activation"]> {
    return (
      (typeof value === "string" && Object.hasOwn(activations, value) && activations[value]) ||
      refuse(`config.${key}`, value, namesOf(Object.keys(activations)).join(", "), "unsupported")
    );
  }

  /** What else a key might say is not there: refused by name. */
  only(key: string, ...allowed: unknown[]): void {
    const value = this.value(key);
    if (value !== undefined && !allowed.includes(value))
      refuse(`config.${key}`, value, namesOf(allowed).join(" or ") || "left out", "unsupported");
  }

  /** A head of its own, or the embedding. */
  head(absent: "own" | "tied"): "own" | "tied" {
    return this.flag("tie_word_embeddings", absent === "tied") ? "tied" : "own";
  }

  /** Refuses the first key that was not read and is not known to be harmless. */
  refuseRest(family: string, known: string): void {
    const names = new Set(known.split(/\s+/));
    for (const [key, value] of Object.entries(this.#file)) {
      if ((value ?? undefined) === undefined) continue;
      if (this.#read.has(key) || harmless.has(key) || names.has(key)) continue;
      throw new WhereformerError(
        "unsupported",
        `config.${key}: is not known for model_type ${family}`,
        { argument: `config.${key}`, value, allowed: "left out" },
      );
    }
  }
}
