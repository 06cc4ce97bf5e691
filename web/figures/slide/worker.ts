/** Maps of untrained heads, each with a scheme, while all positions grow by the same number. */
import type { Engine } from "whereformer";
import { asScheme, slideModel, slideView } from "../../defaults.js";
import { count } from "../../engine/worker/configured-scheme.js";
import type { Handlers } from "../../engine/worker/job.js";
import type { ModelStore } from "../../engine/worker/model-store.js";
import type { SlideAnswer, SlideQuestion, SlidScheme } from "./messages.js";

async function slidScheme(wf: Engine, scheme: string, ids: readonly number[]): Promise<SlidScheme> {
  const shifts = slideView.farthest + 1;
  const weights = new Float32Array(shifts * ids.length ** 2);
  const model = await wf.model({ ...slideModel, scheme: asScheme(scheme) });
  try {
    for (const shift of count(shifts)) {
      const positions = ids.map((_, index) => shift + index);
      const map = model.run([...ids], { positions, record: ["weights"] }).weights!.data;
      weights.set(map, shift * map.length);
    }
    return { scheme, weights };
  } finally {
    model.dispose();
  }
}

async function slide(wf: Engine, { ids }: SlideQuestion): Promise<SlideAnswer> {
  const schemes: SlidScheme[] = [];
  for (const scheme of slideView.schemes) schemes.push(await slidScheme(wf, scheme, ids));
  return { ids, schemes };
}

export const answers = (store: ModelStore): Pick<Handlers, "slide"> => ({
  slide: async (question) => slide(await store.engine(), question),
});
