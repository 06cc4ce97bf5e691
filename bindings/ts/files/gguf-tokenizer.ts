/** A GGUF file's vocabulary as the objects that tokenizer.json and tokenizer_config.json hold. */

import type { TokenizerFiles } from "../types/index.js";
import { refuse } from "../wire/arguments.js";
import type { GgufKeys } from "./gguf-keys.js";
import { sentencePieces } from "./gguf-sentence-pieces.js";
import { wordPieces } from "./gguf-word-pieces.js";

const normal = 1;
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

/** Puts tokens before every text and after it. */
function around(before: readonly (number | undefined)[], after: readonly (number | undefined)[]) {
  return (tokens: readonly string[]) => {
    const names = (ids: readonly (number | undefined)[]) =>
      ids.flatMap((id) => (id === undefined || tokens[id] === undefined ? [] : [tokens[id]!]));
    const special = (id: string) => ({ SpecialToken: { id, type_id: 0 } });
    const [first, last] = [names(before), names(after)];
    if (first.length + last.length === 0) return null;
    const text = (id: string, type: number) => ({ Sequence: { id, type_id: type } });
    return {
      type: "TemplateProcessing",
      single: [...first.map(special), text("A", 0), ...last.map(special)],
      pair: [...first.map(special), text("A", 0), text("B", 1), ...last.map(special)],
      special_tokens: Object.fromEntries(
        [...first, ...last].map((id) => [id, { id, ids: [tokens.indexOf(id)], tokens: [id] }]),
      ),
    };
  };
}

/** What is a kind's own in tokenizer.json, and how its tokens are written there. */
interface Kind {
  tokens?: string[];
  normalizer: object | null;
  pre_tokenizer: object | null;
  decoder: object;
  model: object;
}

class Vocabulary {
  constructor(
    readonly keys: GgufKeys,
    readonly tokens: string[],
  ) {}

  number(name: string): number | undefined {
    return this.keys.number(`tokenizer.ggml.${name}`);
  }

  numbers(name: string): number[] {
    return this.keys.numbers(`tokenizer.ggml.${name}`) ?? [];
  }

  text(name: string): string {
    return this.keys.text(`tokenizer.ggml.${name}`) ?? "";
  }

  /** Whether a file says so; else whether its kind does. */
  flag(name: string, otherwise: boolean): boolean {
    return (this.number(name) ?? Number(otherwise)) === 1;
  }

  get unknown(): string | undefined {
    return this.tokens[this.number("unknown_token_id") ?? 0];
  }
}

const refused = (name: string, value: unknown, known: string) =>
  refuse(
    `tokenizer.ggml.${name}`,
    value,
    `${known}; give a tokenizer of your own for others`,
    "unsupported",
  );

function bytePairs(all: Vocabulary): Kind {
  const pre = all.text("pre");
  const found = Object.hasOwn(cuts, pre) ? cuts[pre]! : undefined;
  if (!found) return refused("pre", pre, Object.keys(cuts).join(", "));
  return {
    normalizer: found.normalizer ?? null,
    pre_tokenizer: found.cut,
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
      vocab: Object.fromEntries(all.tokens.map((text, id) => [text, id])),
      merges: all.keys.texts("tokenizer.ggml.merges") ?? [],
    },
  };
}

function llamas(all: Vocabulary): Kind {
  const { tokens, unknown } = all;
  const scores = all.numbers("scores");
  const types = all.numbers("token_type");
  if (scores.length !== tokens.length)
    return refused("scores", scores, "a score for each token, from which merges follow");
  if (all.keys.has("tokenizer.ggml.precompiled_charsmap"))
    return refused("precompiled_charsmap", "bytes", "a text read as it is");
  const isNormal = (id: number) => (types[id] ?? normal) === normal;
  const addsSpace = all.flag("add_space_prefix", true);
  return sentencePieces({ tokens, scores, isNormal, unknown, addsSpace });
}

/** By `tokenizer.ggml.model`: the kind, and what stands around a text unless the file says else. */
const kinds: Record<
  string,
  { read: (all: Vocabulary) => Kind; begins: (all: Vocabulary) => boolean; ends?: boolean }
> = {
  gpt2: { read: bytePairs, begins: (all) => all.text("pre") === "llama-bpe" },
  llama: { read: llamas, begins: () => true },
  bert: {
    read: (all) => wordPieces(all.tokens),
    begins: () => true,
    ends: true,
  },
};

export function ggufTokenizer(keys: GgufKeys): TokenizerFiles | undefined {
  const given = keys.texts("tokenizer.ggml.tokens");
  if (!given) return undefined;
  const all = new Vocabulary(keys, given);
  const name = all.text("model");
  const kind = Object.hasOwn(kinds, name) ? kinds[name]! : undefined;
  if (!kind) return refused("model", name, Object.keys(kinds).join(", "));
  const { tokens = given, ...read } = kind.read(all);
  const types = all.numbers("token_type");
  const id = (one: string) => all.number(`${one}_token_id`);
  const begin = id("cls") ?? id("bos");
  // As llama.cpp spells it.
  const end = name === "bert" ? (id("seperator") ?? id("eos")) : id("eos");
  const post = around(
    all.flag("add_bos_token", kind.begins(all)) ? [begin] : [],
    all.flag("add_eos_token", kind.ends ?? false) ? [end] : [],
  );
  const special = (one: string, at = id(one)) => {
    const text = at === undefined ? undefined : tokens[at];
    return text === undefined ? {} : { [`${one}_token`]: text };
  };
  const template = keys.text("tokenizer.chat_template");
  return {
    tokenizer: {
      version: "1.0",
      truncation: null,
      padding: null,
      added_tokens: tokens.flatMap((content, at) =>
        types[at] === control || types[at] === userDefined
          ? [
              {
                id: at,
                content,
                single_word: false,
                lstrip: false,
                rstrip: false,
                normalized: false,
                special: types[at] === control,
              },
            ]
          : [],
      ),
      ...read,
      post_processor: post(tokens),
    },
    config: {
      tokenizer_class: "PreTrainedTokenizerFast",
      clean_up_tokenization_spaces: false,
      ...special("bos"),
      ...special("eos"),
      ...special("unk", id("unknown")),
      ...(template === undefined ? {} : { chat_template: template }),
    },
  };
}
