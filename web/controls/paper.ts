/** What is drawn on a canvas is drawn anew for paper: there all is light. */

let isPrinting = false;

/** Whether the page is being printed. */
export const isOnPaper = (): boolean => isPrinting;

/**
 * Calls `draw` before the page goes to paper and when it is back on the screen. The browser waits
 * for nothing that is not done when it returns.
 */
export function drawOnPaper(draw: () => void, signal: AbortSignal): void {
  const moments = { beforeprint: true, afterprint: false };
  for (const [moment, on] of Object.entries(moments)) {
    const drawn = () => {
      isPrinting = on;
      draw();
    };
    addEventListener(moment, drawn, { signal });
  }
}
