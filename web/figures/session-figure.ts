/** What the figures about trained models share: they follow the session as well as the page. */
import type { CellEventDetail } from "../controls/scene-view.js";
import { schemeName } from "../defaults.js";
import { session } from "../engine/session.js";
import { page } from "../state.js";
import { labelsOf } from "../text/tokens.js";
import { FigureElement } from "./figure-element.js";

export abstract class SessionFigure extends FigureElement {
  static override properties = { ...FigureElement.properties, models: {} };

  /** Folder of the trained models, seen from the document; the figures of a page share the first one given. */
  declare models: string | undefined;
  #onSession = () => this.requestUpdate();

  override connectedCallback(): void {
    super.connectedCallback();
    session.addEventListener("change", this.#onSession);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    session.removeEventListener("change", this.#onSession);
  }

  protected get watched() {
    return ["text", "layer", "head", "cell"] as const;
  }

  protected wake(): void {
    session.begin(this.models);
  }

  protected stateChanged(): void {
    // The session follows the page itself.
  }

  protected get labels(): string[] {
    return labelsOf(session.reading?.tokens ?? []);
  }

  protected name(scheme: string): string {
    return schemeName(scheme, this.state.language);
  }

  /** Text in place of the reading while files are on their way. */
  protected get waitingText(): string {
    const { heads } = this.words;
    if (session.stage === "asleep") return heads.asleep;
    if (session.stage === "loading")
      return heads.loading(session.progress.loaded, session.progress.total);
    return this.words.waiting;
  }

  /** Point at, or choose, a cell of a map. */
  protected onCell({ row, column, chosen }: CellEventDetail): void {
    const cell = { row, column: Math.min(column, row) };
    session.point(chosen ? undefined : cell);
    if (chosen) page.set({ cell: [cell.row, cell.column] });
  }
}
