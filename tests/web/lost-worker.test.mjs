// A worker that fails: pending requests get the error, and the next request starts a new worker.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openSources } from "../modules/sources.mjs";
import {
  awaitNumbers,
  bringIntoView,
  fragment,
  numbersOf,
  openBrowser,
  openPage,
  pathOfFigure,
} from "./browser.mjs";

let session;
before(async () => {
  session = await openBrowser();
});
after(() => session.close());

/** Makes every worker of the page fail with an uncaught error. */
const breakWorkers = (page) =>
  Promise.all(
    page.workers().map((worker) =>
      worker.evaluate(() => {
        setTimeout(() => {
          throw new Error("broken on purpose");
        });
      }),
    ),
  );

const ended = (page) =>
  Promise.all(page.workers().map((worker) => new Promise((go) => worker.once("close", go))));

test("a figure works after its worker has failed without pending requests", async () => {
  const { page, close } = await openPage(session, {
    path: pathOfFigure("wf-who-chases"),
    hash: fragment("en"),
  });
  await numbersOf(page, "wf-who-chases");
  const isOver = ended(page);
  await breakWorkers(page);
  await isOver;
  const input = page.locator("wf-who-chases wf-text-line input");
  await input.fill("mouse fears cat");
  const { tokensA } = await awaitNumbers(
    page,
    "wf-who-chases",
    (data) => data.tokensA.join(" ") === "mouse fears cat",
  );
  assert.equal(tokensA.length, 3);
  await close();
});

test("the trained models are loaded again, and the typed text is read", async () => {
  const { page, close } = await openPage(session, {
    path: pathOfFigure("wf-score-terms"),
    hash: fragment("en"),
  });
  await numbersOf(page, "wf-real-heads");
  await numbersOf(page, "wf-score-terms");
  const isOver = ended(page);
  await breakWorkers(page);
  await isOver;
  await page.locator("wf-real-heads wf-text-line :is(input, textarea)").fill("the second worker");
  const { tokens } = await awaitNumbers(page, "wf-real-heads", (data) =>
    data.tokens.join("").includes("second"),
  );
  assert.ok(tokens.length > 2);
  await close();
});

/** Returns the page's client of the engine, which makes its workers with this class. */
async function clientWith(Worker) {
  const sources = await openSources();
  const before = globalThis.Worker;
  globalThis.Worker = Worker;
  const { EngineClient } = await sources.load("/engine/page/client.ts");
  const close = async () => {
    globalThis.Worker = before;
    await sources.close();
  };
  return { client: new EngineClient(), close };
}

class FakeWorker extends EventTarget {
  static made = [];
  isOver = false;

  constructor() {
    super();
    FakeWorker.made.push(this);
  }

  postMessage({ id }) {
    // The first worker fails at its first request.
    const [first] = FakeWorker.made;
    queueMicrotask(() =>
      this.dispatchEvent(
        this === first
          ? new Event("error")
          : Object.assign(new Event("message"), { data: { id, value: "there" } }),
      ),
    );
  }

  terminate() {
    this.isOver = true;
  }
}

test("a request whose worker fails is rejected, and the next one is answered", async () => {
  const { client, close } = await clientWith(FakeWorker);
  const both = await Promise.allSettled([client.ask("schemes", {}), client.ask("schemes", {})]);
  for (const { reason } of both) assert.equal(reason.code, "worker");
  assert.equal(await client.ask("schemes", {}), "there");
  assert.deepEqual(
    FakeWorker.made.map(({ isOver }) => isOver),
    [true, false],
  );
  await close();
});

const heads = "wf-real-heads";

/** Ends the newest of the page's workers by an uncaught error. */
async function end(page) {
  const worker = page.workers().at(-1);
  const ended = page.evaluate(
    () =>
      new Promise((resolve) => {
        globalThis.workerEnded = resolve;
      }),
  );
  await worker.evaluate(() => {
    setTimeout(() => {
      self.close();
      throw new Error("ended by the test");
    });
  });
  await ended;
}

/** Calls `workerEnded` at every error of a worker, after the page's own listeners. */
const hearErrors = () => {
  const { Worker: Plain } = globalThis;
  globalThis.Worker = class extends Plain {
    constructor(...given) {
      super(...given);
      // Added after the listeners that this task adds.
      setTimeout(() => this.addEventListener("error", () => globalThis.workerEnded?.()));
    }
  };
};

/** Opens a page that reports errors of its workers to `workerEnded`. */
const openHeads = (routes = async () => {}) =>
  openPage(session, {
    path: pathOfFigure(heads),
    prepare: async (page) => {
      await page.addInitScript(hearErrors);
      await routes(page);
    },
  });

test("a worker fails while idle: surgery is the first request to the new one", async () => {
  const { page, close } = await openHeads();
  const first = await numbersOf(page, "wf-surgery");
  await end(page);
  const operation = first.operation === "zero" ? "drop" : "zero";
  await page.evaluate((id) => {
    location.hash = `${location.hash}&sd=${id}`;
  }, operation);
  await awaitNumbers(page, "wf-surgery", (data) => data.operation === operation);
  await close();
});

test("a worker fails at work: the figure says so, and another try works", async () => {
  let release;
  const held = new Promise((resolve) => {
    release = resolve;
  });
  const { page, close } = await openHeads((opened) =>
    opened.route("**/model.safetensors", async (route) => {
      await held;
      await route.continue().catch(() => {});
    }),
  );
  const asked = page.waitForRequest("**/model.safetensors");
  await bringIntoView(page.locator(heads));
  await asked;
  await end(page);
  const alert = page.locator(heads).locator("wf-frame [role=alert]");
  await alert.waitFor();
  assert.match(await alert.textContent(), /has stopped.*ended by the test/s);
  release();
  await alert.getByRole("button", { name: "Try again" }).click();
  await numbersOf(page, heads);
  assert.equal(await alert.count(), 0);
  await close();
});

test("a worker that does not start is replaced, too", async () => {
  let isBroken = true;
  const { page, close } = await openHeads((opened) =>
    opened.route("**/page-worker-*.js", (route) => (isBroken ? route.abort() : route.continue())),
  );
  await bringIntoView(page.locator(heads));
  const alert = page.locator(heads).locator("wf-frame [role=alert]");
  await alert.waitFor();
  assert.match(await alert.textContent(), /did not start/);
  isBroken = false;
  await alert.getByRole("button", { name: "Try again" }).click();
  await numbersOf(page, heads);
  await close();
});
