// The protocol that the package's worker and the page's share, with both sides in one thread.

import assert from "node:assert/strict";
import { test } from "node:test";
import { answering, buffersIn, Requests } from "../../build/modules/wire/requests.js";
import { yieldToEvents } from "../../build/modules/wire/yield.js";

/** A caller connected to a worker that executes calls; `ended` counts its ends. */
function connected(execute) {
  const worker = { ended: 0, terminate: () => worker.ended++ };
  const failureOf = ({ code, message }, { name }) => ({ code, message, name });
  const errorOf = ({ message, ...facts }) => Object.assign(new Error(message), facts);
  const requests = new Requests(worker, errorOf);
  const handle = answering((message) => requests.receive(message), execute, failureOf);
  worker.postMessage = (message) => queueMicrotask(() => handle(message));
  return { requests, worker };
}

test("each call gets its own answer, in any order", async () => {
  const resolvers = new Map();
  const { requests } = connected(
    ({ name }) => new Promise((resolve) => resolvers.set(name, resolve)),
  );
  const answers = ["a", "b"].map((name) => requests.send({ name }, {}));
  await yieldToEvents();
  resolvers.get("b")(2);
  resolvers.get("a")(1);
  assert.deepEqual(await Promise.all(answers), [1, 2]);
});

test("a failure rejects the call that failed, with the worker's facts", async () => {
  const { requests } = connected(({ name }) => {
    if (name === "bad") throw Object.assign(new Error("no"), { code: "internal" });
    return name;
  });
  const [bad, good] = await Promise.allSettled(
    ["bad", "good"].map((name) => requests.send({ name }, {})),
  );
  const { message, code, name } = bad.reason;
  assert.deepEqual({ message, code, name }, { message: "no", code: "internal", name: "bad" });
  assert.equal(good.value, "good");
});

test("progress is reported until the answer", async () => {
  let job;
  const { requests } = connected((_, given) => {
    job = given;
    job.progress(1, 2);
    return "done";
  });
  const steps = [];
  await requests.send({}, { onProgress: (...step) => steps.push(step) });
  job.progress(2, 2);
  assert.deepEqual(steps, [[1, 2]]);
});

test("an aborted signal cancels only its call, whose work sees the code", async () => {
  const { requests } = connected(async ({ name }, { signal }) => {
    await yieldToEvents();
    signal.throwIfAborted();
    return name;
  });
  const control = new AbortController();
  const cancelled = requests.send({ name: "a" }, { signal: control.signal });
  const other = requests.send({ name: "b" }, {});
  control.abort();
  await assert.rejects(cancelled, { code: "aborted" });
  assert.equal(await other, "b");
});

test("a call that cannot be sent is rejected, and the next is answered", async () => {
  const { requests, worker } = connected(({ name }) => name);
  const { postMessage } = worker;
  worker.postMessage = () => {
    throw new TypeError("not data");
  };
  await assert.rejects(requests.send({}, {}), /not data/);
  worker.postMessage = postMessage;
  assert.equal(await requests.send({ name: "a" }, {}), "a");
});

test("the end of a worker rejects all pending calls", async () => {
  const { requests, worker } = connected(() => new Promise(() => {}));
  const waiting = [requests.send({}, {}), requests.send({}, {})];
  requests.end(new Error("over"));
  for (const answer of waiting) await assert.rejects(answer, /over/);
  assert.equal(worker.ended, 1);
});

test("the buffers of all arrays in an answer are found, each once", () => {
  const shared = new Float32Array(4);
  const alone = new Uint8Array(2);
  const value = { a: [shared, { b: shared.subarray(1) }], c: { alone }, d: null, e: "text" };
  assert.deepEqual([...buffersIn(value)], [shared.buffer, alone.buffer]);
});
