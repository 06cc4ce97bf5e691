// ONNX models, written as protocol buffers with the field numbers of onnx.proto.

const utf8 = new TextEncoder();
const joined = (chunks) => {
  const bytes = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
};
function varint(value) {
  const bytes = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  for (; rest >= 128n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  return Uint8Array.of(...bytes, Number(rest));
}
const integer = (field, value) => joined([varint(field * 8), varint(value)]);
const float = (field, value) =>
  joined([varint(field * 8 + 5), new Uint8Array(new Float32Array([value]).buffer)]);
const bytes = (field, value) => joined([varint(field * 8 + 2), varint(value.length), value]);
const message = (field, ...parts) => bytes(field, joined(parts));
const text = (field, value) => bytes(field, utf8.encode(value));

const elementTypes = { float32: 1, int8: 3, int32: 6, int64: 7 };
const attributeTypes = { float: 1, int: 2, string: 3, ints: 7 };

function attribute(name, value) {
  const named = text(1, name);
  const typed = (type) => integer(20, attributeTypes[type]);
  if (typeof value === "string") return message(5, named, text(4, value), typed("string"));
  if (Array.isArray(value))
    return message(5, named, ...value.map((item) => integer(8, item)), typed("ints"));
  // A float is given as { float: 1 }, since 1 may be an integer or a float.
  if (typeof value === "object") return message(5, named, float(2, value.float), typed("float"));
  return message(5, named, integer(3, value), typed("int"));
}

function node([operator, inputs, outputs, { domain = "", ...attributes } = {}]) {
  return message(
    1,
    ...[inputs].flat().map((name) => text(1, name)),
    ...[outputs].flat().map((name) => text(2, name)),
    text(4, operator),
    ...Object.entries(attributes).map(([name, value]) => attribute(name, value)),
    text(7, domain),
  );
}

function valueInfo(field, name, { type = "float32", shape }) {
  const dimensions = shape.map((size) => message(1, integer(1, size)));
  const tensor = message(1, integer(1, elementTypes[type]), message(2, ...dimensions));
  return message(field, text(1, name), message(2, tensor));
}

function constant(name, { type = "float32", shape, data }) {
  const raw = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  return message(
    5,
    ...shape.map((size) => integer(1, size)),
    integer(2, elementTypes[type]),
    text(8, name),
    bytes(9, raw),
  );
}

/**
 * Returns the bytes of a model. `nodes` are `[operator, inputs, outputs, { domain, ...attributes
 * }]`; `inputs`, `outputs` and `constants` are tensors by name, `{ type, shape, data }`.
 */
export function onnxModel({ nodes, inputs, outputs, constants = {}, opset = 21 }) {
  const entries = (part, encode) =>
    Object.entries(part).map(([name, value]) => encode(name, value));
  return joined([
    integer(1, 10),
    message(
      7,
      ...nodes.map(node),
      text(2, "graph"),
      ...entries(constants, constant),
      ...entries(inputs, (name, value) => valueInfo(11, name, value)),
      ...entries(outputs, (name, value) => valueInfo(12, name, value)),
    ),
    message(8, text(1, ""), integer(2, opset)),
    message(8, text(1, "com.microsoft"), integer(2, 1)),
  ]);
}
