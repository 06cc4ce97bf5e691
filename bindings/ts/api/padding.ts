/** Texts with padding: which tokens are visible, and the positions of the others. */

import type { Padding as RawPadding } from "../generated/module.js";
import type { AttentionMask, CompletedLayer, Model } from "../types/index.js";
import { refuse } from "../wire/arguments.js";
import { type Core, space } from "../wire/core.js";
import { integers } from "../wire/lists.js";

/** Empty lists mean a text without padding. */
export interface Padding {
  /** Positions of the tokens for attention. */
  positions: Int32Array;
  /** Positions for schemes that add to token vectors, if they differ. */
  embedding: Int32Array;
  /** 0 for hidden tokens. */
  visible: Uint8Array;
}

export const spaceOfPadding = ({ embedding, visible }: Padding): number =>
  space(embedding) + space(visible);

export const rawPadding = (core: Core, { embedding, visible }: Padding): RawPadding => ({
  embeddingPositions: core.list(embedding),
  visible: core.list(visible),
});

export const emptyList = { address: 0, length: 0 };
export const noPadding: RawPadding = { embeddingPositions: emptyList, visible: emptyList };

const none = new Int32Array(0);

/** Number of positions that a text of `count` tokens covers. */
export const lengthIn = ({ positions, embedding }: Padding, count: number): number => {
  const used = embedding.length ? embedding : positions;
  return used.length ? used.reduce((max, at) => Math.max(max, at), 0) + 1 : count;
};

/** The given mask of `count` tokens; empty if there is none. */
export function attentionMask(value: AttentionMask | undefined, count: number): Uint8Array {
  if (value === undefined) return new Uint8Array(0);
  const list = integers("attentionMask", value, 0, 1);
  if (list.length !== count)
    refuse("attentionMask.length", list.length, `${count}, one number for each token`);
  if (!list.includes(1)) refuse("attentionMask", value, "a mask with at least one 1");
  return Uint8Array.from(list);
}

/** Counts the tokens that matter from 0; all others get the position `other`. */
function counted(count: number, matters: (index: number) => boolean, other: number): Int32Array {
  let next = 0;
  return Int32Array.from({ length: count }, (_, i) => (matters(i) ? next++ : other));
}

/** The id of padding in vocabularies derived from fairseq's. */
const fairseqPadding = 1;

/**
 * Positions in families that do not count padding, as in Transformers: RoBERTa and MPNet by the ids
 * of a text, masked or not (`create_position_ids_from_input_ids`), OPT by the mask
 * (`OPTLearnedPositionalEmbedding`), BLOOM and Falcon with ALiBi too (`build_alibi_tensor`). All
 * others count every token. Positions that the caller gave are kept. Of vectors in place of ids,
 * none is known to be padding.
 */
export function paddingOf(
  { scheme, layers }: Model["config"],
  family: string | undefined,
  ids: Int32Array,
  visible: Uint8Array,
  given: Int32Array,
): Padding {
  const all = [scheme, ...Object.values(layers ?? {}).map((one: CompletedLayer) => one.scheme)];
  const rules = new Set(all.flat().map(({ id, options }) => `${id} ${options["indexRule"] ?? ""}`));
  const byIds = rules.has("learned roberta") && ids.includes(fairseqPadding);
  const isMasked = visible.includes(0);
  const seen = (i: number) => visible[i] === 1;
  if (given.length) return { positions: given, embedding: none, visible };
  const embedding = byIds
    ? counted(ids.length, (i) => ids[i] !== fairseqPadding, -1)
    : isMasked && rules.has("learned opt")
      ? counted(visible.length, seen, -1)
      : none;
  const isAlibi = (family === "bloom" || family === "falcon") && rules.has("alibi ");
  const positions = isMasked && isAlibi ? counted(visible.length, seen, 0) : none;
  return { positions, embedding, visible };
}
