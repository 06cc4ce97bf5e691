/**
 * `<wf-load-failed>`: replaces a figure whose file could not be loaded, with a button to try again.
 */

import { LitElement } from "lit";
import { define } from "../../../define.js";
import { changes, type Part } from "../../../state.js";
import { failureNotice, failureStyles } from "./failure-notice.js";
import { notArrived } from "./failure-sentence.js";

export class LoadFailed extends LitElement {
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

define("wf-load-failed", LoadFailed);

/** Replaces a figure's content by the notice. */
export function showLoadFailed(target: Element, again: () => void): void {
  const notice = document.createElement("wf-load-failed") as LoadFailed;
  notice.again = again;
  target.replaceChildren(notice);
}
