/** What maps that are locked to each other share: the part in view, and the marked cell. */
import type { Viewport } from "../drawing/map-viewport.js";
import type { Cell } from "../drawing/scene.js";

export class MapLink extends EventTarget {
  /** Undefined shows the whole map. */
  view: Viewport | undefined;
  /** The cell under the pointer, else the chosen one. */
  active: Cell | undefined;
  /** The cell that stays marked when the pointer leaves. */
  chosen: Cell | undefined;

  set(change: { view?: Viewport | undefined; active?: Cell | undefined; chosen?: Cell }): void {
    const { view, active, chosen } = this;
    Object.assign(this, change);
    const isSame =
      view === this.view &&
      chosen === this.chosen &&
      active?.row === this.active?.row &&
      active?.column === this.active?.column;
    if (!isSame) this.dispatchEvent(new Event("change"));
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
