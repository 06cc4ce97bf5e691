// Tiny models as GGUF files, with results of Transformers (tests/golden/gguf).

import { readFileSync } from "node:fs";

const folder = new URL("../golden/gguf/", import.meta.url);

export const ggufNames = `llama llama_f16 llama3 qwen2 qwen3 qwen3_bf16 gemma gemma2 gemma3 gpt2
  bert qwen2moe qwen3moe olmoe mixtral granitemoe gpt_oss lfm2`.split(/\s+/);

export function ggufModel(name) {
  const file = JSON.parse(readFileSync(new URL(`${name}.json`, folder), "utf8"));
  return { ...file, bytes: new Uint8Array(Buffer.from(file.bytes, "base64")) };
}
