/**
 * `<wf-scheme scheme="…">`: one scheme of the gallery by itself, with its options, its picture and
 * a score as a sum. What it is called and what it costs stands around it.
 */
import { html, nothing } from "lit";
import type { SchemeDescription } from "whereformer";
import { sightedScheme } from "../../../defaults.js";
import { define } from "../../../define.js";
import { failureOf } from "../../../engine/both/failure.js";
import { schemeWords, wordsOf } from "../../../text/schemes.js";
import { portraitParts, SchemeGallery } from "../../scheme-gallery/element.js";
import { failureNotice } from "../../shared/figure/failure-notice.js";
import { ofKind, text } from "../../shared/given/kinds.js";
import { refused } from "../../shared/given/refused.js";

/**
 * @csspart text - The line to type in.
 * @csspart open - The scheme, with its options, its picture and a score as a sum.
 * @csspart heading - The title of the picture.
 * @csspart ask - What is typed, chosen or said above the picture.
 * @csspart picture - The picture, or what stands in its place when it has failed.
 * @csspart reading - The sentence that says what the picture shows.
 * @csspart legend - Scales and colours below the picture.
 * @csspart controls - What a reader can turn.
 * @csspart options - What stands below the controls, as wide as the picture: tables, more options.
 * @csspart small - Note and caveat, both of them.
 * @csspart note - What the numbers are and where they come from.
 * @csspart caveat - What the picture does not say.
 * @csspart actions - The line of what can be taken along: code, picture, data.
 * @csspart action - One of them.
 * @csspart code - The code, once it is shown.
 * @csspart failure - What stands in the picture's place when it has failed.
 */
export class SchemeAlone extends SchemeGallery {
  static override properties = { ...SchemeGallery.properties, scheme: ofKind(text, sightedScheme) };

  /** Id of the scheme, as in `wf.schemes`. */
  declare scheme: string;

  /** Not needed: there is no card. */
  protected override async fetchTrained() {
    return this.trained;
  }

  /** The title is over the picture. */
  protected override givenTitle(): unknown {
    return nothing;
  }

  protected override show(schemes: readonly SchemeDescription[]) {
    const { scheme } = this;
    const description = schemes.find(({ id }) => id === scheme);
    if (!description) {
      const choices = schemes.map(({ id }) => id).join(", ");
      const reason = refused("scheme", scheme, { expected: "one", choices });
      return failureNotice(this, failureOf(reason), () => {});
    }
    return html`<wf-scheme-portrait
      part="open"
      exportparts=${portraitParts}
      .compact=${this.isCompact}
      .heading=${this.heading}
      .isBare=${true}
      .isNarrow=${this.columns === 1}
      .description=${description}
      .said=${wordsOf(schemeWords(this.state.language), scheme)}
      .tokens=${this.typed}
    ></wf-scheme-portrait>`;
  }
}

define("wf-scheme", SchemeAlone);
