// Streaming decoding: the pieces join to `decode` of the whole list, for tokenizers of every kind;
// characters are never split; complete text is returned at once; the cost of a token does not grow
// with the text. Labels of tokens keep their spaces.

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
const asItIs = ways[0];
const family = "\u{1f468}\u200d\u{1f469}\u200d\u{1f467}";
const sample = ["Once upon a time, there", `a ${family} o`, "猫 do n't  '"];

function piecesOf(tokenizer, ids, before) {
  const stream = new TextStream(tokenizer, before);
  return [...ids.map((id) => stream.add(id)), stream.end()];
}

/**
 * Lists of ids: random ones; truncated texts with characters of several tokens; one token repeated.
 */
function lists({ size, encode }) {
  const id = fc.nat(size - 1);
  const isKnown = (one) => Number.isInteger(one);
  const part = fc.oneof(
    fc.array(id, { maxLength: 12 }),
    fc.constantFrom(...sample.map((text) => encode(text).filter(isKnown))),
    fc.tuple(id, fc.nat(20)).map(([one, count]) => Array(count).fill(one)),
  );
  return fc
    .tuple(fc.array(part, { maxLength: 9 }), fc.nat(3))
    .map(([parts, cut]) => parts.flat().slice(cut));
}

describe("the pieces join to decode of all ids", () => {
  for (const [name, files] of vocabularies)
    test(name, () => {
      for (const options of ways) {
        const tokenizer = tokenizerOf(files, options);
        const property = fc.property(lists(tokenizer), (ids) => {
          const text = ids.length ? tokenizer.decode(ids) : "";
          assert.equal(piecesOf(tokenizer, ids).join(""), text);
        });
        fc.assert(property, { numRuns: 30 });
      }
    });
});

/** Tokenizers in which only incomplete characters change decoded text. */
const plain = [
  "byte-level BPE",
  "SentencePiece with bytes, Llama's",
  "SentencePiece with bytes, Gemma's",
  "Metaspace",
  "BPE with suffixes",
  "GGUF's llama",
  "GGUF's llama-bpe",
];
const whole = (text) => text.replace(/\ufffd+$/, "");

for (const name of plain) {
  const tokenizer = tokenizerOf(vocabularies.get(name), asItIs);
  test(`${name}: complete text is returned at once`, () => {
    const property = fc.property(lists(tokenizer), (ids) => {
      const stream = new TextStream(tokenizer);
      let given = "";
      for (const [at, id] of ids.entries()) {
        given += stream.add(id);
        assert.equal(given, whole(tokenizer.decode(ids.slice(0, at + 1))));
      }
    });
    fc.assert(property, { numRuns: 30 });
  });

  test(`${name}: the pieces after a prompt are the text that decode adds to it`, () => {
    const property = fc.property(lists(tokenizer), lists(tokenizer), (before, ids) => {
      if (before.length === 0) return;
      const prompt = whole(tokenizer.decode(before));
      const text = tokenizer.decode([...before, ...ids]);
      assert.equal(prompt + piecesOf(tokenizer, ids, before).join(""), text);
    });
    fc.assert(property, { numRuns: 30 });
  });
}

const llama = tokenizerOf(vocabularies.get("SentencePiece with bytes, Llama's"), asItIs);
const idsOf = (...tokens) => {
  const { vocab } = vocabularies.get("SentencePiece with bytes, Llama's").tokenizer.model;
  return tokens.map((token) => vocab[token]);
};
const time = idsOf("\u2581Once", "\u2581upon", "\u2581a", "\u2581time", ",", "\u2581there");
const cat = idsOf("<0xE7>", "<0x8C>", "<0xAB>");

test("SentencePiece keeps its spaces, except the one at the beginning of the text", () => {
  assert.deepEqual(piecesOf(llama, time), ["Once", " upon", " a", " time", ",", " there", ""]);
  const after = piecesOf(llama, time.slice(1), time.slice(0, 1));
  assert.deepEqual(after, [" upon", " a", " time", ",", " there", ""]);
});

test("a character is returned with the token that completes it", () => {
  assert.deepEqual(piecesOf(llama, [...cat, ...time.slice(1, 2)]), ["", "", "猫", " upon", ""]);
});

test("bytes that are no character are returned with the text after them, or at the end", () => {
  const [a, b] = cat;
  const [, upon] = time;
  assert.deepEqual(piecesOf(llama, [a, upon, a, b]), ["", "\ufffd upon", "", "", "\ufffd"]);
});

test("a stream can continue after its end was read", () => {
  const stream = new TextStream(llama);
  assert.deepEqual([stream.add(cat[0]), stream.end(), stream.end()], ["", "\ufffd", ""]);
  assert.deepEqual([stream.add(time[1]), stream.end()], [" upon", ""]);
});

test("spaces that decode may clean up wait for the next token", () => {
  const decode = (ids) => ids.map((id) => [" ", "n", "'t", ".", "do"][id]).join("");
  const cleaned = {
    encode: () => [4, 0, 3],
    decode: (ids) => decode(ids).replace(/ (n't|\.)/, "$1"),
  };
  assert.deepEqual(piecesOf(cleaned, [4, 0, 1, 2]), ["do", "", "", "n't", ""]);
  assert.deepEqual(piecesOf({ decode: cleaned.decode }, [4, 0, 3]), ["do", "", ".", ""]);
  const asIs = { encode: (text) => [...text].map((sign) => (sign === "a" ? 9 : 0)), decode };
  asIs.decode = (ids) => ids.map((id) => (id === 9 ? "a ." : decode([id]))).join("");
  assert.deepEqual(piecesOf(asIs, [4, 0, 3]), ["do", " ", ".", ""]);
});

describe("tokenizers of other libraries", () => {
  const bytesOf = (text) => [...Buffer.from(text)];
  const text = `猫 ${family} é a\ufffd`;
  const others = {
    "half characters of UTF-16": [
      (ids) => String.fromCharCode(...ids),
      (words) => Array.from({ length: words.length }, (_, at) => words.charCodeAt(at)),
    ],
    "each byte of a broken run by itself": [
      (ids) => {
        const said = Buffer.from(ids).toString();
        return Buffer.compare(Buffer.from(said), Buffer.from(ids))
          ? "\ufffd".repeat(ids.length)
          : said;
      },
      bytesOf,
    ],
    "text that depends on all tokens before": [
      (ids) => ids.map((id, at) => `${id + at} `).join(""),
      bytesOf,
    ],
    separators: [(ids) => `${ids}`, bytesOf],
  };
  for (const [name, [decode, encode]] of Object.entries(others))
    test(name, () => {
      const ids = encode(text.repeat(12));
      const pieces = piecesOf({ decode, encode }, ids);
      assert.equal(pieces.join(""), decode(ids));
      if (name.startsWith("half"))
        assert.ok(pieces.every((piece) => piece.isWellFormed?.() ?? true));
    });
});

test("a token costs the same in a long text as in a short one", () => {
  for (const [name, files] of vocabularies) {
    const tokenizer = tokenizerOf(files, asItIs);
    let decoded = 0;
    const counted = {
      encode: tokenizer.encode,
      decode: (ids) => {
        decoded += ids.length;
        return tokenizer.decode(ids);
      },
    };
    const ids = Array.from({ length: 1000 }, (_, at) => (at * 7919 + 13) % tokenizer.size);
    piecesOf(counted, ids);
    assert.ok(decoded < 120 * ids.length, `${name}: ${decoded / ids.length} a token`);
  }
});

describe("labels", () => {
  const labels = (ids) => TextStream.labels(llama, ids);

  test("have their spaces, and join to the text", () => {
    assert.deepEqual(labels(time), ["Once", " upon", " a", " time", ",", " there"]);
    for (const name of ["WordPiece as it is", "BPE with suffixes", "Metaspace", "no decoder"]) {
      const tokenizer = tokenizerOf(vocabularies.get(name), asItIs);
      const ids = Array.from({ length: 100 }, (_, at) => 1 + ((at * 7) % 40));
      const text = tokenizer.decode(ids);
      assert.equal(TextStream.labels(tokenizer, ids).join("").trim(), text.trim(), name);
    }
  });

  test("a character of several tokens is at the first of them", () => {
    const ids = [...time.slice(0, 1), ...cat, ...time.slice(1, 2)];
    assert.deepEqual(labels(ids), ["Once", "猫", "·", "·", " upon"]);
  });

  test("bytes that are no character have separate labels and change no other", () => {
    const [a, b, c] = cat;
    const [, upon] = time;
    const expected = ["\ufffd", " upon", "\ufffd", "\ufffd"];
    assert.deepEqual(labels([a, upon, a, b]), expected);
    assert.deepEqual(labels([c, a, b, c]), ["\ufffd", "猫", "·", "·"]);
  });

  test("one for each id, for all ids and tokenizers", () => {
    for (const files of vocabularies.values()) {
      const tokenizer = tokenizerOf(files, asItIs);
      const property = fc.property(lists(tokenizer), (ids) => {
        assert.equal(TextStream.labels(tokenizer, ids).length, ids.length);
      });
      fc.assert(property, { numRuns: 10 });
    }
  });

  test("text that a decoder inserts between tokens belongs to neither, except a space", () => {
    assert.deepEqual(TextStream.labels({ decode: (ids) => `${ids}` }, [1, 2, 3]), ["1", "2", "3"]);
    const spaced = { decode: (ids) => ids.join(" ") };
    assert.deepEqual(TextStream.labels(spaced, [1, 2]), ["1", " 2"]);
  });
});

test("wrong arguments are refused by name", () => {
  const invalid = "invalid_argument";
  for (const wrong of [undefined, null, 3, {}, { decode: "x" }])
    refused(() => new TextStream(wrong), invalid, /^tokenizer: /);
  refused(() => new TextStream(llama, 3), invalid, /^before: 3 \(expected a list of token ids/);
  refused(() => new TextStream(llama, ["x"]), invalid, /^id: "x"/);
  refused(() => new TextStream(llama).add(-1), invalid, /^id: -1/);
  refused(() => new TextStream(llama).add(1, 2), invalid, /^add, argument 2: 2 /);
  refused(() => TextStream.labels(llama, "ab"), invalid, /^ids: "ab"/);
  const spoilt = (decode) => new TextStream({ decode }).add(1);
  refused(() => spoilt(() => assert.fail("spoilt")), invalid, /^tokenizer\.decode: threw/);
  refused(() => spoilt(() => 3), invalid, /^tokenizer\.decode: 3 \(expected a string/);
});
