// Writes GGUF files, and converts each family's tiny model as llama.cpp's converter does, for
// comparisons with config.json.

import { familyFile } from "./families.mjs";

/** ggml's numbers for the types of values. */
export const types = {
  u8: 0,
  i8: 1,
  u16: 2,
  i16: 3,
  u32: 4,
  i32: 5,
  f32: 6,
  bool: 7,
  text: 8,
  u64: 10,
  i64: 11,
  f64: 12,
};
const list = 9;

const numbers = {
  u8: [1, "setUint8"],
  i8: [1, "setInt8"],
  u16: [2, "setUint16"],
  i16: [2, "setInt16"],
  u32: [4, "setUint32"],
  i32: [4, "setInt32"],
  f32: [4, "setFloat32"],
  bool: [1, "setUint8"],
  u64: [8, "setBigUint64"],
  i64: [8, "setBigInt64"],
  f64: [8, "setFloat64"],
};

function number(type, value) {
  const [bytes, set] = numbers[type];
  const view = new DataView(new ArrayBuffer(bytes));
  view[set](0, /64$/.test(type) && type !== "f64" ? BigInt(value) : Number(value), true);
  return Buffer.from(view.buffer);
}

const text = (words) => {
  const bytes = Buffer.from(words);
  return Buffer.concat([number("u64", bytes.length), bytes]);
};
const bytesOf = (type, value) => (type === "text" ? text(value) : number(type, value));

function keyBytes([name, { type, value }]) {
  const typed = Array.isArray(value)
    ? [number("u32", list), number("u32", types[type]), number("u64", value.length)]
    : [number("u32", types[type])];
  const values = [value].flat().map((one) => bytesOf(type, one));
  return Buffer.concat([text(name), ...typed, ...values]);
}

const padded = (bytes, alignment) =>
  Buffer.concat([bytes, Buffer.alloc((alignment - (bytes.length % alignment)) % alignment)]);

/**
 * Returns a file with keys, { name: { type, value } }, and tensors in F32, { name: { shape, data }
 * }. A tensor's `number` is written as its type.
 */
export function ggufBytes({ keys, tensors = {}, version = 3, alignment = 32 }) {
  let offset = 0;
  const data = [];
  const heads = Object.entries(tensors).map(([name, { shape, data: floats, number: type = 0 }]) => {
    const bytes = padded(Buffer.from(Float32Array.from(floats).buffer), alignment);
    const extents = [...shape].reverse().map((extent) => number("u64", extent));
    const place = [number("u32", type), number("u64", offset)];
    data.push(bytes);
    offset += bytes.length;
    return Buffer.concat([text(name), number("u32", shape.length), ...extents, ...place]);
  });
  const head = Buffer.concat([
    Buffer.from("GGUF"),
    number("u32", version),
    number("u64", heads.length),
    number("u64", Object.keys(keys).length),
    ...Object.entries(keys).map(keyBytes),
    ...heads,
  ]);
  return new Uint8Array(Buffer.concat([padded(head, alignment), ...data]));
}

// ---- Families

const attention = { q_proj: "attn_q", k_proj: "attn_k", v_proj: "attn_v", o_proj: "attn_output" };
const feed = { gate_proj: "ffn_gate", up_proj: "ffn_up", down_proj: "ffn_down" };
const llamaNames = {
  "model.embed_tokens": "token_embd",
  "model.norm": "output_norm",
  lm_head: "output",
  input_layernorm: "attn_norm",
  post_attention_layernorm: "ffn_norm",
  ...Object.fromEntries(Object.entries(attention).map(([a, b]) => [`self_attn.${a}`, b])),
  ...Object.fromEntries(Object.entries(feed).map(([a, b]) => [`mlp.${a}`, b])),
  "self_attn.q_norm": "attn_q_norm",
  "self_attn.k_norm": "attn_k_norm",
};
const gemmaNames = {
  ...llamaNames,
  post_attention_layernorm: "post_attention_norm",
  pre_feedforward_layernorm: "ffn_norm",
  post_feedforward_layernorm: "post_ffw_norm",
};
const gpt2Names = {
  "transformer.wte": "token_embd",
  "transformer.wpe": "position_embd",
  "transformer.ln_f": "output_norm",
  ln_1: "attn_norm",
  "attn.c_attn": "attn_qkv",
  "attn.c_proj": "attn_output",
  ln_2: "ffn_norm",
  "mlp.c_fc": "ffn_up",
  "mlp.c_proj": "ffn_down",
};
const bertNames = {
  "embeddings.word_embeddings": "token_embd",
  "embeddings.position_embeddings": "position_embd",
  "embeddings.token_type_embeddings": "token_types",
  "embeddings.LayerNorm": "token_embd_norm",
  "attention.self.query": "attn_q",
  "attention.self.key": "attn_k",
  "attention.self.value": "attn_v",
  "attention.output.dense": "attn_output",
  "attention.output.LayerNorm": "attn_output_norm",
  "intermediate.dense": "ffn_up",
  "output.dense": "ffn_down",
  "output.LayerNorm": "layer_output_norm",
};

const experts = { gate_proj: "ffn_gate_exps", up_proj: "ffn_up_exps", down_proj: "ffn_down_exps" };
const moeNames = {
  ...llamaNames,
  "mlp.gate": "ffn_gate_inp",
  "mlp.router": "ffn_gate_inp",
  "block_sparse_moe.gate": "ffn_gate_inp",
  "block_sparse_moe.router.layer": "ffn_gate_inp",
  ...Object.fromEntries(Object.entries(experts).map(([a, b]) => [`experts.${a}`, b])),
  ...Object.fromEntries(
    Object.entries(feed).map(([a, b]) => [`mlp.shared_expert.${a}`, `${b}_shexp`]),
  ),
  "mlp.shared_expert_gate": "ffn_gate_inp_shexp",
};
const ossNames = {
  ...moeNames,
  post_attention_layernorm: "post_attention_norm",
  "self_attn.sinks": "attn_sinks",
};
const lfm2Names = {
  "model.embed_tokens": "token_embd",
  "model.embedding_norm": "token_embd_norm",
  operator_norm: "attn_norm",
  ffn_norm: "ffn_norm",
  "self_attn.q_proj": "attn_q",
  "self_attn.k_proj": "attn_k",
  "self_attn.v_proj": "attn_v",
  "self_attn.out_proj": "attn_output",
  "self_attn.q_layernorm": "attn_q_norm",
  "self_attn.k_layernorm": "attn_k_norm",
  "conv.in_proj": "shortconv.in_proj",
  "conv.conv": "shortconv.conv",
  "conv.out_proj": "shortconv.out_proj",
  "feed_forward.w1": "ffn_gate",
  "feed_forward.w3": "ffn_up",
  "feed_forward.w2": "ffn_down",
};

/** By architecture: the file of tests/golden/families, and the names of its tensors. */
const archs = {
  // Mixtral's files say llama, too.
  llama: ["llama", moeNames],
  qwen2: ["qwen2", llamaNames],
  qwen3: ["qwen3", llamaNames],
  gemma: ["gemma", llamaNames],
  gemma2: ["gemma2", gemmaNames],
  gemma3: ["gemma3_text", gemmaNames],
  gpt2: ["gpt2", gpt2Names],
  bert: ["bert", bertNames],
  qwen2moe: ["qwen2_moe", moeNames],
  qwen3moe: ["qwen3_moe", moeNames],
  olmoe: ["olmoe", moeNames],
  granite: ["granite", llamaNames],
  granitemoe: ["granitemoe", moeNames],
  "gpt-oss": ["gpt_oss", ossNames],
  lfm2: ["lfm2", lfm2Names],
};
export const archNames = Object.keys(archs);

/** Settings for which GGUF has no key, as llama.cpp has them. */
const settings = {
  qwen3moe: { norm_topk_prob: true },
  "gpt-oss": {
    swiglu_limit: 7,
    rope_parameters: { rope_type: "default", rope_theta: 10000 },
  },
};

function ggufName(name, names) {
  const [, stem, kind = "weight"] = /^(.*?)(?:\.(weight|bias))?$/.exec(name);
  if (names[stem]) return `${names[stem]}.${kind}`;
  const [, layer, part] = /\.(\d+)\.(.*)$/.exec(stem);
  return `blk.${layer}.${names[part]}.${kind}`;
}

/** Reorders rows of heads so that the channels of a rotated pair are adjacent. */
function paired({ shape, data }, heads) {
  const [rows, columns] = shape;
  const width = rows / heads;
  const row = (r) => {
    const [head, i] = [Math.floor(r / width), r % width];
    return head * width + (i % 2) * (width / 2) + Math.floor(i / 2);
  };
  const moved = Array.from({ length: rows }, (_, r) => [
    ...data.slice(row(r) * columns, (row(r) + 1) * columns),
  ]);
  return { shape, data: moved.flat() };
}

const transposed = ({ shape: [rows, columns], data }) => ({
  shape: [columns, rows],
  data: Array.from(
    { length: rows * columns },
    (_, i) => data[(i % rows) * columns + Math.floor(i / rows)],
  ),
});

const isPaired = (arch) => /^(?:llama|granite)/.test(arch);

function written(arch, name, tensor, config) {
  const { num_attention_heads: heads, num_key_value_heads: keyHeads } = config;
  if (isPaired(arch) && /q_proj\.weight$/.test(name)) return paired(tensor, heads);
  if (isPaired(arch) && /k_proj\.weight$/.test(name)) return paired(tensor, keyHeads);
  if (/^gemma/.test(arch) && /norm\.weight$/.test(name))
    return { ...tensor, data: Array.from(tensor.data, (value) => value + 1) };
  // Converters of different times leave out dimensions of size 1, or do not.
  if (/shared_expert_gate\.weight$/.test(name) && /\.0\./.test(name))
    return { ...tensor, shape: [tensor.data.length] };
  if (/conv\.conv\.weight$/.test(name))
    return { ...tensor, shape: tensor.shape.filter((n) => n > 1) };
  if (arch === "gpt2" && /c_\w+\.weight$/.test(name)) return transposed(tensor);
  return tensor;
}

/** Rows of a list of matrices or vectors. */
function rowsOf({ shape, data }, chosen) {
  const [count, rows, ...rest] = shape;
  const width = rest.reduce((product, each) => product * each, 1);
  const kept = Array.from({ length: rows }, (_, row) => row).filter(chosen);
  const values = Array.from({ length: count }, (_, i) =>
    kept.map((row) => [...data.slice((i * rows + row) * width, (i * rows + row + 1) * width)]),
  );
  return { shape: [count, kept.length, ...rest], data: values.flat(2) };
}

const transposedEach = ({ shape: [count, rows, columns], data }) => ({
  shape: [count, columns, rows],
  data: Array.from(
    { length: count },
    (_, i) =>
      transposed({
        shape: [rows, columns],
        data: data.slice(i * rows * columns, (i + 1) * rows * columns),
      }).data,
  ).flat(),
});

const mixtralParts = { w1: "gate_proj", w3: "up_proj", w2: "down_proj" };

/** All experts of a matrix in one tensor: [name, tensor] of a tensor of one expert. */
function merged(all, name, layer, part) {
  const of = (expert) => all[name.replace(/experts\.\d+/, `experts.${expert}`)];
  const list = [];
  while (of(list.length)) list.push(of(list.length));
  const kind = mixtralParts[part] ?? part;
  return [
    `model.layers.${layer}.experts.${kind}.weight`,
    { shape: [list.length, ...list[0].shape], data: list.flatMap(({ data }) => [...data]) },
  ];
}

/** As [name, tensor], with all experts of a matrix in one tensor, as in llama.cpp's converter. */
function withMergedExperts(arch, all) {
  return Object.entries(all).flatMap(([name, tensor]) => {
    const [, layer, expert, part] = /\.(\d+)\..*\.experts\.(\d+)\.(\w+)\./.exec(name) ?? [];
    if (layer) return expert === "0" ? [merged(all, name, layer, part)] : [];
    const at = /\.(\d+)\./.exec(name)?.[1];
    const named = (kind, end) => `model.layers.${at}.experts.${kind}.${end}`;
    if (arch === "gpt-oss" && /experts\.(?:gate_up|down)_proj/.test(name)) {
      const end = name.endsWith("_bias") ? "bias" : "weight";
      const rows = end === "weight" ? transposedEach(tensor) : tensor;
      if (name.includes("down_proj")) return [[named("down_proj", end), rows]];
      return ["gate_proj", "up_proj"].map((kind, i) => [
        named(kind, end),
        rowsOf(rows, (row) => row % 2 === i),
      ]);
    }
    if (name.includes("input_linear")) {
      const half = tensor.shape[1] / 2;
      return ["gate_proj", "up_proj"].map((kind, i) => [
        named(kind, "weight"),
        rowsOf(tensor, (row) => row >= half === (i === 1)),
      ]);
    }
    if (name.includes("output_linear")) return [[named("down_proj", "weight"), tensor]];
    return [[name, tensor]];
  });
}

const u32 = (value) => ({ type: "u32", value });
const f32 = (value) => ({ type: "f32", value });

/** Keys of an architecture with experts. */
function expertKeysOf(arch, config) {
  const count = config.num_experts ?? config.num_local_experts;
  if (!count) return {};
  const width = config.moe_intermediate_size ?? config.intermediate_size;
  return {
    expert_count: u32(count),
    expert_used_count: u32(config.num_experts_per_tok),
    ...(/^(?:qwen|gpt)/.test(arch) && { expert_feed_forward_length: u32(width) }),
    ...(arch === "qwen2moe" && {
      expert_shared_feed_forward_length: u32(config.shared_expert_intermediate_size),
    }),
    ...(arch === "gpt-oss" && { "attention.sliding_window": u32(config.sliding_window) }),
  };
}

/** Returns the keys that converters write for a config. */
function keysOf(arch, config) {
  const width = config.hidden_size ?? config.n_embd;
  const own = {
    context_length: u32(config.max_position_embeddings ?? config.n_positions),
    embedding_length: u32(width),
    block_count: u32(config.num_hidden_layers ?? config.n_layer),
    feed_forward_length: u32(config.intermediate_size ?? 4 * width),
    "attention.head_count": u32(config.num_attention_heads ?? config.n_head),
  };
  if (arch === "bert") own["attention.causal"] = { type: "bool", value: false };
  if (arch === "bert" || arch === "gpt2")
    own["attention.layer_norm_epsilon"] = f32(config.layer_norm_eps ?? config.layer_norm_epsilon);
  else {
    const rope = config.rope_parameters.full_attention ?? config.rope_parameters;
    own["attention.head_count_kv"] = u32(config.num_key_value_heads);
    own["attention.key_length"] = u32(config.head_dim);
    own["attention.value_length"] = u32(config.head_dim);
    own["attention.layer_norm_rms_epsilon"] = f32(config.rms_norm_eps);
    own["rope.freq_base"] = f32(rope.rope_theta);
  }
  if (arch === "gemma2") {
    own.attn_logit_softcapping = f32(config.attn_logit_softcapping);
    own.final_logit_softcapping = f32(config.final_logit_softcapping);
  }
  if (arch === "gemma2" || arch === "gemma3")
    own["attention.sliding_window"] = u32(config.sliding_window);
  Object.assign(own, expertKeysOf(arch, config));
  if (/^granite/.test(arch)) {
    own.logit_scale = f32(config.logits_scaling);
    own.residual_scale = f32(config.residual_multiplier);
    own.embedding_scale = f32(config.embedding_multiplier);
    own["attention.scale"] = f32(config.attention_multiplier);
  }
  if (arch === "lfm2") {
    own["attention.head_count_kv"] = u32(
      config.layer_types.map((type) => (type === "conv" ? 0 : config.num_key_value_heads)),
    );
    own["attention.layer_norm_rms_epsilon"] = f32(config.norm_eps);
    own["shortconv.l_cache"] = u32(config.conv_L_cache);
  }
  // The tiny model has two layers; llama.cpp's default is six.
  if (arch === "gemma3") own["attention.sliding_window_pattern"] = u32(2);
  return {
    "general.architecture": { type: "text", value: arch },
    ...Object.fromEntries(Object.entries(own).map(([key, value]) => [`${arch}.${key}`, value])),
    "tokenizer.ggml.tokens": {
      type: "text",
      value: Array.from({ length: config.vocab_size }, (_, i) => `t${i}`),
    },
    ...(arch === "bert" && { "tokenizer.ggml.token_type_count": u32(config.type_vocab_size) }),
  };
}

/**
 * Returns an architecture's tiny model in both forms: { config, weights } with config.json's keys,
 * and { keys, tensors } of a GGUF file; with `ids` of a text. `more` has changes of config.json for
 * both, such as other layers.
 */
export function bothForms(arch, more = {}) {
  const [family, names] = archs[arch];
  const { config: said, weights: all, ids } = familyFile(more.model_type ?? family);
  const config = {
    ...said,
    // GGUF has no such key.
    ...("attention_bias" in said && { attention_bias: false }),
    ...("head_dim" in said ? {} : { head_dim: said.hidden_size / said.num_attention_heads }),
    ...("query_pre_attn_scalar" in said && { query_pre_attn_scalar: said.head_dim }),
    ...settings[arch],
    ...more,
  };
  if (/^(?:gpt2|bert)$/.test(arch)) delete config.head_dim;
  const isKept = (name) =>
    !/^pooler/.test(name) && (/^qwen2/.test(arch) || !/self_attn\..*bias$/.test(name));
  const weights = Object.fromEntries(Object.entries(all).filter(([name]) => isKept(name)));
  const tensors = Object.fromEntries(
    withMergedExperts(arch, weights).map(([name, tensor]) => [
      ggufName(name, names),
      written(arch, name, tensor, config),
    ]),
  );
  return { config, weights, ids, keys: keysOf(arch, config), tensors };
}
