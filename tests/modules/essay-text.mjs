// What the essay's text states, for tests that compare it with records and with the engine.
import assert from "node:assert/strict";
import { readSection } from "../../scripts/build/prose.mjs";

/** The text of a section in a language, with single spaces between words and cells. */
const plainOf = (name, language) =>
  readSection(name)
    [language].join(" ")
    .replace(/<\/t[dh]>/g, " ")
    .replace(/<[^>]*>/g, "")
    .replace(/\s+/g, " ");

/** Asserts that the section has these texts in both languages, with any space between words. */
export function states(name, texts) {
  for (const language of ["en", "zh"]) {
    const plain = plainOf(name, language);
    for (const text of texts[language]) assert.ok(plain.includes(text), `${language}: ${text}`);
  }
}
