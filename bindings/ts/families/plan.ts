/**
 * Writes a family's tensors as a plan, by which the engine reads a file (src/model/tensor_plan.h).
 */

import type { ModelArguments } from "../config/model-config.js";
import { planFlags } from "../generated/fields.js";
import type { FamilyConfig, TensorRule } from "./family.js";

const tab = "\t";

/** Rows of each block are in another order. */
const reordering: readonly string[] = [planFlags.paired, planFlags.swapped];
const ofAll: readonly string[] = [...reordering, planFlags.flat, planFlags.listed];
/** Only matrices are stored transposed, and biases get no 1 added. */
const ofWeights: readonly string[] = [planFlags.transposed, planFlags.addsOne];

/** Number of rows of one part of a fused projection, or of a norm of heads. */
function rowsOf(name: string, sizes: ModelArguments): number {
  const { numHeads, numKvHeads, headDim, intermediateSize } = sizes;
  if (/q_(proj|norm)$/.test(name)) return numHeads * headDim;
  return /[kv]_(proj|norm)$/.test(name) ? numKvHeads * headDim : intermediateSize;
}

/** The names in a file that make up one tensor, and the offset of each. */
function partsOf(name: string, ours: string, sizes: ModelArguments): [string, number?][] {
  if (!name.includes("%")) return [[name]];
  const { experts, expertSize } = sizes.architecture;
  const isOfExperts = ours.includes(".experts.");
  const rows = !isOfExperts
    ? sizes.headDim
    : ours.includes("down_proj")
      ? sizes.hiddenSize
      : expertSize;
  const count = isOfExperts ? experts : rowsOf(ours, sizes) / rows;
  return Array.from({ length: count }, (_, i) => [name.replace("%", String(i)), i * rows]);
}

/** For each part: first row, rows of a piece, and rows from one piece to the next. */
function pieces(parts: string[], words: string[], sizes: ModelArguments): number[][] {
  const { numHeads, numKvHeads, headDim } = sizes;
  if (parts.length === 1)
    return [words.some((word) => reordering.includes(word)) ? [0, headDim, headDim] : [0, 0, 0]];
  if (words.includes("heads")) {
    // For each key head: its query heads, its key, its value.
    const queries = (numHeads / numKvHeads) * headDim;
    const stride = queries + 2 * headDim;
    return [
      [0, queries, stride],
      [queries, headDim, stride],
      [queries + headDim, headDim, stride],
    ];
  }
  let first = 0;
  return parts.map((part) => {
    const rows = rowsOf(part, sizes);
    first += rows;
    return [first - rows, rows, rows];
  });
}

function linesOf([ours, theirs, flags = "", slice]: TensorRule, sizes: ModelArguments): string[] {
  const words = flags.split(" ");
  // Layers that share weights have the number of their group in a file.
  const { layerGroups } = sizes.architecture;
  const groups = (!ours.includes(".position.") && layerGroups) || sizes.numLayers;
  const layers = ours.includes("#") ? groups : 1;
  const kinds = words.includes("exact") ? [""] : [".weight", ".bias"];
  const parts = ours.split(" ");
  const [first, count] = slice?.rows ?? [0, 0];
  const rows = slice?.every
    ? [slice.every]
    : count
      ? [[first, count, count]]
      : pieces(parts, words, sizes);
  // Names of parts after the first omit the path: "layers.#.self_attn.q_proj k_proj".
  const folder = parts[0]!.slice(0, parts[0]!.lastIndexOf(".") + 1);
  const lines: string[] = [];
  for (let layer = 0; layer < layers; layer++) {
    const at = (name: string) => name.replace("#", String(layer));
    const first = String((layer * sizes.numLayers) / groups);
    for (const kind of kinds) {
      const isWeight = kind !== ".bias";
      const marks = words
        .filter((word) => ofAll.includes(word) || (isWeight && ofWeights.includes(word)))
        .join("");
      parts.forEach((part, i) => {
        const name = i === 0 ? part : folder + part;
        const folderOfAll = name.startsWith("lm_head") ? "" : "model.";
        const target = `${folderOfAll}${name.replace("#", first)}${kind}`;
        const older = words.includes("gamma") ? [isWeight ? ".gamma" : ".beta"] : [];
        for (const [names, into = slice?.into ?? ""] of partsOf(theirs, name, sizes)) {
          const source = names
            .split("|")
            .flatMap((one) => [kind, ...older].map((end) => at(one) + end))
            .join("|");
          lines.push([target, source, marks, ...rows[i]!, into].join(tab));
        }
      });
    }
  }
  return lines;
}

/** The names of the embedding in a file. */
export const embeddingOf = ({ tensors }: FamilyConfig): string =>
  tensors.find(([ours]) => ours === "embed_tokens")![1];

/** The plan for a family's file and a model of these sizes. */
export function planOf(config: FamilyConfig, sizes: ModelArguments): string {
  const { tensors, prefix, passes = "", copies = [], head = "lm_head", architecture } = config;
  const lines = [prefix, ...tensors.flatMap((rule) => linesOf(rule, sizes))];
  const same = (copy: string, original: string) =>
    lines.push([copy, original, planFlags.copy, 0, 0, 0].join(tab));
  for (const pair of copies) same(...pair);
  // Narrower tables have their own output heads, which the family names.
  const kind = architecture.embeddingWidth ? "none" : (architecture.head ?? "tied");
  if (kind === "own") lines.push(...linesOf(["lm_head", head], sizes));
  if (kind === "tied") {
    const table = embeddingOf(config)
      .split("|")
      .map((name) => `${name}.weight`)
      .join("|");
    for (const name of head.split("|")) same(`${name}.weight`, table);
  }
  for (const pattern of passes.split(" ").filter(Boolean)) lines.push(`${tab}${pattern}${tab}`);
  return lines.map((line) => `${line}\n`).join("");
}
