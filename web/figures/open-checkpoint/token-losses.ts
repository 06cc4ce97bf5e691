/** The text with each token tinted by its loss. */
import { html, nothing } from "lit";
import type { LossAnswer } from "../../engine/both/checkpoint-messages.js";
import { bits } from "../../text/numbers.js";
import { foldedTable } from "../shared/tables/plain-table.js";
import type { OpenWords } from "./words.js";

/** Steps of the tint, and nats per step. */
const steps = 7;
const natsAStep = 1.5;

const stepOf = (loss: number): number => Math.min(steps, Math.floor(loss / natsAStep));

export function tokenLosses(
  tokens: readonly string[],
  labels: readonly string[],
  { trained, now }: LossAnswer,
  words: OpenWords,
) {
  const shown = now ?? trained;
  const at = (values: Float32Array | undefined, index: number) =>
    index > 0 ? values?.[index - 1] : undefined;
  const rows = labels.map((label, index) =>
    [label, at(trained.perToken, index), at(now?.perToken, index)].map((value) =>
      typeof value === "number" ? bits(value) : (value ?? ""),
    ),
  );
  const [token, before, bent] = words.lossColumns as [string, string, string];
  return html`<h4>${words.lossTitle}</h4>
    <p class="tokens" lang=""
      >${tokens.map((text, index) => {
        const loss = at(shown.perToken, index);
        if (loss === undefined) return html`<span>${text}</span>`;
        const title = words.tokenLoss(
          labels[index]!,
          trained.perToken[index - 1]!,
          at(now?.perToken, index),
        );
        return html`<span data-loss=${stepOf(loss)} title=${title}>${text}</span>`;
      })}</p
    >
    <p class="soft">${words.lossNote}</p>
    ${
      rows.length
        ? foldedTable({
            label: words.lossTable,
            columns: now ? [token, before, bent] : [token, before],
            rows: now ? rows : rows.map((row) => row.slice(0, 2)),
          })
        : nothing
    }`;
}
