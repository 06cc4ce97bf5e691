/** Colours and faces in force on an element. */
import { type Palette, readPalette } from "../drawing/colour.js";
import { systemFaces } from "../drawing/paint.js";
import { themeOf } from "../language-of.js";
import { isOnPaper } from "./paper.js";

/** Whether what stands at a place is drawn dark; `dark` is what the system prefers. */
export function isDarkAt(element: Element, dark: boolean): boolean {
  if (isOnPaper()) return false;
  const theme = themeOf(element) || (document.documentElement.dataset["theme"] ?? "");
  return theme ? theme === "dark" : dark;
}

/** `dark` is what the system prefers; the theme of the place wins over it. */
export function looksOf(element: Element, dark: boolean): { palette: Palette; faces: string } {
  const style = getComputedStyle(element);
  const isDark = isDarkAt(element, dark);
  return {
    palette: readPalette((property) => style.getPropertyValue(property), isDark),
    faces: style.getPropertyValue("--wf-sans").trim() || systemFaces,
  };
}

export interface Look {
  name: string;
  palette: Palette;
  faces: string;
}

/** The figure that an element stands in, out of every shadow; itself where it stands in none. */
export function figureOf(element: Element): Element {
  const tree = element.getRootNode();
  return tree instanceof ShadowRoot ? figureOf(tree.host) : element;
}

/** To read styles costs a look at the whole page's, so those of a figure are kept for all in it. */
const looks = new WeakMap<Element, Look>();

/** Colours and faces in force on an element of a figure; `name` changes when they may. */
export function lookOf(element: Element, name: string, dark: boolean): Look {
  const figure = figureOf(element);
  const found = looks.get(figure);
  if (found?.name === name) return found;
  const look = { name, ...looksOf(element, dark) };
  looks.set(figure, look);
  return look;
}

/** Something around the figure may have changed that no name tells. */
export const forgetLook = (element: Element): boolean => looks.delete(figureOf(element));
