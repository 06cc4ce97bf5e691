/** Events that each figure fires, by its tag. */

import type { FigureSettings } from "./figure-settings.js";

/** The reader has changed something: the new values by the names of the properties. */
export type FigureChangeEvent<Tag extends keyof FigureSettings = keyof FigureSettings> =
  CustomEvent<Partial<FigureSettings[Tag]>>;

/** A cell of a map: row and column from 0, their tokens, and its number; null for a masked cell. */
export interface PickedMapCell {
  row: number;
  query: string;
  column: number;
  key: string;
  value: number | null;
}

/** A cell of several maps that are zoomed together: the numbers by the maps' ids. */
export type PickedMapCells = Omit<PickedMapCell, "value"> & {
  values?: Record<string, number | null>;
  value?: number | null;
};

/** A point of a curve: the curve's name, its position on the axis, its number; null in a gap. */
export interface PickedPoint {
  name: string;
  x: number;
  value: number | null;
}

/** A row of the figure's file of data, by the names of its columns. */
export type PickedRow = Record<string, number | string>;

/** `detail` of `wf-pick`, for figures that can draw given numbers. */
export interface FigurePicks {
  "wf-attention-map": PickedMapCell;
  "wf-lab": PickedMapCells;
  "wf-encoding-heatmap": { position: number; channel: number; value: number };
  "wf-bias-by-distance": PickedPoint;
  "wf-weight-by-distance": PickedPoint;
  "wf-loss-by-length": PickedPoint;
  "wf-logit-terms": PickedRow;
  "wf-rotation-dials": PickedRow;
  "wf-frequency-chart": PickedRow;
  "wf-cache-bars": PickedRow;
  "wf-heads": PickedRow;
}

/**
 * `wf-pick`: the reader has picked a cell, a bar or a point; its position and its numbers by name.
 */
export type FigurePickEvent<Tag extends keyof FigurePicks = keyof FigurePicks> = CustomEvent<
  FigurePicks[Tag]
>;

/** Events of `<wf-open-checkpoint>`. */
export interface CheckpointEvents {
  "wf-progress": CustomEvent<{ name: string; loaded: number; total: number }>;
  "wf-opened": CustomEvent<{
    name: string;
    family: string;
    dtype: string;
    numLayers: number;
    numHeads: number;
    parameterCount: number;
    weightBytes: number;
  }>;
  "wf-failed": CustomEvent<{ name: string; code: string; message: string }>;
  "wf-closed": CustomEvent<object>;
}

/** The events of a figure, by name. */
export type FigureEvents<Tag extends keyof FigureSettings> = {
  "wf-change": FigureChangeEvent<Tag>;
} & (Tag extends keyof FigurePicks ? { "wf-pick": FigurePickEvent<Tag> } : object) &
  (Tag extends "wf-open-checkpoint" ? CheckpointEvents : object);

/** Methods for listeners, in which the event's name determines the type of `detail`. */
export interface FigureListening<Events> {
  addEventListener<Name extends keyof Events>(
    type: Name,
    listener: (this: HTMLElement, event: Events[Name]) => void,
    options?: boolean | AddEventListenerOptions,
  ): void;
  removeEventListener<Name extends keyof Events>(
    type: Name,
    listener: (this: HTMLElement, event: Events[Name]) => void,
    options?: boolean | EventListenerOptions,
  ): void;
}

/** React 19 and Svelte 5: `onwf-change={…}`. */
export type FigureHandlers<Tag extends keyof FigureSettings> = {
  [Name in keyof FigureEvents<Tag> & string as `on${Name}`]?: (
    event: FigureEvents<Tag>[Name],
  ) => void;
};

/** Vue: `@wf-change="…"`, which is the property `onWfChange`. */
export type VueFigureHandlers<Tag extends keyof FigureSettings> = {
  [Name in keyof FigureEvents<Tag> & string as Name extends `wf-${infer What}`
    ? `onWf${Capitalize<What>}`
    : never]?: (event: FigureEvents<Tag>[Name]) => void;
};
