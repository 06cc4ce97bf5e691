/**
 * The figures below the first one, and the controls in sentences beside them: each is loaded when
 * it comes near the window.
 */
import { showNotCome } from "./figures/shared/figure/not-come.js";

const sources: Record<string, () => Promise<unknown>> = {
  "wf-who-chases": () => import("./figures/who-chases/element.js"),
  "wf-causal-order": () => import("./figures/causal-order/element.js"),
  "wf-scheme-gallery": () => import("./figures/scheme-gallery/element.js"),
  "wf-added-position": () => import("./figures/added-position/element.js"),
  "wf-distance-bias": () => import("./figures/distance-bias/element.js"),
  "wf-turning-pairs": () => import("./figures/turning-pairs/element.js"),
  "wf-pair-layouts": () => import("./figures/pair-layouts/element.js"),
  "wf-stretch": () => import("./figures/stretch/element.js"),
  "wf-longer-reading": () => import("./figures/longer-reading/element.js"),
  "wf-real-heads": () => import("./figures/real-heads/element.js"),
  "wf-score-terms": () => import("./figures/score-terms/element.js"),
  "wf-distance-curve": () => import("./figures/distance-curve/element.js"),
  "wf-surgery": () => import("./figures/surgery/element.js"),
  "wf-train-short": () => import("./figures/train-short/element.js"),
  "wf-length-curves": () => import("./figures/length-curves/element.js"),
  "wf-probes": () => import("./figures/probes/element.js"),
  "wf-picture-positions": () => import("./figures/picture-positions/element.js"),
  "wf-cache-bytes": () => import("./figures/cache-bytes/element.js"),
  "wf-absorption": () => import("./figures/absorption/element.js"),
  "wf-decoding-forms": () => import("./figures/decoding-forms/element.js"),
  "wf-costs": () => import("./figures/costs/element.js"),
  "wf-chooser": () => import("./figures/chooser/element.js"),
  "wf-lab": () => import("./figures/lab/element.js"),
  "wf-attention-map": () => import("./figures/attention-map/element.js"),
  "wf-open-checkpoint": () => import("./figures/open-checkpoint/element.js"),
};
/** A number in a sentence, which is plain text until its control has loaded. */
const inSentences = "wf-scrub";

/** Larger than the distance at which figures begin to compute, so that they have loaded by then. */
const reach = "1500px 0px";

async function fetchFigure(place: Element): Promise<void> {
  const tag = place.localName;
  if (tag === inSentences) {
    await import("./controls/scrub.js").catch(() => {});
    return;
  }
  try {
    await sources[tag]!();
    place.querySelector("wf-not-come")?.remove();
  } catch {
    showNotCome(place, () => void fetchFigure(place));
  }
}

/** Observes the positions of these figures. */
export function fetchFiguresNear(): void {
  const watch = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue;
        watch.unobserve(target);
        void fetchFigure(target);
      }
    },
    { rootMargin: reach },
  );
  for (const place of document.querySelectorAll([inSentences, ...Object.keys(sources)].join()))
    watch.observe(place);
}
