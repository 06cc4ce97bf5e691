/** Text fields: the text and, for an encoder-decoder model, the decoder's text. */
import { html, nothing } from "lit";
import type { OpenedModel } from "../../engine/both/checkpoint-messages.js";
import type { Text } from "../../text/index.js";
import { longestRead, type Reading } from "./reading.js";
import { remarkOf } from "./remark.js";
import type { OpenWords } from "./words.js";
import "../../controls/text-line.js";

interface TextLines {
  model: OpenedModel;
  reading: Reading;
  words: OpenWords;
  /** Texts of the whole page. */
  said: Text;
  text: string;
  written: string;
  change: (texts: { text?: string; written?: string }) => void;
}

export function textLines({ model, reading, words, said, text, written, change }: TextLines) {
  const { readsText, decoder } = model;
  return html`<wf-text-line
      slot="ask"
      .label=${readsText ? words.text : words.ids}
      .value=${text}
      .isLong=${true}
      .remark=${remarkOf(model, reading, words, said)}
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
            .remark=${reading.written?.cut ? words.cut(longestRead) : ""}
            @wf-change=${({ detail }: CustomEvent<string>) => change({ written: detail })}
          ></wf-text-line>`
        : nothing
    }`;
}
