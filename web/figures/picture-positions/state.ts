/** The reader's choices in this figure, as fields of the page's state and of its address. */
import { type GridScheme, gridSchemes, gridView, gridWindows } from "../../defaults.js";
import { choice, count, indices } from "../../state-fields.js";

export const fields = {
  /**
   * Shown scheme of a grid; the query's cell, head, cells on a stretched side, and division into
   * windows.
   */
  gridScheme: choice<GridScheme>("gr", gridSchemes[0], gridSchemes),
  gridAt: indices("gra", [gridView.row, gridView.column]),
  gridHead: count("grh", gridView.head, 63),
  gridSide: count("grs", gridView.trainedSide, gridView.max),
  gridWindow: choice("grw", gridWindows[0], gridWindows),
};
