/** The reader's own model as one of the lab's models; it runs in the worker that opened it. */
import { html, nothing, type TemplateResult } from "lit";
import type { OpenedMapAnswer, OpenedMapQuestion } from "../../engine/both/checkpoint-messages.js";
import { type Failure, failureOf } from "../../engine/both/failure.js";
import { openedModels } from "../../engine/page/opened-model.js";
import { page } from "../../state.js";
import type { Text } from "../../text/index.js";
import { failureSentence } from "../shared/figure/failure-sentence.js";
import type { LabWords } from "./words.js";

/** Its id among the schemes of the state. */
export const openedReader = "opened";

export class LabOpened {
  answer: OpenedMapAnswer | undefined;
  failure: Failure | undefined;
  #asked = "";
  #entry: typeof openedModels.entry;
  #latest = 0;

  constructor(private readonly changed: () => void) {}

  begin(): void {
    openedModels.changes.listen(this.changed);
  }

  end(): void {
    openedModels.changes.forget(this.changed);
    this.#latest++;
    this.#asked = "";
  }

  get entry() {
    return openedModels.entry;
  }

  /** The input of its map, for code to copy. */
  get read() {
    const { answer, entry } = this;
    return answer?.ids.length && entry
      ? { answer, isEncoder: entry.model.decoder !== undefined }
      : undefined;
  }

  /**
   * Sends a request and drops an older one; sends none if undefined, or if the request is the same.
   */
  want(question: OpenedMapQuestion | undefined): void {
    const { entry } = this;
    const asked = JSON.stringify(question) ?? "";
    if (asked === this.#asked && entry === this.#entry) return;
    const isOther = entry !== this.#entry;
    [this.#asked, this.#entry] = [asked, entry];
    const request = ++this.#latest;
    const had = this.answer ?? this.failure;
    // Removes the answer of another model; one of the same model stays in view until the next
    // arrives.
    if (isOther || !question) this.answer = this.failure = undefined;
    if (question && entry) void this.#ask(question, entry, request);
    else if (had) this.changed();
  }

  async #ask(
    question: OpenedMapQuestion,
    { host, model }: NonNullable<typeof openedModels.entry>,
    request: number,
  ): Promise<void> {
    let [answer, failure]: [OpenedMapAnswer | undefined, Failure | undefined] = [
      undefined,
      undefined,
    ];
    try {
      if (!model.readsText) throw Object.assign(new Error(""), { code: "no_tokenizer" });
      answer = await host.ask("checkpointMap", question);
    } catch (reason) {
      failure = failureOf(reason);
    }
    if (request !== this.#latest) return;
    this.answer = answer;
    this.failure = failure;
    this.changed();
  }
}

/** Returns the link to the figure that opens models. */
const wayToOpen = (words: LabWords): TemplateResult | string =>
  page.ownsAddress ? html`<a href="#open">${words.opened.way}</a>` : words.opened.way;

/** Returns the hint under the list of models while the reader's own is not shown. */
export function openedHint(isOpen: boolean, words: LabWords) {
  if (isOpen) return nothing;
  const { hint, stop } = words.opened;
  return html`<p slot="controls" class="hint">${hint}${wayToOpen(words)}${stop}</p>`;
}

/** Returns the notice in place of its map: the missing step, or the progress. */
export function openedNotice(
  { entry, failure }: LabOpened,
  title: string,
  words: LabWords,
  text: Text,
): TemplateResult {
  const { missing, busy, noTokenizer, stop } = words.opened;
  const said = !entry
    ? html`${missing}${wayToOpen(words)}${stop}`
    : failure
      ? failureSentence(failure, text, { no_tokenizer: noTokenizer })
      : busy;
  return html`<section>
    <h4>${title}</h4>
    <p class="refused" role="status">${said}</p>
  </section>`;
}
