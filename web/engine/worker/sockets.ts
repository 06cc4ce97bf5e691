/** Where a scheme enters a layer with its default options, found by what it offers. */
import type { Engine, SchemeDescription } from "whereformer";
import { galleryModel } from "../../defaults.js";
import type { Socket } from "../both/catalogue-messages.js";
import { ifOffered, withScheme } from "./configured-scheme.js";

export function socketsOf(wf: Engine, { id, hooks }: SchemeDescription): Socket[] {
  const question = { scheme: id, options: {} };
  // Schemes may transform queries in other ways too, such as by a temperature.
  const frequencies = withScheme(wf, question, galleryModel.hiddenSize, (scheme) =>
    ifOffered(() => scheme.frequencies()),
  );
  // What a scheme adds beside a rotation of its own corrects that rotation (remapped_rope).
  const isBias = !frequencies && (hooks.includes("distanceStrip") || hooks.includes("bias"));
  return [
    ...(hooks.includes("embeddings") ? (["word"] as const) : []),
    ...(frequencies ? (["rotation"] as const) : []),
    ...(isBias ? (["bias"] as const) : []),
  ];
}
