// Region numbers, drawn flat over the scene where a region has room for its number and nothing hides its middle.

import * as THREE from "three";
import type { Text } from "./drawn";
import { shared } from "./lift";
import type { Stage } from "./stage";

export class Numbers {
  private readonly pen: CanvasRenderingContext2D;
  private timer = 0;
  /** The regions whose numbers are on the page. */
  shown: number[] = [];
  /** Texts of features, and how many of them are on the page. */
  texts: readonly Text[] = [];
  written = 0;

  constructor(private readonly canvas: HTMLCanvasElement, private readonly stage: Stage) {
    this.pen = canvas.getContext("2d")!;
  }

  /** Clears the numbers of the last frame, and draws those of this one as soon as the camera rests. */
  refresh(dark: boolean): void {
    clearTimeout(this.timer);
    this.pen.setTransform(1, 0, 0, 1, 0, 0);
    this.pen.clearRect(0, 0, this.canvas.width, this.canvas.height);
    this.shown = [];
    this.written = 0;
    if (this.stage.shown.numbers || this.texts.length > 0) this.timer = window.setTimeout(() => this.paint(dark), 90);
  }

  resize(width: number, height: number, ratio: number): void {
    this.canvas.width = width * ratio;
    this.canvas.height = height * ratio;
  }

  private paint(dark: boolean): void {
    const { stage, pen, canvas } = this;
    const { scene, camera } = stage;
    const ratio = canvas.width / Math.max(1, canvas.clientWidth);
    const middles = scene.floats("regionMiddles");
    const areas = scene.floats("regionAreas");
    const storeys = scene.bytes("regionStoreys");
    const perMetre = canvas.clientHeight / (2 * Math.tan(THREE.MathUtils.degToRad(camera.fov / 2)));
    const candidates: { region: number; x: number; y: number; room: number; distance: number; direction: THREE.Vector3 }[] = [];
    for (let r = 0; stage.shown.numbers && r < areas.length; r++) {
      if (middles[3 * r + 1] > shared.cut.value) continue;
      const at = new THREE.Vector3(middles[3 * r], middles[3 * r + 1] + storeys[r] * shared.gap.value, middles[3 * r + 2]);
      const direction = at.clone().sub(camera.position);
      const distance = direction.length();
      const room = (Math.sqrt(areas[r]) * perMetre) / distance;
      if (room < 22) continue;
      const p = stage.onPage(at);
      if (!p || p.x < 0 || p.y < 0 || p.x > canvas.clientWidth || p.y > canvas.clientHeight) continue;
      candidates.push({ region: r, x: p.x, y: p.y, room, distance, direction: direction.normalize() });
    }
    candidates.sort((a, b) => b.room - a.room || a.region - b.region);
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    pen.lineWidth = 3;
    pen.lineJoin = "round";
    const taken: { x: number; y: number }[] = [];
    const write = (c: { x: number; y: number; room: number; distance: number; direction: THREE.Vector3 }, text: string, wide: number): boolean => {
      if (taken.some((t) => Math.abs(t.x - c.x) < wide && Math.abs(t.y - c.y) < 14)) return false;
      const ray = new THREE.Ray(camera.position, c.direction);
      if (stage.shown.level && stage.level.first(ray, c.distance - 0.3)) return false;
      taken.push(c);
      pen.font = `600 ${Math.min(15, 9 + c.room / 14)}px system-ui, sans-serif`;
      pen.strokeStyle = dark ? "rgba(10,14,22,.75)" : "rgba(255,255,255,.8)";
      pen.fillStyle = dark ? "#f2f5fb" : "#1b2130";
      pen.strokeText(text, c.x, c.y);
      pen.fillText(text, c.x, c.y);
      return true;
    };
    for (const c of candidates.slice(0, 250)) if (write(c, String(c.region), 26)) this.shown.push(c.region);
    const texts = this.texts.flatMap((t) => {
      if (t.at.y > shared.cut.value) return [];
      const at = t.at.clone().setY(t.at.y + t.storey * shared.gap.value);
      const direction = at.clone().sub(camera.position);
      const distance = direction.length();
      const room = (t.room * perMetre) / distance;
      const p = room < 14 ? null : stage.onPage(at);
      return p && p.x >= 0 && p.y >= 0 && p.x <= canvas.clientWidth && p.y <= canvas.clientHeight ? [{ text: t.text, x: p.x, y: p.y, room, distance, direction: direction.normalize() }] : [];
    }).sort((a, b) => b.room - a.room);
    for (const t of texts.slice(0, 250)) if (write(t, t.text, 34)) this.written++;
  }
}
