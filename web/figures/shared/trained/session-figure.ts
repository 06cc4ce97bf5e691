/** What the figures about trained models share: they follow the session as well as the page. */

import type { CellEventDetail } from "../../../controls/scene-view.js";
import type { Failure } from "../../../engine/both/failure.js";
import type { Part } from "../../../state.js";
import { labelsOf } from "../../../text/tokens.js";
import { FigureElement } from "../figure/figure-element.js";
import { address, ofKind } from "../given/kinds.js";
import { nameOfScheme } from "./scheme-name.js";
import { type Session, sessionOf } from "./session.js";

/** One of the models that stand side by side. */
export interface Column {
  id: string;
  name: string;
}

export abstract class SessionFigure extends FigureElement {
  static override properties = { ...FigureElement.properties, models: ofKind(address) };

  /**
   * Folder of the trained models, seen from the document; the figures of a group share the first
   * one given.
   */
  declare models: string | undefined;

  /** What the models of its group have made of the text. */
  protected get session(): Session {
    return sessionOf(this.figures);
  }

  /** In the picture's place: a property that was refused, or models that did not come. */
  protected get failed(): Failure | undefined {
    const { stage, failure } = this.session;
    return this.failure ?? (stage === "failed" ? failure : undefined);
  }

  /** A text, a layer or a head that is chosen shows when its numbers are there. */
  protected get watched(): readonly Part[] {
    return ["models", "detail", "cell", "pointed"];
  }

  protected override wake(): void {
    this.session.begin(this.models);
    this.stateChanged();
  }

  /** The session follows the page itself; the names of schemes come with the language. */
  protected stateChanged(): void {
    this.fetchNames();
  }

  protected get labels(): string[] {
    return labelsOf(this.session.reading?.tokens ?? []);
  }

  protected name(scheme: string): string {
    return nameOfScheme(scheme, this.state.language);
  }

  /** The models side by side, as they are drawn. */
  protected get columns(): Column[] {
    return this.session.shown.map((id) => ({ id, name: this.name(id) }));
  }

  /** Text in place of the reading while files are on their way. */
  protected get waitingText(): string {
    const { models } = this.shared;
    const { stage, progress, shown } = this.session;
    if (stage === "asleep") return models.asleep(shown.length);
    if (stage === "loading") return models.loading(shown.length, progress.loaded, progress.total);
    return this.session.reading?.tokens.length === 0 ? models.empty : this.words.waiting;
  }

  /** Point at, or choose, a cell of a map. */
  protected onCell({ row, column, chosen }: CellEventDetail): void {
    const cell = { row, column: Math.min(column, row) };
    this.session.point(chosen ? undefined : cell);
    if (chosen) this.change({ cell: [cell.row, cell.column] });
  }
}
