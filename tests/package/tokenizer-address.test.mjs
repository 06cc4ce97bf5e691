// A tokenizer by address: whereformer/tokenizer opens it, wf.model accepts one after that import,
// and without the library the message names the package to install.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { test } from "node:test";
import { Tokenizer } from "@huggingface/tokenizers";
import { load } from "../../dist/worker.js";
import { rejected, wf } from "./golden.mjs";
import { installTarball, nodeIn } from "./tarball.mjs";

const config = {
  vocabSize: 4736,
  hiddenSize: 16,
  numLayers: 1,
  numHeads: 2,
  intermediateSize: 16,
  scheme: "rope",
};
const folder = new URL("../../models/", import.meta.url);
const file = new URL("tokenizer.json", folder);
const text = "And the king said";
const definition = JSON.parse(readFileSync(file, "utf8"));
const expected = [...new Tokenizer(definition, {}).encode(text).ids];

test("an address is refused unless whereformer/tokenizer was imported", async () => {
  await rejected(
    wf.model(config, { tokenizer: file }),
    "unsupported",
    // Messages truncate an address to 40 characters, so its end depends on this folder's path.
    /^tokenizer: "file:.*" \(expected .*whereformer\/tokenizer opens addresses/,
  );
});

test("a file or its folder, on the page and in a worker", async (context) => {
  const { openTokenizer } = await import("../../dist/tokenizer.js");
  const remote = await load({ variant: "simd" });
  context.after(() => remote.dispose());
  const given = [file, file.href, folder, folder.href, folder.href.replace(/\/$/, "")];
  for (const place of given) {
    assert.deepEqual((await openTokenizer(place)).encode(text), expected);
    for (const engine of [wf, remote]) {
      const model = await engine.model(config, { tokenizer: place });
      const { ids, tokens } = await model.run(text);
      assert.deepEqual(ids, expected);
      assert.equal(tokens.join(""), text);
      model.dispose();
    }
  }
  const promised = await wf.model(config, { tokenizer: openTokenizer(file) });
  assert.deepEqual(promised.run(text).ids, expected);
});

test("a missing file, or a web page in its place, is an error of the package", async (context) => {
  const { openTokenizer } = await import("../../dist/tokenizer.js");
  const server = createServer((request, response) => {
    if (request.url === "/alone/tokenizer.json")
      return response.writeHead(200).end(JSON.stringify(definition));
    response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html>");
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  context.after(() => server.close());
  const origin = `http://127.0.0.1:${server.address().port}`;
  // A web page in place of tokenizer_config.json is ignored.
  assert.deepEqual((await openTokenizer(`${origin}/alone/`)).encode(text), expected);
  const isPage = /\/none\/tokenizer\.json: the server answered with a page \(HTML\)/;
  await rejected(openTokenizer(`${origin}/none/`), "network", isPage);
  await rejected(wf.model(config, { tokenizer: `${origin}/none/` }), "network", isPage);
  await rejected(wf.model(`${origin}/app/`), "network", /config\.json: .*page \(HTML\)/);
  await rejected(openTokenizer(new URL("none.json", folder)), "network", /could not be read/);
  await rejected(openTokenizer("nowhere"), "invalid_argument", /^address: "nowhere"/);
  await rejected(openTokenizer(3), "invalid_argument", /^address/);
});

test("without the library the package to install is named", () => {
  const { folder: place } = installTarball("tokenizer");
  const program = `
    import { load } from "whereformer";
    import { openTokenizer } from "whereformer/tokenizer";
    const wf = await load();
    const asks = /npm install @huggingface\\/tokenizers$/;
    const say = ({ name, code, message }) => console.log(name, code, asks.test(message));
    await openTokenizer(${JSON.stringify(file.href)}).catch(say);
    const config = ${JSON.stringify(config)};
    await wf.model(config, { tokenizer: ${JSON.stringify(file.href)} }).catch(say);
    await wf.model(config, { tokenizer: import("@huggingface/tokenizers") }).catch(say);
    // Never asked for, since the model fails before: not an unhandled rejection either.
    await wf.model("file:///nowhere/", { tokenizer: import("@huggingface/tokenizers") })
      .catch(({ code }) => console.log(code));`;
  writeFileSync(join(place, "missing.mjs"), program);
  const line = "WhereformerError unsupported true\n";
  assert.equal(nodeIn(place, ["missing.mjs"]), `${line}${line}${line}network\n`);
});
