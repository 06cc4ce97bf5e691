// The declarations in another project with strict settings: no library is skipped, only the
// language's own libraries are present, with any of three module resolutions.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { installTarball, root } from "./tarball.mjs";

const { folder } = installTarball("types");

const engine = `
  import { load, WhereformerError, type Engine, type Scheme } from "whereformer";
  import { load as loadWorker, type RemoteScheme } from "whereformer/worker";
  import { load as loadThreads } from "whereformer/threads";
  const wf: Engine = await load({ wasm: { simd: new Uint8Array(8) } });
  using scheme: Scheme = wf.scheme("alibi", { numHeads: 1, headDim: 2 });
  const bias: Float32Array = scheme.bias([1], [0]).data;
  const remote = await loadWorker({ worker: () => new URL("file:///worker-host.js") });
  const far: RemoteScheme = await remote.scheme("alibi", { numHeads: 1, headDim: 2 });
  const threads: number = (await loadThreads({ threads: 2 })).threads;
  const code: string = new WhereformerError("network", "none").code;
  export const used = [bias, far, threads, code];`;
const page = `
  import "whereformer/elements";
  import "whereformer/worker-host";
  import { load } from "whereformer";
  import { load as loadWorker } from "whereformer/worker";
  const models: string | undefined = document.querySelector("wf-surgery")?.models;
  const data: unknown = document.createElement("wf-who-chases").data;
  const worker = () => new Worker(new URL("worker.js", import.meta.url), { type: "module" });
  const remote = await loadWorker({ worker });
  const own = await loadWorker({ worker: worker() });
  const wf = await load({ wasm: await WebAssembly.compile(new Uint8Array(8)) });
  export const used = [models, data, remote, own, wf];`;

/** Returns tsc's errors for a project; there must be none. */
function complaintsOf(name, files, options) {
  const place = join(folder, name);
  mkdirSync(place, { recursive: true });
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(join(place, file, ".."), { recursive: true });
    writeFileSync(join(place, file), text);
  }
  const compilerOptions = {
    target: "ES2022",
    types: [],
    strict: true,
    exactOptionalPropertyTypes: true,
    noPropertyAccessFromIndexSignature: true,
    noUncheckedIndexedAccess: true,
    noUnusedLocals: true,
    skipLibCheck: false,
    skipDefaultLibCheck: true,
    noEmit: true,
    ...options,
  };
  const include = ["*.ts", "*.tsx"];
  writeFileSync(join(place, "package.json"), JSON.stringify({ type: "module" }));
  writeFileSync(join(place, "tsconfig.json"), JSON.stringify({ compilerOptions, include }));
  try {
    const tsc = join(root, "node_modules/typescript/bin/tsc");
    return execFileSync(process.execPath, [tsc, "-p", place], { encoding: "utf8" });
  } catch (error) {
    return error.stdout;
  }
}

const modes = {
  node16: { module: "Node16", moduleResolution: "Node16" },
  nodenext: { module: "NodeNext", moduleResolution: "NodeNext" },
  bundler: { module: "ESNext", moduleResolution: "bundler" },
};
for (const [name, mode] of Object.entries(modes)) {
  test(`${name}: a page without types for disposing`, () => {
    const lib = ["ES2022", "DOM", "DOM.Iterable"];
    assert.equal(complaintsOf(`page-${name}`, { "main.ts": page }, { ...mode, lib }), "");
  });

  test(`${name}: a Node program without types for pages and WebAssembly`, () => {
    for (const types of ["@types/node", "undici-types"])
      cpSync(join(root, "node_modules", types), join(folder, "node_modules", types), {
        recursive: true,
      });
    const options = { ...mode, lib: ["ES2022"], types: ["node"], skipDefaultLibCheck: true };
    assert.equal(complaintsOf(`node-${name}`, { "main.ts": engine }, options), "");
  });
}

// The declarations of React, Vue and Svelte, as far as tags need them.
const frameworks = {
  "node_modules/react/index.d.ts": `
    export = React;
    export as namespace React;
    declare namespace React {
      interface HTMLAttributes<T> { className?: string; onClick?: (event: { target: T }) => void }
      interface ClassAttributes<T> { key?: string; ref?: (element: T | null) => void }
      namespace JSX { interface IntrinsicElements { p: HTMLAttributes<HTMLElement> } }
    }`,
  "node_modules/react/jsx-runtime.d.ts": `
    import React from "./";
    export namespace JSX {
      interface Element {}
      interface IntrinsicElements extends React.JSX.IntrinsicElements {}
    }`,
  "node_modules/react/package.json": '{ "name": "react", "types": "index.d.ts" }',
  "node_modules/vue/index.d.ts": `
    export interface HTMLAttributes { class?: unknown }
    export interface ReservedProps { key?: string }
    export interface GlobalComponents { RouterLink: unknown }`,
  "node_modules/svelte/elements.d.ts": `
    export interface HTMLAttributes<T extends EventTarget> {
      class?: string;
      onclick?: (event: Event & { currentTarget: T }) => void;
    }
    export interface SvelteHTMLElements { p: HTMLAttributes<HTMLElement> }`,
};
const uses = {
  "figure.tsx": `
    import "whereformer/elements";
    export const Figure = () => <wf-real-heads className="wide" models="models/" />;
    // @ts-expect-error: no such attribute
    export const Other = () => <wf-real-heads folder="models/" />;
    export const Hearing = () => (
      <wf-attention-map
        compact
        heading="Mine"
        ref={(map) => map?.data}
        onwf-pick={({ detail }) => detail.value?.toFixed()}
        onwf-change={({ detail }) => detail.head?.toFixed()}
      />
    );
    // @ts-expect-error: a cell has no such number
    export const Deaf = () => <wf-attention-map onwf-pick={({ detail }) => detail.x.toFixed()} />;
    // @ts-expect-error: no such figure
    export const None = () => <wf-none />;`,
  "tags.ts": `
    import type { GlobalComponents } from "vue";
    import type { SvelteHTMLElements } from "svelte/elements";
    type Props = InstanceType<GlobalComponents["wf-surgery"]>["$props"];
    export const vue: Props = { models: "models/", class: "wide" };
    export const svelte: SvelteHTMLElements["wf-surgery"] = { models: "models/", class: "wide" };
    export const heard: InstanceType<GlobalComponents["wf-lab"]>["$props"] = {
      onWfPick: ({ detail }) => detail.row.toFixed(),
    };
    export const hears: SvelteHTMLElements["wf-costs"] = {
      "onwf-change": ({ detail }) => detail.tokens?.toFixed(),
    };
    // @ts-expect-error: no such attribute
    export const wrong: SvelteHTMLElements["wf-costs"] = { models: "models/" };`,
};
test("React, Vue and Svelte accept the tags and their properties", () => {
  // Beside the package, as npm installs them, so that its declarations find them.
  for (const [file, text] of Object.entries(frameworks)) {
    mkdirSync(join(folder, file, ".."), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  const options = {
    ...modes.bundler,
    esModuleInterop: true,
    lib: ["ES2022", "DOM"],
    jsx: "react-jsx",
    noUnusedLocals: false,
  };
  assert.equal(complaintsOf("frameworks", uses, options), "");
});
