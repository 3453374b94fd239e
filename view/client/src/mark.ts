// A mark at a place of the level: a ring on the floor and a pole, which nothing hides.

import type { Stage } from "./stage";
import type { Lines } from "./lift";
import type { Point } from "./scene";

export class Mark {
  private readonly lines: Lines;
  private readonly halo: Lines;

  constructor(private readonly stage: Stage, color: number) {
    this.halo = stage.line({ color: 0xffffff, width: 6, opacity: 0.8, through: true });
    this.lines = stage.line({ color, width: 3, through: true });
    this.halo.renderOrder = 30;
    this.lines.renderOrder = 31;
    stage.add(this.halo);
    stage.add(this.lines);
  }

  /** Marks a place of the level with a ring of a radius in metres; null removes the mark. */
  at(p: Point | null, radius = 0.5): void {
    const points: number[] = [];
    const { head } = this.stage.scene;
    if (p) {
      const [x, y, z] = p.map((v, i) => v - head.center[i]);
      const steps = 28;
      for (let i = 0; i < steps; i++) {
        for (const k of [i, i + 1]) {
          const a = (2 * Math.PI * k) / steps;
          points.push(x + radius * Math.cos(a), y + 0.06, z + radius * Math.sin(a));
        }
      }
      points.push(x, y, z, x, y + Math.max(1, head.tall), z);
    }
    const storey = p ? storeyAt(head.storeys, p[1] - head.center[1]) : 0;
    for (const l of [this.lines, this.halo]) {
      l.visible = true;
      l.strokes(Float32Array.from(points), new Uint8Array(points.length / 3).fill(storey));
    }
    this.stage.draw();
  }
}

/** The storey of a height of the scene: the last one that begins at most a little above it. */
export function storeyAt(heights: readonly number[], y: number): number {
  let storey = 0;
  for (let i = 1; i < heights.length; i++) if (heights[i] <= y + 0.6) storey = i;
  return storey;
}
