/**
 * Pointer, touch and wheel on a map: a pointer points, chooses and drags, two fingers pinch, the
 * wheel zooms with Control. The wheel alone, and one finger on a map that is not zoomed, scroll the
 * page.
 */
export interface Point {
  x: number;
  y: number;
}

export interface PointerActions {
  /** Returns the corner of the screen's rectangle in which points are counted. */
  origin: () => Point;
  point: (at: Point) => void;
  leave: () => void;
  choose: (at: Point) => void;
  drag: (dx: number, dy: number) => void;
  zoom: (factor: number, at: Point) => void;
}

/** Maximum movement of a click, in pixels. */
const still = 5;

/** Adds listeners to an element until the signal aborts. */
export function listenToPointer(
  target: HTMLElement,
  hands: PointerActions,
  signal: AbortSignal,
): void {
  const down = new Map<number, Point>();
  let moved = 0;
  const at = (event: MouseEvent): Point => {
    const box = target.getBoundingClientRect();
    const { x, y } = hands.origin();
    return { x: event.clientX - box.left - x, y: event.clientY - box.top - y };
  };
  const spread = () => {
    const [a, b] = [...down.values()];
    return {
      distance: Math.hypot(a!.x - b!.x, a!.y - b!.y),
      middle: { x: (a!.x + b!.x) / 2, y: (a!.y + b!.y) / 2 },
    };
  };
  const move = (event: PointerEvent) => {
    const now = at(event);
    const before = down.get(event.pointerId);
    if (!before) return hands.point(now);
    if (down.size === 2) {
      const old = spread();
      down.set(event.pointerId, now);
      const { distance, middle } = spread();
      hands.drag(middle.x - old.middle.x, middle.y - old.middle.y);
      if (old.distance > 0) hands.zoom(distance / old.distance, middle);
      moved = Infinity;
      return;
    }
    down.set(event.pointerId, now);
    moved += Math.hypot(now.x - before.x, now.y - before.y);
    if (moved > still) hands.drag(now.x - before.x, now.y - before.y);
  };
  const press = (event: PointerEvent) => {
    if (event.button !== 0 || down.size === 2) return;
    if (!down.size) moved = 0;
    down.set(event.pointerId, at(event));
    target.setPointerCapture(event.pointerId);
  };
  const release = (event: PointerEvent) => {
    const isLast = down.delete(event.pointerId) && !down.size;
    if (isLast && event.type === "pointerup" && moved <= still) hands.choose(at(event));
  };
  const wheel = (event: WheelEvent) => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
    hands.zoom(2 ** (-(event.deltaY * lines) / 240), at(event));
  };
  target.addEventListener("pointermove", move, { signal });
  target.addEventListener("pointerdown", press, { signal });
  target.addEventListener("pointerup", release, { signal });
  target.addEventListener("pointercancel", release, { signal });
  target.addEventListener("pointerleave", () => down.size || hands.leave(), { signal });
  target.addEventListener("wheel", wheel, { signal, passive: false });
}
