// The defaults in the comments of the public types are those of the engine's fields.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import ts from "typescript";

const source = (name) =>
  readFileSync(new URL(`../../bindings/ts/${name}.ts`, import.meta.url), "utf8");
const { outputText } = ts.transpileModule(source("generated/fields"), {
  compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
});
const lists = await import(`data:text/javascript,${encodeURIComponent(outputText)}`);

/** Returns the comment of each property of an interface, by name. */
function commentsOf(file, name) {
  const tree = ts.createSourceFile(file, source(file), ts.ScriptTarget.ES2022, true);
  const found = tree.statements.find(
    (statement) => ts.isInterfaceDeclaration(statement) && statement.name.text === name,
  );
  return new Map(
    found.members.map((member) => [
      member.name.text,
      ts
        .getJSDocCommentsAndTags(member)
        .map((comment) => comment.getText().replaceAll(/\s*\n\s*\*\s*/g, " "))
        .join(" "),
    ]),
  );
}

/**
 * Returns the default that a comment states as a value; undefined if there is none, or if it is a
 * sentence.
 */
function statedDefault(comment) {
  const [, value] =
    /\bdefault:? (true|false|"\w+"|-?[\d.]+(?:e-?\d+)?)(?=[,;:.\s])/i.exec(comment) ?? [];
  return value === undefined ? undefined : JSON.parse(value.replace(/\.$/, ""));
}

for (const [list, file, name] of [
  ["architectureFields", "types/architecture", "Architecture"],
  ["attentionFields", "types/attention", "AttentionOptions"],
  ["layerTypeFields", "types/model", "LayerSpec"],
  ["modelFields", "types/model", "ModelConfig"],
])
  test(`the comments of ${name} state the defaults of ${list}`, () => {
    const comments = commentsOf(file, name);
    for (const [key, { words, absent = words?.[0], min, max = Infinity }] of Object.entries(
      lists[list],
    )) {
      const stated = statedDefault(comments.get(key));
      const isOff = typeof absent === "number" && !(absent >= min && absent <= max);
      if (absent === undefined || isOff) assert.equal(stated, undefined, key);
      else if (absent !== stated) {
        // Such as "True, the default: a decoder."
        assert.match(comments.get(key), new RegExp(`\\b${absent}, the default`, "i"), key);
      }
    }
  });
