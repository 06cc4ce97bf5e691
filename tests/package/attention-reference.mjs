// A second implementation of attention, in double precision and directly from the definition: one
// query and one key at a time, with a separate condition for every option. Slow, and independent of
// the engine.

/** The two channels of a rotary pair: neighbours, or one from each half. */
const pairOf = (pair, pairs, interleaved) =>
  interleaved ? [2 * pair, 2 * pair + 1] : [pair, pair + pairs];

/** Rotates rows [heads,rows,width] by their positions. */
function turned(data, rows, width, positions, { interleaved, base }) {
  const pairs = width / 2;
  const result = new Float64Array(data.length);
  for (let first = 0; first < data.length; first += width) {
    const position = positions[(first / width) % rows];
    for (let pair = 0; pair < pairs; pair++) {
      const angle = position * base ** (-pair / pairs);
      const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
      const [a, b] = pairOf(pair, pairs, interleaved);
      result[first + a] = data[first + a] * cos - data[first + b] * sin;
      result[first + b] = data[first + a] * sin + data[first + b] * cos;
    }
  }
  return result;
}

function product(a, fromA, b, fromB, count) {
  let sum = 0;
  for (let c = 0; c < count; c++) sum += a[fromA + c] * b[fromB + c];
  return sum;
}

/** Press et al. 2022, section 3: powers of two, and every second slope of twice as many heads. */
export function slopesOf(heads) {
  const powers = (count) => Array.from({ length: count }, (_, h) => 2 ** ((-8 * (h + 1)) / count));
  const below = 2 ** Math.floor(Math.log2(heads));
  const between = powers(2 * below).filter((_, i) => i % 2 === 0);
  return [...powers(below), ...between].slice(0, heads);
}

/** Returns whether query `i` of the call may attend to key `j` of one sequence. */
function isVisible(options, call, i, j) {
  const at = call.offset + i;
  if (call.keyLength !== undefined && j >= call.keyLength) return false;
  if (options.isCausal && j > at && j >= (call.prefixLength ?? 0)) return false;
  if (options.window !== undefined && Math.abs(at - j) >= options.window) return false;
  if (
    options.chunkSize !== undefined &&
    Math.floor(at / options.chunkSize) !== Math.floor(j / options.chunkSize)
  )
    return false;
  return !call.segments || call.segments[at] === call.segments[j];
}

/** Returns the number of a mask of up to four axes at an index; 0 for a mask that only allows. */
function maskAt(mask, place) {
  let at = 0;
  mask.shape.forEach((size, axis) => {
    const index = place[place.length - mask.shape.length + axis];
    at = at * size + (size === 1 ? 0 : index);
  });
  const value = mask.data[at];
  if (mask.data instanceof Uint8Array) return value ? 0 : -Infinity;
  return value;
}

/**
 * Computes one sequence of a call: output [H,T,Dv] and, for every head, query and key, the terms of
 * the logit, the logit, the masked logit and the weight. `entry` is its index in the batch.
 */
export function referenceAttention(options, call, entry) {
  const { heads, kvHeads, width, valueWidth, softcap, sinks, rotary, slopes } = options;
  const { queries, keys } = call;
  const scale = options.scale ?? 1 / Math.sqrt(width);
  const size = heads * queries * keys;
  const found = {
    output: new Float64Array(heads * queries * valueWidth),
    content: new Float64Array(size),
    rotation: new Float64Array(size),
    distance: new Float64Array(size),
    logits: new Float64Array(size),
    maskedLogits: new Float64Array(size),
    weights: new Float64Array(size),
    pairs: rotary ? new Float64Array((size * width) / 2) : undefined,
  };
  const turnedQ = rotary && turned(call.q, queries, width, call.positions, rotary);
  const turnedK = rotary && turned(call.k, keys, width, call.keyPositions, rotary);
  for (let h = 0; h < heads; h++) {
    const from = Math.floor(h / (heads / kvHeads));
    for (let i = 0; i < queries; i++) {
      const atQ = (h * queries + i) * width;
      const first = (h * queries + i) * keys;
      let most = sinks ? sinks[h] : -Infinity;
      for (let j = 0; j < keys; j++) {
        const atK = (from * keys + j) * width;
        const content = scale * product(call.q, atQ, call.k, atK, width);
        const rotation = rotary ? scale * product(turnedQ, atQ, turnedK, atK, width) - content : 0;
        for (let pair = 0; rotary && pair < width / 2; pair++) {
          const [a, b] = pairOf(pair, width / 2, rotary.interleaved);
          found.pairs[((first + j) * width) / 2 + pair] =
            scale * (turnedQ[atQ + a] * turnedK[atK + a] + turnedQ[atQ + b] * turnedK[atK + b]);
        }
        const distance = slopes
          ? -slopes[h] * Math.abs(call.positions[i] - call.keyPositions[j])
          : 0;
        const logit = content + rotation + distance;
        const capped = softcap ? softcap * Math.tanh(logit / softcap) : logit;
        const given = call.mask ? maskAt(call.mask, [entry, h, i, j]) : 0;
        const masked = isVisible(options, call, i, j) ? capped + given : -Infinity;
        found.content[first + j] = content;
        found.rotation[first + j] = rotation;
        found.distance[first + j] = distance;
        found.logits[first + j] = logit;
        found.maskedLogits[first + j] = masked;
        most = Math.max(most, masked);
      }
      if (most === -Infinity) continue;
      let total = sinks ? Math.exp(sinks[h] - most) : 0;
      for (let j = 0; j < keys; j++) total += Math.exp(found.maskedLogits[first + j] - most);
      for (let j = 0; j < keys; j++) {
        const weight = Math.exp(found.maskedLogits[first + j] - most) / total;
        found.weights[first + j] = weight;
        if (weight === 0) continue;
        for (let c = 0; c < valueWidth; c++)
          found.output[(h * queries + i) * valueWidth + c] +=
            weight * call.v[(from * keys + j) * valueWidth + c];
      }
    }
  }
  return found;
}
