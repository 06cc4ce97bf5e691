/** Keys of config.json, of any family, that do not affect a forward pass. */

/** Keys that name, train or sample; keys of task heads; keys that older versions wrote. */
export const harmless = new Set(
  `_name_or_path _model_name_or_path name_or_path name language model_type architectures auto_map
  custom_pipelines transformers_version transformers.js_config _commit_hash task_specific_params
  unsloth_version unsloth_fixed use_unsloth _attn_implementation _attn_implementation_autoset
  attn_implementation _flash_attn_2_enabled _experts_implementation
  dtype torch_dtype torchscript use_bfloat16 tf_legacy_loss xla_device gradient_checkpointing
  chunk_size_feed_forward use_cache cache_implementation output_past output_attentions
  output_hidden_states output_scores output_logits output_router_logits return_dict use_return_dict
  return_unused_kwargs is_encoder_decoder tie_encoder_decoder cross_attention_hidden_size
  id2label label2id num_labels _num_labels problem_type finetuning_task prefix
  tokenizer_class tokenizer_name model_max_length max_sequence_length
  pad_token_id bos_token_id eos_token_id unk_token_id cls_token_id mask_token_id sep_token_id
  decoder_start_token_id forced_bos_token_id forced_eos_token_id forced_decoder_ids
  bad_words_ids suppress_tokens begin_suppress_tokens sequence_bias
  do_sample temperature top_k top_p min_p top_h typical_p epsilon_cutoff eta_cutoff
  repetition_penalty encoder_repetition_penalty length_penalty diversity_penalty penalty_alpha
  guidance_scale low_memory num_beams num_beam_groups num_return_sequences early_stopping
  max_length min_length max_new_tokens min_new_tokens max_time stop_strings token_healing
  no_repeat_ngram_size encoder_no_repeat_ngram_size exponential_decay_length_penalty
  remove_invalid_values renormalize_logits return_dict_in_generate constraints force_words_ids
  num_assistant_tokens num_assistant_tokens_schedule assistant_confidence_threshold
  watermarking_config generation_config
  summary_activation summary_first_dropout summary_last_dropout summary_proj_to_labels
  summary_type summary_use_proj
  initializer_factor initializer_range init_std pretraining_tp
  attention_dropout attention_probs_dropout_prob attn_pdrop classifier_dropout dropout embd_pdrop
  emb_pdrop embedding_dropout hidden_dropout hidden_dropout_prob layerdrop activation_dropout
  resid_pdrop residual_dropout seq_classif_dropout qa_dropout`.split(/\s+/),
);

/** Values of keys that change nothing, unless a family reads the key. */
export const neutral: Readonly<Record<string, readonly unknown[]>> = {
  add_cross_attention: [false],
  apply_residual_connection_post_layernorm: [false],
  attention_bias: [false],
  embedding_multiplier: [1],
  full_attn_mod: [1],
  interpolate_factor: [1],
  is_decoder: [false],
  lm_head_bias: [false],
  logits_scaling: [1],
  mlp_bias: [false],
  partial_rotary_factor: [1],
  qk_layernorm: [false],
  residual_multiplier: [1],
  rotary_pct: [1],
  rotary_scaling_factor: [1],
  use_qk_norm: [false],
  use_sliding_window: [false],
};

/** Lists that change nothing if they are empty. */
export const emptyLists = ["pruned_heads"];
