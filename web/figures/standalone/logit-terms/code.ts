/** Code that reproduces the terms of a row, or gives the element the reader's own terms. */
import type { MapsAnswer } from "../../../engine/both/map-messages.js";
import { mapsCode } from "../../shared/maps/map-code.js";

/** Prints the map of content, and its last number: that of the last query with itself. */
export const termsCode = (answer: MapsAnswer): string => mapsCode(answer);

export const givenTermsCode = (): string => `import "whereformer/elements/logit-terms";

const chart = document.createElement("wf-logit-terms");
chart.terms = { content: [0.9, 0.2, 1.4], position: [-1, -0.5, 0] };
chart.tokens = ["who", "chases", "whom"];
document.body.append(chart);
`;
