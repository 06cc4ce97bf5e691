// Removes comments and indentation from Lit templates, and nothing else.
import assert from "node:assert/strict";
import { test } from "node:test";
import { parseAst } from "rolldown/parseAst";
import { smallTemplates } from "../../scripts/build/small-templates.mjs";

const { transform } = smallTemplates();
const changed = (code, id = "/x/web/figures/a.ts") =>
  transform.call({ parse: parseAst }, code, id)?.code;
const name = ["$", "{shared}"].join("");

test("in styles comments and indentation are removed, and words stay separate", () => {
  const text = `\n  /* why\n   so */\n  .a ${name} .b,\n  .c {\n    margin: 0 1px;\n  }\n`;
  assert.equal(changed(`css\`${text}\``), `css\` .a ${name} .b,.c{margin:0 1px;} \``);
});

test("in HTML only indentation is removed, in nested templates too", () => {
  const inner = (space) => `svg\`<g>\n${space}</g>\``;
  const outer = (space) => `html\`<p>\n${space}two  words $\{${inner(space)}}</p>\``;
  assert.equal(changed(outer("      ")), outer(""));
});

test("other templates, and files of other packages, are unchanged", () => {
  const code = "const sample = `if (a) {\n  b();\n}`; css`\n  a`;";
  assert.equal(changed(code), "const sample = `if (a) {\n  b();\n}`; css` a`;");
  assert.equal(changed(code, "/x/node_modules/lit/css.js"), undefined);
});
