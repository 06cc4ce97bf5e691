/** The reader's choices in this figure, as fields of the page's state and of its address. */
import { openScheme } from "../../defaults.js";
import { choice, count, type Field, indices, text } from "../../state-fields.js";

/** Means that no scheme of the gallery is open. */
export const noScheme = "-";

export const fields = {
  /** Scheme open in the gallery; "-" for none. */
  galleryScheme: {
    key: "g",
    initial: openScheme,
    // Only the engine can check whether the scheme exists.
    read: (written) => (/^(?:-|[a-z][a-z0-9_]{0,40})$/.test(written) ? written : undefined),
    allowed: { expected: "id" },
  } satisfies Field<string>,
  /** Options that differ from their defaults, `key:value;key:value`. */
  galleryOptions: text("go"),
  /** Text that is read in the gallery; "" for the language's own. */
  galleryText: text("gt"),
  galleryHead: count("gh", 0, 63),
  /** Values on the cards of schemes with parameters: after training, or initial. */
  galleryValues: choice("gv", "trained", ["trained", "initial"]),
  /** Chosen cell of the gallery's map, [row, column]; if empty, the figure chooses. */
  galleryCell: indices("gc", []),
};
