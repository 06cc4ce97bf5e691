// Figures where there is no kernel, and in marimo: nbconvert writes pages and PDF with pictures.

import assert from "node:assert/strict";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { runOrFail } from "../../scripts/setup/process.mjs";
import { emptyFolder, installWheel, withBrowser, writeNotebook } from "./environment.mjs";
import { openBrowser, startServer } from "./lab.mjs";

let program;
let folder;
before(async () => {
  ({ program } = await installWheel());
  folder = emptyFolder("pages");
  writeNotebook(join(folder, "still.ipynb"), [
    `import numpy as np
import whereformer as wf
wf.attention_map(np.tri(40) / np.arange(1, 41)[:, None])`,
    'wf.rotation(position=30).static(theme="dark")',
  ]);
});

const convert = (to, env, ...more) =>
  runOrFail(
    program("jupyter-nbconvert"),
    [
      "--execute",
      "--to",
      to,
      "--ExecutePreprocessor.store_widget_state=False",
      ...more,
      "still.ipynb",
    ],
    { cwd: folder, env },
  );

test("nbconvert writes a page with the pictures, for which nothing has to be loaded", async () => {
  await convert("html", process.env);
  const html = readFileSync(join(folder, "still.html"), "utf8");
  const images = html.matchAll(/<img [^>]*src="data:image\/svg\+xml;base64,([^"]+)"/g);
  const pictures = Array.from(images, ([, text]) => Buffer.from(text, "base64").toString());
  assert.equal(pictures.length, 2);
  // On a sheet of paper there is room for 597 pixels.
  for (const picture of pictures) assert.ok(Number(/ width="(\d+)/.exec(picture)[1]) < 597);
  assert.match(pictures[0], /<title>Who looks at whom/);
  assert.match(pictures[1], /<title>At position 30: where 16 pairs point/);
  assert.doesNotMatch(html, /application\/vnd\.jupyter\.widget-state\+json/);
});

test("nbconvert writes a PDF", async () => {
  const env = await withBrowser(program, join(folder, "browsers"));
  // Chromium has no sandbox for root.
  await convert("webpdf", env, "--disable-chromium-sandbox");
  const file = join(folder, "still.pdf");
  assert.equal(readFileSync(file).subarray(0, 5).toString(), "%PDF-");
  assert.ok(statSync(file).size > 10_000);
});

test("marimo shows a figure, and the head that it is given", async () => {
  writeFileSync(
    join(folder, "figure.py"),
    `import marimo
app = marimo.App()

@app.cell
def _():
    import numpy as np
    import whereformer as wf
    weights = np.stack([np.tri(6), np.eye(6)]) / np.array([6.0, 1.0])[:, None, None]
    w = wf.attention_map(weights, "the cat sat on the mat".split(), head=1)
    w
    return

if __name__ == "__main__":
    app.run()
`,
  );
  const marimo = await startServer(
    program("marimo"),
    (port) => ["run", "figure.py", "--headless", "--no-token", "--port", String(port)],
    { cwd: folder, path: "/" },
  );
  const { page, close } = await openBrowser();
  try {
    await page.goto(marimo.address);
    const figure = page.locator("wf-attention-map");
    await figure.waitFor({ state: "attached" });
    await page.waitForFunction(
      (found) => found.data?.values[0] === 1 && found.data.values[1] === 0,
      await figure.elementHandle(),
    );
    assert.equal(await figure.evaluate((found) => found.head), 1);
    await page.screenshot({ path: join(folder, "marimo.png") });
  } finally {
    await close();
    marimo.close();
  }
});
