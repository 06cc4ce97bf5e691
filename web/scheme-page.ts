/**
 * A scheme's own page, which the build has filled with text; adds the theme's button, and the
 * interactive card when it comes near the window.
 */
import type { LitElement } from "lit";
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

async function wake(card: Element, isWanted: boolean): Promise<void> {
  await import("./figures/standalone/scheme/element.js");
  if (!isWanted) return;
  await (card as LitElement).updateComplete;
  card.scrollIntoView();
}

const button = document.querySelector<HTMLButtonElement>(".bar .theme");
if (button) offerTheme(button);

const card = document.querySelector("wf-scheme");
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
