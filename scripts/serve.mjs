// Serves the built page from this machine, with its content security policy:
//   node scripts/serve.mjs      (PORT and HOST to change)

import { createReadStream } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { root } from "./setup/ensure.mjs";
import { runMain, SetupError, unexpected } from "./setup/process.mjs";
import { say } from "./setup/progress.mjs";

const types = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
  ".woff2": "font/woff2",
};

/** No foreign origin, no inline script or style, no eval; WebAssembly may compile. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join("; ");

const plainHeaders = {
  "Content-Security-Policy": contentSecurityPolicy,
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Resource-Policy": "same-origin",
};

/** Headers with which a page may share memory between threads. */
const isolation = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
};

/** The file of a request path in the first of the folders that has it, or undefined. */
async function findFile(folders, pathname) {
  for (const folder of folders) {
    const found = await findIn(folder, pathname);
    if (found) return found;
  }
  return undefined;
}

async function findIn(path, pathname) {
  try {
    const folder = await realpath(path);
    const wanted = join(folder, decodeURIComponent(pathname));
    const real = await realpath(wanted.endsWith(sep) ? join(wanted, "index.html") : wanted);
    if (!real.startsWith(folder + sep)) return undefined;
    const facts = await stat(real);
    return facts.isFile() ? { real, facts } : undefined;
  } catch {
    return undefined;
  }
}

/** Redirects a request for a folder without a final slash to its page, as static hosts do. */
async function sendIntoFolder({ folders, headers }, pathname, response) {
  if (pathname.endsWith("/") || !(await findFile(folders, `${pathname}/`))) return false;
  // Relative to the request: an address that begins with "//" would lead elsewhere.
  const Location = `./${pathname.slice(pathname.lastIndexOf("/") + 1)}/`;
  response.writeHead(301, { ...headers, Location }).end();
  return true;
}

/** The requested range of a file, as in RFC 9110; for any other request the whole file is sent. */
function partOf(range, size) {
  const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(range ?? "") ?? [];
  const start = Number(first);
  const end = Math.min(last ? Number(last) : size - 1, size - 1);
  return first && start <= end ? { start, end } : undefined;
}

async function answer(site, request, response) {
  const { folders, headers } = site;
  if (request.method !== "GET" && request.method !== "HEAD") {
    response.writeHead(405, { ...headers, Allow: "GET, HEAD" }).end();
    return;
  }
  const { pathname } = new URL(request.url, "http://page");
  const found = await findFile(folders, pathname);
  if (!found) {
    if (await sendIntoFolder(site, pathname, response)) return;
    response.writeHead(404, { ...headers, "Content-Type": types[".txt"] }).end("Not found\n");
    return;
  }
  const { real, facts } = found;
  const tag = `"${facts.size.toString(36)}-${Math.round(facts.mtimeMs).toString(36)}"`;
  // Names under assets contain a hash of their content.
  const cache = real.includes(`${sep}assets${sep}`) ? "max-age=31536000, immutable" : "no-cache";
  const all = { ...headers, "Cache-Control": cache, ETag: tag };
  if (request.headers["if-none-match"] === tag) {
    response.writeHead(304, all).end();
    return;
  }
  all["Content-Type"] = types[extname(real)] ?? "application/octet-stream";
  all["Accept-Ranges"] = "bytes";
  const part = partOf(request.headers.range, facts.size);
  if (part) all["Content-Range"] = `bytes ${part.start}-${part.end}/${facts.size}`;
  all["Content-Length"] = part ? part.end - part.start + 1 : facts.size;
  response.writeHead(part ? 206 : 200, all);
  if (request.method === "HEAD") response.end();
  else
    createReadStream(real, part)
      .on("error", () => response.destroy())
      .pipe(response);
}

/**
 * Starts serving a folder, and `fallback` for files that are not in it. Resolves to
 * `{ address, server, close }` once it listens; `port` 0 selects a free one; `isolated` pages may
 * share memory. Throws an error that names a port already in use.
 */
export async function serve({
  folder = join(root, "dist-web"),
  fallback,
  port = 5173,
  host = "127.0.0.1",
  isolated = false,
} = {}) {
  const site = {
    folders: [folder, fallback].filter(Boolean),
    headers: isolated ? { ...plainHeaders, ...isolation } : plainHeaders,
  };
  const server = createServer((request, response) => {
    answer(site, request, response).catch(() => response.destroy());
  });
  await new Promise((resolve, reject) => {
    server.once("error", (error) => {
      const message =
        error.code === "EADDRINUSE"
          ? `Port ${port} is taken: choose another with PORT, for example PORT=${port + 1}.`
          : `Cannot listen on port ${port}: ${error.message}`;
      reject(new SetupError(message));
    });
    server.listen(port, host, resolve);
  });
  const shown = host === "127.0.0.1" || host === "0.0.0.0" ? "localhost" : host;
  return {
    address: `http://${shown}:${server.address().port}/`,
    server,
    close: () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  };
}

/** Serves the page until it is stopped, on PORT or 5173; `fallback` as in `serve`. */
export async function servePage(fallback) {
  const text = process.env.PORT || "5173";
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65535) {
    throw unexpected("PORT", text, "an integer from 0 to 65535");
  }
  const { address } = await serve({ fallback, port, host: process.env.HOST || "127.0.0.1" });
  say(`\nWhereformer is at ${address}   (Ctrl-C to stop)`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await runMain(() => servePage());
