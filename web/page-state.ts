/**
 * The reader's choices. They are in the address after "#", with a version and in short form, so
 * that any state can be linked; language and theme are also kept in the browser's storage, if
 * available. Each figure has its own fields in its folder.
 */
import type { Language } from "./defaults.js";
import { fields as absorption } from "./figures/absorption/state.js";
import { fields as addedPosition } from "./figures/added-position/state.js";
import { fields as cacheBytes } from "./figures/cache-bytes/state.js";
import { fields as causalOrder } from "./figures/causal-order/state.js";
import { fields as chooser } from "./figures/chooser/state.js";
import { fields as clock } from "./figures/clock/state.js";
import { fields as costs } from "./figures/costs/state.js";
import { fields as decodingForms } from "./figures/decoding-forms/state.js";
import { fields as distanceBias } from "./figures/distance-bias/state.js";
import { fields as formula } from "./figures/formula/state.js";
import { fields as ghosts } from "./figures/ghosts/state.js";
import { fields as headScore } from "./figures/head-score/state.js";
import { fields as lab } from "./figures/lab/state.js";
import { fields as layers } from "./figures/layers/state.js";
import { fields as lengthCurves } from "./figures/length-curves/state.js";
import { fields as longer } from "./figures/longer-reading/state.js";
import { fields as machine } from "./figures/machine/state.js";
import { fields as openedPicture } from "./figures/opened-picture/state.js";
import { fields as pairLayouts } from "./figures/pair-layouts/state.js";
import { fields as picturePositions } from "./figures/picture-positions/state.js";
import { fields as probes } from "./figures/probes/state.js";
import { fields as schemeGallery } from "./figures/scheme-gallery/state.js";
import { fields as trained } from "./figures/shared/trained/state.js";
import { fields as sink } from "./figures/sink/state.js";
import { fields as slide } from "./figures/slide/state.js";
import { fields as stretch } from "./figures/stretch/state.js";
import { fields as surgery } from "./figures/surgery/state.js";
import { fields as trainShort } from "./figures/train-short/state.js";
import { fields as rotation } from "./figures/turning-pairs/state.js";
import { fields as whoChases } from "./figures/who-chases/state.js";
import { fields as wordSwap } from "./figures/word-swap/state.js";
import { fields as writing } from "./figures/writing/state.js";
import { choice, type Field } from "./state-fields.js";
import type { Expected } from "./text/expected.js";

export type Theme = "" | "light" | "dark";

/** In the order of an address. */
const allFields = {
  language: choice<Language>("l", "en", ["en", "zh"]),
  /** "" for the system's theme. */
  theme: choice<Theme>("t", "", ["", "light", "dark"]),
  ...wordSwap,
  ...whoChases,
  ...ghosts,
  ...causalOrder,
  ...machine,
  ...slide,
  ...sink,
  ...addedPosition,
  ...distanceBias,
  ...rotation,
  ...clock,
  ...headScore,
  ...pairLayouts,
  ...stretch,
  ...longer,
  ...probes,
  ...picturePositions,
  ...openedPicture,
  ...cacheBytes,
  ...absorption,
  ...decodingForms,
  ...chooser,
  ...trained,
  ...surgery,
  ...writing,
  ...schemeGallery,
  ...trainShort,
  ...layers,
  ...lengthCurves,
  ...costs,
  ...lab,
  ...formula,
};

type Fields = typeof allFields;

export type PageState = {
  [Key in keyof Fields]: Fields[Key] extends Field<infer Value> ? Value : never;
};

const fields: { [Key in keyof PageState]: Field<PageState[Key]> } = allFields;

/** Marks a field that the reader emptied; "" would mean the language's default text. */
const emptied = " ";

/** Returns the content of a text field from the state and the language's own text. */
export const typedText = (written: string, initial: string): string =>
  written === "" ? initial : written === emptied ? "" : written;

/** Returns the state for the content of a text field; "" for the language's own text. */
export const writtenText = (typed: string, initial = ""): string =>
  typed === "" ? emptied : typed === initial ? "" : typed;

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
 * the same to every reader.
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
  at === undefined ? fields[name].allowed : { expected: "whole", min: 0 };
