/** What is drawn on a canvas is drawn anew for paper: there all is light, and narrower. */

/** A4 less the margins of styles/print.css. */
const sheetWidth = 672;

let isPrinting = false;

/** Whether the page is being printed. */
export const isOnPaper = (): boolean => isPrinting;

/**
 * Calls `draw` before the page is laid out for paper, and when it is back on the screen. Pages are
 * counted by then: what is drawn later, in another height, pushes the last ones off the paper.
 */
export function drawOnPaper(draw: () => void, signal: AbortSignal): void {
  const moments = { beforeprint: true, afterprint: false };
  for (const [moment, isPaper] of Object.entries(moments)) {
    const drawn = () => {
      isPrinting = isPaper;
      draw();
    };
    addEventListener(moment, drawn, { signal });
  }
}

/** So wide is a part of a figure, on paper in the figure's proportions. */
export function widthOf(part: Element, figure: Element): number {
  const share = isPrinting && figure.clientWidth ? sheetWidth / figure.clientWidth : 1;
  return Math.round(part.clientWidth * Math.min(1, share));
}
