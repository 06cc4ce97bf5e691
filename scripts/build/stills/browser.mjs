// Substitutes for the parts of a browser that figures use, to draw them in Node: nodes without a
// tree, a screen on which everything is visible, and a worker in this thread. Must be imported
// before Lit.

import { LitElement, ReactiveElement } from "lit";

const nothing = () => {};
const list = { matches: false, addEventListener: nothing, removeEventListener: nothing };

/** Stands in for document, shadow root and element: its content is never read. */
const node = {
  addEventListener: nothing,
  removeEventListener: nothing,
  querySelector: () => null,
  querySelectorAll: () => [],
  createTreeWalker: () => ({}),
  append: nothing,
  style: {},
  dataset: {},
  lang: "en",
};

class Near {
  constructor(told) {
    this.told = told;
  }
  observe(target) {
    this.told([{ isIntersecting: true, target }]);
  }
  unobserve() {}
  disconnect() {}
}

/** Requests and files that are pending. */
export const underway = { count: 0 };

/** Counts a promise as pending until it is settled. */
function counted(promise) {
  underway.count++;
  const done = () => {
    underway.count--;
  };
  promise.then(done, done);
  return promise;
}

/** Scripts of workers share this thread: their requests get separate numbers. */
class InThisThread {
  static #asked = new Map();
  static #next = 1;
  static #listener;
  static load;
  #listeners = [];

  static begin() {
    globalThis.self = {
      addEventListener: (_, listener) => {
        InThisThread.#listener = listener;
      },
      postMessage: (message) => InThisThread.#answer(structuredClone(message)),
    };
  }

  static #answer(message) {
    if ("started" in message) return;
    const asked = InThisThread.#asked.get(message.id);
    if (!("progress" in message)) {
      InThisThread.#asked.delete(message.id);
      asked.settle();
    }
    for (const listener of asked.worker.#listeners)
      listener({ data: { ...message, id: asked.id } });
  }

  addEventListener(type, listener) {
    if (type === "message") this.#listeners.push(listener);
  }

  async postMessage(message) {
    if (!("kind" in message)) return;
    const id = InThisThread.#next++;
    counted(
      new Promise((settle) => {
        InThisThread.#asked.set(id, { worker: this, id: message.id, settle });
      }),
    );
    InThisThread.loading ??= InThisThread.load();
    await InThisThread.loading;
    InThisThread.#listener({ data: { ...message, id } });
  }

  terminate() {}
}

/** Stores Lit's templates as a figure renders them, instead of inserting them into a page. */
function keepRendered() {
  LitElement.prototype.createRenderRoot = () => node;
  LitElement.prototype.update = function (changed) {
    this.rendered = this.render();
    ReactiveElement.prototype.update.call(this, changed);
  };
  Object.assign(LitElement.prototype, {
    closest: () => null,
    getRootNode: () => node,
    querySelector: () => null,
    querySelectorAll: () => [],
    toggleAttribute: nothing,
    addEventListener: nothing,
    dispatchEvent: () => true,
  });
}

/** `address`: of the served page; `loadWorker` runs the script of the worker. */
export function standInForBrowser(address, loadWorker) {
  InThisThread.begin();
  InThisThread.load = loadWorker;
  keepRendered();
  const { fetch } = globalThis;
  Object.assign(globalThis, {
    document: {
      ...node,
      baseURI: address,
      documentElement: node,
      fonts: node,
      createElement: () => ({ getContext: () => null }),
    },
    location: new URL(address),
    getComputedStyle: () => ({}),
    matchMedia: () => list,
    addEventListener: nothing,
    requestAnimationFrame: (work) => setTimeout(work, 0),
    cancelAnimationFrame: clearTimeout,
    IntersectionObserver: Near,
    ResizeObserver: Near,
    ShadowRoot: class {},
    Worker: InThisThread,
    fetch: (...asked) => counted(fetch(...asked)),
  });
}
