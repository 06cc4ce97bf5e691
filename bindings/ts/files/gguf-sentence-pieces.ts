/**
 * SentencePiece's byte pairs (Llama's and Gemma's) from a GGUF file: pieces with scores, from which
 * the order of merges follows. Kudo & Richardson 2018, arXiv 1808.06226.
 */

/** A space, as written in pieces. */
const mark = "\u2581";

interface Pieces {
  tokens: readonly string[];
  scores: readonly number[];
  /** Whether a piece is ordinary text, not a byte or a special token. */
  isNormal: (id: number) => boolean;
  unknown: string | undefined;
  /** Whether a text is encoded as if after a space. */
  addsSpace: boolean;
}

/**
 * Every way to merge two pieces into another, best score first. Merges that give the same piece are
 * in Transformers' order, by the lengths of their parts.
 */
function mergesOf({ tokens, scores, isNormal }: Pieces, vocab: Record<string, number>) {
  const merges: { pair: [string, string]; score: number }[] = [];
  for (const [id, token] of tokens.entries()) {
    if (!isNormal(id)) continue;
    const signs = [...token];
    let left = "";
    for (let i = 0; i + 1 < signs.length; i++) {
      left += signs[i];
      const right = token.slice(left.length);
      if (Object.hasOwn(vocab, left) && Object.hasOwn(vocab, right))
        merges.push({ pair: [left, right], score: scores[id]! });
    }
  }
  merges.sort(
    (a, b) =>
      b.score - a.score ||
      b.pair[0].length - a.pair[0].length ||
      b.pair[1].length - a.pair[1].length,
  );
  return merges.map(({ pair }) => pair);
}

export function sentencePieces(pieces: Pieces) {
  const vocab = Object.fromEntries(pieces.tokens.map((text, id) => [text, id]));
  const spaces = { type: "Replace", pattern: { String: " " }, content: mark };
  const before = { type: "Prepend", prepend: mark };
  const stripped = { type: "Strip", content: " ", start: 1, stop: 0 };
  return {
    normalizer: { type: "Sequence", normalizers: pieces.addsSpace ? [before, spaces] : [spaces] },
    pre_tokenizer: null,
    decoder: {
      type: "Sequence",
      decoders: [
        { type: "Replace", pattern: { String: mark }, content: " " },
        { type: "ByteFallback" },
        { type: "Fuse" },
        ...(pieces.addsSpace ? [stripped] : []),
      ],
    },
    model: {
      type: "BPE",
      dropout: null,
      unk_token: pieces.unknown ?? null,
      continuing_subword_prefix: null,
      end_of_word_suffix: null,
      fuse_unk: true,
      byte_fallback: true,
      ignore_merges: false,
      vocab,
      merges: mergesOf(pieces, vocab),
    },
  };
}
