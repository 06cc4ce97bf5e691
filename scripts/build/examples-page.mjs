// The page of the examples: each project's files, to read and copy, on one page without scripts.

import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

const escaped = (text) =>
  text.replace(
    /[&<>"]/g,
    (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[sign],
  );

const style = `
  :root { color-scheme: light dark; --line: #8884; }
  body { max-width: 52rem; margin: 2rem auto; padding: 0 1rem; font: 1.05rem/1.6 Georgia, serif; }
  h2 { margin-top: 2.5rem; border-top: 1px solid var(--line); padding-top: 1rem; }
  pre { overflow-x: auto; padding: 0.8rem; border: 1px solid var(--line); font-size: 0.8rem; }
  summary { cursor: pointer; font-family: monospace; }
  a { color: inherit; }`;

function filesOf(folder) {
  return readdirSync(folder, { recursive: true })
    .filter((name) => statSync(join(folder, name)).isFile())
    .filter((name) => !/(^|\/)(node_modules|dist|\.next|package-lock\.json)(\/|$)/.test(name))
    .sort();
}

function sectionOf(examples, name, live) {
  const folder = join(examples, name);
  const files = filesOf(folder).map((file) => {
    const text = escaped(readFileSync(join(folder, file), "utf8"));
    return `<details><summary>${escaped(file)}</summary><pre tabindex="0">${text}</pre></details>`;
  });
  const link = live.includes(name) ? `\n<p><a href="${name}/index.html">Open it</a></p>` : "";
  return `<h2 id="${name}">${name}</h2>${link}\n${files.join("\n")}`;
}

/** The page's HTML; `live` names the examples that run on the site. */
export function examplesPage(examples, live) {
  const names = readdirSync(examples).filter((name) =>
    statSync(join(examples, name)).isDirectory(),
  );
  const list = names.map((name) => `<a href="#${name}">${name}</a>`).join(" · ");
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Examples · Whereformer</title>
<link rel="icon" href="data:,">
<style>${style}</style>
<p><a href="../index.html">Whereformer</a> ·
<a href="../reference/index.html">Reference and guides</a> ·
<a href="../elements/index.html">Elements</a></p>
<h1>Examples</h1>
<p>Each is a project of its own: copy its files, <code>npm install</code>, and do what its
<code>package.json</code> says. Each shows the same: ALiBi's bias computed here, in a worker and
with threads, and one figure. The notebook shows an array of NumPy's as a map of attention.</p>
<p>${list}</p>
${names.map((name) => sectionOf(examples, name, live)).join("\n")}
</html>
`;
}
