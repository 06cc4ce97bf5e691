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

async function fetchFigure(element: Element): Promise<void> {
  const tag = element.localName;
  if (tag === inSentences) {
    await import("../controls/scrub.js").catch(() => {});
    return;
  }
  try {
    await sources[fileOf(tag)]!();
    element.querySelector("wf-load-failed")?.remove();
  } catch {
    showLoadFailed(element, () => void fetchFigure(element));
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
  for (const element of document.querySelectorAll(`${inSentences}, main > section > *`))
    if (element.localName === inSentences || fileOf(element.localName) in sources)
      watch.observe(element);
}
