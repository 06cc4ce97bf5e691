/**
 * The colour of each family of schemes, wherever schemes are told apart by colour. In such pictures
 * are no words that look at each other, so they have the distinct colours of the concepts.
 */
import { mix, type Palette } from "./colour.js";

export const familyHues = {
  none: "soft",
  absolute: "query",
  rotary: "position",
  relative: "content",
  latent: "key",
  grid: "ink",
  formula: "ink",
} as const;

export type Family = keyof typeof familyHues;

/** The family of each scheme, as the engine has it; a chart needs it before the engine loads. */
export const families: Readonly<Record<string, Family>> = {
  nope: "none",
  query_scale: "none",
  integer: "absolute",
  one_hot: "absolute",
  sinusoidal: "absolute",
  learned: "absolute",
  rope: "rotary",
  xpos: "rotary",
  mrope: "rotary",
  pope: "rotary",
  remapped_rope: "rotary",
  shaw: "relative",
  transformer_xl: "relative",
  t5: "relative",
  deberta: "relative",
  alibi: "relative",
  kerple: "relative",
  sandwich: "relative",
  fire: "relative",
  cope: "relative",
  forget_gate: "relative",
  conditioned_bias: "relative",
  mla: "latent",
  sinusoidal_2d: "grid",
  learned_2d: "grid",
  rope_2d: "grid",
  swin: "grid",
  formula: "formula",
};

/** Returns the family of a scheme; a curve that a program names otherwise has none. */
export const familyOf = (scheme: string): Family => families[scheme] ?? "none";

/** What tells a scheme's curve from others. */
export interface CurveLook {
  family: Family;
  /** Number of curves of its family before it. */
  before: number;
  /** Curves before it, which set its dashes. */
  line: number;
}

/** Returns the looks of curves in a chart. */
export function looksOf(schemes: readonly string[]): CurveLook[] {
  const each = schemes.map(familyOf);
  return each.map((family, line) => {
    const before = each.slice(0, line).filter((one) => one === family).length;
    return { family, before, line };
  });
}

export const familyColour = (family: Family, palette: Palette): string =>
  palette[familyHues[family]];

/** Returns the colour of a curve: its family's, for the second of a family paler, and so on. */
export function lookColour({ family, before }: CurveLook, palette: Palette): string {
  const colour = familyColour(family, palette);
  if (!before) return colour;
  return before % 2 ? mix(colour, palette.paper, 0.3) : mix(colour, palette.ink, 0.5);
}
