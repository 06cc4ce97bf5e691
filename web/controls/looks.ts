/** Colours and fonts in force on an element. */
import { type Palette, readPalette } from "../drawing/colour.js";
import { systemFaces } from "../drawing/paint.js";
import { figureOf, languageOf, themeOf } from "../language-of.js";
import { hexOf } from "./css-colours.js";
import { Grounds } from "./ground.js";
import { isOnPaper } from "./paper.js";

export interface Look {
  palette: Palette;
  faces: string;
}

/**
 * Reading styles makes the browser update the whole page's, so a figure's are cached for all its
 * parts.
 */
const grounds = new Grounds<Look & { name: string }>();
const groundOf = (element: Element) => grounds.of(figureOf(element));

/** Returns the colours and fonts in force on an element of a figure. */
export function lookOf(element: Element): Look {
  const ground = groundOf(element);
  const { lang } = document.documentElement;
  const name = `${themeOf(element)} ${lang} ${languageOf(element)} ${isOnPaper()}`;
  if (ground.look?.name === name) return ground.look;
  const style = getComputedStyle(element);
  const isDark = !isOnPaper() && ground.isDark;
  ground.look = {
    name,
    palette: readPalette((property) => style.getPropertyValue(property), isDark, hexOf),
    faces: style.getPropertyValue("--wf-sans").trim() || systemFaces,
  };
  return ground.look;
}

/** Clears the cache after changes around the figure that do not alter its key. */
export function forgetLook(element: Element): void {
  groundOf(element).look = undefined;
}

/** Calls `changed` when the colours in force on an element of a figure may have changed. */
export function onLook(element: Element, changed: () => void, signal: AbortSignal): void {
  const { listeners } = groundOf(element);
  listeners.add(changed);
  signal.addEventListener("abort", () => listeners.delete(changed));
}
