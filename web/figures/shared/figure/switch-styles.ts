/** A button that switches one thing on and off, and the row in which it stands. */
import { css } from "lit";

export const switchStyles = css`
  .row {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.3rem 1.6rem;
  }

  .switch {
    min-height: 36px;
    padding: 0 0.9em;
    border: 1px solid var(--wf-soft);
    border-radius: 4px;
  }

  .switch:hover {
    border-color: var(--wf-ink);
  }

  .switch::before {
    content: "";
    display: inline-block;
    width: 2em;
    height: 1.1em;
    margin-inline-end: 0.6em;
    vertical-align: -0.2em;
    border: 1px solid var(--wf-soft);
    border-radius: 1em;
    background: radial-gradient(circle at 0.5em 50%, var(--wf-soft) 0.34em, transparent 0.38em);
  }

  .switch[aria-checked="true"]::before {
    border-color: var(--wf-position);
    background: radial-gradient(
        circle at calc(100% - 0.5em) 50%,
        var(--wf-paper) 0.34em,
        transparent 0.38em
      )
      var(--wf-position);
  }

  @media (pointer: coarse) {
    .switch {
      min-height: 44px;
    }
  }
`;
