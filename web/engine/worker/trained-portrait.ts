/**
 * A scheme's picture from its trained parameters. Computed once by the build, which keeps the
 * numbers (scripts/build/trained-portraits.mjs): in the tab it would need the whole model of every
 * scheme.
 */
import type { Engine, Model, Scheme, SchemeDescription } from "whereformer";
import { galleryView } from "../../defaults.js";
import type { PortraitAnswer, SchemePicture } from "../both/messages.js";
import { cellsOf, count, largestThatFits } from "./configured-scheme.js";
import { biasTerms } from "./fixed-bias.js";
import { byChannel, gridBias, gridSide } from "./grid-pictures.js";
import { biasOf } from "./portrait.js";
import { trainedScheme } from "./trained-scheme.js";

type Shown = Pick<PortraitAnswer, "numHeads" | "labels" | "ids" | "isCausal" | "record">;

const nothingRead: Shown = {
  numHeads: 1,
  labels: [],
  ids: [],
  isCausal: true,
  record: { weights: new Float32Array(), logits: new Float32Array(), terms: {} },
};

/**
 * Returns the first channels of the vectors that are added at some positions, [positions,
 * channels].
 */
function firstChannels(scheme: Scheme, at: Parameters<Scheme["embeddings"]>[0]) {
  const { data, shape } = scheme.embeddings(at);
  const { channels } = galleryView;
  const width = shape[1]!;
  return Float32Array.from(
    { length: shape[0]! * channels },
    (_, index) => data[Math.floor(index / channels) * width + (index % channels)]!,
  );
}

/** Returns the added vectors: a column for each position, or a map of the grid for each channel. */
function encodingOf(scheme: Scheme, isGrid: boolean): SchemePicture {
  const { positions: max, channels } = galleryView;
  if (!isGrid)
    return largestThatFits(max, 1, (positions) => {
      const values = firstChannels(scheme, count(positions));
      return { kind: "encoding", positions, channels, values };
    });
  return largestThatFits(gridSide, 1, (side) => {
    const values = byChannel(firstChannels(scheme, cellsOf(side)), side);
    return { kind: "grid", what: "encoding", side, values };
  });
}

/** Returns the mean over the rows of a causal map of the variance within each row. */
function variationOf(map: Float32Array, n: number): number {
  let sum = 0;
  for (let row = 1; row < n; row++) {
    const seen = map.subarray(row * n, row * n + row + 1);
    const mean = seen.reduce((total, value) => total + value, 0) / seen.length;
    sum += seen.reduce((total, value) => total + (value - mean) ** 2, 0) / seen.length;
  }
  return sum / (n - 1);
}

/** Returns the attention to the text in the head whose logits vary most with the position. */
function recordOf(model: Model, description: SchemeDescription, ids: readonly number[]): Shown {
  const n = ids.length;
  const { weights, terms } = model.run(ids, { record: ["weights", "terms"] });
  const parts = biasTerms(description).map((name) => terms![name]!.data);
  const added = parts[0]!.map((_, at) => parts.reduce((sum, part) => sum + part[at]!, 0));
  const mapOf = (values: Float32Array, head: number) =>
    values.slice(head * n * n, (head + 1) * n * n);
  const heads = count(added.length / (n * n));
  const variations = heads.map((head) => variationOf(mapOf(added, head), n));
  const head = variations.indexOf(Math.max(...variations));
  const record = {
    weights: mapOf(weights!.data, head),
    logits: new Float32Array(),
    terms: { position: mapOf(added, head) },
  };
  return { ...nothingRead, labels: ids.map(String), record };
}

/** Returns the picture on a gallery card; `ids` are read if the picture needs a text. */
export function trainedPortrait(
  wf: Engine,
  model: Model,
  description: SchemeDescription,
  ids: readonly number[],
): PortraitAnswer {
  const { id, hooks, positionAxes } = description;
  const isGrid = positionAxes === 2;
  const common = { scheme: id, isShortened: false };
  const still: SchemePicture = { kind: "attention" };
  if (hooks.includes("embeddings")) {
    const scheme = trainedScheme(wf, model);
    const picture = encodingOf(scheme, isGrid);
    scheme.dispose();
    return { ...common, ...nothingRead, picture };
  }
  const picture = (isGrid ? gridBias : biasOf)(model, description);
  return picture
    ? { ...common, ...nothingRead, picture }
    : { ...common, ...recordOf(model, description, ids), picture: still };
}
