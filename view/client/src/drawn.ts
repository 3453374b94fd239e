// Triangles, strokes and labels that the backend draws over a mesh, see view/workbench.Drawn: one draw call for all triangles and one
// for each look of lines.

import * as THREE from "three";
import { lifted, type Lines } from "./lift";
import type { Stage } from "./stage";

export interface Drawn {
  counts: { name: string; text: string; about: string }[];
  triangles: number;
  lines: { color: [number, number, number]; width: number; strokes: number }[];
  labels: { text: string; at: [number, number, number]; storey: number; room: number }[];
}

/** A text at a place of the scene. */
export interface Text {
  text: string;
  at: THREE.Vector3;
  storey: number;
  room: number;
}

export class Overlay {
  readonly labels: Text[];
  readonly objects: (THREE.Mesh | Lines)[] = [];

  constructor(private readonly stage: Stage, readonly drawn: Drawn, body: ArrayBuffer, order: number) {
    const c = stage.scene.head.center;
    const moved = (points: Float32Array) => {
      for (let i = 0; i < points.length; i++) points[i] -= c[i % 3];
      return points;
    };
    const n = drawn.triangles;
    let at = 0;
    const floats = (count: number) => {
      const part = new Float32Array(body.slice(at, at + 4 * count));
      at += 4 * count;
      return moved(part);
    };
    const bytes = (count: number) => {
      const part = new Uint8Array(body, at, count);
      at += Math.ceil(count / 4) * 4;
      return part;
    };
    const points = floats(9 * n);
    const colors = bytes(4 * n);
    const storeys = bytes(n);
    if (n > 0) {
      const g = new THREE.BufferGeometry();
      const rgba = new Float32Array(12 * n);
      const per = new Float32Array(3 * n);
      const color = new THREE.Color();
      for (let i = 0; i < n; i++) {
        color.setRGB(colors[4 * i] / 255, colors[4 * i + 1] / 255, colors[4 * i + 2] / 255, THREE.SRGBColorSpace);
        for (let k = 0; k < 3; k++) {
          color.toArray(rgba, 12 * i + 4 * k);
          rgba[12 * i + 4 * k + 3] = colors[4 * i + 3] / 255;
          per[3 * i + k] = storeys[i];
        }
      }
      g.setAttribute("position", new THREE.BufferAttribute(points, 3));
      g.setAttribute("color", new THREE.BufferAttribute(rgba, 4));
      g.setAttribute("storey", new THREE.BufferAttribute(per, 1));
      const mesh = new THREE.Mesh(g, lifted(new THREE.MeshBasicMaterial({
        vertexColors: true, transparent: true, depthWrite: false, side: THREE.DoubleSide, polygonOffset: true, polygonOffsetFactor: -6, polygonOffsetUnits: -6,
      })));
      this.objects.push(mesh);
    }
    for (const l of drawn.lines) {
      const strokes = floats(6 * l.strokes);
      const of = bytes(2 * l.strokes);
      const lines = stage.line({ color: new THREE.Color().setRGB(l.color[0] / 255, l.color[1] / 255, l.color[2] / 255, THREE.SRGBColorSpace), width: l.width, bias: 0.004 });
      lines.strokes(strokes, of);
      lines.visible = true;
      this.objects.push(lines);
    }
    this.labels = drawn.labels.map((l) => ({ text: l.text, at: new THREE.Vector3(l.at[0] - c[0], l.at[1] - c[1], l.at[2] - c[2]), storey: l.storey, room: l.room }));
    this.objects.forEach((o, i) => {
      o.frustumCulled = false;
      o.renderOrder = order + i / 10;
      stage.add(o);
    });
  }

  free(): void {
    for (const o of this.objects) {
      this.stage.remove(o);
      o.geometry.dispose();
      (o.material as THREE.Material).dispose();
    }
  }
}
