/** Text fields: the text and, for an encoder-decoder model, the decoder's text. */
import { html, nothing } from "lit";
import type { OpenedModel } from "../../engine/both/checkpoint-messages.js";
import type { Text } from "../../text/index.js";
import { type Answers, longestRead } from "./answers.js";
import { remarkOf } from "./remark.js";
import type { OpenWords } from "./words.js";
import "../../controls/text-line.js";

interface TextLines {
  model: OpenedModel;
  answers: Answers;
  words: OpenWords;
  /** Texts of the whole page. */
  said: Text;
  text: string;
  written: string;
  change: (texts: { text?: string; written?: string }) => void;
}

export function textLines({ model, answers, words, said, text, written, change }: TextLines) {
  const { readsText, decoder } = model;
  return html`<wf-text-line
      slot="ask"
      .label=${readsText ? words.text : words.ids}
      .value=${text}
      .isLong=${true}
      .remark=${remarkOf(model, answers, words, said)}
      @wf-change=${({ detail }: CustomEvent<string>) => change({ text: detail })}
    ></wf-text-line>
    ${
      decoder
        ? html`<wf-text-line
            slot="ask"
            class="written"
            .label=${readsText ? words.written : words.writtenIds}
            .value=${written}
            .isLong=${true}
            .remark=${answers.written?.isShortened ? words.shortened(longestRead) : ""}
            @wf-change=${({ detail }: CustomEvent<string>) => change({ written: detail })}
          ></wf-text-line>`
        : nothing
    }`;
}
