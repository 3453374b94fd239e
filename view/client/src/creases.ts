// The edges of a level that are drawn: where two triangles meet at more than 25 degrees, or where only one triangle is.

/** The cosine of the least angle of a crease. */
const flat = 0.906;

/** Lines by their ends, and the storey of each end. An edge of more than two triangles is paired in their order. Time O(n). */
export function creasesOf(points: Float32Array, corners: Uint32Array, storeys: Uint8Array): { points: Float32Array; storeys: Uint8Array } {
  const count = corners.length / 3;
  const normals = new Float32Array(corners.length);
  for (let k = 0; k < corners.length; k += 3) {
    const a = 3 * corners[k], b = 3 * corners[k + 1], c = 3 * corners[k + 2];
    const ux = points[b] - points[a], uy = points[b + 1] - points[a + 1], uz = points[b + 2] - points[a + 2];
    const vx = points[c] - points[a], vy = points[c + 1] - points[a + 1], vz = points[c + 2] - points[a + 2];
    const x = uy * vz - uz * vy, y = uz * vx - ux * vz, z = ux * vy - uy * vx;
    const length = Math.hypot(x, y, z) || 1;
    normals[k] = x / length;
    normals[k + 1] = y / length;
    normals[k + 2] = z / length;
  }
  // A table with open addresses holds the edges that wait for their other triangle: the corner of the triangle where the edge begins, plus one,
  // and negative once the edge has its pair.
  let size = 16;
  while (size < 6 * count) size *= 2;
  const table = new Int32Array(size);
  const out: number[] = [];
  const of: number[] = [];
  const end = (at: number) => (at % 3 === 2 ? at - 2 : at + 1);
  const add = (at: number) => {
    for (const corner of [at, end(at)]) {
      const v = 3 * corners[corner];
      out.push(points[v], points[v + 1], points[v + 2]);
      of.push(storeys[Math.floor(at / 3)]);
    }
  };
  for (let at = 0; at < corners.length; at++) {
    const u = corners[at], v = corners[end(at)];
    const low = Math.min(u, v), high = Math.max(u, v);
    let slot = (Math.imul(low, 0x9e3779b1) ^ Math.imul(high, 0x85ebca6b)) >>> 0;
    slot = (slot ^ (slot >>> 15)) & (size - 1);
    for (; table[slot] !== 0; slot = (slot + 1) & (size - 1)) {
      const held = table[slot];
      if (held < 0) continue;
      const other = held - 1;
      const x = corners[other], y = corners[end(other)];
      if (Math.min(x, y) !== low || Math.max(x, y) !== high) continue;
      const n = at - (at % 3), m = other - (other % 3);
      if (normals[n] * normals[m] + normals[n + 1] * normals[m + 1] + normals[n + 2] * normals[m + 2] < flat) add(at);
      table[slot] = -held;
      break;
    }
    if (table[slot] === 0) table[slot] = at + 1;
  }
  for (const held of table) if (held > 0) add(held - 1);
  return { points: Float32Array.from(out), storeys: Uint8Array.from(of) };
}
