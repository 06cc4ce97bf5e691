// A failure becomes a sentence in the reader's language, in a figure's own words if it has some.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openSources } from "./sources.mjs";

let sources;
let failures;
let pageWords;
let openWords;
let failureOf;
before(async () => {
  sources = await openSources();
  failures = await sources.load("/figures/shared/figure/failure-sentence.ts");
  ({ pageWords } = await sources.load("/text/words.ts"));
  ({ openWords } = await sources.load("/figures/open-checkpoint/words.ts"));
  ({ failureOf } = await sources.load("/engine/both/failure.ts"));
});
after(() => sources.close());

const han = /\p{Script=Han}/u;

test("every code has a sentence in both languages, and so has an unknown code", () => {
  for (const [language, text] of Object.entries(pageWords))
    for (const code of [...Object.keys(pageWords.en.failure.causes), "never heard of"]) {
      const said = failures.causeOf({ code, message: "" }, text);
      assert.equal(han.test(said), language === "zh", `${language}, ${code}: ${said}`);
      assert.match(said, /[.。]$/);
    }
  const other = failures.causeOf({ code: "never heard of", message: "" }, pageWords.en);
  assert.equal(other, pageWords.en.failure.causes.other);
});

test("a figure's own sentence replaces the page's, and is followed by the engine's message", () => {
  const failure = { code: "network", message: "HTTP status 404" };
  const own = { network: "No such room." };
  assert.equal(failures.causeOf(failure, pageWords.en, own), "No such room.");
  assert.equal(failures.failureText(failure, pageWords.en, own), "No such room. HTTP status 404");
  assert.equal(
    failures.failureText(failure, pageWords.zh, { unsupported: "不行。" }),
    `${pageWords.zh.failure.causes.network} HTTP status 404`,
  );
  assert.ok(failures.isNamed(failure, own));
  assert.ok(!failures.isNamed({ ...failure, code: "worker" }, own));
});

test("a cause with facts replaces the engine's message, in the reader's language", () => {
  const error = Object.assign(new Error("the engine's message"), {
    code: "token_ids",
    facts: { max: 28 },
  });
  const failure = failureOf(error);
  assert.deepEqual(failure.facts, { max: 28 });
  for (const [language, { failure: words }] of Object.entries(openWords)) {
    const said = failures.failureText(failure, pageWords[language], words.causes);
    assert.match(said, /0 (?:to|到) 28/);
    assert.ok(!said.includes(error.message), said);
    assert.equal(han.test(said), language === "zh");
  }
});
