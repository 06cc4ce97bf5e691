/** Words about a family of schemes, in its colour. */
import { css, unsafeCSS } from "lit";
import { familyHues } from "../../../drawing/family-colours.js";

const rules = Object.entries(familyHues).map(
  ([family, hue]) => `.family.${family} { color: var(--wf-${hue}); }`,
);

export const familyStyles = css`
  ${unsafeCSS(rules.join("\n"))}
  .family.key::before {
    content: "";
    display: inline-block;
    width: 0.7em;
    height: 0.7em;
    margin-inline-end: 0.4em;
    background: currentColor;
  }
`;
