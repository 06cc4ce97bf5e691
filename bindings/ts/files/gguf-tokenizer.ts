/** A GGUF file's vocabulary as the objects that tokenizer.json and tokenizer_config.json hold. */

import type { TokenizerFiles } from "../types/index.js";
import { refuse } from "../wire/arguments.js";
import type { GgufKeys } from "./gguf-keys.js";

const control = 3;
const userDefined = 4;

const contractions = "(?i:'s|'t|'re|'ve|'m|'ll|'d)";
const rest = " ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";
const split = (pattern: string) => ({
  type: "Sequence",
  pretokenizers: [
    { type: "Split", pattern: { Regex: pattern }, behavior: "Isolated", invert: false },
    { type: "ByteLevel", add_prefix_space: false, trim_offsets: false, use_regex: false },
  ],
});
const byWords = {
  type: "ByteLevel",
  add_prefix_space: false,
  trim_offsets: true,
  use_regex: true,
};
const digitsFirst = {
  type: "Sequence",
  pretokenizers: [{ type: "Digits", individual_digits: true }, byWords],
};

/** How a text is cut before pairs are merged, by the name that a file gives it. */
const cuts: Record<string, { cut: object; normalizer?: object; ignoresMerges?: boolean }> = {
  "gpt-2": { cut: byWords },
  smollm: { cut: digitsFirst },
  starcoder: { cut: digitsFirst },
  refact: { cut: digitsFirst },
  "command-r": { cut: digitsFirst },
  qwen2: {
    cut: split(`${contractions}|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}|${rest}`),
    normalizer: { type: "NFC" },
  },
  "llama-bpe": {
    cut: split(`${contractions}|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}|${rest}`),
    ignoresMerges: true,
  },
};

/** Puts a token before every text. */
const before = (token: string, id: number) => ({
  type: "TemplateProcessing",
  single: [{ SpecialToken: { id: token, type_id: 0 } }, { Sequence: { id: "A", type_id: 0 } }],
  pair: [{ Sequence: { id: "A", type_id: 0 } }, { Sequence: { id: "B", type_id: 1 } }],
  special_tokens: { [token]: { id: token, ids: [id], tokens: [token] } },
});

export function ggufTokenizer(keys: GgufKeys): TokenizerFiles | undefined {
  const key = (name: string) => `tokenizer.ggml.${name}`;
  const tokens = keys.texts(key("tokens"));
  if (!tokens) return undefined;
  const ownTokenizer = (name: string, value: unknown, known: string) =>
    refuse(key(name), value, `${known}; give a tokenizer of your own for others`, "unsupported");
  const kind = keys.text(key("model"));
  if (kind !== "gpt2") return ownTokenizer("model", kind, '"gpt2"');
  const pre = keys.text(key("pre")) ?? "";
  const found = Object.hasOwn(cuts, pre) ? cuts[pre]! : undefined;
  if (!found) return ownTokenizer("pre", pre, Object.keys(cuts).join(", "));
  const types = keys.numbers(key("token_type")) ?? [];
  const token = (name: string) => {
    const id = keys.number(key(`${name}_token_id`));
    return id === undefined ? undefined : tokens[id];
  };
  const begin = token("bos");
  const isBegun = keys.number(key("add_bos_token")) ?? Number(pre === "llama-bpe");
  const special = (name: string) => {
    const text = token(name);
    return text === undefined ? {} : { [`${name}_token`]: text };
  };
  const template = keys.text("tokenizer.chat_template");
  return {
    tokenizer: {
      version: "1.0",
      truncation: null,
      padding: null,
      added_tokens: tokens.flatMap((content, id) =>
        types[id] === control || types[id] === userDefined
          ? [
              {
                id,
                content,
                single_word: false,
                lstrip: false,
                rstrip: false,
                normalized: false,
                special: types[id] === control,
              },
            ]
          : [],
      ),
      normalizer: found.normalizer ?? null,
      pre_tokenizer: found.cut,
      post_processor: isBegun && begin !== undefined ? before(begin, tokens.indexOf(begin)) : null,
      decoder: { type: "ByteLevel", add_prefix_space: true, trim_offsets: true, use_regex: true },
      model: {
        type: "BPE",
        dropout: null,
        unk_token: null,
        continuing_subword_prefix: null,
        end_of_word_suffix: null,
        fuse_unk: false,
        byte_fallback: false,
        ignore_merges: found.ignoresMerges ?? false,
        vocab: Object.fromEntries(tokens.map((text, id) => [text, id])),
        merges: keys.texts(key("merges")) ?? [],
      },
    },
    config: {
      tokenizer_class: "PreTrainedTokenizerFast",
      clean_up_tokenization_spaces: false,
      ...special("bos"),
      ...special("eos"),
      ...special("unk"),
      ...(template === undefined ? {} : { chat_template: template }),
    },
  };
}
