/** The reader's choices in this figure, as fields of the page's state and of its address. */
import { type Language, longerMultiples } from "../../defaults.js";
import { choice, schemes } from "../../state-fields.js";

export const fields = {
  /** Methods with which the trained model reads longer texts, `id.id`; the factor and the text. */
  longerMethods: schemes("xs"),
  longerMultiple: choice("xn", "4", longerMultiples),
  longerText: choice<"" | Language>("xl", "", ["", "en", "zh"]),
};
