/** What maps that are locked to each other share: the part in view, and the marked cell. */

import { Changes } from "../changes.js";
import type { Viewport } from "../drawing/map-viewport.js";
import type { Cell } from "../drawing/scene.js";

export interface Linked {
  /** Undefined shows the whole map. */
  view: Viewport | undefined;
  /** The cell under the pointer, else the chosen one. */
  active: Cell | undefined;
  /** The cell that stays marked when the pointer leaves. */
  chosen: Cell | undefined;
}

const sameCell = (a: Cell | undefined, b: Cell | undefined): boolean =>
  a?.row === b?.row && a?.column === b?.column;

export class MapLink implements Linked {
  readonly changes = new Changes<keyof Linked>();
  view: Linked["view"];
  active: Linked["active"];
  chosen: Linked["chosen"];

  set(change: Partial<Linked>): void {
    const { view, active, chosen } = this;
    Object.assign(this, change);
    this.changes.tell(
      ...(view === this.view ? [] : (["view"] as const)),
      ...(sameCell(active, this.active) ? [] : (["active"] as const)),
      ...(chosen === this.chosen ? [] : (["chosen"] as const)),
    );
  }
}

const groups = new Map<string, MapLink>();

/** The maps of one name share one; those without a name have one each. */
export function linkOf(group: string): MapLink {
  if (!group) return new MapLink();
  const found = groups.get(group) ?? new MapLink();
  groups.set(group, found);
  return found;
}
