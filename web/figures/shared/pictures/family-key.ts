/** The families of schemes, named for the legend of a picture in which they have colours. */
import { html } from "lit";
import type { Family } from "../../../drawing/family-colours.js";
import type { FamilyWords } from "./family-words.js";

/** Returns the names of families, each in its colour by `familyStyles`. */
export const familyKey = (families: readonly Family[], words: FamilyWords) =>
  [...new Set(families)].map(
    (family) => html`<span slot="legend" class="family key ${family}">${words[family]}</span>`,
  );
