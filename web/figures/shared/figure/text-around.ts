/**
 * Detects a dark page by its text, if no style and no `<meta>` sets `color-scheme`: light text
 * means a dark background. Many pages and older notebooks have no other sign.
 */
import { rgbOf } from "../../../controls/css-colours.js";

const lights = new Map<string, number>();

/** Returns the luminance of a colour in any CSS form, 0 to 1. */
function lightOf(colour: string): number {
  const found = lights.get(colour);
  if (found !== undefined) return found;
  const [r, g, b] = rgbOf(colour);
  const light = (0.2126 * r + 0.7152 * g + 0.0722 * b) / 255;
  lights.set(colour, light);
  return light;
}

/** Returns the parent of a node, across slots and shadow roots. */
const around = (node: Node): Node | null =>
  (node instanceof Element && node.assignedSlot) ||
  (node instanceof ShadowRoot ? node.host : node.parentNode);

function* elementsAround(figure: Element): Generator<Element> {
  for (let node = around(figure); node; node = around(node))
    if (node instanceof Element) yield node;
}

function isOnDark(figure: Element): boolean {
  const [parent] = elementsAround(figure);
  if (!parent || document.querySelector('meta[name="color-scheme"]')) return false;
  const { colorScheme, color } = getComputedStyle(parent);
  return colorScheme === "normal" && lightOf(color) > 0.6;
}

/** Sets the figure's attribute `ground` to `dark` while the text around it is light. */
export function followText(figure: Element, signal: AbortSignal): void {
  let last: string | undefined;
  const look = () => {
    const ground = isOnDark(figure) ? "dark" : undefined;
    if (ground === last) return;
    last = ground;
    if (ground) figure.setAttribute("ground", ground);
    else figure.removeAttribute("ground");
  };
  look();
  const observer = new MutationObserver(look);
  for (const element of elementsAround(figure)) observer.observe(element, { attributes: true });
  if (document.head) observer.observe(document.head, { childList: true, subtree: true });
  signal.addEventListener("abort", () => observer.disconnect());
  const ofSheets = ({ target }: Event) => target instanceof HTMLLinkElement && look();
  document.addEventListener("load", ofSheets, { capture: true, signal });
  document.addEventListener("transitionend", look, { signal });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", look, { signal });
}
