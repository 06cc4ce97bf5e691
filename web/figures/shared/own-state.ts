/**
 * Properties and attributes of a figure that are fields of its group's state. A figure that
 * declares one has a state of its own, unless it stands in the article or in a group.
 */
import type { PropertyDeclaration } from "lit";
import {
  allowedIn,
  type Group,
  initialState,
  type PageState,
  page,
  readField,
} from "../../state.js";

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

/** What a host has given for a property, written as in an address: ids in a list have dots. */
function written(given: unknown): string {
  if (Array.isArray(given)) return given.join(".");
  return String(given);
}

/** Thrown where a host has given what a property cannot be. */
class RefusedValue extends Error {
  readonly code = "invalid_argument";
}

/** The change that a value of a property is; throws what names the property and its value. */
export function changeOf(
  name: string,
  { field, at }: StateProperty,
  given: unknown,
  state: PageState,
): Partial<PageState> {
  const list = state[field];
  const first = initialState[field];
  if (given === null || given === undefined)
    return Array.isArray(list) && Array.isArray(first) && at !== undefined
      ? { [field]: list.map((one, index) => (index === at ? first[at] : one)) }
      : { [field]: first };
  const text = written(given);
  // Ids may be written with spaces or commas too.
  const plain = /schemes|methods/i.test(field)
    ? text
        .trim()
        .split(/[\s,.]+/)
        .join(".")
    : text;
  const whole =
    at !== undefined && Array.isArray(list)
      ? list.map((one, index) => (index === at ? plain : one)).join(".")
      : plain;
  const value = readField(field, whole);
  if (value !== undefined) return { [field]: value };
  const allowed = at === undefined ? allowedIn(field) : "a whole number from 0 to 9999";
  throw new RefusedValue(`${name} is ${JSON.stringify(given)}, and must be ${allowed}.`);
}

export function valueIn({ field, at }: StateProperty, state: PageState): unknown {
  const value = state[field];
  return at !== undefined && Array.isArray(value) ? value[at] : value;
}

const named = new Map<string, Group>();

/** The group of a name, which is there as long as the page; "" is the article's. */
export function groupNamed(name: string, make: () => Group): Group {
  if (!name) return page;
  let group = named.get(name);
  if (!group) {
    group = make();
    named.set(name, group);
  }
  return group;
}
