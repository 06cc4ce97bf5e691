// What an example takes, kept in build/consumers for `npm run consumers`: seconds of its
// installation and of its script, bytes that its page asks for, seconds until that works.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const costs = fileURLToPath(new URL("../../build/consumers/", import.meta.url));

/** The facts of an example, by their names; none where it did not run yet. */
export function costOf(name) {
  try {
    return JSON.parse(readFileSync(join(costs, `${name}.json`), "utf8"));
  } catch (error) {
    if (error.code === "ENOENT") return {};
    throw error;
  }
}

/** Keeps facts of an example, beside those that are known. */
export function note(name, facts) {
  mkdirSync(costs, { recursive: true });
  writeFileSync(join(costs, `${name}.json`), JSON.stringify({ ...costOf(name), ...facts }));
}

/** Does something, and keeps how many seconds it took; gives what it gave. */
export function timed(name, fact, work) {
  const started = performance.now();
  const result = work();
  note(name, { [fact]: (performance.now() - started) / 1000 });
  return result;
}

let bytesSent = 0;

/** What a server of the tests' own sends; gives it back. */
export function sent(body) {
  bytesSent += Buffer.byteLength(body);
  return body;
}

/**
 * Counts what is asked for from now on: by the page, and of our own servers, which hear workers of
 * workers and service workers too. The function that it gives ends that, and keeps bytes and
 * seconds under the name of an example.
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
