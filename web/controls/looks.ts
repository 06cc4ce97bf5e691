/** Colours and faces in force on an element. */
import { type Palette, readPalette } from "../drawing/colour.js";
import { systemFaces } from "../drawing/paint.js";
import { themeOf } from "../language-of.js";

/** Whether what stands at a place is drawn dark; `dark` is what the system prefers. */
export function isDarkAt(element: Element, dark: boolean): boolean {
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
