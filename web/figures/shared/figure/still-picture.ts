/**
 * The still pictures that the page's build puts in place of figures (scripts/build/stills): each is
 * shown in the figure's frame until the figure has its numbers.
 */
import { css } from "lit";

export const stillStyles = css`
  /* It knows its width, and is drawn in the same frame as the still picture goes. */
  :host([still]) :is(wf-scene, wf-map-view, .maps) {
    visibility: hidden;
    overflow: hidden;
    height: 0;
  }
`;

/** Moves the still picture into the frame, or removes it. */
export function keepStill(
  figure: HTMLElement,
  root: HTMLElement | DocumentFragment,
  isKept: boolean,
): void {
  const stills = figure.querySelectorAll<HTMLElement>(":scope > .at-rest");
  // Content for readers without scripts is not a still picture.
  const hasStill =
    isKept && figure.querySelector(":scope > figure.at-rest:not(.unscripted)") !== null;
  const frame = root.querySelector("wf-frame");
  figure.toggleAttribute("still", hasStill);
  frame?.toggleAttribute("still", hasStill);
  if (!isKept || !frame) {
    for (const still of stills) still.remove();
  } else if (hasStill && !frame.querySelector("slot.still")) {
    const slot = document.createElement("slot");
    slot.className = "still";
    frame.append(slot);
  }
}
