// Page tests require an empty list of complaints; these check that each kind of complaint is
// collected.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { longestMilliseconds, openBrowser, openPage } from "./browser.mjs";

let session;
before(async () => {
  session = await openBrowser();
});
after(() => session.close());

const happenings = {
  "a file that is not there": [
    () => fetch("./none.json").then(() => {}),
    /^status 404: \/none\.json$/,
  ],
  "a worker that is not there": [
    () =>
      new Promise((resolve) => {
        new Worker("./none.js").onerror = () => resolve();
      }),
    /^status 404: \/none\.js$/,
  ],
  "another origin": [
    () => fetch("https://elsewhere.invalid/").catch(() => {}),
    /^console: .*elsewhere\.invalid.*Content Security Policy/,
  ],
  "a sentence in the console": [() => console.warn("beware"), /^console: beware$/],
  "an error that nobody catches": [
    () => {
      queueMicrotask(() => {
        throw new Error("lost");
      });
    },
    /^page: lost$/,
  ],
};

for (const [name, [happens, expected]] of Object.entries(happenings))
  test(`collected: ${name}`, async () => {
    const { page, complaints, close } = await openPage(session);
    assert.deepEqual(complaints, []);
    await page.evaluate(happens);
    const end = Date.now() + longestMilliseconds;
    while (!complaints.some((one) => expected.test(one)) && Date.now() < end) await setTimeout(20);
    assert.ok(
      complaints.some((one) => expected.test(one)),
      `${complaints}`,
    );
    await close();
  });
