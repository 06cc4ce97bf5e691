// The elements without a page: on a server that renders a component which imports them, and in
// emulated browsers for tests.

import assert from "node:assert/strict";
import { test } from "node:test";
import { inNode } from "./in-node.mjs";

const elements = JSON.stringify(new URL("../../dist/elements.js", import.meta.url).href);

test("a server can import the elements, which do not use a document", () => {
  const script = `
    const asked = [];
    for (const name of ["document", "window", "matchMedia", "getComputedStyle", "location"])
      Object.defineProperty(globalThis, name, { get: () => { asked.push(name); } });
    await import(${elements});
    const others = asked.filter((name) => name !== "document");
    console.log(customElements.get("wf-who-chases").name.length > 0, others);`;
  assert.equal(inNode(script), "true []");
});

test("an emulated page whose documents lack style sheets can import the elements", () => {
  const script = `
    class Root { attachShadow() { return {}; } }
    globalThis.HTMLElement = Root;
    const documentElement = { lang: "zh" };
    const [createTreeWalker, createComment] = [() => ({}), () => ({})];
    globalThis.document = { documentElement, createTreeWalker, createComment };
    globalThis.window = { document };
    await import(${elements});
    console.log("imported");`;
  assert.equal(inNode(script), "imported");
});
