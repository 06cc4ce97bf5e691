/** Colours and faces in force on an element. */
import { type Palette, readPalette } from "../drawing/colour.js";
import { systemFaces } from "../drawing/paint.js";

/** `dark` is what the system prefers; the page's own theme wins over it. */
export function looksOf(element: Element, dark: boolean): { palette: Palette; faces: string } {
  const theme = document.documentElement.dataset["theme"] ?? "";
  const style = getComputedStyle(element);
  const isDark = theme ? theme === "dark" : dark;
  return {
    palette: readPalette((property) => style.getPropertyValue(property), isDark),
    faces: style.getPropertyValue("--wf-sans").trim() || systemFaces,
  };
}
