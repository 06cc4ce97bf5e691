/** One head's numbers for one text: weights, logits, or a part of the logits. */
import type { Model, Surgery } from "whereformer";
import type { MapPart } from "../both/map-messages.js";

/** Returns the requested part, [n,n]; keys after the query are masked. */
export function partOf(
  model: Model,
  ids: readonly number[],
  { layer, head, part }: { layer: number; head: number; part: MapPart },
  operation: { surgery?: Surgery; positions?: number[] } = {},
): Float32Array {
  const name = { weights: "weights", sum: "logits" } as const;
  const isWhole = part === "weights" || part === "sum";
  const wanted = {
    record: [isWhole ? name[part] : ("terms" as const)],
    region: { layers: [layer], heads: [head] },
  };
  // An encoder-decoder model reads the text with its encoder.
  const result = model.encoderConfig
    ? model.encode(ids, wanted)
    : model.run(ids, { ...wanted, ...operation });
  const { content, ...added } = result.terms ?? {};
  const n = ids.length;
  const zero = () => new Float32Array(n * n);
  const values =
    part === "weights"
      ? result.weights!.data
      : part === "sum"
        ? result.logits!.data
        : part === "content"
          ? (content?.data ?? zero())
          : (sumOf(Object.values(added).map(({ data }) => data)) ?? zero());
  if ((model.encoderConfig ?? model.config).isCausal ?? true)
    for (let row = 0; row < n; row++) values.fill(Number.NaN, row * n + row + 1, (row + 1) * n);
  return values;
}

function sumOf(lists: readonly Float32Array[]): Float32Array | undefined {
  const [first, ...others] = lists;
  for (const list of others)
    for (let index = 0; index < list.length; index++) first![index]! += list[index]!;
  return first;
}
