/** What a reader chooses in this figure: in the state of the page, and in its address. */
import { type Language, longerMultiples } from "../../defaults.js";
import { choice, schemes } from "../../state-fields.js";

export const fields = {
  /** Methods with which the trained model reads longer texts, `id.id`; the factor and the text. */
  longerMethods: schemes("xs"),
  longerMultiple: choice("xn", "8", longerMultiples),
  longerText: choice<"" | Language>("xl", "", ["", "en", "zh"]),
};
