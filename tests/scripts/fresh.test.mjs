// The helpers of the test on a bare Debian: the settings that it copies from this machine, and the
// files that count as a fetched page.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";
import { acquireLines, networkVariables, sourceLines } from "../../scripts/fresh/network.mjs";
import { fetchPage, linkedFiles } from "../../scripts/fresh/page.mjs";
import { run } from "../../scripts/setup/process.mjs";

test("Debian's own sources become lines with joined components; others are left out", () => {
  const text = [
    "mirror:/debian/ one main Debian /usr/share/keyrings/a.gpg",
    "mirror:/debian/ one contrib Debian /usr/share/keyrings/a.gpg",
    "mirror:/debian/ one main Debian /usr/share/keyrings/a.gpg",
    "mirror:/security/ one-security main Debian $(SIGNED_BY)",
    "other:/apt/ stable main Other /etc/apt/keyrings/other.gpg",
    "",
  ].join("\n");
  assert.deepEqual(sourceLines(text), [
    "deb [signed-by=/usr/share/keyrings/a.gpg] mirror:/debian/ one main contrib",
    "deb mirror:/security/ one-security main",
  ]);
});

test("apt's proxies and checks are copied; programs and empty settings are not", () => {
  const lines = [
    'Acquire "";',
    'Acquire::http::Proxy "proxy:3128";',
    'Acquire::http::Proxy-Auto-Detect "/usr/bin/find-proxy";',
    'Acquire::https::Proxy "";',
    'Acquire::Check-Valid-Until "false";',
    'Acquire::IndexTargets::deb::Packages::Optional "0";',
    'DPkg::Pre-Install-Pkgs:: "/usr/sbin/dpkg-preconfigure";',
  ];
  assert.deepEqual(acquireLines(lines.join("\n")), [lines[1], lines[4]]);
});

test("only variables about the network are passed on", () => {
  const env = {
    PATH: "/bin",
    EM_COMPILER_WRAPPER: "ccache",
    XDG_CACHE_HOME: "/cache",
    HTTPS_PROXY: "proxy",
    npm_config_cafile: "/ca.pem",
    npm_config_cache: "/npm",
  };
  assert.deepEqual(networkVariables(env), {
    HTTPS_PROXY: "proxy",
    npm_config_cafile: "/ca.pem",
  });
});

test("linked files of a page are found; links to other pages are not", () => {
  const html = `<link rel="stylesheet" href="./a.css"><script type="module" src="./b.js"></script>
    <img alt="" src="c.svg"><a href="d.html">d</a><link href="data:,x"><link href="#e">`;
  assert.deepEqual(linkedFiles(html), ["./a.css", "./b.js", "c.svg"]);
});

test("a page counts as fetched only if all files that it names can be fetched", async (context) => {
  const site = { "/": '<script src="./b.js"></script>', "/b.js": "let b;" };
  const server = createServer(({ url }, response) => {
    response.writeHead(site[url] ? 200 : 404).end(site[url]);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  context.after(() => server.close());
  const address = `http://localhost:${server.address().port}/`;
  assert.deepEqual(await fetchPage(address), { files: 2, bytes: 36 });
  delete site["/b.js"];
  await assert.rejects(fetchPage(address), /b\.js answers 404/);
});

test("a signal ends a program and the processes that it started", async () => {
  const stop = new AbortController();
  const onLine = () => stop.abort();
  const command = ["-c", "sleep 60 & echo started; wait"];
  const { code } = await run("sh", command, { onLine, signal: stop.signal });
  assert.notEqual(code, 0);
});
