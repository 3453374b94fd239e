// Large levels in software GL: corners are shared, so that the processor moves each of them once, and while the camera moves a coarser level stands
// for the level. Corners that are the same place in one colour and storey are one vertex.

/** A level as vertices and triangles of them. */
export interface Shared {
  points: Float32Array;
  /** Of each vertex, as a number of the palette. */
  colors: Uint8Array;
  storeys: Uint8Array;
  corners: Uint32Array;
}

/** Shares corners between triangles of one colour and storey. Time O(n). */
export function sharedCorners(points: Float32Array, corners: Uint32Array, colors: Uint8Array, storeys: Uint8Array): Shared {
  const out = new Uint32Array(corners.length);
  // A list of the vertices at each point: most points have one.
  const first = new Int32Array(points.length / 3).fill(-1);
  const next: number[] = [];
  const at: number[] = [];
  const of: number[] = [];
  for (let i = 0; i < corners.length; i++) {
    const triangle = Math.floor(i / 3), point = corners[i];
    const look = colors[triangle] + 256 * storeys[triangle];
    let v = first[point];
    while (v >= 0 && of[v] !== look) v = next[v];
    if (v < 0) {
      v = at.length;
      at.push(point);
      of.push(look);
      next.push(first[point]);
      first[point] = v;
    }
    out[i] = v;
  }
  const places = new Float32Array(3 * at.length);
  for (let v = 0; v < at.length; v++) for (let k = 0; k < 3; k++) places[3 * v + k] = points[3 * at[v] + k];
  return { points: places, colors: Uint8Array.from(of, (l) => l % 256), storeys: Uint8Array.from(of, (l) => l >> 8), corners: out };
}

/**
 * Returns triangles of the same vertices, about as many as wanted at most: the vertices in a cell of a grid become the first of them, and triangles
 * that lose their area or come twice are left out. Source: Rossignac and Borrel, Multi-resolution 3D approximations for rendering complex
 * scenes, 1993. Time O(n).
 */
export function clustered(s: Shared, wanted: number): Uint32Array {
  let area = 0;
  const { points: p, corners } = s;
  for (let i = 0; i < corners.length; i += 3) {
    const a = 3 * corners[i], b = 3 * corners[i + 1], c = 3 * corners[i + 2];
    const ux = p[b] - p[a], uy = p[b + 1] - p[a + 1], uz = p[b + 2] - p[a + 2];
    const vx = p[c] - p[a], vy = p[c + 1] - p[a + 1], vz = p[c + 2] - p[a + 2];
    area += Math.hypot(uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx) / 2;
  }
  let out = corners;
  // A cell on a surface gives two triangles.
  for (let cell = Math.sqrt((2 * area) / wanted), tries = 0; out.length > 3 * wanted && cell > 0 && tries < 8; cell *= 1.3, tries++) out = inCells(s, cell);
  return out;
}

function inCells(s: Shared, cell: number): Uint32Array {
  const { points, corners, storeys } = s;
  const count = points.length / 3;
  const into = new Uint32Array(count);
  // Tables with open addresses; the keys are compared in full, so that no two cells become one.
  let size = 16;
  while (size < 2 * count) size *= 2;
  const cells = new Int32Array(size).fill(-1);
  const key = new Int32Array(4 * count);
  for (let v = 0; v < count; v++) {
    for (let k = 0; k < 3; k++) key[4 * v + k] = Math.floor(points[3 * v + k] / cell);
    key[4 * v + 3] = storeys[v];
    let slot = mixed(key[4 * v], key[4 * v + 1], key[4 * v + 2]) & (size - 1);
    for (; cells[slot] >= 0; slot = (slot + 1) & (size - 1)) {
      const o = 4 * cells[slot];
      if (key[o] === key[4 * v] && key[o + 1] === key[4 * v + 1] && key[o + 2] === key[4 * v + 2] && key[o + 3] === key[4 * v + 3]) break;
    }
    if (cells[slot] < 0) cells[slot] = v;
    into[v] = cells[slot];
  }
  const out: number[] = [];
  size = 16;
  while (size < corners.length) size *= 2;
  const known = new Int32Array(size).fill(-1);
  for (let i = 0; i < corners.length; i += 3) {
    let a = into[corners[i]], b = into[corners[i + 1]], c = into[corners[i + 2]];
    if (a === b || b === c || a === c) continue;
    // The least corner comes first, and the turn stays.
    while (a > b || a > c) [a, b, c] = [b, c, a];
    let slot = mixed(a, b, c) & (size - 1);
    let twice = false;
    for (; known[slot] >= 0 && !twice; slot = (slot + 1) & (size - 1)) twice = out[known[slot]] === a && out[known[slot] + 1] === b && out[known[slot] + 2] === c;
    if (twice) continue;
    known[slot] = out.length;
    out.push(a, b, c);
  }
  return Uint32Array.from(out);
}

function mixed(a: number, b: number, c: number): number {
  let h = Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca6b) ^ Math.imul(c, 0xc2b2ae35);
  h ^= h >>> 15;
  h = Math.imul(h, 0x2c1b3c6d);
  return (h ^ (h >>> 13)) >>> 0;
}
