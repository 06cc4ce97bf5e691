/**
 * Properties and attributes of a figure that are fields of its group's state. A figure with such
 * properties has a state of its own, unless it is in the article or in a group.
 */
import type { PropertyDeclaration } from "lit";
import { allowedIn, initialState, type PageState, readField } from "../../../page-state.js";
import { Group } from "../../../state.js";
import { isList, partsOf, textIn } from "../given/kinds.js";
import { refused } from "../given/refused.js";

type Fields = keyof PageState;

export interface StateProperty extends PropertyDeclaration {
  field: Fields;
  /** Index in a field that is a list. */
  at?: number;
}

/** Declares a property that is a field of the state, or one number in a list. */
export const ofState = (field: Fields, at?: number, attribute?: string): StateProperty => ({
  field,
  ...(attribute === undefined ? {} : { attribute }),
  ...(at === undefined ? {} : { at }),
});

/** Accepts lists with spaces or commas, arrays and typed arrays. */
function listIn(given: unknown): string | undefined {
  const parts = isList(given)
    ? partsOf(given)?.map(textIn)
    : textIn(given)
        ?.trim()
        .split(/[\s,.]+/);
  return parts?.every((part) => part !== undefined) ? parts.join(".") : undefined;
}

/**
 * Returns the change of the state for a property's value; throws an error with the property and its
 * value.
 */
export function changeOf(
  name: string,
  { field, at }: StateProperty,
  given: unknown,
  state: PageState,
): Partial<PageState> {
  const first = initialState[field];
  const list = Array.isArray(first) && state[field];
  const isWhole = at === undefined && (list || /schemes|methods/i.test(field));
  const isEmpty = given === "" || (isWhole && isList(given) && !given.length);
  const initial = list && at !== undefined ? (first as readonly number[])[at] : undefined;
  const text = isEmpty && readField(field, "") === undefined ? initial : (given ?? initial);
  if (text === undefined) return { [field]: first };
  const plain = isWhole ? listIn(text) : textIn(text);
  const whole =
    list && at !== undefined && plain !== undefined
      ? (list as readonly number[]).map((one, index) => (index === at ? plain : one)).join(".")
      : plain;
  const value = whole === undefined ? undefined : readField(field, whole);
  // Fields clamp numbers, as in an address; here a number beyond a limit is an error.
  const isShortened = typeof value === "number" && value !== Number(plain);
  if (value !== undefined && !isShortened) return { [field]: value };
  throw refused(name, given, allowedIn(field, at));
}

export function valueIn({ field, at }: StateProperty, state: PageState): unknown {
  const value = state[field];
  return at !== undefined && Array.isArray(value) ? value[at] : value;
}

const named = new Map<string, Group>();

/** Returns the group of a name, which exists as long as the page. */
export function groupNamed(name: string): Group {
  const group = named.get(name) ?? new Group();
  named.set(name, group);
  return group;
}
