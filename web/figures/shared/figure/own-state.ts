/**
 * Properties and attributes of a figure that are fields of its group's state. A figure that
 * declares one has a state of its own, unless it stands in the article or in a group.
 */
import type { PropertyDeclaration } from "lit";
import { allowedIn, initialState, type PageState, readField } from "../../../page-state.js";
import { Group } from "../../../state.js";

type Fields = keyof PageState;

export interface StateProperty extends PropertyDeclaration {
  field: Fields;
  /** Where it stands in a field that is a list. */
  at?: number;
}

/** A property that is a field of the state, or one number of such a list. */
export const ofState = (field: Fields, at?: number, attribute?: string): StateProperty => ({
  field,
  ...(attribute === undefined ? {} : { attribute }),
  ...(at === undefined ? {} : { at }),
});

/** The change that a value of a property is; throws what names the property and its value. */
export function changeOf(
  name: string,
  { field, at }: StateProperty,
  given: unknown,
  state: PageState,
): Partial<PageState> {
  const first = initialState[field];
  const list = Array.isArray(first) && state[field];
  const text = given ?? (list && at !== undefined ? (first as readonly number[])[at] : undefined);
  if (text === undefined) return { [field]: first };
  // Lists may be written with spaces or commas too, and arrays are.
  const isList = list || /schemes|methods/i.test(field);
  const plain = isList
    ? String(text)
        .trim()
        .split(/[\s,.]+/)
        .join(".")
    : String(text);
  const whole =
    list && at !== undefined
      ? (list as readonly number[]).map((one, index) => (index === at ? plain : one)).join(".")
      : plain;
  const value = readField(field, whole);
  if (value !== undefined) return { [field]: value };
  const message = `${name} is ${JSON.stringify(given)}, and must be ${allowedIn(field)}.`;
  throw Object.assign(new Error(message), { code: "invalid_argument" });
}

export function valueIn({ field, at }: StateProperty, state: PageState): unknown {
  const value = state[field];
  return at !== undefined && Array.isArray(value) ? value[at] : value;
}

const named = new Map<string, Group>();

/** The group of a name, which is there as long as the page. */
export function groupNamed(name: string): Group {
  const group = named.get(name) ?? new Group();
  named.set(name, group);
  return group;
}
