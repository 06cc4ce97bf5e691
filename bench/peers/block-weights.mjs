// Weights of a saved model in the form that runtimes for inference need.

import { transposed } from "../measure/inputs.mjs";

/** Returns the float32 tensors of a safetensors file, `{ name: { data, shape } }`. */
export function readSafetensors(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = Number(view.getBigUint64(0, true));
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + length)));
  const tensors = Object.entries(header).filter(([name]) => name !== "__metadata__");
  return Object.fromEntries(
    tensors.map(
      ([
        name,
        {
          dtype,
          shape,
          data_offsets: [begin, end],
        },
      ]) => {
        if (dtype !== "F32") throw new Error(`${name} is ${dtype}`);
        // A copy, since its offset may not be a multiple of four.
        const data = new Float32Array(bytes.slice(8 + length + begin, 8 + length + end).buffer);
        return [name, { data, shape }];
      },
    ),
  );
}

/** Returns a matrix [out,in] by name as [in,out], for products with the input on the left. */
export function columnsOf(tensors, name) {
  const { data, shape } = tensors[name];
  return { data: transposed(data, shape[0], shape[1]), rows: shape[1], columns: shape[0] };
}

/** Joins matrices with equally many rows side by side, so that one product computes them all. */
export function joinedColumns(matrices) {
  const rows = matrices[0].rows;
  const columns = matrices.reduce((sum, matrix) => sum + matrix.columns, 0);
  const data = new Float32Array(rows * columns);
  for (let i = 0, at = 0; i < rows; i++) {
    for (const matrix of matrices) {
      data.set(matrix.data.subarray(i * matrix.columns, (i + 1) * matrix.columns), at);
      at += matrix.columns;
    }
  }
  return { data, rows, columns };
}
