/** The reader's choices in this figure, as fields of the page's state and of its address. */
import { formulaPresets, formulaView } from "../../defaults.js";
import { choice, count, text } from "../../state-fields.js";

export const fields = {
  /** Formulas in place of the texts below; "" for those, or the first preset if all are empty. */
  formulaPreset: choice("fp", "", ["", ...formulaPresets]),
  formulaBias: text("fb"),
  formulaFrequency: text("ff"),
  formulaAngle: text("fa"),
  formulaAdd: text("fv"),
  formulaQueryScale: text("fq"),
  formulaKeyScale: text("fk"),
  formulaLogitScale: text("fl"),
  formulaParameters: text("fm"),
  /** Channels of a rotated pair; "" for those of the preset, or halves. */
  formulaPairing: choice("fi", "", ["", "halves", "interleaved"]),
  formulaHead: count("fh", 0, formulaView.numHeads - 1),
};
