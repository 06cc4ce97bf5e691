/**
 * The first screens are laid out before the rest of the article, which page.css leaves until then:
 * all of it at once would keep the reader waiting for one long task.
 */
import { nextTask } from "./turns.js";

/** Lays out what has been left, a section in a task, in the order in which it is read. */
export async function layOutTheRest(): Promise<void> {
  for (const section of document.querySelectorAll<HTMLElement>("main > section")) {
    section.dataset["laidOut"] = "";
    // Asked for, it is computed now and not with all the others in the next frame.
    void section.offsetHeight;
    await nextTask();
  }
  delete document.documentElement.dataset["opening"];
}
