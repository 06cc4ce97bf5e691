/**
 * What the reader has chosen. It lives in the address after "#", versioned and short, so that any
 * state can be linked; language and theme are also remembered by the browser where it allows that.
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
  /** "" follows the system. */
  theme: Theme;
  /** The words of the first map as they stand, counted from 0 in their first order. */
  swapOrder: readonly number[];
  /** Sentence of the first figure; "" is the language's own. */
  chaseText: string;
  /** The two words that change places. */
  chaseSwap: readonly number[];
  chaseScheme: string;
  chaseUnit: Unit;
  orderText: string;
  orderSeed: number;
  /** What is added to a word; the position and the channel looked at; base and head. */
  addedScheme: string;
  addedAt: readonly number[];
  addedBase: string;
  addedHead: number;
  /**
   * Scheme whose bias is drawn by distance; its first number and its others, 0 for their own; layer
   * and head.
   */
  distanceScheme: string;
  distanceKnob: number;
  distanceNumbers: readonly number[];
  distanceLayer: number;
  distanceHead: number;
  /**
   * Positions of the query and the key whose pairs are hands, the base they turn with, and how much
   * of it is in view.
   */
  turningAt: readonly number[];
  turningBase: string;
  turningStep: TurningStep;
  /** By how far the rotation is turned that is shown as a matrix. */
  layoutDistance: number;
  /** How pairs are stretched, how far, in whose head; the ends of YaRN's ramp, in turns. */
  stretchMethod: StretchMethod;
  stretchFactor: number;
  stretchHead: StretchHead;
  stretchRamp: readonly number[];
  /** Methods with which the trained model reads further, `id.id`, how far, and which text. */
  longerMethods: string;
  longerMultiple: (typeof longerMultiples)[number];
  longerText: "" | Language;
  /** Task whose results are in view. */
  probeTask: ProbeTask;
  /**
   * Scheme of a grid that is in view; the cell that looks, head, cells of a stretched side, and how
   * the picture is cut into windows.
   */
  gridScheme: GridScheme;
  gridAt: readonly number[];
  gridHead: number;
  gridSide: number;
  gridWindow: GridWindow;
  /** Sizes for which a cache is counted. */
  cacheSizes: readonly number[];
  /** Distance between the matrices that are to be merged. */
  absorbedDistance: number;
  /** Tokens in the cache that is decoded from. */
  formsTokens: (typeof formsTokens)[number];
  /** What the reader has, an index for each question of the chooser. */
  chosen: readonly number[];
  /** Text read by the trained models; "" is the language's own. */
  text: string;
  /** Trained models side by side, `id.id`; "" for those of the beginning. */
  headSchemes: string;
  layer: number;
  head: number;
  /** Chosen cell, [row, column]; empty lets the figure choose. */
  cell: readonly number[];
  /** Model that is operated on, what is done to it, and to how much of it. */
  surgeryScheme: string;
  surgeryOperation: Operation;
  surgeryPlace: SurgeryPlace;
  /** A term, a pair, a number or a scheme; "" lets the figure choose. */
  surgeryValue: string;
  /** The token that is moved, counted from 1; 0 lets the figure choose. */
  surgeryToken: number;
  /** Scheme open in the gallery; "-" for none. */
  galleryScheme: string;
  /** Its options where they differ from their defaults, `key:value;key:value`. */
  galleryOptions: string;
  /** Text read in the gallery; "" is the language's own. */
  galleryText: string;
  galleryHead: number;
  /** What the cards show of schemes that learn: what training has made of it, or its beginning. */
  galleryValues: "trained" | "initial";
  /** Chosen cell of the gallery's map, [row, column]; empty lets the figure choose. */
  galleryCell: readonly number[];
  /** Schemes to train in the tab, `id.id`; "" for those of the beginning. */
  lengthSchemes: string;
  /** Schemes whose measured curves are in view, `id.id`; "" while they are hidden. */
  curveSchemes: string;
  /** Layer whose time is measured: tokens, channels of a head, heads. */
  costSizes: readonly number[];
  /** All that is chosen in the lab, as its figure writes it; "" is its beginning. */
  lab: string;
}

/** No scheme is open in the gallery. */
export const noScheme = "-";

/** A field emptied by the reader; "" would mean the language's own text. */
const emptied = " ";

/** What a text field holds, given what the state says and the language's own text. */
export const typedText = (written: string, own: string): string =>
  written === "" ? own : written === emptied ? "" : written;

/** How the state writes down what a text field holds; the language's own text stays that. */
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
    // Whether there is such a scheme, only the engine knows.
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
  // A text of 2,048 tokens, written in the signs of an address.
  lab: {
    key: "z",
    initial: "",
    read: (written) => written.slice(0, 80_000),
    allowed: { expected: "text" },
  },
};

const version = "1";

/** Reads an address's fragment; whatever it does not say, or says wrongly, is left out. */
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
 * Writes what differs from the beginning; always with the language, so that a link reads the same.
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

/** Reads what is written for a field; undefined where it says nothing that the field can be. */
export const readField = <Name extends keyof PageState>(
  name: Name,
  written: string,
): PageState[Name] | undefined => fields[name].read(written);

/**
 * What a sentence of the article asks for, `field:value field:value`, as a change of the state;
 * values are written as in an address. What is no field is passed over.
 */
export const changeAsked = (written: string): Partial<PageState> =>
  Object.fromEntries(
    [...written.matchAll(/(\S+?):(\S+)/g)]
      .filter(([, field]) => field! in fields)
      .map(([, field, value]) => [field, readField(field as keyof PageState, value!)]),
  );

/** What a field can be, or one number of it. */
export const allowedIn = (name: keyof PageState, at?: number): Expected =>
  at === undefined ? fields[name].allowed : { expected: "whole", least: 0 };
