/**
 * The page of a scheme or of a variant, which the build has filled with text; adds the theme's
 * button, and the interactive card when it comes near the window.
 */
import type { LitElement } from "lit";
import { readFragment } from "./page-state.js";
import { changes, page } from "./state.js";
import { textFor } from "./text/index.js";

function offerTheme(button: HTMLButtonElement): void {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (page.state.theme ? page.state.theme === "dark" : system.matches);
  const name = () => {
    const { toDark, toLight } = textFor(page.state.language).bar;
    button.textContent = isDark() ? toLight : toDark;
  };
  button.addEventListener("click", () => {
    const wanted = isDark() ? "light" : "dark";
    page.set({ theme: (wanted === "dark") === system.matches ? "" : wanted });
  });
  changes.listen(name);
  system.addEventListener("change", name);
  name();
  button.hidden = false;
}

/** Elements of these pages. */
const sources: Record<string, () => Promise<unknown>> = {
  "wf-scheme": () => import("./figures/standalone/scheme/element.js"),
  "wf-distance-bias": () => import("./figures/distance-bias/element.js"),
  "wf-sink": () => import("./figures/sink/element.js"),
  "wf-formula": () => import("./figures/formula/element.js"),
};

/** Sets the card's state, in the form of the address, where the address has none. */
function begin({ dataset }: HTMLElement): void {
  const written = new URLSearchParams(location.hash.slice(1));
  const given = [...new URLSearchParams(dataset["state"])].filter(([key]) => !written.has(key));
  if (given.length) page.set(readFragment(`#v=1&${new URLSearchParams(given)}`), false);
}

async function wake(card: HTMLElement, isWanted: boolean): Promise<void> {
  begin(card);
  await sources[card.localName]!();
  if (!isWanted) return;
  await (card as LitElement).updateComplete;
  card.scrollIntoView();
}

const button = document.querySelector<HTMLButtonElement>(".bar .theme");
if (button) offerTheme(button);

const card = document.querySelector<HTMLElement>(".live");
if (card) {
  // A link to a state of the card loads it at once.
  const isWanted = new URLSearchParams(location.hash.slice(1)).get("at") === card.id;
  const observer = new IntersectionObserver(
    (entries) => {
      if (!isWanted && !entries.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      void wake(card, isWanted);
    },
    { rootMargin: "800px 0px" },
  );
  observer.observe(card);
}
