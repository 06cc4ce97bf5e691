/**
 * The schemes of the families of Hugging Face's config.json. Most options are keys of the config
 * (`configKey` of an option's description); a rule has those that are not.
 */

import type { SchemeId, SchemeOptions } from "../generated/schemes.js";

/** The value of a key, "a.b" or "a.0" if it is nested; undefined if it is missing or null. */
type Config = (key: string) => unknown;
type Options<Name extends string> = Readonly<Partial<Record<Name, unknown>>>;

/** Families that use a scheme. */
export interface Rule<Name extends string = string> {
  /** Values of `model_type`, separated by spaces. */
  families: string;
  /**
   * Required values of keys, or "given" for any but false; default: none. Besides the config's keys
   * there are `layer_type` and `use_rope`, those of one layer.
   */
  when?: Readonly<Record<string, readonly unknown[] | "given">>;
  /** Options, which the config's own values override. */
  defaults?: Options<Name> | ((config: Config) => Options<Name>);
  /** Options that override the config's own values. */
  fixed?: Options<Name> | ((config: Config) => Options<Name>);
}

/** The words of a value: of a list, its first 1024, joined by commas; "" for an object. */
export function wordsOf(value: unknown): string {
  const word = (one: unknown) =>
    typeof one === "object" || typeof one === "function" ? "" : String(one);
  if (!Array.isArray(value)) return word(value);
  return Array.from({ length: Math.min(value.length, 1024) }, (_, i) => word(value[i])).join();
}

/** NaN if not a number: an object's conversion may give anything, or throw. */
export const numberOf = (value: unknown): number =>
  typeof value === "number" || typeof value === "string" ? Number(value) : Number.NaN;

/** A number of the config, changed; undefined if it is missing. */
const changed = (value: unknown, change: (value: number) => number) =>
  value === undefined ? undefined : change(numberOf(value));

const off = [undefined, false];
const isAbsolute = { position_embedding_type: [undefined, "absolute"] };

const robertaRows = {
  defaults: { indexRule: "roberta" },
  fixed: (config: Config) => ({
    maxPositions: changed(config("max_position_embeddings"), (rows) => rows - 2),
  }),
};

const debertaTerms = (config: Config) => ({
  maxRelativePositions: config("max_position_embeddings"),
  contentToPosition: wordsOf(config("pos_att_type")).includes("c2p"),
  positionToContent: wordsOf(config("pos_att_type")).includes("p2c"),
});
const isDisentangled = {
  relative_attention: [true],
  position_biased_input: off,
  pos_att_type: "given",
} as const;

const shawRows = (config: Config) => ({
  maxDistance: changed(config("max_position_embeddings"), (rows) => rows - 1),
  relativeValues: false,
  queryMinusKey: true,
  clips: false,
});

const swinWindow = (config: Config) => ({
  windowHeight: config("window_size"),
  windowWidth: config("window_size"),
});

/** Patches in a side of a picture: in a column (0) or row (1). */
function patchesIn(config: Config, axis: number): number {
  const [image, patch] = ["image_size", "patch_size"].map((key, i) =>
    numberOf(config(`${key}.${axis}`) ?? config(key) ?? [224, 16][i]),
  );
  return Math.floor(image! / patch!);
}

const gptjShare = (config: Config) => ({
  partialRotaryFactor: changed(
    config("rotary_dim"),
    (channels) => channels / numberOf(config("head_dim")),
  ),
});

const isSliding = { layer_type: ["sliding_attention"] };
const isFull = { layer_type: ["full_attention"] };
const fox = "forgetting_transformer-project_fox";
const isRotated = { use_rope: [undefined, true] };
const isNotRotated = { use_rope: [false] };

/** If two rules of a scheme apply, the first is used. */
const rules: { [Id in SchemeId]?: readonly Rule<keyof SchemeOptions[Id] & string>[] } = {
  nope: [
    { families: "cohere2", when: isFull },
    { families: "exaone4", when: { ...isFull, sliding_window: "given" } },
    { families: "smollm3 granite_swa", when: isNotRotated },
    { families: "granitemoehybrid", when: { position_embedding_type: [undefined, "nope"] } },
    { families: "llama4_text", when: { ...isNotRotated, attn_temperature_tuning: "given" } },
    { families: "llama4_text", when: isNotRotated, fixed: { temperatureScale: 0 } },
  ],
  sinusoidal: [
    { families: "marian pegasus", defaults: { layout: "marian" } },
    { families: "m2m_100 xglm", defaults: { layout: "tensor2tensor", positionOffset: 2 } },
    { families: "distilbert", when: { sinusoidal_pos_embds: [true] } },
  ],
  learned: [
    { families: "bert electra albert", when: isAbsolute },
    { families: "distilbert", when: { sinusoidal_pos_embds: off } },
    {
      families: "roberta xlm-roberta xlm-roberta-xl camembert esm",
      when: isAbsolute,
      ...robertaRows,
    },
    { families: "mpnet", ...robertaRows },
    {
      families: "gpt2 gpt_bigcode",
      defaults: (config) => ({ maxPositions: config("n_positions") }),
    },
    { families: "gpt_neo clip_text_model siglip_text_model siglip2_text_model" },
    { families: "opt biogpt", defaults: { indexRule: "opt" } },
    { families: "bart mbart", defaults: { indexRule: "bart" } },
    {
      families: "mpt",
      when: { "attn_config.alibi": off },
      defaults: (config) => ({ maxPositions: config("max_seq_len") }),
    },
    { families: "deberta deberta-v2", when: { relative_attention: off } },
  ],
  shaw: [
    { families: "bert", when: { position_embedding_type: ["relative_key"] }, fixed: shawRows },
    {
      families: "bert",
      when: { position_embedding_type: ["relative_key_query"] },
      fixed: (config) => ({ ...shawRows(config), relativeQueries: true }),
    },
    {
      families: "wav2vec2-bert",
      when: { position_embeddings_type: ["relative_key"] },
      defaults: { relativeValues: false },
    },
  ],
  transformer_xl: [
    { families: "transfo-xl" },
    // In XLNet's files each layer has its own u and v, whatever the config has.
    { families: "xlnet", fixed: { perLayer: true } },
  ],
  t5: [
    { families: "t5 mt5", when: { is_decoder: off }, defaults: { bidirectional: true } },
    { families: "t5 mt5", when: { is_decoder: [true] } },
    {
      families: "umt5",
      when: { is_decoder: off },
      defaults: { bidirectional: true, perLayer: true },
    },
    { families: "umt5", when: { is_decoder: [true] }, defaults: { perLayer: true } },
    { families: "mpnet", defaults: { bidirectional: true, scaled: true } },
  ],
  deberta: [
    {
      families: "deberta",
      when: isDisentangled,
      defaults: debertaTerms,
      fixed: { shareProjections: false },
    },
    {
      families: "deberta-v2",
      when: isDisentangled,
      defaults: (config) => ({
        ...debertaTerms(config),
        shareProjections: false,
        normalisesTable: wordsOf(config("norm_rel_ebd")).includes("layer_norm"),
      }),
    },
  ],
  alibi: [
    { families: "bloom" },
    {
      families: "mpt",
      when: { "attn_config.alibi": [true] },
      defaults: (config) => ({ biasMax: config("attn_config.alibi_bias_max") }),
    },
    {
      families: "falcon",
      when: { alibi: [true] },
      defaults: { scaledBias: true, bfloat16Slopes: true },
    },
    { families: "bert", when: { position_embedding_type: ["alibi"] } },
  ],
  forget_gate: [{ families: fox, when: { fgate_type: [undefined, "full"] } }],
  query_scale: [
    {
      families: "ministral3",
      fixed: (config) => ({
        form: "floor",
        offset: 0,
        length:
          config("rope_scaling.original_max_position_embeddings") ??
          config("max_position_embeddings"),
      }),
    },
  ],
  rope: [
    {
      families: fox,
      when: { use_rope: [true] },
      fixed: (config) => ({ ropeTheta: config("rope_base") ?? 500000 }),
    },
    {
      families:
        "llama mistral ministral ministral3 qwen2 qwen2_moe qwen3 qwen3_moe gemma gemma2 " +
        "gemma3_text phi3 granite granitemoe olmo olmo2 olmo3 olmoe starcoder2 seed_oss arcee " +
        "eurobert nanochat hunyuan_v1_dense",
    },
    { families: "granitemoehybrid", when: { position_embedding_type: ["rope"] } },
    { families: "granite_swa", when: isRotated },
    { families: "nomic_bert", defaults: { ropeTheta: 1000 } },
    { families: "jina_embeddings_v3", defaults: { ropeTheta: 20_000 } },
    { families: "gte", defaults: { ropeTheta: 160_000 } },
    { families: "mixtral phimoe lfm2", defaults: { ropeTheta: 1e6 } },
    { families: "phi persimmon nemotron bamba", defaults: { partialRotaryFactor: 0.5 } },
    { families: "stablelm qwen3_next qwen3_5_text", defaults: { partialRotaryFactor: 0.25 } },
    { families: "apertus", defaults: { ropeTheta: 12e6 } },
    { families: "gpt_oss", defaults: { ropeTheta: 150_000 } },
    {
      families: "gpt_neox",
      defaults: (config) => ({
        partialRotaryFactor: config("rotary_pct") ?? 0.25,
        ropeTheta: config("rotary_emb_base"),
      }),
    },
    { families: "falcon", when: { alibi: off } },
    { families: "esm", when: { position_embedding_type: ["rotary"] } },
    { families: "roformer", defaults: { interleaved: true } },
    { families: "cohere ernie4_5", defaults: { interleaved: true, ropeTheta: 500_000 } },
    { families: "helium", defaults: { interleaved: true, ropeTheta: 100_000 } },
    { families: "glm glm4", defaults: { interleaved: true, partialRotaryFactor: 0.5 } },
    { families: "gptj codegen", defaults: { interleaved: true }, fixed: gptjShare },
    { families: "cohere2", when: isSliding, defaults: { interleaved: true } },
    { families: "exaone4", when: isSliding },
    { families: "exaone4", when: { sliding_window: [undefined] } },
    { families: "smollm3", when: isRotated, defaults: { ropeTheta: 2e6 } },
    {
      families: "llama4_text",
      when: isRotated,
      defaults: { interleaved: true, ropeTheta: 500_000 },
    },
    {
      families: "modernbert modernbert-decoder",
      when: isFull,
      defaults: (config) => ({ ropeTheta: config("global_rope_theta") }),
    },
    {
      families: "modernbert modernbert-decoder",
      when: isSliding,
      defaults: (config) => ({ ropeTheta: config("local_rope_theta") }),
    },
  ],
  mla: [{ families: "deepseek_v2 deepseek_v3 youtu", defaults: { interleaved: true } }],
  rope_2d: [
    { families: "pixtral", defaults: { layout: "pixtral" } },
    {
      families: "dinov3_vit",
      defaults: { ropeTheta: 100 },
      fixed: (config) => ({ rows: patchesIn(config, 0), columns: patchesIn(config, 1) }),
    },
  ],
  mrope: [
    {
      families: "qwen2_vl qwen2_vl_text qwen2_5_vl qwen2_5_vl_text",
      defaults: { ropeTheta: 1e6 },
    },
    {
      families: "qwen3_vl_text qwen3_vl_moe_text",
      defaults: { sectionsInterleaved: true, ropeTheta: 500_000 },
    },
  ],
  swin: [
    { families: "swin", defaults: swinWindow },
    {
      families: "swinv2",
      defaults: (config) => ({
        ...swinWindow(config),
        version: "v2",
        pretrainedHeight: config("pretrained_window_sizes.0"),
        pretrainedWidth: config("pretrained_window_sizes.0"),
      }),
    },
  ],
};

export const rulesOf = (scheme: SchemeId): readonly Rule[] => rules[scheme] ?? [];

/** Values of `model_type` whose configs may have the scheme. */
export const familiesOf = (scheme: SchemeId): string[] => [
  ...new Set(rulesOf(scheme).flatMap(({ families }) => families.split(" "))),
];
