// Records the costs of an example in build/consumers, for `npm run consumers`: seconds for its
// installation and its script, bytes that its page requests, and seconds until the page works.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const costs = fileURLToPath(new URL("../../build/consumers/", import.meta.url));

/** Returns the recorded costs of an example by name; an empty object if it has not run yet. */
export function costOf(name) {
  try {
    return JSON.parse(readFileSync(join(costs, `${name}.json`), "utf8"));
  } catch (error) {
    if (error.code === "ENOENT") return {};
    throw error;
  }
}

/** Adds costs to the record of an example. */
export function note(name, facts) {
  mkdirSync(costs, { recursive: true });
  writeFileSync(join(costs, `${name}.json`), JSON.stringify({ ...costOf(name), ...facts }));
}

/** Records how many seconds `work` takes; returns its result. */
export function timed(name, fact, work) {
  const started = performance.now();
  const result = work();
  note(name, { [fact]: (performance.now() - started) / 1000 });
  return result;
}

let bytesSent = 0;

/** Counts the bytes of a body that a server of the tests sends; returns the body. */
export function sent(body) {
  bytesSent += Buffer.byteLength(body);
  return body;
}

/**
 * Starts counting bytes: those that the page requests, and those that servers of the tests send,
 * which include requests from nested workers and service workers. The function that it returns
 * stops the count and records bytes and seconds under the name of an example.
 */
export function counted(page, name) {
  const started = performance.now();
  const before = bytesSent;
  const sizes = [];
  page.on("requestfinished", (request) =>
    sizes.push(
      request.sizes().then(
        ({ responseBodySize }) => responseBodySize,
        () => 0,
      ),
    ),
  );
  return async () => {
    const seconds = (performance.now() - started) / 1000;
    const heard = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    if (name) note(name, { bytes: Math.max(heard, bytesSent - before), seconds });
  };
}
