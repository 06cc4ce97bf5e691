// Scheduling of runners: never more slots than cores, and every runner gets its turn.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Slots } from "../../scripts/test/slots.mjs";

function makeWork(slots, order) {
  const ends = new Map();
  const begin = (name, places) => {
    const work = () => {
      order.push(name);
      return new Promise((resolve) => ends.set(name, () => resolve(name)));
    };
    return slots.use(places, work);
  };
  return { begin, end: (name) => ends.get(name)() };
}

test("work starts in order as slots become free, and its result is returned", async () => {
  const order = [];
  const { begin, end } = makeWork(new Slots(2), order);
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  const one = begin("one", 1);
  begin("two", 1);
  begin("all", 2);
  begin("last", 1);
  await settled();
  assert.deepEqual(order, ["one", "two"]);
  end("one");
  assert.equal(await one, "one");
  await settled();
  assert.deepEqual(
    order,
    ["one", "two"],
    "one slot is not enough for `all`, and `last` waits for its turn",
  );
  end("two");
  await settled();
  assert.deepEqual(order, ["one", "two", "all"]);
  end("all");
  await settled();
  assert.deepEqual(order, ["one", "two", "all", "last"]);
});

test("a request for too many slots takes all; failed work releases its slots", async () => {
  const slots = new Slots(1);
  await assert.rejects(
    slots.use(4, () => Promise.reject(new Error("failed"))),
    /failed/,
  );
  assert.equal(await slots.use(2, async () => "done"), "done");
});
