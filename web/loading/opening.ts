/**
 * Lays out the rest of the article after the first screens; until then page.css leaves it out. All
 * of it at once would block the page for one long task.
 */
import { yieldToEvents } from "whereformer/yield";

/** Lays out the sections, one per task, in the order of the article. */
export async function layOutTheRest(): Promise<void> {
  for (const section of document.querySelectorAll<HTMLElement>("main > section")) {
    section.dataset["laidOut"] = "";
    // Reading the height lays the section out now, and not with all others in the next frame.
    void section.offsetHeight;
    await yieldToEvents();
  }
  delete document.documentElement.dataset["opening"];
}
