/** The reader's choices in this figure, as fields of the page's state and of its address. */
import { rotatedHead, rotationSteps } from "../../engine/both/rotated-heads.js";
import { choice, indices } from "../../state-fields.js";

export const fields = {
  /**
   * Positions of the query and the key whose pairs are shown as clock hands, the base of their
   * rotation, and the steps of the picture that are in view.
   */
  turningAt: indices("m", [3, 1]),
  turningBase: choice<string>("mb", "10000", rotatedHead.bases),
  turningStep: choice("ms", rotationSteps[0], rotationSteps),
};
