// The CSS and HTML in Lit's templates. Biome formats the code around them, but not what is in them.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { format } from "prettier";
import { runOrFail, SetupError } from "../setup/process.mjs";

const options = {
  parser: "typescript",
  printWidth: 100,
  // No white space is added or removed, so that formatting never changes what a page shows.
  htmlWhitespaceSensitivity: "strict",
};

/**
 * Formats sources with Biome, outside the checkout, because Prettier formats some code differently.
 */
async function byBiome(root, texts) {
  const folder = mkdtempSync(join(root, "build/templates-"));
  try {
    const config = JSON.parse(readFileSync(join(root, "biome.json"), "utf8"));
    const { formatter } = config;
    writeFileSync(join(folder, "biome.json"), JSON.stringify({ root: true, formatter }));
    for (const [file, text] of texts) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), text);
    }
    const biome = join(root, "node_modules/.bin/biome");
    await runOrFail(biome, ["format", "--write", "."], { cwd: folder });
    return new Map(
      [...texts.keys()].map((file) => [file, readFileSync(join(folder, file), "utf8")]),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Returns the files whose templates are not formatted, each with the text that it should have. */
export async function unformattedTemplates(root, files) {
  const texts = new Map();
  for (const file of files) {
    const text = readFileSync(join(root, file), "utf8");
    if (!/\b(?:css|html|svg)`/.test(text)) continue;
    const formatted = await format(text, options).catch((error) => {
      throw new SetupError(`${file}: ${error.message}`);
    });
    if (formatted !== text) texts.set(file, formatted);
  }
  if (texts.size === 0) return texts;
  const formatted = await byBiome(root, texts);
  return new Map(
    [...formatted].filter(([file, text]) => text !== readFileSync(join(root, file), "utf8")),
  );
}
