/** Styles of the button for the next step. */
import { css } from "lit";

export const rotationStyles = css`
  :host {
    --wf-names-width: 8.5em;
  }

  .steps {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.4rem 0.8rem;
  }

  button.next {
    text-align: start;
  }
`;
