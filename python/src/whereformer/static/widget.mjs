// The side of a figure in the notebook's page: makes the element, keeps its properties and the
// traits of the model alike, and requests numbers from Python when they come into view.

const registryKey = Symbol.for("whereformer.notebook");

/** The loading of the elements, once for all figures of a page. */
function registry() {
  if (!globalThis[registryKey]) {
    const { promise, resolve, reject } = Promise.withResolvers?.() ?? deferred();
    globalThis[registryKey] = { promise, resolve, reject, isLoading: false };
  }
  return globalThis[registryKey];
}

function deferred() {
  const found = {};
  found.promise = new Promise((resolve, reject) => Object.assign(found, { resolve, reject }));
  return found;
}

async function textOf(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).text();
}

async function loadFrom(bytes) {
  const loading = registry();
  if (loading.isLoading) return;
  loading.isLoading = true;
  try {
    const script = new Blob([await textOf(bytes)], { type: "text/javascript" });
    const address = URL.createObjectURL(script);
    await import(/* @vite-ignore */ address);
    URL.revokeObjectURL(address);
    loading.resolve();
  } catch (reason) {
    loading.reject(reason);
  }
}

/** Resolves when the elements are defined: with the script of this model, or of another. */
async function ensureElements(model) {
  const tag = model.get("_tag");
  if (customElements.get(tag)) return;
  const bytes = model.get("_elements");
  if (bytes?.byteLength) void loadFrom(bytes);
  else if (!registry().isLoading) {
    model.on("msg:custom", (content, buffers) => {
      if (content.kind === "elements") void loadFrom(buffers[0]);
    });
    model.send({ kind: "elements" });
  }
  await registry().promise;
  await customElements.whenDefined(tag);
}

// ------------------------------------------------------------------------------- values

let halves;

/** All numbers of float16, by their bits. */
function halfTable() {
  if (halves) return halves;
  halves = new Float32Array(65536);
  for (let bits = 0; bits < 65536; bits++) {
    const [exponent, fraction] = [(bits >> 10) & 31, bits & 1023];
    const size =
      exponent === 0
        ? fraction * 2 ** -24
        : exponent === 31
          ? fraction
            ? Number.NaN
            : Number.POSITIVE_INFINITY
          : (1 + fraction / 1024) * 2 ** (exponent - 15);
    halves[bits] = bits & 0x8000 ? -size : size;
  }
  return halves;
}

/** Numbers of a buffer, which may begin anywhere in a message. */
function numbersOf({ dtype, data }) {
  const { buffer, byteOffset = 0, byteLength } = ArrayBuffer.isView(data)
    ? data
    : { buffer: data, byteLength: data.byteLength };
  const bytes = buffer.slice(byteOffset, byteOffset + byteLength);
  if (dtype === "float32") return new Float32Array(bytes);
  const table = halfTable();
  return Float32Array.from(new Uint16Array(bytes), (bits) => table[bits]);
}

/** An array as it travels; a config may have a `dtype` too, but no bytes. */
const isArray = (value) =>
  ArrayBuffer.isView(value?.data) || value?.data instanceof ArrayBuffer;

/** Rows of an array with two dimensions, for lists of curves. */
const rowsOf = (data, columns) =>
  Array.from({ length: data.length / columns }, (_, row) =>
    data.subarray(row * columns, (row + 1) * columns),
  );

/** A value of Python as the property takes it. */
function received(name, value) {
  if (value === null || value === undefined) return undefined;
  if (isArray(value)) {
    const data = numbersOf(value);
    const { shape } = value;
    if (shape.length === 1) return data;
    const takesShape = ["weights", "minus", "values"].includes(name);
    return takesShape ? { data, shape } : rowsOf(data, shape.at(-1));
  }
  if (Array.isArray(value)) return value.map((item) => received("", item));
  if (typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, received("", item)]),
  );
}

/** `key_tokens` as `keyTokens`; a name that Python's widgets have already ends in `_` there. */
export const propertyOf = (name) =>
  name.replace(/_$/, "").replace(/_(\w)/g, (_, letter) => letter.toUpperCase());

// ------------------------------------------------------------------------------- theme

const dark = /\bdark\b/;

/** The notebook's own words for its theme; undefined if it has none. */
function saidTheme() {
  const { body, documentElement } = document;
  const light = body.dataset.jpThemeLight;
  if (light) return light === "true" ? "light" : "dark";
  const kind = body.dataset.vscodeThemeKind;
  if (kind) return dark.test(kind) || kind === "vscode-high-contrast" ? "dark" : "light";
  for (const { dataset, className, attributes } of [documentElement, body]) {
    const said = attributes.theme?.value ?? dataset.theme ?? dataset.colorMode;
    if (said === "dark" || said === "light") return said;
    const named = /(?:^|\s)(dark|light)(?:-theme)?(?:\s|$)/.exec(String(className));
    if (named) return named[1];
  }
  return undefined;
}

/** Whether the colour behind an element is dark; undefined if nothing behind it has one. */
function groundTheme(element) {
  for (let outer = element; outer; outer = outer.parentElement ?? outer.getRootNode().host) {
    const parts = getComputedStyle(outer).backgroundColor.match(/[\d.]+/g)?.map(Number) ?? [];
    const [red, green, blue, opacity = 1] = parts;
    if (parts.length < 3 || opacity < 0.5) continue;
    return 0.3 * red + 0.59 * green + 0.11 * blue < 128 ? "dark" : "light";
  }
  return undefined;
}

/** Follows the notebook's theme until the signal ends. */
function followTheme(element, model, signal) {
  const set = () => {
    const said = model.get("theme") ?? saidTheme();
    element.theme = said ?? groundTheme(element.parentElement) ?? "auto";
  };
  const watcher = new MutationObserver(() => requestAnimationFrame(set));
  const data = ["theme", "jp-theme-light", "color-mode", "vscode-theme-kind"];
  const attributeFilter = ["class", "theme", ...data.map((name) => `data-${name}`)];
  for (const node of [document.documentElement, document.body])
    watcher.observe(node, { attributeFilter });
  signal.addEventListener("abort", () => watcher.disconnect());
  model.on("change:theme", set);
  signal.addEventListener("abort", () => model.off("change:theme", set));
  set();
}

// ------------------------------------------------------------------------------- maps on demand

const keyOf = (kind, asked) => JSON.stringify([kind, asked]);

/** Answers of Python, by what was requested: those of the first picture come with the model. */
class Requests {
  #model;
  #waiting = new Map();
  #pushed = new Map();
  #last = 0;

  constructor(model, signal) {
    this.#model = model;
    const answer = (content, buffers) => this.#answer(content, buffers);
    const take = () => this.#takeFirst();
    model.on("msg:custom", answer);
    model.on("change:_first", take);
    signal.addEventListener("abort", () => {
      model.off("msg:custom", answer);
      model.off("change:_first", take);
    });
    take();
  }

  #takeFirst() {
    const { view, head, heads } = this.#model.get("_first");
    if (!view) return;
    this.#pushed = new Map([
      [keyOf("head", view), head],
      [keyOf("heads", { layer: view.layer }), heads],
    ]);
    for (const [id, { key, resolve }] of this.#waiting) {
      if (!this.#pushed.has(key)) continue;
      this.#waiting.delete(id);
      resolve(this.#pushed.get(key));
    }
  }

  #answer({ kind, id, answer, failure }, buffers) {
    const waiting = this.#waiting.get(id);
    if (kind !== "answer" || !waiting) return;
    this.#waiting.delete(id);
    if (failure) {
      waiting.reject(Object.assign(new Error(failure), { code: "malformed_data" }));
      return;
    }
    const filled = { ...answer };
    [...["values", "counts"].filter((name) => answer[name])].forEach((name, at) => {
      filled[name] = { ...answer[name], data: buffers[at] };
    });
    waiting.resolve(filled);
  }

  ask(kind, asked) {
    const key = keyOf(kind, asked);
    if (this.#pushed.has(key)) return Promise.resolve(this.#pushed.get(key));
    const id = ++this.#last;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { key, resolve, reject });
      this.#model.send({ kind, id, asked });
    });
  }
}

function mapsOf(model, requests) {
  const view = ({ layer, head, reduce, hideFirst }) => ({ layer, head, reduce, hideFirst });
  return {
    shape: model.get("_shape"),
    async head(asked) {
      const { values, counts, ...facts } = await requests.ask("head", view(asked));
      return { ...facts, values: numbersOf(values), counts: counts && numbersOf(counts) };
    },
    async part({ side, top, left, rows, columns, ...asked }) {
      const part = { ...view(asked), side, top, left, rows, columns };
      return numbersOf((await requests.ask("part", part)).values);
    },
    async heads({ layer }) {
      const { values, rows, columns } = await requests.ask("heads", { layer });
      return { rows, columns, values: numbersOf(values) };
    },
  };
}

// ------------------------------------------------------------------------------- the view

/** Sets the maps, and sets them anew when Python has others. */
function showMaps(element, model, signal) {
  if (!model.get("_shape")?.length) return;
  let ended = new AbortController();
  const set = () => {
    ended.abort();
    ended = new AbortController();
    element.weights = mapsOf(model, new Requests(model, ended.signal));
  };
  signal.addEventListener("abort", () => ended.abort());
  model.on("change:_version", set);
  signal.addEventListener("abort", () => model.off("change:_version", set));
  set();
}

function showProperties(element, model, signal) {
  for (const name of model.get("_properties")) {
    if (name === "theme") continue;
    const set = () => {
      const value = received(propertyOf(name), model.get(name));
      if (name !== "lang") element[propertyOf(name)] = value;
      else if (value === undefined) element.removeAttribute("lang");
      else element.setAttribute("lang", value);
    };
    if (model.get(name) !== null) set();
    model.on(`change:${name}`, set);
    signal.addEventListener("abort", () => model.off(`change:${name}`, set));
  }
}

/** Writes what the reader changes and picks to the traits. */
function hearReader(element, model) {
  const names = new Map(model.get("_properties").map((name) => [propertyOf(name), name]));
  element.addEventListener("wf-change", ({ detail, target }) => {
    if (target !== element || typeof detail !== "object" || detail === null) return;
    const known = Object.entries(detail).filter(([name]) => names.has(name));
    for (const [name, value] of known) model.set(names.get(name), value);
    if (known.length) model.save_changes();
  });
  element.addEventListener("wf-pick", ({ detail }) => {
    model.set("picked", JSON.parse(JSON.stringify(detail)));
    model.save_changes();
  });
}

/** The picture as the element's own button saves it; undefined if there is none yet. */
async function pictureOf(element) {
  const within = (node, tag) => node?.shadowRoot?.querySelector(tag);
  const file = await within(within(element, "wf-frame"), "wf-takeaway")?.file("svg");
  return file?.text();
}

/** Tells Python why nothing is drawn, and, if it cannot draw itself, the picture. */
function reportPicture(element, model, signal) {
  let waiting;
  const report = async () => {
    const failure = element.failure?.message ?? "";
    if (failure !== model.get("failure")) model.set("failure", failure);
    const isWanted = !failure && model.get("_keeps_picture") && element.data !== undefined;
    const picture = isWanted ? await pictureOf(element) : undefined;
    if (picture && picture !== model.get("_picture")) model.set("_picture", picture);
    model.save_changes();
  };
  element.addController({
    hostUpdated() {
      clearTimeout(waiting);
      waiting = setTimeout(report, 300);
    },
  });
  signal.addEventListener("abort", () => clearTimeout(waiting));
}

async function render({ model, el }) {
  const gone = new AbortController();
  const { signal } = gone;
  await ensureElements(model);
  if (signal.aborted) return undefined;
  const element = document.createElement(model.get("_tag"));
  showProperties(element, model, signal);
  showMaps(element, model, signal);
  hearReader(element, model);
  el.append(element);
  followTheme(element, model, signal);
  reportPicture(element, model, signal);
  return () => gone.abort();
}

export default { render };
