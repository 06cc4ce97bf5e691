"""Models that make_families.py makes: a class of Transformers and the options of its config."""

import transformers as t
from family_case import (DIVIDED, HEADED, PLAIN_ROPE, SIZES, TOKENS, Case, begin_empty,
                         count_alibi_once, later, name_class, reads_in_segments, scale_by_sinks,
                         score_plainly, transfo_xl, untie)
from fixture_file import TRANSFORMERS_4


def llama_cases():
    llama = (t.LlamaForCausalLM, t.LlamaConfig)
    return [
        Case("llama", *llama, {**HEADED, "rope_parameters": PLAIN_ROPE}),
        Case("llama_biases", *llama, {**HEADED, "attention_bias": True, "mlp_bias": True,
                                      "hidden_act": "gelu", "tie_word_embeddings": True}),
        Case("llama_llama3", *llama, {**HEADED, "rope_parameters": {
            "rope_type": "llama3", "rope_theta": 500.0, "factor": 8.0, "low_freq_factor": 1.0,
            "high_freq_factor": 4.0, "original_max_position_embeddings": 16}}),
        Case("mistral", t.MistralForCausalLM, t.MistralConfig, {**HEADED, "sliding_window": 4}),
        Case("qwen2", t.Qwen2ForCausalLM, t.Qwen2Config, {**DIVIDED}),
        Case("qwen2_windows", t.Qwen2ForCausalLM, t.Qwen2Config, {
            **DIVIDED, "use_sliding_window": True, "sliding_window": 4, "max_window_layers": 1,
            "tie_word_embeddings": True}),
        Case("qwen3", t.Qwen3ForCausalLM, t.Qwen3Config, {**HEADED, "attention_bias": True}),
        Case("smollm3", t.SmolLM3ForCausalLM, t.SmolLM3Config, {
            **DIVIDED, "no_rope_layers": [1, 0], "mlp_bias": True, "attention_bias": True}),
        Case("phi3", t.Phi3ForCausalLM, t.Phi3Config, {
            **DIVIDED, "partial_rotary_factor": 0.67, "sliding_window": 5}),
        Case("olmo2", t.Olmo2ForCausalLM, t.Olmo2Config, {**DIVIDED, "attention_bias": True}),
        Case("stablelm", t.StableLmForCausalLM, t.StableLmConfig, {
            **DIVIDED, "use_qkv_bias": True, "partial_rotary_factor": 0.34}),
        Case("stablelm_parallel", t.StableLmForCausalLM, t.StableLmConfig, {
            **DIVIDED, "use_parallel_residual": True, "partial_rotary_factor": 0.67}),
        Case("stablelm_norms", t.StableLmForCausalLM, t.StableLmConfig, {
            **DIVIDED, "num_attention_heads": 6, "num_key_value_heads": 2, "hidden_size": 36,
            "qk_layernorm": True, "partial_rotary_factor": 0.67}),
        Case("granite", t.GraniteForCausalLM, t.GraniteConfig, {
            **DIVIDED, "embedding_multiplier": 3.0, "attention_multiplier": 0.3,
            "residual_multiplier": 0.7, "logits_scaling": 2.0, "attention_bias": True,
            "mlp_bias": True}),
        Case("starcoder2", t.Starcoder2ForCausalLM, t.Starcoder2Config, {
            **DIVIDED, "use_bias": True, "sliding_window": 5}),
        Case("cohere", t.CohereForCausalLM, t.CohereConfig, {
            **DIVIDED, "logit_scale": 0.25, "attention_bias": True}),
        Case("cohere_norms", t.CohereForCausalLM, t.CohereConfig, {
            **DIVIDED, "use_qk_norm": True}),
        Case("cohere2", t.Cohere2ForCausalLM, t.Cohere2Config, {
            **HEADED, "num_hidden_layers": 4, "sliding_window": 4}),
    ]


def latent_cases():
    mla = {**SIZES, "hidden_size": 18, "num_key_value_heads": 3, "kv_lora_rank": 10,
           "q_lora_rank": 7, "qk_nope_head_dim": 6, "qk_rope_head_dim": 6, "v_head_dim": 7}
    # Without experts: all layers come before the first layer with experts.
    dense = {**mla, "first_k_dense_replace": 2}
    # Transformers 4 lacks this family.
    youtu = (getattr(t, "YoutuForCausalLM", None), getattr(t, "YoutuConfig", None))
    return [
        Case("deepseek_v2", t.DeepseekV2ForCausalLM, t.DeepseekV2Config, dense),
        Case("deepseek_v2_queries", t.DeepseekV2ForCausalLM, t.DeepseekV2Config, {
            **dense, "q_lora_rank": None}),
        Case("deepseek_v3", t.DeepseekV3ForCausalLM, t.DeepseekV3Config, {
            **dense, "rope_parameters": {
                "rope_type": "yarn", "rope_theta": 500.0, "factor": 4.0, "mscale": 1.0,
                "mscale_all_dim": 0.7, "original_max_position_embeddings": 9}}),
        Case("youtu", *youtu, {
            **mla, "rope_interleave": False, "rope_parameters": PLAIN_ROPE}),
    ]


def gemma_cases():
    return [
        Case("gemma", t.GemmaForCausalLM, t.GemmaConfig, {**HEADED, "attention_bias": True}),
        Case("gemma2", t.Gemma2ForCausalLM, t.Gemma2Config, {
            **HEADED, "query_pre_attn_scalar": 5, "sliding_window": 4,
            "attn_logit_softcapping": 3.0, "final_logit_softcapping": 7.0}),
        Case("gemma3_text", t.Gemma3ForCausalLM, t.Gemma3TextConfig, {
            **HEADED, "query_pre_attn_scalar": 5, "sliding_window": 4,
            "layer_types": ["sliding_attention", "full_attention"]}),
    ]


GPT2 = {"vocab_size": 29, "n_embd": 15, "n_layer": 2, "n_head": 3, "n_positions": 17, **TOKENS}


def gpt_cases():
    neox = {**SIZES, "hidden_size": 18}
    del neox["num_key_value_heads"]
    gptj = {"vocab_size": 29, "n_embd": 18, "n_layer": 2, "n_head": 3, "n_positions": 17,
            "rotary_dim": 4, **TOKENS}
    opt = {"vocab_size": 29, "hidden_size": 15, "num_hidden_layers": 2, "num_attention_heads": 3,
           "ffn_dim": 22, "max_position_embeddings": 17, "word_embed_proj_dim": 15, **TOKENS}
    return [
        Case("gpt2", t.GPT2LMHeadModel, t.GPT2Config, GPT2),
        Case("gpt2_options", t.GPT2LMHeadModel, t.GPT2Config, {
            **GPT2, "n_inner": 22, "activation_function": "relu", "scale_attn_weights": False,
            "tie_word_embeddings": False}),
        Case("opt", t.OPTForCausalLM, t.OPTConfig, opt),
        Case("opt_post_norm", t.OPTForCausalLM, t.OPTConfig, {
            **opt, "do_layer_norm_before": False, "enable_bias": False,
            "activation_function": "gelu", "tie_word_embeddings": False}),
        # As OPT-350m, whose tokens are narrower than its blocks.
        Case("opt_projections", t.OPTForCausalLM, t.OPTConfig, {
            **opt, "word_embed_proj_dim": 10, "do_layer_norm_before": False}),
        Case("opt_projections_untied", t.OPTForCausalLM, t.OPTConfig, {
            **opt, "word_embed_proj_dim": 22, "tie_word_embeddings": False}),
        Case("gpt_neox", t.GPTNeoXForCausalLM, t.GPTNeoXConfig, {
            **neox, "rope_parameters": {**PLAIN_ROPE, "partial_rotary_factor": 0.34}}),
        Case("gpt_neox_serial", t.GPTNeoXForCausalLM, t.GPTNeoXConfig, {
            **neox, "use_parallel_residual": False, "attention_bias": False,
            "tie_word_embeddings": True,
            "rope_parameters": {**PLAIN_ROPE, "partial_rotary_factor": 1.0}}),
        Case("gpt_neo", t.GPTNeoForCausalLM, t.GPTNeoConfig, {
            "vocab_size": 29, "hidden_size": 15, "num_layers": 3, "num_heads": 3, "window_size": 4,
            "attention_types": [[["global", "local", "local"], 1]], "intermediate_size": 22,
            "max_position_embeddings": 17, **TOKENS}),
        Case("gptj", t.GPTJForCausalLM, t.GPTJConfig, gptj),
        Case("phi", t.PhiForCausalLM, t.PhiConfig, {**DIVIDED, "partial_rotary_factor": 0.67}),
        Case("phi_norms", t.PhiForCausalLM, t.PhiConfig, {
            **DIVIDED, "partial_rotary_factor": 0.67, "qk_layernorm": True}),
    ]


# Its sinusoids need an even width.
XLNET = {"vocab_size": 29, "d_model": 18, "n_layer": 2, "n_head": 3, "d_inner": 22, **TOKENS}


def falcon(name, **options):
    sizes = {"vocab_size": 29, "hidden_size": 18, "num_hidden_layers": 2, "num_attention_heads": 3,
             "ffn_hidden_size": 22, "max_position_embeddings": 37, **TOKENS}
    return Case(name, t.FalconForCausalLM, t.FalconConfig, {**sizes, **options}, True,
                count_alibi_once)


def distance_cases():
    bloom = {"vocab_size": 29, "hidden_size": 15, "n_layer": 2, "n_head": 3, **TOKENS}
    mpt = {"vocab_size": 29, "d_model": 15, "n_layers": 2, "n_heads": 3, "max_seq_len": 17,
           **TOKENS}
    return [
        falcon("falcon"),
        falcon("falcon_rw", alibi=True, multi_query=False, parallel_attn=False, bias=True),
        falcon("falcon_grouped", new_decoder_architecture=True, num_attention_heads=6,
               num_kv_heads=3, hidden_size=36, bias=True, tie_word_embeddings=False),
        falcon("falcon_one_norm", new_decoder_architecture=True, num_attention_heads=6,
               num_kv_heads=2, hidden_size=36, num_ln_in_parallel_attn=1),
        Case("xlnet_causal", t.XLNetLMHeadModel, t.XLNetConfig, {
            **XLNET, "attn_type": "uni", "clamp_len": 4, "ff_activation": "gelu_new"}),
        Case("bloom", t.BloomForCausalLM, t.BloomConfig, bloom),
        Case("mpt", t.MptForCausalLM, t.MptConfig, mpt),
        Case("mpt_options", t.MptForCausalLM, t.MptConfig, {
            **mpt, "attn_config": {"softmax_scale": 0.3}}),
    ]


def transfo_xl_cases():
    classes = ((transfo_xl.TransfoXLLMHeadModel, transfo_xl.TransfoXLConfig) if transfo_xl else
               (None, None))
    sizes = {"vocab_size": 29, "cutoffs": [7, 13, 22], "d_model": 18, "d_embed": 18, "n_head": 3,
             "d_head": 5, "d_inner": 22, "div_val": 1, "n_layer": 2, "mem_len": 5, "clamp_len": 3,
             **TOKENS}
    narrow = {**sizes, "d_embed": 18, "div_val": 2}
    return [
        # Tables of 18, 9, 4 and 2 columns; all projections but the first are shared with the head.
        Case("transfo_xl_div_val", *classes, narrow, prepare=begin_empty, version=TRANSFORMERS_4,
             check=reads_in_segments),
        Case("transfo_xl_div_val_untied", *classes, {
            **narrow, "cutoffs": [10, 19], "d_embed": 22, "div_val": 4, "same_length": False,
            "proj_share_all_but_first": False, "tie_word_embeddings": False},
            prepare=begin_empty, version=TRANSFORMERS_4),
        Case("transfo_xl_embedding", *classes, {
            **narrow, "cutoffs": [10, 19], "d_embed": 11, "div_val": 1, "same_length": False},
            prepare=begin_empty, version=TRANSFORMERS_4),
        Case("transfo_xl_embedding_untied", *classes, {
            **narrow, "cutoffs": [11], "d_embed": 21, "div_val": 1, "same_length": False,
            "tie_projs": [True, False], "tie_word_embeddings": False},
            prepare=begin_empty, version=TRANSFORMERS_4),
        Case("transfo_xl_div_val_one_softmax", *classes, {
            **narrow, "cutoffs": [], "d_embed": 7, "div_val": 3, "same_length": False},
            prepare=score_plainly, version=TRANSFORMERS_4),
        Case("transfo_xl", *classes, sizes, prepare=begin_empty, version=TRANSFORMERS_4,
             check=reads_in_segments),
        Case("transfo_xl_options", *classes, {
            **sizes, "cutoffs": [11], "same_length": False, "mem_len": 0, "clamp_len": -1,
            "untie_r": False, "pre_lnorm": True, "tie_word_embeddings": False},
            prepare=begin_empty, version=TRANSFORMERS_4),
        Case("transfo_xl_one_softmax", *classes, {
            **sizes, "cutoffs": [], "same_length": False, "mem_len": 30, "untie_r": False},
            prepare=score_plainly, version=TRANSFORMERS_4, check=reads_in_segments),
    ]


T5 = {"vocab_size": 29, "d_model": 15, "num_layers": 2, "num_heads": 3, "d_kv": 6, "d_ff": 22,
      "relative_attention_num_buckets": 8, "relative_attention_max_distance": 9,
      "pad_token_id": 0, "eos_token_id": 2, "decoder_start_token_id": 0}


# As in version 1.1.
OWN_HEAD = {**T5, "feed_forward_proj": "gated-gelu", "scale_decoder_outputs": False}


def sequence_cases():
    t5 = (t.T5ForConditionalGeneration, t.T5Config)
    mt5 = (t.MT5ForConditionalGeneration, t.MT5Config)
    bart = {"vocab_size": 29, "d_model": 15, "encoder_layers": 3, "encoder_attention_heads": 3,
            "encoder_ffn_dim": 22, "decoder_layers": 2, "decoder_attention_heads": 5,
            "decoder_ffn_dim": 26, "max_position_embeddings": 17, "decoder_start_token_id": 2,
            **TOKENS}
    made = [
        Case("t5", *t5, {**T5, "num_decoder_layers": 3}),
        Case("t5_own_head", *t5, OWN_HEAD, prepare=untie),
        Case("mt5", *mt5, OWN_HEAD, prepare=untie),
        Case("bart", t.BartForConditionalGeneration, t.BartConfig, bart),
        Case("bart_scaled", t.BartForConditionalGeneration, t.BartConfig, {
            **bart, "scale_embedding": True, "activation_function": "relu"}),
        Case("marian", t.MarianMTModel, t.MarianConfig, {
            **bart, "scale_embedding": True, "activation_function": "swish"}),
        Case("marian_two_tables", t.MarianMTModel, t.MarianConfig, {
            **bart, "share_encoder_decoder_embeddings": False, "decoder_vocab_size": 31}),
    ]
    for case in made:
        case.has_encoder = True
    return made


def encoder_cases():
    bert = {"vocab_size": 29, "hidden_size": 15, "num_hidden_layers": 2, "num_attention_heads": 3,
            "intermediate_size": 22, "max_position_embeddings": 17, "type_vocab_size": 2, **TOKENS}
    t5 = T5
    distil = {"vocab_size": 29, "dim": 15, "n_layers": 2, "n_heads": 3, "hidden_dim": 22,
              "max_position_embeddings": 17, **TOKENS}
    modern = {"vocab_size": 29, "hidden_size": 18, "num_hidden_layers": 4,
              "num_attention_heads": 3, "intermediate_size": 22, "max_position_embeddings": 37,
              "pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2, "cls_token_id": 1,
              "sep_token_id": 2}
    deberta = {"vocab_size": 29, "hidden_size": 15, "num_hidden_layers": 2,
               "num_attention_heads": 3, "intermediate_size": 22, "max_position_embeddings": 17,
               "relative_attention": True, "position_biased_input": False,
               "pos_att_type": ["p2c", "c2p"], "position_buckets": 6, "share_att_key": True,
               "norm_rel_ebd": "layer_norm", "type_vocab_size": 0, **TOKENS}
    xlnet = XLNET
    return [
        Case("bert", t.BertModel, t.BertConfig, bert, False),
        Case("bert_gelu_new", t.BertModel, t.BertConfig, {
            **bert, "hidden_act": "gelu_new", "type_vocab_size": 1}, False),
        Case("roberta", t.RobertaModel, t.RobertaConfig, {
            **bert, "max_position_embeddings": 19, "pad_token_id": 1}, False),
        Case("xlm_roberta", t.XLMRobertaModel, t.XLMRobertaConfig, {
            **bert, "max_position_embeddings": 19, "pad_token_id": 1, "type_vocab_size": 1}, False),
        Case("camembert", t.CamembertModel, t.CamembertConfig, {
            **bert, "max_position_embeddings": 19, "pad_token_id": 1}, False),
        Case("electra", t.ElectraModel, t.ElectraConfig, {**bert, "embedding_size": 15}, False),
        Case("mpnet", t.MPNetModel, t.MPNetConfig, {
            **bert, "max_position_embeddings": 19, "pad_token_id": 1}, False),
        Case("t5_encoder", t.T5EncoderModel, t.T5Config, t5, False, name_class),
        Case("t5_gated", t.T5EncoderModel, t.T5Config, {
            **t5, "feed_forward_proj": "gated-gelu"}, False, name_class),
        Case("mt5_encoder", t.MT5EncoderModel, t.MT5Config, t5, False, name_class),
        Case("distilbert", t.DistilBertModel, t.DistilBertConfig, distil, False),
        Case("modernbert", t.ModernBertModel, t.ModernBertConfig, {
            **modern, "local_attention": 4}, False),
        Case("modernbert_biases", t.ModernBertModel, t.ModernBertConfig, {
            **modern, "local_attention": 7, "norm_bias": True, "attention_bias": True,
            "mlp_bias": True, "hidden_activation": "relu", "rope_parameters": {
                "full_attention": {"rope_type": "default", "rope_theta": 700.0},
                "sliding_attention": {"rope_type": "default", "rope_theta": 30.0}}}, False),
        Case("deberta_v2", t.DebertaV2Model, t.DebertaV2Config, deberta, False),
        Case("xlnet", t.XLNetModel, t.XLNetConfig, xlnet, False),
        Case("xlnet_clamp", t.XLNetModel, t.XLNetConfig, {
            **xlnet, "clamp_len": 3, "ff_activation": "relu"}, False),
        Case("deberta_v2_options", t.DebertaV2Model, t.DebertaV2Config, {
            **deberta, "type_vocab_size": 2, "pos_att_type": ["p2c"], "norm_rel_ebd": "none",
            "position_buckets": -1, "hidden_act": "gelu_new"}, False),
    ]


def later_llama_cases():
    windows = {"sliding_window": 4, "layer_types": ["sliding_attention", "full_attention"]}
    hybrid = {**DIVIDED, "shared_intermediate_size": 20, "num_local_experts": 0,
              "layer_types": ["full_attention"] * 2, "mamba_n_heads": 4, "mamba_d_head": 9,
              "time_step_limit": [0.0, 9.0],  # the default is infinity, which JSON lacks
              "embedding_multiplier": 3.0, "attention_multiplier": 0.3,
              "residual_multiplier": 0.7, "logits_scaling": 2.0}
    granite = ("GraniteMoeHybridForCausalLM", "GraniteMoeHybridConfig")
    hunyuan = ("HunYuanDenseV1ForCausalLM", "HunYuanDenseV1Config")
    exaone = ("Exaone4ForCausalLM", "Exaone4Config")
    ministral = ("Ministral3ForCausalLM", "Ministral3Config")

    def scaled(**rotation):
        return {"rope_theta": 500.0, "original_max_position_embeddings": 3,
                "llama_4_scaling_beta": 0.5, **rotation}
    return [
        later("exaone4", *exaone, {**HEADED, **windows}),
        # As EXAONE 4.0 1.2B.
        later("exaone4_full", *exaone, {
            **DIVIDED, "sliding_window": None, "sliding_window_pattern": None,
            "layer_types": ["full_attention"] * 2, "tie_word_embeddings": True}),
        later("ernie4_5", "Ernie4_5ForCausalLM", "Ernie4_5Config", {
            **HEADED, "use_bias": True, "rope_parameters": PLAIN_ROPE}),
        later("seed_oss", "SeedOssForCausalLM", "SeedOssConfig", {
            **HEADED, "attention_out_bias": True, "mlp_bias": True}),
        later("ministral3", *ministral, {**HEADED, "rope_parameters": scaled(
            rope_type="yarn", factor=4.0, beta_fast=32.0, beta_slow=1.0, mscale=1.0,
            mscale_all_dim=1.0)}),
        # With a window, and a rotation that reads no trained length.
        later("ministral3_window", *ministral, {
            **DIVIDED, "head_dim": 6, "sliding_window": 4, "tie_word_embeddings": True,
            "rope_parameters": scaled(rope_type="linear", factor=2.0)}),
        later("olmo3", "Olmo3ForCausalLM", "Olmo3Config", {
            **DIVIDED, **windows, "rope_parameters": {
                "full_attention": {"rope_type": "yarn", "rope_theta": 500.0, "factor": 4.0,
                                   "original_max_position_embeddings": 9},
                "sliding_attention": PLAIN_ROPE}}),
        later("helium", "HeliumForCausalLM", "HeliumConfig", {
            **DIVIDED, "head_dim": 6, "attention_bias": True, "mlp_bias": True}),
        later("nanochat", "NanoChatForCausalLM", "NanoChatConfig", {
            **DIVIDED, "attention_bias": True, "final_logit_softcapping": 3.0}),
        later("nanochat_uncapped", "NanoChatForCausalLM", "NanoChatConfig", {
            **DIVIDED, "num_key_value_heads": None, "final_logit_softcapping": None,
            "hidden_act": "gelu", "tie_word_embeddings": True, "rope_parameters": PLAIN_ROPE}),
        later("hunyuan_v1_dense", *hunyuan, {
            **HEADED, "attention_bias": True, "rope_parameters": {
                "rope_type": "dynamic", "rope_theta": 500.0, "alpha": 3.0, "factor": 1.0}}),
        later("hunyuan_v1_dense_plain", *hunyuan, {
            **DIVIDED, "head_dim": 6, "tie_word_embeddings": True, "hidden_act": "gelu",
            "rope_parameters": PLAIN_ROPE}),
        later("granitemoehybrid", *granite, {**hybrid, "position_embedding_type": "rope"}),
        later("granitemoehybrid_nope", *granite, {**hybrid, "attention_bias": True}),
        later("granite_swa", "GraniteSWAForCausalLM", "GraniteSWAConfig", {
            **DIVIDED, "num_hidden_layers": 3, "layer_rope_theta": [0, 500.0, 90.0],
            "sliding_window": 4, "layer_types": ["full_attention", *["sliding_attention"] * 2],
            "attention_multiplier": 0.3, "logits_scaling": 2.0}, prepare=scale_by_sinks),
    ]


def expert_cases():
    """Mixtures of experts."""
    moe = {"num_experts": 5, "num_experts_per_tok": 2, "moe_intermediate_size": 7}
    windows = {"use_sliding_window": True, "sliding_window": 4}
    llama4 = {**HEADED, "num_local_experts": 5, "num_experts_per_tok": 2,
              "intermediate_size": 7, "intermediate_size_mlp": 10, "attention_chunk_size": 4,
              "floor_scale": 3, "attn_scale": 0.7}
    oss = {**HEADED, "num_local_experts": 5, "num_experts_per_tok": 2, "sliding_window": 4}
    return [
        later("qwen3_moe", "Qwen3MoeForCausalLM", "Qwen3MoeConfig", {
            **HEADED, **moe, "attention_bias": True}),
        later("qwen3_moe_dense", "Qwen3MoeForCausalLM", "Qwen3MoeConfig", {
            **HEADED, **moe, **windows, "num_hidden_layers": 4, "norm_topk_prob": True,
            "mlp_only_layers": [0], "decoder_sparse_step": 2, "tie_word_embeddings": True}),
        later("llama4_text", "Llama4ForCausalLM", "Llama4TextConfig", {
            **llama4, "num_hidden_layers": 4, "no_rope_layer_interval": 2,
            "interleave_moe_layer_step": 2, "attention_bias": True}),
        later("llama4_text_experts", "Llama4ForCausalLM", "Llama4TextConfig", {
            **llama4, "use_qk_norm": False, "attn_temperature_tuning": False,
            "no_rope_layers": [1, 0], "num_experts_per_tok": 1, "tie_word_embeddings": True,
            "rope_parameters": {"rope_type": "llama3", "rope_theta": 500.0, "factor": 8.0,
                                "low_freq_factor": 1.0, "high_freq_factor": 4.0,
                                "original_max_position_embeddings": 16}}),
        later("qwen2_moe", "Qwen2MoeForCausalLM", "Qwen2MoeConfig", {
            **DIVIDED, **moe, "shared_expert_intermediate_size": 10}),
        later("qwen2_moe_dense", "Qwen2MoeForCausalLM", "Qwen2MoeConfig", {
            **DIVIDED, **moe, **windows, "num_hidden_layers": 4, "norm_topk_prob": True,
            "mlp_only_layers": [1], "shared_expert_intermediate_size": 6, "qkv_bias": False,
            "hidden_act": "gelu"}),
        later("olmoe", "OlmoeForCausalLM", "OlmoeConfig", {
            **DIVIDED, "num_experts": 6, "num_experts_per_tok": 3, "attention_bias": True}),
        later("olmoe_shares", "OlmoeForCausalLM", "OlmoeConfig", {
            **DIVIDED, "num_experts": 4, "num_experts_per_tok": 2, "norm_topk_prob": True,
            "num_key_value_heads": None, "tie_word_embeddings": True}),
        later("mixtral", "MixtralForCausalLM", "MixtralConfig", {
            **HEADED, "num_local_experts": 5, "num_experts_per_tok": 3, "sliding_window": 4}),
        later("granitemoe", "GraniteMoeForCausalLM", "GraniteMoeConfig", {
            **DIVIDED, "num_local_experts": 5, "num_experts_per_tok": 2, "attention_bias": True,
            "embedding_multiplier": 3.0, "attention_multiplier": 0.3,
            "residual_multiplier": 0.7, "logits_scaling": 2.0}),
        later("gpt_oss", "GptOssForCausalLM", "GptOssConfig", {
            **oss, "swiglu_limit": 0.75, "rope_parameters": {
                "rope_type": "yarn", "rope_theta": 500.0, "factor": 4.0, "beta_fast": 32.0,
                "beta_slow": 1.0, "truncate": False, "original_max_position_embeddings": 9}}),
        later("gpt_oss_full", "GptOssForCausalLM", "GptOssConfig", {
            **oss, "layer_types": ["full_attention"] * 2, "attention_bias": False,
            "num_experts_per_tok": 1, "rope_parameters": {
                "rope_type": "linear", "rope_theta": 500.0, "factor": 2.0}}),
    ]


def mixer_cases():
    """Models whose layers have short convolutions, the gated delta rule or Mamba-2."""
    granite = ("GraniteMoeHybridForCausalLM", "GraniteMoeHybridConfig")
    # The default limit of steps is infinity, which JSON lacks.
    mamba = {**DIVIDED, "mamba_n_heads": 4, "mamba_d_head": 9, "mamba_d_state": 5,
             "mamba_n_groups": 2, "time_step_limit": [0.0, 9.0]}
    multipliers = {"embedding_multiplier": 3.0, "attention_multiplier": 0.3,
                   "residual_multiplier": 0.7, "logits_scaling": 2.0,
                   "shared_intermediate_size": 20}
    lfm2 = ("Lfm2ForCausalLM", "Lfm2Config")
    sizes = {**HEADED, "linear_key_head_dim": 5, "linear_value_head_dim": 3}
    next_ = ("Qwen3NextForCausalLM", "Qwen3NextConfig")
    rope = {**PLAIN_ROPE, "partial_rotary_factor": 0.67}
    moe = {"num_experts": 5, "num_experts_per_tok": 2, "moe_intermediate_size": 7,
           "shared_expert_intermediate_size": 6}
    return [
        later("granitemoehybrid_mamba", *granite, {
            **mamba, **multipliers, "num_hidden_layers": 3, "num_local_experts": 0,
            "layer_types": ["linear_attention", "full_attention", "linear_attention"]}),
        later("granitemoehybrid_experts", *granite, {
            **mamba, **multipliers, "num_local_experts": 5, "num_experts_per_tok": 2,
            "mamba_n_groups": 1, "mamba_conv_bias": False, "mamba_d_conv": 3,
            "time_step_limit": [0.3, 0.9], "position_embedding_type": "rope",
            "layer_types": ["full_attention", "linear_attention"], "tie_word_embeddings": True}),
        later("bamba", "BambaForCausalLM", "BambaConfig", {
            **mamba, "attn_layer_indices": [1], "num_hidden_layers": 3, "mlp_bias": True,
            "attention_bias": True, "num_attention_heads": 3, "hidden_size": 24,
            "mamba_d_head": 12}),
        later("lfm2", *lfm2, {
            **DIVIDED, "num_hidden_layers": 3, "layer_types": ["conv", "full_attention", "conv"],
            "block_auto_adjust_ff_dim": False}),
        later("lfm2_biases", *lfm2, {
            **DIVIDED, "conv_bias": True, "conv_L_cache": 4, "full_attn_idxs": [0],
            "block_multiple_of": 6, "block_ffn_dim_multiplier": 1.2,
            "tie_word_embeddings": False, "rope_parameters": PLAIN_ROPE}),
        later("qwen3_next", *next_, {
            **sizes, **moe, "linear_num_key_heads": 2, "linear_num_value_heads": 4,
            "layer_types": ["linear_attention", "full_attention"], "attention_bias": True,
            "rope_parameters": rope}),
        later("qwen3_next_dense", *next_, {
            **sizes, **moe, "num_hidden_layers": 3, "linear_num_key_heads": 3,
            "linear_num_value_heads": 3, "linear_conv_kernel_dim": 3, "mlp_only_layers": [1],
            "full_attention_interval": 2, "norm_topk_prob": False, "tie_word_embeddings": True,
            "rope_parameters": {**rope, "partial_rotary_factor": 0.34}}),
        later("qwen3_5_text", "Qwen3_5ForCausalLM", "Qwen3_5TextConfig", {
            **sizes, "num_hidden_layers": 3, "linear_num_key_heads": 1, "hidden_act": "gelu",
            "layer_types": [*["linear_attention"] * 2, "full_attention"],
            "linear_num_value_heads": 2, "tie_word_embeddings": True,
            "rope_parameters": {**rope, "mrope_section": [1, 1, 0], "mrope_interleaved": True}}),
        later("qwen3_5_text_biases", "Qwen3_5ForCausalLM", "Qwen3_5TextConfig", {
            **sizes, "linear_num_key_heads": 2, "linear_num_value_heads": 2,
            "attention_bias": True, "full_attention_interval": 2, "linear_conv_kernel_dim": 2,
            "rope_parameters": {**rope, "rope_type": "linear", "factor": 2.0}}),
    ]


def text_part_cases():
    """Of models that read pictures too."""
    def turned(sections, **more):
        return {"rope_parameters": {**PLAIN_ROPE, "mrope_section": sections, **more},
                "tie_word_embeddings": True}
    return [
        later("qwen2_vl_text", "Qwen2VLTextModel", "Qwen2VLTextConfig", {
            **DIVIDED, **turned([1, 1, 1])}),
        later("qwen2_5_vl_text", "Qwen2_5_VLTextModel", "Qwen2_5_VLTextConfig", {
            **DIVIDED, **turned([1, 1, 1]), "use_sliding_window": True, "sliding_window": 4,
            "max_window_layers": 1}),
        later("qwen3_vl_text", "Qwen3VLTextModel", "Qwen3VLTextConfig", {
            **HEADED, **turned([1, 1, 1], mrope_interleaved=True), "attention_bias": True}),
    ]


def later_gpt_cases():
    classes = ("GPTBigCodeForCausalLM", "GPTBigCodeConfig")
    return [
        later("gpt_bigcode", *classes, GPT2),
        later("gpt_bigcode_heads", *classes, {
            **GPT2, "multi_query": False, "n_inner": 22, "scale_attn_weights": False,
            "tie_word_embeddings": False}),
    ]


def later_encoder_cases():
    bert = {key: value for key, value in SIZES.items() if key != "num_key_value_heads"}
    rotary = {**bert, "hidden_size": 18}
    modern = {**rotary, "num_hidden_layers": 4, "cls_token_id": 1, "sep_token_id": 2}
    return [
        later("gemma3_text_both_sides", "Gemma3TextModel", "Gemma3TextConfig", {
            **HEADED, "query_pre_attn_scalar": 5, "sliding_window": 6,
            "use_bidirectional_attention": True,
            "layer_types": ["sliding_attention", "full_attention"]}, is_causal=False),
        later("albert", "AlbertModel", "AlbertConfig", {
            **bert, "embedding_size": 7, "type_vocab_size": 2}, is_causal=False),
        later("albert_groups", "AlbertModel", "AlbertConfig", {
            **bert, "embedding_size": 17, "num_hidden_layers": 4, "num_hidden_groups": 2,
            "hidden_act": "relu", "type_vocab_size": 3}, is_causal=False),
        later("electra_small", "ElectraModel", "ElectraConfig", {
            **bert, "embedding_size": 7, "type_vocab_size": 2}, is_causal=False),
        later("eurobert", "EuroBertModel", "EuroBertConfig", {
            **DIVIDED, "mlp_bias": True, "attention_bias": True}, is_causal=False),
        later("nomic_bert", "NomicBertModel", "NomicBertConfig", {
            **rotary, "type_vocab_size": 2}, is_causal=False),
        later("jina_embeddings_v3", "JinaEmbeddingsV3Model", "JinaEmbeddingsV3Config", {
            **rotary, "rope_parameters": PLAIN_ROPE}, is_causal=False),
        later("gte", "GteModel", "GteConfig", {
            **rotary, "type_vocab_size": 2, "rope_parameters": PLAIN_ROPE}, is_causal=False),
        later("gte_typeless", "GteModel", "GteConfig", {
            **rotary, "type_vocab_size": 0, "hidden_act": "silu"}, is_causal=False),
        later("clip_text", "CLIPTextModel", "CLIPTextConfig", {**bert, "eos_token_id": 28}),
        later("siglip_text", "SiglipTextModel", "SiglipTextConfig", bert, is_causal=False),
        later("siglip2_text", "Siglip2TextModel", "Siglip2TextConfig", {
            **bert, "hidden_act": "gelu"}, is_causal=False),
        later("xlm_roberta_xl", "XLMRobertaXLModel", "XLMRobertaXLConfig", {
            **bert, "max_position_embeddings": 19, "pad_token_id": 1}, is_causal=False),
        later("modernbert_decoder", "ModernBertDecoderModel", "ModernBertDecoderConfig", {
            **modern, "local_attention": 7, "mlp_bias": True, "norm_bias": True}),
    ]


CASES = [*llama_cases(), *latent_cases(), *gemma_cases(), *gpt_cases(), *distance_cases(),
         *transfo_xl_cases(), *sequence_cases(), *encoder_cases(), *later_llama_cases(),
         *expert_cases(), *mixer_cases(), *text_part_cases(), *later_gpt_cases(),
         *later_encoder_cases()]
