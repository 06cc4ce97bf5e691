/** The formulas in force: those that the reader has written, or a preset's. */
import type { FormulaOptions } from "whereformer";
import { type FormulaPreset, formulaPresets } from "../../../defaults.js";
import { type PageState, typedText, writtenText } from "../../../page-state.js";
import { declared } from "./parameters.js";
import { presets } from "./presets.js";
import { type Part, slots, type Written } from "./slots.js";

const fields = {
  bias: "formulaBias",
  frequency: "formulaFrequency",
  angle: "formulaAngle",
  add: "formulaAdd",
  queryScale: "formulaQueryScale",
  keyScale: "formulaKeyScale",
  logitScale: "formulaLogitScale",
  parameters: "formulaParameters",
} as const satisfies Record<Part, keyof PageState>;

const parts = Object.keys(fields) as Part[];

/** The fields of the state that formulas are written in. */
export const formulaFields: readonly (keyof PageState)[] = [
  ...Object.values(fields),
  "formulaPreset",
  "formulaPairing",
];

/** Returns the preset that is shown; undefined if the formulas are the reader's own. */
export function presetIn(state: PageState): FormulaPreset | undefined {
  if (state.formulaPreset) return state.formulaPreset;
  return parts.some((part) => state[fields[part]]) ? undefined : formulaPresets[0];
}

/** Returns the formulas in force; a part that the reader has emptied is "". */
export function writtenIn(state: PageState): Written {
  const preset = presetIn(state);
  const given = parts.filter((part) => state[fields[part]]);
  const written: Written = preset
    ? presets[preset]
    : Object.fromEntries(given.map((part) => [part, typedText(state[fields[part]], "")]));
  const { formulaPairing } = state;
  return formulaPairing ? { ...written, pairing: formulaPairing } : written;
}

/** Returns the change of the state for formulas, of which at least one is written. */
export function changeTo(written: Written): Partial<PageState> {
  const isEmpty = parts.every((part) => written[part] === undefined);
  const given: Written = isEmpty ? { ...written, bias: "" } : written;
  const texts = parts.map((part) => {
    const text = given[part];
    return [fields[part], text === undefined ? "" : writtenText(text)];
  });
  const pairing = { formulaPairing: given.pairing ?? "" };
  return { ...Object.fromEntries(texts), ...pairing, formulaPreset: "" };
}

/** Returns the change of the state for a preset, which needs no texts. */
export const changeToPreset = (preset: FormulaPreset): Partial<PageState> => ({
  ...Object.fromEntries(parts.map((part) => [fields[part], ""])),
  formulaPairing: "",
  // The first is what an address without formulas shows.
  formulaPreset: preset === formulaPresets[0] ? "" : preset,
});

/** Returns the options of the engine; throws for a parameter that is not declared. */
export function optionsOf(written: Written): FormulaOptions {
  const { parameters = "", pairing } = written;
  const texts = slots.flatMap((slot) => (written[slot]?.trim() ? [[slot, written[slot]]] : []));
  const found = declared(parameters);
  return {
    ...Object.fromEntries(texts),
    ...(pairing ? { pairing } : {}),
    ...(found.length
      ? { parameters: Object.fromEntries(found.map(({ name, given }) => [name, given])) }
      : {}),
  };
}
