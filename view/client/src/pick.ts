// The first triangle on a ray, among the drawn triangles: storeys lifted, cut off above the cut, seen from the front only.
//
// Many triangles are kept in a tree of boxes for each storey, made when first asked for: triangles in the order of a curve through their
// middles (Morton), eight to a leaf, and above the leaves a complete binary tree of boxes (Lauterbach et al., Fast BVH Construction on
// GPUs, 2009, without its splits). Making the tree takes time O(n), asking O(log n) where triangles are spread as in levels.

import * as THREE from "three";
import { shared } from "./lift";

export interface Hit {
  distance: number;
  /** The place before storeys are lifted. */
  point: THREE.Vector3;
  triangle: number;
}

/** Fewer triangles than these are looked at one by one. */
const few = 2048;

/** Triangles in a leaf. */
const leaf = 8;

export class Triangles {
  private trees: Tree[] | null = null;

  /** positions has three points a triangle, storeys a number a triangle. */
  constructor(readonly positions: Float32Array, readonly storeys: Uint8Array) {}

  first(ray: THREE.Ray, limit = Infinity): Hit | null {
    if (this.storeys.length < few) return this.scan(ray, limit);
    this.trees ??= plant(this.positions, this.storeys);
    let best = limit;
    let found = -1;
    for (const tree of this.trees) {
      const lift = tree.storey * shared.gap.value;
      tree.visit(ray.origin.x, ray.origin.y - lift, ray.origin.z, ray.direction, () => best, (i) => {
        const t = this.distance(ray, i, best);
        if (t < best) [best, found] = [t, i];
      });
    }
    return this.hit(ray, best, found);
  }

  /** The same as first, by a look at every triangle. */
  scan(ray: THREE.Ray, limit = Infinity): Hit | null {
    let best = limit;
    let found = -1;
    for (let i = 0; i < this.storeys.length; i++) {
      const t = this.distance(ray, i, best);
      if (t < best) [best, found] = [t, i];
    }
    return this.hit(ray, best, found);
  }

  private hit(ray: THREE.Ray, distance: number, triangle: number): Hit | null {
    if (triangle < 0) return null;
    const point = ray.at(distance, new THREE.Vector3());
    point.y -= this.storeys[triangle] * shared.gap.value;
    return { distance, point, triangle };
  }

  /** The distance of a triangle along a ray (Möller and Trumbore, 1997), or limit where the ray meets none before. */
  private distance(ray: THREE.Ray, i: number, limit: number): number {
    const { origin: o, direction: d } = ray;
    const p = this.positions;
    const k = 9 * i;
    const up = this.storeys[i] * shared.gap.value;
    const ax = p[k], ay = p[k + 1] + up, az = p[k + 2];
    const ux = p[k + 3] - ax, uy = p[k + 4] + up - ay, uz = p[k + 5] - az;
    const vx = p[k + 6] - ax, vy = p[k + 7] + up - ay, vz = p[k + 8] - az;
    const nx = d.y * vz - d.z * vy, ny = d.z * vx - d.x * vz, nz = d.x * vy - d.y * vx;
    const det = ux * nx + uy * ny + uz * nz;
    if (det < 1e-12) return limit;
    const sx = o.x - ax, sy = o.y - ay, sz = o.z - az;
    const u = sx * nx + sy * ny + sz * nz;
    if (u < 0 || u > det) return limit;
    const qx = sy * uz - sz * uy, qy = sz * ux - sx * uz, qz = sx * uy - sy * ux;
    const v = d.x * qx + d.y * qy + d.z * qz;
    if (v < 0 || u + v > det) return limit;
    const t = (vx * qx + vy * qy + vz * qz) / det;
    return t <= 0 || t >= limit || o.y + t * d.y - up > shared.cut.value ? limit : t;
  }
}

/** Boxes around the triangles of a storey. Node 1 is the root, and nodes 2n and 2n+1 are the children of n. */
class Tree {
  private readonly boxes: Float32Array;
  private readonly leaves: number;

  constructor(readonly storey: number, private readonly order: Uint32Array, positions: Float32Array) {
    const count = Math.ceil(order.length / leaf);
    this.leaves = 1;
    while (this.leaves < count) this.leaves *= 2;
    const boxes = (this.boxes = new Float32Array(12 * this.leaves));
    for (let n = 0; n < boxes.length; n += 6) {
      boxes[n] = boxes[n + 1] = boxes[n + 2] = Infinity;
      boxes[n + 3] = boxes[n + 4] = boxes[n + 5] = -Infinity;
    }
    for (let i = 0; i < order.length; i++) {
      const at = 6 * (this.leaves + Math.floor(i / leaf));
      for (let k = 0; k < 9; k++) {
        const v = positions[9 * order[i] + k];
        const axis = at + (k % 3);
        if (v < boxes[axis]) boxes[axis] = v;
        if (v > boxes[axis + 3]) boxes[axis + 3] = v;
      }
    }
    for (let n = this.leaves - 1; n > 0; n--) {
      for (let axis = 0; axis < 3; axis++) {
        boxes[6 * n + axis] = Math.min(boxes[12 * n + axis], boxes[12 * n + 6 + axis]);
        boxes[6 * n + 3 + axis] = Math.max(boxes[12 * n + 3 + axis], boxes[12 * n + 9 + axis]);
      }
    }
  }

  /** Calls see for each triangle in a leaf that the ray may meet before limit(). */
  visit(x: number, y: number, z: number, d: THREE.Vector3, limit: () => number, see: (triangle: number) => void): void {
    const { boxes, leaves, order } = this;
    const ix = 1 / d.x, iy = 1 / d.y, iz = 1 / d.z;
    const enter = (n: number): number => {
      const b = 6 * n;
      if (boxes[b] > boxes[b + 3]) return Infinity;
      let near = 0, far = Infinity;
      const slab = (low: number, high: number, inverse: number) => {
        const a = low * inverse, c = high * inverse;
        // A ray in the plane of a side gives 0/0, which is no bound.
        if (a !== a || c !== c) return;
        near = Math.max(near, Math.min(a, c));
        far = Math.min(far, Math.max(a, c));
      };
      slab(boxes[b] - x, boxes[b + 3] - x, ix);
      slab(boxes[b + 1] - y, boxes[b + 4] - y, iy);
      slab(boxes[b + 2] - z, boxes[b + 5] - z, iz);
      return near <= far * (1 + 1e-6) + 1e-6 ? near : Infinity;
    };
    const stack = [1];
    const entries = [enter(1)];
    while (stack.length) {
      const n = stack.pop()!;
      if (entries.pop()! >= limit()) continue;
      if (n >= leaves) {
        const end = Math.min(order.length, (n - leaves + 1) * leaf);
        for (let i = (n - leaves) * leaf; i < end; i++) see(order[i]);
        continue;
      }
      const left = enter(2 * n), right = enter(2 * n + 1);
      // The nearer child is on top.
      if (left < right) {
        stack.push(2 * n + 1, 2 * n);
        entries.push(right, left);
      } else {
        stack.push(2 * n, 2 * n + 1);
        entries.push(left, right);
      }
    }
  }
}

/** The trees of all storeys. */
function plant(positions: Float32Array, storeys: Uint8Array): Tree[] {
  const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
  for (let k = 0; k < positions.length; k += 3) {
    for (let axis = 0; axis < 3; axis++) {
      low[axis] = Math.min(low[axis], positions[k + axis]);
      high[axis] = Math.max(high[axis], positions[k + axis]);
    }
  }
  const scale = low.map((l, axis) => (high[axis] > l ? 1023 / (3 * (high[axis] - l)) : 0));
  const keys = new Uint32Array(storeys.length);
  for (let i = 0, k = 0; i < keys.length; i++, k += 9) {
    let key = 0;
    for (let axis = 0; axis < 3; axis++) {
      key |= spread((positions[k + axis] + positions[k + 3 + axis] + positions[k + 6 + axis] - 3 * low[axis]) * scale[axis]) << axis;
    }
    keys[i] = key;
  }
  const order = sorted(keys);
  const counts = new Uint32Array(256);
  for (const s of storeys) counts[s]++;
  const lists = [...counts].map((n) => new Uint32Array(n));
  counts.fill(0);
  for (const i of order) lists[storeys[i]][counts[storeys[i]]++] = i;
  return lists.flatMap((list, storey) => (list.length ? [new Tree(storey, list, positions)] : []));
}

/** Ten bits with two zeros between neighbours. */
function spread(v: number): number {
  v = v & 1023;
  v = (v | (v << 16)) & 0x030000ff;
  v = (v | (v << 8)) & 0x0300f00f;
  v = (v | (v << 4)) & 0x030c30c3;
  return (v | (v << 2)) & 0x09249249;
}

/** The order of numbers below 2³⁰, by three passes of counting. */
function sorted(keys: Uint32Array): Uint32Array {
  let from: Uint32Array = Uint32Array.from(keys, (_, i) => i);
  let to: Uint32Array = new Uint32Array(keys.length);
  for (let shift = 0; shift < 30; shift += 10) {
    const starts = new Uint32Array(1025);
    for (const k of keys) starts[((k >>> shift) & 1023) + 1]++;
    for (let i = 1; i <= 1024; i++) starts[i] += starts[i - 1];
    for (const i of from) to[starts[(keys[i] >>> shift) & 1023]++] = i;
    [from, to] = [to, from];
  }
  return from;
}
