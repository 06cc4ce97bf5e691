/**
 * The figures below the first one, and the controls in sentences beside them: each is loaded when
 * it comes near the window.
 */
import { showLoadFailed } from "../figures/shared/figure/load-failed.js";

/** By the path of the file; the figure's tag is `wf-` and the name of the folder. */
const sources = import.meta.glob(["../figures/*/element.ts", "!../figures/word-swap/element.ts"]);
const fileOf = (tag: string) => `../figures/${tag.slice(3)}/element.ts`;
/** A number in a sentence, which is plain text until its control has loaded. */
const inSentences = "wf-scrub";

/** Larger than the distance at which figures begin to compute, so that they have loaded by then. */
const reach = "1500px 0px";

async function fetchFigure(place: Element): Promise<void> {
  const tag = place.localName;
  if (tag === inSentences) {
    await import("../controls/scrub.js").catch(() => {});
    return;
  }
  try {
    await sources[fileOf(tag)]!();
    place.querySelector("wf-load-failed")?.remove();
  } catch {
    showLoadFailed(place, () => void fetchFigure(place));
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
  for (const place of document.querySelectorAll(`${inSentences}, main > section > *`))
    if (place.localName === inSentences || fileOf(place.localName) in sources) watch.observe(place);
}
