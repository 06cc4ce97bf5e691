/**
 * `<wf-not-come>`: takes the place of a figure whose file could not be loaded, with a button to try
 * again.
 */

import { LitElement } from "lit";
import { define } from "../../../define.js";
import { changes, type Part } from "../../../state.js";
import { failureNotice, failureStyles } from "./failure-notice.js";
import { notArrived } from "./failure-sentence.js";

export class NotCome extends LitElement {
  static override styles = failureStyles;

  again: () => void = () => {};
  #onChange = (parts: ReadonlySet<Part>) => {
    if (parts.has("language")) this.requestUpdate();
  };

  override connectedCallback(): void {
    super.connectedCallback();
    changes.listen(this.#onChange);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    changes.forget(this.#onChange);
  }

  protected override render() {
    return failureNotice(this, notArrived, this.again);
  }
}

define("wf-not-come", NotCome);

/** Replaces a figure's content by the notice. */
export function showNotCome(place: Element, again: () => void): void {
  const notice = document.createElement("wf-not-come") as NotCome;
  notice.again = again;
  place.replaceChildren(notice);
}
