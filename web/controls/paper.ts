/** Draws canvases again for printing: paper has the light theme, and is narrower. */

/** A4 less the margins of styles/print.css. */
const sheetWidth = 672;

let isPrinting = false;

/** Whether the page is being printed. */
export const isOnPaper = (): boolean => isPrinting;

/**
 * Calls `draw` before the page is laid out for printing, and when it is back on the screen. The
 * browser counts pages after `beforeprint`: a later change of height would push the last ones off
 * the paper.
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

/** Returns the width of a part of a figure; on paper in proportion to the figure. */
export function widthOf(part: Element, figure: Element): number {
  const share = isPrinting && figure.clientWidth ? sheetWidth / figure.clientWidth : 1;
  return Math.round(part.clientWidth * Math.min(1, share));
}
