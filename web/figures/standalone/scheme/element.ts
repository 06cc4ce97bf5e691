/**
 * `<wf-scheme scheme="…">`: one scheme of the gallery alone, with its options, its picture and a
 * score as a sum. The page around it has its name and its costs.
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
 * @csspart text - The text field.
 * @csspart open - The scheme, with its options, its picture and a score as a sum.
 * @csspart heading - The title of the picture.
 * @csspart ask - Text fields, choices and texts above the picture.
 * @csspart picture - The picture, or the message in its place if it has failed.
 * @csspart reading - The caption: a sentence with the picture's result.
 * @csspart legend - Scales and colours below the picture.
 * @csspart controls - The controls.
 * @csspart options - Content below the controls, as wide as the picture: tables, more options.
 * @csspart small - Note and caveat together.
 * @csspart note - The meaning and the source of the numbers.
 * @csspart caveat - The limits of the picture.
 * @csspart actions - The line of actions: code, picture, data.
 * @csspart action - One of the actions.
 * @csspart code - The code, if it is shown.
 * @csspart failure - The message in the picture's place if it has failed.
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
