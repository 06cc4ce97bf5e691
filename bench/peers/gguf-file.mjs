// A GGUF file of a Llama with random weights, for peers that read no other format. The caller sets
// the sizes; the vocabulary has single characters and names, so that a word of n letters is n
// tokens.

// GGUF's numbers for types of values and of tensors.
const value = { u32: 4, i32: 5, f32: 6, bool: 7, string: 8, array: 9 };
const types = {
  F32: { id: 0, numbers: 1, bytes: 4 },
  Q4_0: { id: 2, numbers: 32, bytes: 18, head: [0x1c00] }, // scale 2^-8
  Q4_1: { id: 3, numbers: 32, bytes: 20, head: [0x1c00, 0xa800] }, // and minimum -2^-5
  Q8_0: { id: 8, numbers: 32, bytes: 34, head: [0x0c00] }, // scale 2^-12
};
export const fileTypes = ["Q8_0", "Q4_0", "Q4_1"];

const firstLetter = 33;
const letters = 94;
const tokens = (count) =>
  Array.from({ length: count }, (_, i) =>
    i < letters ? String.fromCharCode(firstLetter + i) : `name${i}`,
  );

/** Returns a text that the file's tokenizer splits into these tokens, each below 94. */
export const textOf = (ids) => ids.map((id) => String.fromCharCode(firstLetter + id)).join("");
/** Returns a prompt of letters alone: other characters would be separate words. */
export const letterPrompt = (length) =>
  Array.from({ length }, (_, i) => 97 - firstLetter + ((i * 7919 + 13) % 26));

/** Writes to a buffer that grows. */
class Writer {
  #bytes = new Uint8Array(1 << 16);
  length = 0;

  #reserve(size) {
    if (this.length + size > this.#bytes.length) {
      const grown = new Uint8Array(2 * (this.length + size));
      grown.set(this.#bytes);
      this.#bytes = grown;
    }
    this.length += size;
    return new DataView(this.#bytes.buffer, this.length - size, size);
  }
  u32 = (x) => this.#reserve(4).setUint32(0, x, true);
  i32 = (x) => this.#reserve(4).setInt32(0, x, true);
  f32 = (x) => this.#reserve(4).setFloat32(0, x, true);
  u64 = (x) => this.#reserve(8).setBigUint64(0, BigInt(x), true);
  bool = (x) => this.#reserve(1).setUint8(0, Number(x));
  string(text) {
    const bytes = new TextEncoder().encode(text);
    this.u64(bytes.length);
    const view = this.#reserve(bytes.length);
    new Uint8Array(view.buffer, view.byteOffset, bytes.length).set(bytes);
  }
  align(size) {
    this.#reserve((size - (this.length % size)) % size);
  }
  bytes = () => this.#bytes.slice(0, this.length);
}

function keysOf(sizes) {
  const u32 = (x) => ["u32", x];
  return {
    "general.architecture": ["string", "llama"],
    "llama.block_count": u32(sizes.numLayers),
    "llama.context_length": u32(8192),
    "llama.embedding_length": u32(sizes.hiddenSize),
    "llama.feed_forward_length": u32(sizes.intermediateSize),
    "llama.attention.head_count": u32(sizes.numHeads),
    "llama.attention.head_count_kv": u32(sizes.numKvHeads),
    "llama.rope.dimension_count": u32(sizes.hiddenSize / sizes.numHeads),
    "llama.rope.freq_base": ["f32", 100_000],
    "llama.attention.layer_norm_rms_epsilon": ["f32", 1e-5],
    "llama.vocab_size": u32(sizes.vocabSize),
    "tokenizer.ggml.model": ["string", "gpt2"],
    "tokenizer.ggml.pre": ["string", "smollm"],
    "tokenizer.ggml.tokens": ["string", tokens(sizes.vocabSize)],
    "tokenizer.ggml.token_type": ["i32", Array(sizes.vocabSize).fill(1)],
    "tokenizer.ggml.merges": ["string", ["name100 name101"]],
    "tokenizer.ggml.bos_token_id": u32(letters),
    "tokenizer.ggml.eos_token_id": u32(letters + 1),
    "tokenizer.ggml.add_bos_token": ["bool", false],
  };
}

function tensorsOf({ hiddenSize: e, intermediateSize: f, numHeads, numKvHeads, ...sizes }, type) {
  const k = (e / numHeads) * numKvHeads;
  const list = [["token_embd", "Q8_0", sizes.vocabSize, e]];
  for (let i = 0; i < sizes.numLayers; i++) {
    const matrices = { attn_q: [e, e], attn_k: [k, e], attn_v: [k, e], attn_output: [e, e] };
    Object.assign(matrices, { ffn_gate: [f, e], ffn_up: [f, e], ffn_down: [e, f] });
    for (const [name, shape] of Object.entries(matrices))
      list.push([`blk.${i}.${name}`, type, ...shape]);
    for (const name of ["attn_norm", "ffn_norm"]) list.push([`blk.${i}.${name}`, "F32", 1, e]);
  }
  list.push(["output_norm", "F32", 1, e]);
  return list.map(([name, kind, rows, columns]) => ({ name, ...types[kind], rows, columns }));
}

const alignment = 32;
const aligned = (size) => Math.ceil(size / alignment) * alignment;
const sizeOf = ({ rows, columns, numbers, bytes }) => ((rows * columns) / numbers) * bytes;

/** Fills norms with ones, and blocks with random bytes after each block's scale. */
function fill(tensor, view, random) {
  if (!tensor.head) {
    new Float32Array(view.buffer, view.byteOffset, view.length / 4).fill(1);
    return;
  }
  const words = new Uint32Array(view.buffer, view.byteOffset, view.length / 4);
  for (let i = 0; i < words.length; i++) words[i] = random();
  for (let at = 0; at < view.length; at += tensor.bytes)
    tensor.head.forEach((half, i) => {
      view[at + 2 * i] = half & 255;
      view[at + 2 * i + 1] = half >> 8;
    });
}

/**
 * Returns the file's bytes; `type` is that of the matrices. The embedding, which is also the output
 * head, is Q8_0.
 */
export function ggufFile(sizes, type) {
  const keys = Object.entries(keysOf(sizes));
  const tensors = tensorsOf(sizes, type);
  const head = new Writer();
  head.u32(0x46554747);
  head.u32(3);
  head.u64(tensors.length);
  head.u64(keys.length);
  for (const [key, [kind, content]] of keys) {
    head.string(key);
    if (Array.isArray(content)) {
      head.u32(value.array);
      head.u32(value[kind]);
      head.u64(content.length);
      for (const item of content) head[kind](item);
    } else {
      head.u32(value[kind]);
      head[kind](content);
    }
  }
  let offset = 0;
  for (const tensor of tensors) {
    head.string(`${tensor.name}.weight`);
    const shape = tensor.rows > 1 ? [tensor.columns, tensor.rows] : [tensor.columns];
    head.u32(shape.length);
    for (const size of shape) head.u64(size);
    head.u32(tensor.id);
    head.u64(offset);
    offset += aligned(sizeOf(tensor));
  }
  head.align(alignment);
  const file = new Uint8Array(head.length + offset);
  file.set(head.bytes());
  let state = 1;
  const random = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state;
  };
  let at = head.length;
  for (const tensor of tensors) {
    fill(tensor, file.subarray(at, at + sizeOf(tensor)), random);
    at += aligned(sizeOf(tensor));
  }
  return file;
}
