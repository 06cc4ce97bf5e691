// Lit's templates lose what only their writer needs, and nothing else.
import assert from "node:assert/strict";
import { test } from "node:test";
import { parseAst } from "rolldown/parseAst";
import { smallTemplates } from "../../scripts/build/small-templates.mjs";

const { transform } = smallTemplates();
const changed = (code, id = "/x/web/figures/a.ts") =>
  transform.call({ parse: parseAst }, code, id)?.code;
const name = ["$", "{shared}"].join("");

test("of styles comments and indentation go, everything between stays apart", () => {
  const text = `\n  /* why\n   so */\n  .a ${name} .b,\n  .c {\n    margin: 0 1px;\n  }\n`;
  assert.equal(changed(`css\`${text}\``), `css\` .a ${name} .b,.c{margin:0 1px;} \``);
});

test("of pages only indentation goes, in templates within templates too", () => {
  const inner = (space) => `svg\`<g>\n${space}</g>\``;
  const outer = (space) => `html\`<p>\n${space}two  words $\{${inner(space)}}</p>\``;
  assert.equal(changed(outer("      ")), outer(""));
});

test("other templates, and other people's files, stay as they are", () => {
  const code = "const sample = `if (a) {\n  b();\n}`; css`\n  a`;";
  assert.equal(changed(code), "const sample = `if (a) {\n  b();\n}`; css` a`;");
  assert.equal(changed(code, "/x/node_modules/lit/css.js"), undefined);
});
