/** Joins pictures, each under its title, into one picture, for a file. */
import type { Palette } from "../../../drawing/colour.js";
import type { Mark, Picture } from "../../../drawing/scene.js";
import { heading } from "../pictures/captions.js";

export interface Titled {
  title: string;
  picture: Picture;
}

const gap = 24;
const titleHeight = 26;

/** Paths have no corner and stay where they are: pictures that are joined have none. */
const moved = (mark: Mark, dx: number, dy: number): Mark =>
  "x" in mark ? { ...mark, x: mark.x + dx, y: mark.y + dy } : mark;

export function sideBySide(pictures: readonly Titled[], palette: Palette): Picture {
  let left = 0;
  const marks = pictures.flatMap(({ title, picture }): Mark[] => {
    const x = left;
    left += picture.width + gap;
    return [
      heading(palette, x, 16, title),
      ...picture.marks.map((mark) => moved(mark, x, titleHeight)),
    ];
  });
  const height = titleHeight + Math.max(0, ...pictures.map(({ picture }) => picture.height));
  const faces = pictures[0]?.picture.faces;
  return { width: Math.max(1, left - gap), height, marks, grids: [], ...(faces && { faces }) };
}
