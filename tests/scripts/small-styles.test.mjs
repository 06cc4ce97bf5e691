// Styles lose what only their writer needs, and nothing else.
import assert from "node:assert/strict";
import { test } from "node:test";
import { smallStyles, stylesInScripts } from "../../scripts/build/small-styles.mjs";

test("comments and indentation go, everything between stays apart", () => {
  const text = "\n  /* why\n   so */\n  .a .b,\n  .c {\n    margin: 0 1px;\n  }\n";
  assert.equal(smallStyles(text), " .a .b, .c { margin: 0 1px; } ");
});

test("only the styles of the page's scripts are changed, with names in them as they were", () => {
  const { transform } = stylesInScripts();
  const name = ["$", "{shared}"].join("");
  const page = "html`<p>\n  two</p>`";
  assert.equal(
    transform(`css\`\n  ${name} .b {\n  }\`; ${page}`, "/x/web/figures/a.ts").code,
    `css\` ${name} .b { }\`; ${page}`,
  );
  assert.equal(transform("css`\n`", "/x/node_modules/lit/css.js"), undefined);
});
