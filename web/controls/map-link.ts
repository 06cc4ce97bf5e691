/** State shared by linked maps: the part in view and the marked cell. */

import { Changes } from "../changes.js";
import type { Viewport } from "../drawing/map-viewport.js";
import type { Cell } from "../drawing/scene.js";

export interface Linked {
  /** Undefined for the whole map. */
  view: Viewport | undefined;
  /** The cell under the pointer, otherwise the chosen one. */
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

/** Returns the link of a name; maps without a name each have one of their own. */
export function linkOf(group: string): MapLink {
  if (!group) return new MapLink();
  const found = groups.get(group) ?? new MapLink();
  groups.set(group, found);
  return found;
}
