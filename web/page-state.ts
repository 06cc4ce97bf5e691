/**
 * The reader's choices. They are in the address after "#", with a version and in short form, so
 * that any state can be linked; language and theme are also kept in the browser's storage, if
 * available.
 */
import {
  addedView,
  blindScheme,
  cacheModels,
  comparedSchemes,
  costBegin,
  distanceSchemes,
  distanceView,
  formsTokens,
  type GridScheme,
  type GridWindow,
  gridSchemes,
  gridView,
  gridWindows,
  type Language,
  longerMultiples,
  type Operation,
  openScheme,
  operations,
  type ProbeTask,
  probeTasks,
  type StretchHead,
  type StretchMethod,
  type SurgeryPlace,
  sightedScheme,
  stretchMethods,
  surgeryPlaces,
} from "./defaults.js";
import {
  layoutHead,
  type TurningStep,
  turnedHead,
  turningSteps,
} from "./engine/both/turned-heads.js";
import {
  choice,
  count,
  type Field,
  indices,
  numbers,
  order,
  schemes,
  text,
} from "./state-fields.js";
import type { Expected } from "./text/expected.js";

export type Theme = "" | "light" | "dark";
export type Unit = "word" | "character";

export interface PageState {
  language: Language;
  /** "" for the system's theme. */
  theme: Theme;
  /** The words of the first map in their current order, counted from 0 in the original one. */
  swapOrder: readonly number[];
  /** Sentence of the first figure; "" for the language's own. */
  chaseText: string;
  /** The two words that are exchanged. */
  chaseSwap: readonly number[];
  chaseScheme: string;
  chaseUnit: Unit;
  orderText: string;
  orderSeed: number;
  /** Scheme that adds vectors to words; shown position and channel; base and head. */
  addedScheme: string;
  addedAt: readonly number[];
  addedBase: string;
  addedHead: number;
  /**
   * Scheme whose bias is drawn by distance; its first number and the further ones, 0 for their own
   * values; layer and head.
   */
  distanceScheme: string;
  distanceKnob: number;
  distanceNumbers: readonly number[];
  distanceLayer: number;
  distanceHead: number;
  /**
   * Positions of the query and the key whose pairs are shown as clock hands, the base of their
   * rotation, and the steps of the picture that are in view.
   */
  turningAt: readonly number[];
  turningBase: string;
  turningStep: TurningStep;
  /** Distance of the rotation that is shown as a matrix. */
  layoutDistance: number;
  /** Method, factor and head of stretched pairs; the ends of YaRN's ramp, in rotations. */
  stretchMethod: StretchMethod;
  stretchFactor: number;
  stretchHead: StretchHead;
  stretchRamp: readonly number[];
  /** Methods with which the trained model reads longer texts, `id.id`; the factor and the text. */
  longerMethods: string;
  longerMultiple: (typeof longerMultiples)[number];
  longerText: "" | Language;
  /** Task whose results are in view. */
  probeTask: ProbeTask;
  /**
   * Shown scheme of a grid; the query's cell, head, cells on a stretched side, and division into
   * windows.
   */
  gridScheme: GridScheme;
  gridAt: readonly number[];
  gridHead: number;
  gridSide: number;
  gridWindow: GridWindow;
  /** Sizes for which a cache is computed. */
  cacheSizes: readonly number[];
  /** Distance of the rotation between the matrices that are to be merged. */
  absorbedDistance: number;
  /** Tokens in the cache that is decoded from. */
  formsTokens: (typeof formsTokens)[number];
  /** The reader's answers, an index for each question of the chooser. */
  chosen: readonly number[];
  /** Text that the trained models read; "" for the language's own. */
  text: string;
  /** Trained models side by side, `id.id`; "" for the default ones. */
  headSchemes: string;
  layer: number;
  head: number;
  /** Chosen cell, [row, column]; if empty, the figure chooses. */
  cell: readonly number[];
  /** Model under surgery, the surgery, and the part of the model to which it applies. */
  surgeryScheme: string;
  surgeryOperation: Operation;
  surgeryPlace: SurgeryPlace;
  /** A term, a pair, a number or a scheme; if "", the figure chooses. */
  surgeryValue: string;
  /** The token that is moved, counted from 1; 0 lets the figure choose. */
  surgeryToken: number;
  /** Scheme open in the gallery; "-" for none. */
  galleryScheme: string;
  /** Options that differ from their defaults, `key:value;key:value`. */
  galleryOptions: string;
  /** Text that is read in the gallery; "" for the language's own. */
  galleryText: string;
  galleryHead: number;
  /** Values on the cards of schemes with parameters: after training, or initial. */
  galleryValues: "trained" | "initial";
  /** Chosen cell of the gallery's map, [row, column]; if empty, the figure chooses. */
  galleryCell: readonly number[];
  /** Schemes to train in the tab, `id.id`; "" for the default ones. */
  lengthSchemes: string;
  /** Schemes with measured curves in view, `id.id`; "" while they are hidden. */
  curveSchemes: string;
  /** Layer that is timed: tokens, channels of a head, heads. */
  costSizes: readonly number[];
  /** All choices of the lab, in its figure's own format; "" for the defaults. */
  lab: string;
}

/** Stands for no open scheme in the gallery. */
export const noScheme = "-";

/** Stands for a field that the reader emptied; "" would mean the language's own text. */
const emptied = " ";

/** Returns the content of a text field from the state and the language's own text. */
export const typedText = (written: string, own: string): string =>
  written === "" ? own : written === emptied ? "" : written;

/** Returns the state for the content of a text field; "" for the language's own text. */
export const writtenText = (typed: string, own = ""): string =>
  typed === "" ? emptied : typed === own ? "" : typed;

const schemeIds = comparedSchemes.map((scheme) => scheme.id);

const fields: { [Key in keyof PageState]: Field<PageState[Key]> } = {
  language: choice("l", "en", ["en", "zh"]),
  theme: choice("t", "", ["", "light", "dark"]),
  swapOrder: order("o", 3),
  chaseText: text("a"),
  chaseSwap: indices("as", [0, 2]),
  chaseScheme: choice("ap", blindScheme, schemeIds),
  chaseUnit: choice("au", "word", ["word", "character"]),
  orderText: text("b"),
  orderSeed: count("bs", 1, 999_999_999),
  addedScheme: choice<string>("w", addedView.schemes[0], addedView.schemes),
  addedAt: indices("wa", [40, 24]),
  addedBase: choice<string>("wb", addedView.ownBase, addedView.bases),
  addedHead: count("wh", addedView.head, 63),
  distanceScheme: choice<string>(
    "d",
    distanceView.first,
    distanceSchemes.map(({ id }) => id),
  ),
  distanceKnob: count("dk", 0, 9999),
  distanceNumbers: numbers("dn", [0, 0, 0]),
  distanceLayer: count("dl", 0, 63),
  distanceHead: count("dh", 0, 63),
  turningAt: indices("m", [3, 1]),
  turningBase: choice("mb", "10000", turnedHead.bases),
  turningStep: choice("ms", turningSteps[0], turningSteps),
  layoutDistance: count("md", layoutHead.distance, layoutHead.farthest),
  stretchMethod: choice("xm", "yarn", stretchMethods),
  stretchFactor: count("xf", 4, 32),
  stretchHead: choice("xh", "small", ["small", "llama", "phi"]),
  stretchRamp: indices("xr", [32, 1]),
  longerMethods: schemes("xs"),
  longerMultiple: choice("xn", "8", longerMultiples),
  longerText: choice("xl", "", ["", "en", "zh"]),
  probeTask: choice("p", "copy", probeTasks),
  gridScheme: choice<GridScheme>("gr", gridSchemes[0], gridSchemes),
  gridAt: indices("gra", [gridView.row, gridView.column]),
  gridHead: count("grh", gridView.head, 63),
  gridSide: count("grs", gridView.own, gridView.most),
  gridWindow: choice("grw", gridWindows[0], gridWindows),
  cacheSizes: numbers("ks", cacheModels.v2),
  absorbedDistance: count("kb", 3, 32),
  formsTokens: choice("kt", "512", formsTokens),
  chosen: numbers("y", [0, 0, 2, 2, 0, 0]),
  text: text("c"),
  headSchemes: schemes("cs"),
  layer: count("cl", 3, 63),
  head: count("ch", 0, 63),
  cell: indices("cc", []),
  surgeryScheme: {
    key: "su",
    initial: sightedScheme,
    read: (written) => (/^[a-z][a-z0-9_]{0,40}$/.test(written) ? written : undefined),
    allowed: { expected: "id" },
  },
  surgeryOperation: choice("sd", "zero", operations),
  surgeryPlace: choice("sp", "all", surgeryPlaces),
  surgeryValue: text("sv"),
  surgeryToken: count("st", 0, 63),
  galleryScheme: {
    key: "g",
    initial: openScheme,
    // Only the engine knows whether the scheme exists.
    read: (written) => (/^(?:-|[a-z][a-z0-9_]{0,40})$/.test(written) ? written : undefined),
    allowed: { expected: "id" },
  },
  galleryOptions: text("go"),
  galleryText: text("gt"),
  galleryHead: count("gh", 0, 63),
  galleryValues: choice("gv", "trained", ["trained", "initial"]),
  galleryCell: indices("gc", []),
  lengthSchemes: schemes("ls"),
  curveSchemes: schemes("lc"),
  costSizes: {
    key: "k",
    initial: costBegin,
    read: (written) =>
      /^\d{1,4}\.\d{1,3}\.\d{1,2}$/.test(written) ? written.split(".").map(Number) : undefined,
    allowed: { expected: "numbers", least: 0, most: 3 },
  },
  // Long enough for a text of 2,048 tokens, in the encoding of an address.
  lab: {
    key: "z",
    initial: "",
    read: (written) => written.slice(0, 80_000),
    allowed: { expected: "text" },
  },
};

const version = "1";

/** Parses an address's fragment; leaves out missing and invalid fields. */
export function readFragment(fragment: string): Partial<PageState> {
  const written = new URLSearchParams(fragment.replace(/^#/, ""));
  if (written.get("v") !== version) return {};
  const state: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    const value = written.get(field.key);
    const read = value === null ? undefined : field.read(value);
    if (read !== undefined) state[name] = read;
  }
  return state as Partial<PageState>;
}

/**
 * Writes the values that differ from their defaults, and always the language, so that a link shows
 * the same to everybody.
 */
export function writeFragment(state: PageState, at = ""): string {
  const written = new URLSearchParams({ v: version, l: state.language });
  for (const [name, field] of Object.entries(fields)) {
    const value = state[name as keyof PageState];
    const plain = Array.isArray(value) ? value.join(".") : String(value);
    const initial = Array.isArray(field.initial) ? field.initial.join(".") : String(field.initial);
    if (plain !== initial) written.set(field.key, plain);
  }
  if (at) written.set("at", at);
  return `#${written.toString()}`;
}

export const initialState = Object.fromEntries(
  Object.entries(fields).map(([name, field]) => [name, field.initial]),
) as unknown as PageState;

/** Parses the value of a field; undefined if it is not valid. */
export const readField = <Name extends keyof PageState>(
  name: Name,
  written: string,
): PageState[Name] | undefined => fields[name].read(written);

/**
 * Parses the state that a link in the article sets, `field:value field:value`, with values as in an
 * address. Unknown fields are ignored.
 */
export const changeAsked = (written: string): Partial<PageState> =>
  Object.fromEntries(
    [...written.matchAll(/(\S+?):(\S+)/g)]
      .filter(([, field]) => field! in fields)
      .map(([, field, value]) => [field, readField(field as keyof PageState, value!)]),
  );

/** Returns the valid values of a field, or of one number in it. */
export const allowedIn = (name: keyof PageState, at?: number): Expected =>
  at === undefined ? fields[name].allowed : { expected: "whole", least: 0 };
