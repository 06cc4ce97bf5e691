/** Styles of the button under the sentence. */
import { css } from "lit";

export const orderStyles = css`
  button.weights {
    justify-self: start;
  }
`;
