// Decoding as tokens come: the pieces, joined, are `decode` of the whole list, for tokenizers of
// every kind; characters are whole; nothing waits that is settled; and a long text costs each of
// its tokens once.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { TextStream } from "../../dist/index.js";
import { refused } from "./golden.mjs";
import { tokenizerOf, vocabularies } from "./vocabularies.mjs";

const ways = [false, true].flatMap((clean_up_tokenization_spaces) =>
  [false, true].map((skip_special_tokens) => ({
    clean_up_tokenization_spaces,
    skip_special_tokens,
  })),
);

const joinedBy = (tokenizer, ids, before) => {
  const stream = new TextStream(tokenizer, before);
  return [...ids.map((id) => stream.add(id)), stream.end()].join("");
};

/** Lists of ids: any, and what texts with unfinished characters are made of, repeated. */
function lists({ size, encode }) {
  const id = fc.nat(size - 1);
  const texts = ["Once upon a time, there", "\u{1f468}\u200d\u{1f469}\u200d\u{1f467}", "猫 do n't  '"];
  const encoded = texts.map((text) => encode(text).filter((one) => Number.isInteger(one)));
  const part = fc.oneof(
    fc.array(id, { maxLength: 12 }),
    fc.constantFrom(...encoded),
    fc.tuple(id, fc.nat(20)).map(([one, count]) => Array(count).fill(one)),
  );
  return fc
    .tuple(fc.array(part, { maxLength: 9 }), fc.nat(3))
    .map(([parts, cut]) => parts.flat().slice(cut));
}

describe("the pieces, joined, are decode of all ids", () => {
  for (const [name, files] of vocabularies)
    test(name, () => {
      for (const options of ways) {
        const tokenizer = tokenizerOf(files, options);
        const property = fc.property(lists(tokenizer), (ids) => {
          if (ids.length) assert.equal(joinedBy(tokenizer, ids), tokenizer.decode(ids));
        });
        fc.assert(property, { numRuns: 1500 });
      }
    });
});
