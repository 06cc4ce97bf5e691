/**
 * Base of the figures about trained models, which follow the session as well as the page's state.
 */

import type { CellEventDetail } from "../../../controls/scene-view.js";
import type { Failure } from "../../../engine/both/failure.js";
import type { Part } from "../../../state.js";
import { labelsOf } from "../../../text/token-labels.js";
import { FigureElement } from "../figure/figure-element.js";
import { address, ofKind } from "../given/kinds.js";
import { nameOfScheme } from "./scheme-name.js";
import { type Session, sessionOf } from "./session.js";

/** One of the models side by side. */
export interface Column {
  id: string;
  name: string;
}

export abstract class SessionFigure extends FigureElement {
  static override properties = { ...FigureElement.properties, models: ofKind(address) };

  /**
   * Folder of the trained models, relative to the document; the figures of a group share the first
   * one that is set.
   */
  declare models: string | undefined;

  /** The session of this figure's group, with the models' answers. */
  protected get session(): Session {
    return sessionOf(this.figures);
  }

  /**
   * The failure to show in place of the picture: an invalid property, or models that could not be
   * loaded.
   */
  protected get failed(): Failure | undefined {
    const { stage, failure } = this.session;
    return this.failure ?? (stage === "failed" ? failure : undefined);
  }

  /** A new text, layer or head is shown when its numbers have arrived. */
  protected override get watched(): readonly Part[] {
    return ["models", "detail", "cell", "pointed"];
  }

  protected override wake(): void {
    this.session.begin(this.models);
    this.stateChanged();
  }

  /** The session itself follows the page; only the names of schemes change with the language. */
  protected stateChanged(): void {
    this.fetchNames();
  }

  protected get labels(): string[] {
    return labelsOf(this.session.textAnswer?.tokens ?? []);
  }

  protected name(scheme: string): string {
    return nameOfScheme(scheme, this.state.language);
  }

  /** The models side by side, as they are drawn. */
  protected get columns(): Column[] {
    return this.session.shown.map((id) => ({ id, name: this.name(id) }));
  }

  /** Text in place of the caption while files are loading. */
  protected get waitingText(): string {
    const { models } = this.shared;
    const { stage, progress, shown } = this.session;
    if (stage === "asleep") return models.asleep(shown.length);
    if (stage === "loading") return models.loading(shown.length, progress.loaded, progress.total);
    return this.session.textAnswer?.tokens.length === 0 ? models.empty : this.words.waiting;
  }

  /** Points at a cell of a map, or chooses it. */
  protected onCell({ row, column, chosen }: CellEventDetail): void {
    const cell = { row, column: Math.min(column, row) };
    this.session.point(chosen ? undefined : cell);
    if (chosen) this.change({ cell: [cell.row, cell.column] });
  }
}
