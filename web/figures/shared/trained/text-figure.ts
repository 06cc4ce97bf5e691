/** Base of the figures about one text and one head of trained models. */
import { ofState } from "../figure/state-properties.js";
import { SessionFigure } from "./session-figure.js";

export abstract class TextFigure extends SessionFigure {
  static override properties = {
    ...SessionFigure.properties,
    text: ofState("text"),
    schemes: ofState("headSchemes"),
    layer: ofState("layer"),
    head: ofState("head"),
    cell: ofState("cell"),
  };

  /** The text that the models read; empty for the default of the language. */
  declare text: string;
  /** Ids of the trained models side by side; empty for the defaults. */
  declare schemes: string;
  /** Layer, counted from 0. */
  declare layer: number;
  /** Head, counted from 0. */
  declare head: number;
  /** The marked cell, row and column; empty for the default. */
  declare cell: readonly number[];
}
