// Page tests run twice: with the page's own fonts, and with fonts that are a tenth wider.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { fragment, laterFaces, openBrowser, openPage, pageFolder } from "./browser.mjs";
import { widerBy } from "./wider-page.mjs";

const sessions = {};
before(async () => {
  for (const fonts of ["own", "wide"]) sessions[fonts] = await openBrowser(pageFolder, { fonts });
});
after(() => Promise.all(Object.values(sessions).map((session) => session.close())));

/**
 * Measures the width of a line in every font that the page uses, and returns which system fonts
 * were used.
 */
async function measure(fonts) {
  const { page } = await openPage(sessions[fonts], { hash: fragment("zh") });
  await laterFaces(page);
  const widths = await page.evaluate(async () => {
    const lines = {};
    for (const face of ["serif", "sans", "mono"])
      for (const weight of [400, 600])
        for (const text of ["Can a transformer tell who chases whom?", "猫追老鼠，老鼠追猫。"]) {
          const line = document.createElement("span");
          line.textContent = text;
          line.style.whiteSpace = "nowrap";
          line.style.font = `${weight} 40px var(--wf-${face})`;
          document.querySelector("main").append(line);
          lines[`${face} ${weight} ${text}`] = line;
        }
    const widthOf = (line) => line.getBoundingClientRect().width;
    // Measuring the text requests the fonts.
    Object.values(lines).forEach(widthOf);
    await document.fonts.ready;
    return Object.fromEntries(Object.entries(lines).map(([name, line]) => [name, widthOf(line)]));
  });
  const tools = await page.context().newCDPSession(page);
  await tools.send("DOM.enable");
  await tools.send("CSS.enable");
  const { root } = await tools.send("DOM.getDocument");
  const names = new Set();
  for (const selector of ["h1[lang]:not([lang=en])", ".hero > p[lang]:not([lang=en])"]) {
    const { nodeId } = await tools.send("DOM.querySelector", { nodeId: root.nodeId, selector });
    const { fonts: used } = await tools.send("CSS.getPlatformFontsForNode", { nodeId });
    for (const { familyName } of used) names.add(familyName);
  }
  return { widths, names: [...names] };
}

test("text is a tenth wider in the wider set, in every font, Chinese too", async () => {
  const own = await measure("own");
  const wide = await measure("wide");
  for (const [line, width] of Object.entries(own.widths)) {
    const ratio = wide.widths[line] / width;
    assert.ok(Math.abs(ratio - widerBy) < 0.005, `${line}: ${ratio}`);
  }
  const systems = own.names.filter((name) => !name.startsWith("Source "));
  assert.ok(systems.length > 0);
  for (const name of systems) assert.match(name, /^(?:Noto (?:Sans|Serif) CJK|DejaVu)/);
});
