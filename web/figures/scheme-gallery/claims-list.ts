/** The open scheme's properties, those that hold and those that do not. */
import { html } from "lit";
import type { SchemeDescription } from "whereformer";
import type { GalleryWords } from "./words.js";

/** `ends` is computed by the engine for the options in force: undefined until then. */
export function claimsList(
  claims: SchemeDescription["claims"],
  ends: boolean | undefined,
  words: GalleryWords,
) {
  const known: Record<string, boolean> = claims;
  const all: [string, boolean | undefined][] = [
    ...Object.entries(words.claims).map(([name, said]): [string, boolean] => [said, known[name]!]),
    [words.endless, ends === undefined ? undefined : !ends],
  ];
  return html`<ul class="claims">
    ${all.map(
      ([said, holds]) =>
        html`<li class=${holds ? "holds" : "not"} ?hidden=${holds === undefined}
          >${holds ? "✓" : "✗"} ${said}<span class="unseen">${words.holds(holds!)}</span></li
        >`,
    )}
  </ul>`;
}
