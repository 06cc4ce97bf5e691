// Chats by a template: the texts that models get, what is read again, and what is refused.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { load } from "whereformer";
import { openChat } from "whereformer/chat";
import { load as loadWorker } from "whereformer/worker";

const config = {
  vocabSize: 128,
  hiddenSize: 16,
  numLayers: 2,
  numHeads: 2,
  intermediateSize: 24,
  scheme: "rope",
  initializerRange: 0.3,
  seed: 2,
};
/** ASCII. */
const tokenizer = {
  encode: (text) => [...text].map((letter) => letter.charCodeAt(0)),
  decode: (ids) => String.fromCharCode(...ids),
};
const template =
  "{{ bos_token }}{% for m in messages %}<{{ m.role }}>{{ m.content }}</>{% endfor %}" +
  "{% if add_generation_prompt %}<assistant>{% endif %}";
const likeliest = { temperature: 0, maxTokens: 5 };

let wf;
let model;
before(async () => {
  wf = await load();
  model = await wf.model(config, { tokenizer });
});
after(() => model.dispose());

async function said(tokens) {
  let text = "";
  for (;;) {
    const { done, value } = await tokens.next();
    if (done) return { text, ...value };
    text += value.text;
  }
}

test("turns become messages, and only what is new is read", async () => {
  const chat = await openChat(model, { template });
  const one = await said(chat.say("hello", likeliest));
  const prompt = "<user>hello</><assistant>";
  assert.equal(one.promptTokens, prompt.length);
  assert.equal(one.readTokens, prompt.length);
  assert.deepEqual(chat.messages, [
    { role: "user", content: "hello" },
    { role: "assistant", content: one.text },
  ]);
  const two = await said(chat.say("and?", likeliest));
  const next = `${prompt}${one.text}</><user>and?</><assistant>`;
  assert.equal(two.promptTokens, next.length);
  // The last token of the answer was not read.
  assert.equal(two.readTokens, next.length - prompt.length - one.text.length + 1);
  assert.equal(chat.prompt, `${next}${two.text}</><assistant>`);
  const direct = await said(model.generate(next, likeliest));
  assert.equal(two.text, direct.text);
  chat.messages = chat.messages.slice(0, 2);
  const again = await said(chat.say("and?", likeliest));
  assert.equal(again.text, two.text);
  chat.dispose();
});

test("an answer ends before the template's mark, and before the program's", async () => {
  const logitBias = (text) => Object.fromEntries(tokenizer.encode(text).map((id) => [id, 100]));
  const chat = await openChat(model, { template: template.replaceAll("</>", "!") });
  const answer = await said(chat.say("a", { logitBias: logitBias("!"), maxTokens: 9 }));
  assert.deepEqual([answer.text, answer.reason], ["", "stop"]);
  // No answer: nothing was said.
  assert.deepEqual(chat.messages, []);
  const ended = await said(chat.say("a", { logitBias: logitBias("?"), stop: "??", maxTokens: 9 }));
  assert.equal(ended.reason, "stop");
  chat.dispose();
});

test("an abort keeps the part of an answer that has come", async () => {
  const chat = await openChat(model, { template, messages: [{ role: "system", content: "s" }] });
  let first = "";
  for await (const { text } of chat.say("a", likeliest)) {
    first += text;
    break;
  }
  assert.deepEqual(chat.messages.slice(1), [
    { role: "user", content: "a" },
    { role: "assistant", content: first },
  ]);
  const before = chat.messages;
  const control = new AbortController();
  const aborted = chat.say("b", { ...likeliest, signal: control.signal });
  control.abort();
  await assert.rejects(said(aborted), { code: "aborted" });
  assert.deepEqual(chat.messages, before);
  chat.dispose();
});

test("a worker's model, and a session with eviction", async (context) => {
  const far = await loadWorker();
  context.after(() => far.dispose());
  const remote = await far.model(config, { tokenizer });
  const eviction = { last: 12 };
  const chats = [
    await openChat(remote, { template, session: { eviction } }),
    await openChat(model, { template, session: { eviction } }),
  ];
  const answers = [];
  for (const chat of chats) {
    await said(chat.say("hello", likeliest));
    answers.push(await said(chat.say("and?", likeliest)));
  }
  assert.equal(answers[0].text, answers[1].text);
});

test("the files' template and words are used", async () => {
  const files = {
    tokenizer: {},
    config: {
      bos_token: { content: "^" },
      chat_template: [
        { name: "tool_use", template: "" },
        { name: "default", template },
      ],
    },
  };
  const withFiles = (encode) => ({
    tokenizer: { ...tokenizer, encode },
    tokenizerFiles: async () => files,
    session: (options) => model.session(options),
  });
  const chat = await openChat(withFiles(tokenizer.encode));
  assert.equal(chat.prompt, "^<assistant>");
  const adds = await openChat(withFiles((text) => [94, ...tokenizer.encode(text)]));
  assert.equal(adds.prompt, "<assistant>");
});

test("what a chat cannot do is refused by a sentence", async () => {
  const refused = (options, code, message, of = model) =>
    assert.rejects(openChat(of, options), (error) => {
      assert.equal(error.code, code);
      assert.match(error.message, message);
      return true;
    });
  await refused({}, "unsupported", /^template: undefined .*no chat template/);
  await refused({ template: 7 }, "invalid_argument", /^template: 7 /);
  await refused({ template, tools: [] }, "unsupported", /^tools: .*model\.generate/);
  const message = (extra) => ({ template, messages: [{ role: "user", content: "a", ...extra }] });
  await refused(
    message({ role: "tool" }),
    "unsupported",
    /^messages\[0\]\.role: "tool" .*no tools/,
  );
  await refused(message({ tool_calls: [] }), "unsupported", /^messages\[0\]\.tool_calls/);
  await refused(message({ role: "me" }), "invalid_argument", /^messages\[0\]\.role: "me" /);
  await refused(message({ content: [] }), "invalid_argument", /^messages\[0\]\.content/);
  await refused({ template, messages: 1 }, "invalid_argument", /^messages: 1 /);
  await refused({ template, message: [] }, "unknown_option", /message/);
  const bare = await wf.model(config);
  await refused({ template }, "invalid_argument", /^model\.tokenizer: .*tokenizer/, bare);
  bare.dispose();
  const strict = "{{ raise_exception('system first') }}";
  const chat = await openChat(model, { template: strict });
  assert.throws(() => chat.say("a"), { code: "unsupported", message: /system first/ });
  assert.throws(() => chat.say(7), { code: "invalid_argument" });
  assert.throws(() => chat.say("a", {}, 1), { code: "invalid_argument" });
});
