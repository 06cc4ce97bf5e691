/**
 * What a figure was given. A property that is a field of the state goes into the group's, as soon
 * as there is one; any other is kept here. Either is first read by what it can be: what it cannot
 * be is refused, and the property stays what it was.
 */
import { type Failure, failureOf } from "../../../engine/both/failure.js";
import type { Group } from "../../../state.js";
import { changeOf, type StateProperty } from "../figure/own-state.js";
import type { Kind, KindProperty } from "./kinds.js";
import { refused } from "./refused.js";

const isAbsent = (given: unknown, isEmptyToo = false): boolean =>
  given === undefined || given === null || (given === "" && !isEmptyToo);

/** What throws when it is looked at is none of what a property can be. */
function readSafely(kind: Kind, given: unknown): unknown {
  try {
    return kind.read(given);
  } catch {
    return undefined;
  }
}

export class GivenProperties {
  /** What was given before there was a group to put it into. */
  #early = new Map<string, unknown>();
  #kept = new Map<string, unknown>();
  /** Names of what was given and is absent: null, or undefined. */
  #absent = new Set<string>();
  #refused = new Map<string, Failure>();

  /** The first of what was refused. */
  get refusal(): Failure | undefined {
    const [first] = this.#refused.values();
    return first;
  }

  /** Whether it was given something that it can be. */
  has(name: string): boolean {
    return this.#kept.has(name);
  }

  /** Whether what it was given last is absent: it may still come. */
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

  /** Returns what it was before. */
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

  /** Puts what was given early into the group's state. */
  put(group: Group, declared: ReadonlyMap<string, StateProperty>): void {
    for (const [name, given] of this.#early)
      this.#try(name, () => {
        group.set(changeOf(name, declared.get(name)!, given, group.state));
      });
    this.#early.clear();
  }
}
