/** The reader's choices in this figure, as fields of the page's state and of its address. */
import { operations, sightedScheme, surgeryScopes } from "../../defaults.js";
import { choice, count, type Field, text } from "../../state-fields.js";

export const fields = {
  /** Model under surgery, the surgery, and the part of the model to which it applies. */
  surgeryScheme: {
    key: "su",
    initial: sightedScheme,
    read: (written) => (/^[a-z][a-z0-9_]{0,40}$/.test(written) ? written : undefined),
    allowed: { expected: "id" },
  } satisfies Field<string>,
  surgeryOperation: choice("sd", "zero", operations),
  surgeryScope: choice("sp", "all", surgeryScopes),
  /** A term, a pair, a number or a scheme; if "", the figure chooses. */
  surgeryValue: text("sv"),
  /** The token that is moved, counted from 1; 0 for the default. */
  surgeryToken: count("st", 0, 63),
};
