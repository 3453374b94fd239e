// The first triangle on a ray, among the drawn triangles: storeys lifted, cut off above the cut, seen from the front only.

import * as THREE from "three";
import { shared } from "./lift";

export interface Hit {
  distance: number;
  /** The place before storeys are lifted. */
  point: THREE.Vector3;
  triangle: number;
}

export class Triangles {
  /** positions has three points a triangle, storeys a number a triangle. */
  constructor(readonly positions: Float32Array, readonly storeys: Uint8Array) {}

  first(ray: THREE.Ray, limit = Infinity): Hit | null {
    const { origin: o, direction: d } = ray;
    const p = this.positions;
    const gap = shared.gap.value;
    let best = limit;
    let found = -1;
    for (let i = 0, k = 0; k < p.length; i++, k += 9) {
      const up = this.storeys[i] * gap;
      const ax = p[k], ay = p[k + 1] + up, az = p[k + 2];
      const ux = p[k + 3] - ax, uy = p[k + 4] + up - ay, uz = p[k + 5] - az;
      const vx = p[k + 6] - ax, vy = p[k + 7] + up - ay, vz = p[k + 8] - az;
      const nx = d.y * vz - d.z * vy, ny = d.z * vx - d.x * vz, nz = d.x * vy - d.y * vx;
      const det = ux * nx + uy * ny + uz * nz;
      if (det < 1e-12) continue;
      const sx = o.x - ax, sy = o.y - ay, sz = o.z - az;
      const u = sx * nx + sy * ny + sz * nz;
      if (u < 0 || u > det) continue;
      const qx = sy * uz - sz * uy, qy = sz * ux - sx * uz, qz = sx * uy - sy * ux;
      const v = d.x * qx + d.y * qy + d.z * qz;
      if (v < 0 || u + v > det) continue;
      const t = (vx * qx + vy * qy + vz * qz) / det;
      if (t <= 0 || t >= best || o.y + t * d.y - up > shared.cut.value) continue;
      best = t;
      found = i;
    }
    if (found < 0) return null;
    const point = ray.at(best, new THREE.Vector3());
    point.y -= this.storeys[found] * gap;
    return { distance: best, point, triangle: found };
  }
}
