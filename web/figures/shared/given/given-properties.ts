/**
 * Values of a figure's properties. A property that is a field of the state is stored in the group's
 * state, as soon as there is a group; any other is stored here. Each value is first checked by its
 * kind: an invalid one is refused, and the property keeps its value.
 */
import { type Failure, failureOf } from "../../../engine/both/failure.js";
import type { Group } from "../../../state.js";
import { changeOf, type StateProperty } from "../figure/state-properties.js";
import type { Kind, KindProperty } from "./kinds.js";
import { refused } from "./refused.js";

const isAbsent = (given: unknown, isEmptyToo = false): boolean =>
  given === undefined || given === null || (given === "" && !isEmptyToo);

/** A value that throws when it is read is invalid. */
function readSafely(kind: Kind, given: unknown): unknown {
  try {
    return kind.read(given);
  } catch {
    return undefined;
  }
}

export class GivenProperties {
  /** Values set before there was a group. */
  #early = new Map<string, unknown>();
  #kept = new Map<string, unknown>();
  /** Names of properties that were set to null or undefined. */
  #absent = new Set<string>();
  #refused = new Map<string, Failure>();

  /** The first error. */
  get refusal(): Failure | undefined {
    const [first] = this.#refused.values();
    return first;
  }

  /** Whether the property has been set to a valid value. */
  has(name: string): boolean {
    return this.#kept.has(name);
  }

  /** Whether the property was last set to null or undefined: a value may follow. */
  awaits(name: string): boolean {
    return this.#absent.has(name);
  }

  early(name: string): unknown {
    return this.#early.get(name);
  }

  valueOf(name: string, { initial }: KindProperty): unknown {
    return this.#kept.has(name) ? this.#kept.get(name) : initial;
  }

  keepForGroup(name: string, given: unknown): void {
    this.#early.set(name, given);
  }

  #try(name: string, work: () => void): void {
    try {
      work();
      this.#refused.delete(name);
    } catch (reason) {
      this.#refused.set(name, failureOf(reason));
    }
  }

  /** Stores a value if it is valid. Returns the previous one. */
  keep(name: string, property: KindProperty, given: unknown): unknown {
    const { kind } = property;
    const before = this.valueOf(name, property);
    this.#try(name, () => {
      if (isAbsent(given, kind.isEmptyToo)) {
        this.#kept.delete(name);
        this.#absent.add(name);
        return;
      }
      this.#absent.delete(name);
      const value = readSafely(kind, given);
      if (value === undefined) throw refused(name, given, kind.expected);
      this.#kept.set(name, value);
    });
    return before;
  }

  /** Moves values that were set early to the group's state. */
  put(group: Group, declared: ReadonlyMap<string, StateProperty>): void {
    for (const [name, given] of this.#early)
      this.#try(name, () => {
        group.set(changeOf(name, declared.get(name)!, given, group.state));
      });
    this.#early.clear();
  }
}
