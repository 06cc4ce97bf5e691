/** Colours as data: parsing, mixing, ramps, and the palette read from styles/tokens.css. */

export interface Palette {
  dark: boolean;
  paper: string;
  ink: string;
  soft: string;
  hair: string;
  query: string;
  key: string;
  content: string;
  position: string;
  minus: string;
  plus: string;
  /** Colours of attention weights from zero (the background) to one, evenly spaced. */
  weight: string[];
}

type Rgb = readonly [number, number, number];

const parse = (hex: string): Rgb =>
  [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16)) as unknown as Rgb;

/** Mixes two `#rrggbb` colours; `share` 0 gives the first. */
export function mix(from: string, to: string, share: number): string {
  const a = parse(from);
  const b = parse(to);
  const hex = a.map((channel, index) =>
    Math.round(channel + (b[index]! - channel) * share)
      .toString(16)
      .padStart(2, "0"),
  );
  return `#${hex.join("")}`;
}

/** Returns the colour at `t` in 0…1 along evenly spaced stops. */
export function ramp(stops: readonly string[], t: number): string {
  const clamped = Math.min(1, Math.max(0, Number.isFinite(t) ? t : 0));
  const at = clamped * (stops.length - 1);
  const index = Math.min(Math.floor(at), stops.length - 2);
  return mix(stops[index]!, stops[index + 1]!, at - index);
}

const shades = 256;
const tables = new WeakMap<Palette, { weight: string[]; signed: string[] }>();

/** Returns a palette's ramps as tables: maps need tens of thousands of colours per frame. */
function tablesOf(palette: Palette): { weight: string[]; signed: string[] } {
  let found = tables.get(palette);
  if (!found) {
    const table = (colour: (share: number) => string) =>
      Array.from({ length: shades + 1 }, (_, index) => colour(index / shades));
    found = {
      weight: table((share) => ramp(palette.weight, share)),
      signed: table((share) =>
        mix(palette.paper, share < 0.5 ? palette.minus : palette.plus, Math.abs(share * 2 - 1)),
      ),
    };
    tables.set(palette, found);
  }
  return found;
}

const lookUp = (table: readonly string[], share: number): string =>
  table[Math.round(Math.min(1, Math.max(0, share)) * shades)] ?? table[0]!;

/**
 * Returns a function for colours of signed numbers in one map, which looks up the ramp once for all
 * cells.
 */
export function signedColours(palette: Palette, limit: number): (value: number) => string {
  const { signed } = tablesOf(palette);
  return (value) => lookUp(signed, (value / limit + 1) / 2);
}

/** Returns a function for colours of attention weights in one map. */
export function weightColours(palette: Palette, limit: number): (value: number) => string {
  const { weight } = tablesOf(palette);
  return (value) => lookUp(weight, value / limit);
}

/** Returns the colour of an attention weight on a scale from 0 to `limit`. */
export const weightColour = (palette: Palette, value: number, limit: number): string =>
  lookUp(tablesOf(palette).weight, value / limit);

/**
 * Returns the colour of a signed number on a scale from -limit to limit; zero has the background's.
 */
export const signedColour = (palette: Palette, value: number, limit: number): string =>
  lookUp(tablesOf(palette).signed, (value / limit + 1) / 2);

const luminance = (hex: string): number => {
  const [r, g, b] = parse(hex).map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
};

/** Returns the contrast ratio of two colours, 1 to 21 (WCAG 2.2). */
export function contrast(a: string, b: string): number {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high! + 0.05) / (low! + 0.05);
}

const onGrounds = new WeakMap<Palette, Map<string, string>>();

/**
 * Returns a colour for text on that background: ink or paper if one of them has enough contrast,
 * else black or white, of which one always has.
 */
export function textOn(palette: Palette, ground: string): string {
  // Backgrounds come from ramps: a few hundred for all cells of all maps.
  const known = onGrounds.get(palette) ?? new Map<string, string>();
  onGrounds.set(palette, known);
  const found = known.get(ground);
  if (found) return found;
  const better = (a: string, b: string) => (contrast(a, ground) >= contrast(b, ground) ? a : b);
  const themed = better(palette.ink, palette.paper);
  const text = contrast(themed, ground) >= 4.5 ? themed : better("#000000", "#ffffff");
  known.set(ground, text);
  return text;
}

/** Returns one side of a `light-dark(a, b)` declaration, whose colours may have any form. */
export function pickSide(declared: string, dark: boolean): string {
  const [, inside] = /^\s*light-dark\((.*)\)\s*$/is.exec(declared) ?? [];
  if (inside === undefined) return declared.trim();
  // Finds the comma that is outside all brackets.
  let depth = 0;
  const comma = [...inside].findIndex((letter) => {
    depth += letter === "(" ? 1 : letter === ")" ? -1 : 0;
    return letter === "," && depth === 0;
  });
  return (dark ? inside.slice(comma + 1) : inside.slice(0, comma)).trim();
}

const palettes = new Map<string, Palette>();
const names = [
  "paper",
  "ink",
  "soft",
  "hair",
  "query",
  "key",
  "content",
  "position",
  "minus",
  "plus",
  ...[0, 1, 2, 3, 4, 5].map((stop) => `weight-${stop}`),
];

/** Colours as `#rrggbb`, the form for mixing and for files. */
const isPlain = (colour: string): boolean => /^#[0-9a-f]{6}$/i.test(colour);

/**
 * Returns the palette in force on an element. `read` returns the declared text of a custom
 * property, `toHex` converts any other form of a colour to `#rrggbb`.
 */
export function readPalette(
  read: (property: string) => string,
  dark: boolean,
  toHex = (colour: string) => colour,
): Palette {
  const declared = (name: string) => pickSide(read(`--wf-${name}`), dark);
  const name = `${dark} ${names.map(declared)}`;
  const known = palettes.get(name);
  if (known) return known;
  const colour = (one: string) => {
    const said = declared(one);
    return isPlain(said) ? said : toHex(said);
  };
  const palette = {
    dark,
    paper: colour("paper"),
    ink: colour("ink"),
    soft: colour("soft"),
    hair: colour("hair"),
    query: colour("query"),
    key: colour("key"),
    content: colour("content"),
    position: colour("position"),
    minus: colour("minus"),
    plus: colour("plus"),
    weight: [0, 1, 2, 3, 4, 5].map((stop) => colour(`weight-${stop}`)),
  };
  palettes.set(name, palette);
  return palette;
}
