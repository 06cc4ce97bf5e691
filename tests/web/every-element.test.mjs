// Every element of the package in another page: twice, in English and in Chinese, in a column of
// 420 pixels between two others. Each is checked by the rules of axe and walked by Tab.
import assert from "node:assert/strict";
import { cpSync, existsSync, readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { brokenRules, walkByTab } from "./access-rules.mjs";
import { numbersOf, openBrowser, openPage, pageFolder } from "./browser.mjs";
import { buildHost, headOf } from "./host-page.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));
const { modules } = JSON.parse(readFileSync(`${root}dist/custom-elements.json`, "utf8"));
const tags = modules.flatMap(({ declarations }) => declarations).map(({ tagName }) => tagName);
const skip = existsSync(`${pageFolder}/models/index.json`)
  ? false
  : "the models are not trained yet";

const style = '<link rel="stylesheet" href="./every.css">';
const css = `body { margin: 0; display: flex; gap: 20px; font: 16px/1.5 Georgia, serif;
  background: var(--wf-paper); color: var(--wf-ink) }
aside { flex: 1; background: #8881 } main { flex: 0 0 420px; min-width: 0 }`;
const body = "<aside>left</aside><main></main><aside>right</aside></html>";
const asked = {
  // Figures that show nothing until a setting asks for it.
  "wf-length-curves": 'schemes="rope.alibi"',
  "wf-scheme": 'scheme="alibi"',
  // Figures that measure, with small sizes to save time.
  "wf-costs": 'tokens="64" head-dim="16" heads="2"',
  "wf-decoding-forms": 'tokens="128"',
};

/** In the page: the whole text of an element, nested shadow trees included. */
function textOf(node) {
  if (["STYLE", "SELECT", "TEXTAREA"].includes(node.nodeName)) return "";
  const children = [...(node.shadowRoot?.childNodes ?? []), ...node.childNodes];
  return node.nodeType === Node.TEXT_NODE ? node.data : children.map(textOf).join(" ");
}

/** In the page: opens all closed details. */
function openAll() {
  const look = (node) => {
    if (node.localName === "details") node.open = true;
    for (const child of [...(node.shadowRoot?.children ?? []), ...node.children]) look(child);
  };
  look(document.body);
}

// The address selects the element; each is imported alone.
const script = `
const imports = {
${tags.map((tag) => `  "${tag}": () => import("whereformer/elements/${tag.slice(3)}"),`).join("\n")}
};
const tag = location.hash.slice(1);
const { [tag]: more = "" } = ${JSON.stringify(asked)};
for (const lang of ["en", "zh"])
  document.querySelector("main").insertAdjacentHTML(
    "beforeend", \`<\${tag} lang="\${lang}" models="models/" \${more}></\${tag}>\`);
await imports[tag]();
window.textOf = ${textOf};
`;

let session;
before(async () => {
  const pages = { every: [headOf("every", "en", style) + body, script] };
  const built = await buildHost("host-every", pages, { "every.css": css });
  if (!skip) cpSync(`${pageFolder}/models`, `${built}/models`, { recursive: true });
  session = await openBrowser(built);
});
after(() => session.close());

for (const tag of tags)
  test(`${tag}: twice in a narrow column, in two languages`, { skip }, async () => {
    const { page, complaints, close } = await openPage(session, {
      hash: `every.html#${tag}`,
      width: 1000,
      bypassCSP: true,
    });
    const said = {};
    for (const lang of ["en", "zh"]) {
      const selector = `${tag}[lang=${lang}]`;
      await numbersOf(page, selector);
      const figure = page.locator(selector);
      // Some figures have numbers before their texts have loaded.
      await page.waitForFunction(
        (one) => window.textOf(document.querySelector(one)).match(/\p{L}/gu)?.length > 8,
        selector,
      );
      const { excess, failure, text } = await figure.evaluate((node) => ({
        excess: node.scrollWidth - 420,
        failure: node.failure?.message,
        text: window.textOf(node),
      }));
      assert.equal(failure, undefined);
      assert.ok(excess <= 0, `${lang}: ${excess} pixels wider than its column`);
      const { x, width } = await figure.boundingBox();
      const column = await page.locator("main").boundingBox();
      assert.ok(x >= column.x && x + width <= column.x + column.width + 0.5, lang);
      said[lang] = text;
    }
    assert.match(said.zh, /\p{Script=Han}{4}/u);
    assert.doesNotMatch(said.en, /\p{Script=Han}{4}/u);
    // With details closed and open, in both colour schemes.
    for (const isOpen of [false, true]) {
      if (isOpen) await page.evaluate(openAll);
      for (const colorScheme of ["light", "dark"]) {
        await page.emulateMedia({ colorScheme });
        const broken = await brokenRules(page, "main", { onlyColours: colorScheme === "dark" });
        assert.deepEqual(broken, [], `${colorScheme}, open: ${isOpen}`);
      }
    }
    const { missed, unseen } = await walkByTab(page, `${tag}[lang=en]`);
    assert.deepEqual({ missed, unseen }, { missed: [], unseen: [] });
    assert.deepEqual(complaints, []);
    await close();
  });
