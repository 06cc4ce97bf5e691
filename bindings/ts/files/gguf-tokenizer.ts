/** A GGUF file's vocabulary as the contents of tokenizer.json and tokenizer_config.json. */

import type { TokenizerFiles } from "../types/index.js";
import { refuse } from "../wire/arguments.js";
import type { GgufKeys } from "./gguf-keys.js";
import { sentencePieces } from "./gguf-sentence-pieces.js";
import { ggufVocabularyKeys } from "./gguf-table.js";
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

/** How a text is split before pairs are merged, by the file's name for it. */
const splits: Record<string, { split: object; normalizer?: object; ignoresMerges?: boolean }> = {
  "gpt-2": { split: byWords },
  smollm: { split: digitsFirst },
  starcoder: { split: digitsFirst },
  refact: { split: digitsFirst },
  "command-r": { split: digitsFirst },
  qwen2: {
    split: split(`${contractions}|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}|${rest}`),
    normalizer: { type: "NFC" },
  },
  "llama-bpe": {
    split: split(`${contractions}|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}|${rest}`),
    ignoresMerges: true,
  },
};

/** Adds tokens before and after every text. */
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

/** The parts of tokenizer.json that depend on the kind, and how its tokens are written there. */
interface Kind {
  tokens?: string[];
  normalizer: object | null;
  pre_tokenizer: object | null;
  decoder: object;
  model: object;
}

type Special = "bos" | "eos" | "unknown" | "cls" | "seperator";

class Vocabulary {
  constructor(
    readonly keys: GgufKeys,
    readonly tokens: string[],
    /** llama.cpp's default special tokens. */
    readonly usual: Partial<Record<Special, number>>,
  ) {}

  numbers(name: string): number[] {
    return this.keys.numbers(`tokenizer.ggml.${name}`) ?? [];
  }

  text(name: string): string {
    return this.keys.text(`tokenizer.ggml.${name}`) ?? "";
  }

  /** The file's value, or the default of its kind. */
  flag<T extends boolean | null>(name: string, otherwise: T): boolean | T {
    return this.keys.flag(`tokenizer.ggml.${name}`) ?? otherwise;
  }

  /** The id of a special token. The spelling "seperator" is llama.cpp's. */
  id(one: Special): number | undefined {
    const count = this.tokens.length;
    const name = `${one}_token_id`;
    const said = this.keys.number(`tokenizer.ggml.${name}`);
    // -1, signed or not, means none.
    if (said === undefined || said === -1 || said === 2 ** 32 - 1) {
      const usual = this.usual[one];
      return usual !== undefined && usual < count ? usual : undefined;
    }
    if (Number.isInteger(said) && said >= 0 && said < count) return said;
    return refused(name, said, `an integer from 0 to ${count - 1}`);
  }

  get unknown(): string | undefined {
    return this.tokens[this.id("unknown") ?? -1];
  }

  /** Types of the tokens, or an empty list. */
  types(): number[] {
    const types = this.numbers("token_type");
    if (types.length && types.length !== this.tokens.length)
      return refused("token_type", types, `a number for each of ${this.tokens.length} tokens`);
    return types;
  }

  /** The token at one end of every text, as a list; empty if there is none. */
  end(one: "bos" | "eos", isUsual: boolean, id: number | undefined): (number | undefined)[] {
    const name = `add_${one}_token`;
    if (!this.flag(name, isUsual)) return [];
    if (id === undefined && this.flag(name, false))
      return refused(`${one}_token_id`, id, `a token id, since ${name} is true`);
    return [id];
  }
}

const refused = (name: string, value: unknown, known: string) =>
  refuse(`tokenizer.ggml.${name}`, value, `${known}; pass a tokenizer for others`, "unsupported");

/** Refuses the first key of a vocabulary that is not in the table. */
function refuseRest(keys: GgufKeys): void {
  const prefix = "tokenizer.ggml.";
  for (const key of keys.names()) {
    const name = key.slice(prefix.length);
    if (key.startsWith(prefix) && !Object.hasOwn(ggufVocabularyKeys, name))
      refused(name, keys.value(key), "no such key");
  }
}

function bytePairs(all: Vocabulary): Kind {
  const pre = all.text("pre");
  const found = Object.hasOwn(splits, pre) ? splits[pre]! : undefined;
  if (!found) return refused("pre", pre, `one of ${Object.keys(splits).join(", ")}`);
  return {
    normalizer: found.normalizer ?? null,
    pre_tokenizer: found.split,
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
      merges:
        all.keys.texts("tokenizer.ggml.merges") ??
        refused("merges", undefined, "a list of merged pairs"),
    },
  };
}

function llamas(all: Vocabulary): Kind {
  const { tokens, unknown } = all;
  const scores = all.numbers("scores");
  const types = all.types();
  if (scores.length !== tokens.length) return refused("scores", scores, "a score for each token");
  if (all.keys.has("tokenizer.ggml.precompiled_charsmap"))
    return refused("precompiled_charsmap", "bytes", "no such key");
  const isNormal = (id: number) => (types[id] ?? normal) === normal;
  const addsSpace = all.flag("add_space_prefix", true);
  return sentencePieces({ tokens, scores, isNormal, unknown, addsSpace });
}

/** By `tokenizer.ggml.model`: the kind, and the tokens around a text unless the file sets them. */
const kinds: Record<
  string,
  {
    read: (all: Vocabulary) => Kind;
    begins: (all: Vocabulary) => boolean;
    ends?: boolean;
    usual: Vocabulary["usual"];
  }
> = {
  gpt2: { read: bytePairs, begins: (all) => all.text("pre") === "llama-bpe", usual: {} },
  llama: { read: llamas, begins: () => true, usual: { bos: 1, eos: 2, unknown: 0 } },
  bert: {
    read: (all) =>
      wordPieces(
        all.tokens,
        all.flag("normalizer.lowercase", null),
        all.flag("normalizer.strip_accents", null),
      ),
    begins: () => true,
    ends: true,
    usual: { bos: 101, unknown: 100, seperator: 102 },
  },
};

/**
 * Undefined for a file without a vocabulary. Errors: unsupported for an unknown kind of vocabulary,
 * an unknown key and a value out of range; malformed_file for a value of another kind.
 */
export function ggufTokenizer(keys: GgufKeys): TokenizerFiles | undefined {
  const given = keys.texts("tokenizer.ggml.tokens");
  if (!given) return undefined;
  const name = keys.text("tokenizer.ggml.model") ?? "";
  const kind = Object.hasOwn(kinds, name) ? kinds[name]! : undefined;
  if (!kind) return refused("model", name, `one of ${Object.keys(kinds).join(", ")}`);
  refuseRest(keys);
  const all = new Vocabulary(keys, given, kind.usual);
  const { tokens = given, ...read } = kind.read(all);
  const types = all.types();
  const begin = all.id("cls") ?? all.id("bos");
  const end = name === "bert" ? (all.id("seperator") ?? all.id("eos")) : all.id("eos");
  const post = around(
    all.end("bos", kind.begins(all), begin),
    all.end("eos", kind.ends ?? false, end),
  );
  const special = (one: string, at: number | undefined) => {
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
      ...special("bos", all.id("bos")),
      ...special("eos", all.id("eos")),
      ...special("unk", all.id("unknown")),
      ...(template === undefined ? {} : { chat_template: template }),
    },
  };
}
