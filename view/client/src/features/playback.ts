// Playback: how a method makes its regions, step by step: seeds, fronts, cells, notches and portals; played, paused and scrubbed.

import * as THREE from "three";
import type { App } from "../app";
import { button, choice, el, group, slider, type Slider } from "../dom";
import { lifted, type Lines } from "../lift";
import { typing } from "./look";

interface Film {
  generator: string;
  frames: string[];
  regions: number;
  shapes: { points: number[]; plane: [number, number, number]; storey: number }[];
  strokes: { kind: "seed" | "notch" | "portal"; start: number[]; end: number[]; storey: number; from: number; to: number }[];
  note: string;
  domains: number;
  all: number;
}

/** What a region looks like in a frame. */
interface Seen {
  shape: number;
  opacity: number;
  box: number[] | null;
  color: number;
}

const looks = { seed: { color: 0xd62839, width: 7 }, notch: { color: 0xd62839, width: 7 }, portal: { color: 0x1f6feb, width: 3 } } as const;
const lift = 0.12;

export function playback(app: App): void {
  const { stage, panel } = app;
  const page = panel.tab("play", "Growth");
  const fields = group("How regions are made");
  const words = el("p", { class: "soft", id: "meadow-frame", role: "status" }, "Record a method to watch it.");
  let film: Film | null = null;
  let changes = new Float32Array(0);
  /** Where the changes of each frame begin. */
  let starts: number[] = [];
  let frame = 0;
  let timer = 0;
  let perSecond = 12;
  let bar: Slider | null = null;
  let drawn = { regions: 0, triangles: 0, strokes: 0 };
  /** The layers that the film stands in for, as they were. */
  let hidden: { regions: boolean; portals: boolean } | null = null;

  const mesh = new THREE.Mesh(new THREE.BufferGeometry(), lifted(new THREE.MeshBasicMaterial({
    vertexColors: true, transparent: true, depthWrite: false, side: THREE.DoubleSide, polygonOffset: true, polygonOffsetFactor: -6, polygonOffsetUnits: -6,
  })));
  mesh.frustumCulled = false;
  mesh.renderOrder = 9;
  const fronts = stage.line({ color: 0x1d2a4a, width: 1.6, bias: 0.004 });
  const lines = Object.fromEntries(Object.entries(looks).map(([kind, look]) => [kind, stage.line({ ...look, bias: 0.006 })])) as Record<keyof typeof looks, Lines>;
  [fronts, ...Object.values(lines)].forEach((l, i) => (l.renderOrder = 10 + i));
  const objects = [mesh, fronts, ...Object.values(lines)];

  /** The regions of a frame: all changes up to it. */
  const regionsAt = (at: number): Map<number, Seen> => {
    const seen = new Map<number, Seen>();
    for (let i = 0; i < starts[at + 1]; i += 7) {
      const [, region, what, a, b, c, d] = changes.subarray(i, i + 7);
      const now = seen.get(region);
      if (what === 0) seen.set(region, { shape: a, opacity: b, box: null, color: now?.color ?? region });
      else if (what === 1 && now) now.box = [a, b, c, d];
      else if (what === 2) seen.delete(region);
      else if (what === 3 && now) now.color = a;
    }
    return seen;
  };
  const show = (at: number) => {
    if (!film) return;
    frame = Math.max(0, Math.min(at, film.frames.length - 1));
    const c = stage.scene.head.center;
    const seen = regionsAt(frame);
    const points: number[] = [], colors: number[] = [], storeys: number[] = [], edges: number[] = [], of: number[] = [];
    const color = new THREE.Color();
    for (const s of seen.values()) {
      const shape = film.shapes[s.shape];
      const corners = s.box ? clip(shape.points, s.box) : shape.points;
      const n = corners.length / 2;
      if (n < 3) continue;
      // Neighbouring numbers get colours far apart.
      color.setHSL((s.color * 0.381966) % 1, 0.62, 0.56 + 0.1 * ((s.color * 7) % 3) / 3, THREE.SRGBColorSpace);
      const [p, q, r] = shape.plane;
      const at3 = (i: number) => [corners[2 * i] - c[0], p + q * corners[2 * i] + r * corners[2 * i + 1] + lift - c[1], corners[2 * i + 1] - c[2]];
      for (let i = 2; i < n; i++) {
        for (const k of [0, i - 1, i]) {
          points.push(...at3(k));
          colors.push(color.r, color.g, color.b, s.opacity);
          storeys.push(shape.storey);
        }
      }
      for (let i = 0; i < n; i++) {
        edges.push(...at3(i), ...at3((i + 1) % n));
        of.push(shape.storey, shape.storey);
      }
    }
    mesh.geometry.dispose();
    mesh.geometry = new THREE.BufferGeometry();
    mesh.geometry.setAttribute("position", new THREE.BufferAttribute(Float32Array.from(points), 3));
    mesh.geometry.setAttribute("color", new THREE.BufferAttribute(Float32Array.from(colors), 4));
    mesh.geometry.setAttribute("storey", new THREE.BufferAttribute(Float32Array.from(storeys), 1));
    fronts.strokes(Float32Array.from(edges), Uint8Array.from(of));
    fronts.visible = edges.length > 0;
    let strokes = 0;
    for (const kind of Object.keys(looks) as (keyof typeof looks)[]) {
      const some: number[] = [], at2: number[] = [];
      for (const s of film.strokes) {
        if (s.kind !== kind || s.from > frame || s.to <= frame) continue;
        // A place is a short cross.
        const place = s.start.every((v, i) => v === s.end[i]);
        const size = place ? 0.14 : 0;
        const ends = place ? [[-size, -size, size, size], [-size, size, size, -size]] : [[0, 0, 0, 0]];
        for (const [ax, az, bx, bz] of ends) {
          some.push(s.start[0] - c[0] + ax, s.start[1] - c[1] + lift + 0.02, s.start[2] - c[2] + az, s.end[0] - c[0] + bx, s.end[1] - c[1] + lift + 0.02, s.end[2] - c[2] + bz);
          at2.push(s.storey, s.storey);
        }
        strokes++;
      }
      lines[kind].strokes(Float32Array.from(some), Uint8Array.from(at2));
      lines[kind].visible = some.length > 0;
    }
    drawn = { regions: seen.size, triangles: points.length / 9, strokes };
    words.textContent = `${frame + 1} of ${film.frames.length}: ${film.frames[frame]}`;
    if (bar && Number(bar.input.value) !== frame) {
      bar.input.value = String(frame);
      bar.update();
    }
    stage.draw();
  };
  const pause = () => {
    clearInterval(timer);
    timer = 0;
    play.textContent = "Play";
  };
  const go = () => {
    if (!film) return;
    if (timer) return pause();
    if (frame >= film.frames.length - 1) show(0);
    play.textContent = "Pause";
    timer = window.setInterval(() => {
      if (!film || frame >= film.frames.length - 1) return pause();
      show(frame + 1);
    }, 1000 / perSecond);
  };
  const step = (by: number) => {
    pause();
    show(frame + by);
  };
  const end = () => {
    pause();
    if (!film) return;
    film = null;
    for (const o of objects) stage.remove(o);
    if (hidden) {
      stage.show("regions", hidden.regions);
      stage.show("portals", hidden.portals);
    }
    hidden = null;
    controls.hidden = true;
    words.textContent = "Record a method to watch it.";
  };
  const record = async (generator: string) => {
    end();
    if (!generator) return;
    try {
      panel.progress("recording", 0, () => void app.backend?.cancel());
      const { answer, body } = await app.do<Film>("playback", { generator }, undefined, (p) => panel.progress(p.stage, p.total > 0 ? p.done / p.total : 0));
      film = answer;
      changes = new Float32Array(body);
      starts = new Array<number>(film.frames.length + 1).fill(changes.length);
      for (let i = changes.length - 7; i >= 0; i -= 7) starts[changes[i]] = i;
      for (let f = film.frames.length - 1; f >= 0; f--) if (starts[f] > starts[f + 1] || starts[f] === changes.length) starts[f] = Math.min(starts[f], starts[f + 1]);
      for (const o of objects) stage.add(o);
      hidden = { regions: stage.shown.regions, portals: stage.shown.portals };
      stage.show("regions", false);
      stage.show("portals", false);
      controls.hidden = false;
      range.replaceChildren();
      bar = slider(range, "frame", "Step", { min: 0, max: film.frames.length - 1, step: 1, at: 0 }, (v) => {
        if (v !== frame) {
          pause();
          show(v);
        }
        return String(v + 1);
      });
      show(0);
      bar.update();
      if (film.note) panel.say(film.note);
      else if (film.domains < film.all) panel.say(`The ${film.domains} largest of ${film.all} parts of the floor are recorded.`);
    } catch (error) {
      method.value = "";
      app.fail(error);
    } finally {
      panel.progress(null);
    }
  };
  const method = choice(fields, "playback", "Method", [["", "none"], ["pasfv", "PASFV: regions grow at the same time"], ["wavefront", "Wavefront: one region after the other"], ["anavmg", "ANavMG: portals from notches"], ["dasfv", "DASFV: after a change"]], "", (g) => void record(g));
  const range = el("div");
  const play = button("Play", "Play or pause", go, "P");
  app.actions.play = async (args) => {
    const { generator } = args as { generator: string };
    method.value = generator;
    await record(generator);
    if (film) go();
  };
  const controls = el("fieldset", { id: "meadow-player" }, range, el("div", { class: "tools" }, button("|◀", "First step", () => step(-1e9)), button("◀", "One step back", () => step(-1), ","), play, button("▶", "One step on", () => step(1), ".")));
  slider(controls, "speed", "Speed", { min: 1, max: 60, step: 1, at: perSecond }, (v) => {
    perSecond = v;
    if (timer) {
      pause();
      go();
    }
    return `${v} steps a second`;
  }).update();
  controls.hidden = true;
  page.append(fields, words, controls);
  panel.help("P plays the growth, comma and full stop step through it.");
  window.addEventListener("keydown", (e) => {
    if (!film || page.hidden || typing(e) || e.ctrlKey || e.metaKey || e.altKey) return;
    if (e.key === "p") go();
    else if (e.key === ",") step(-1);
    else if (e.key === ".") step(1);
    else return;
    e.preventDefault();
  });
  app.on("scene", () => {
    end();
    method.value = "";
  });
  app.state.playback = () => (film ? { frame, frames: film.frames.length, playing: timer !== 0, ...drawn } : null);
}

/** The part of a convex polygon inside of a box: west, north, east and south ends. */
function clip(points: number[], box: number[]): number[] {
  let p = points;
  for (let k = 0; k < 4 && p.length > 0; k++) {
    const inside = (i: number) => (k < 2 ? p[2 * i + (k % 2)] - box[k] : box[k] - p[2 * i + (k % 2)]);
    const out: number[] = [];
    const n = p.length / 2;
    for (let i = 0; i < n; i++) {
      const j = (i + 1) % n;
      const a = inside(i), b = inside(j);
      if (a >= 0) out.push(p[2 * i], p[2 * i + 1]);
      if (a < 0 !== b < 0) {
        const s = a / (a - b);
        out.push(p[2 * i] + s * (p[2 * j] - p[2 * i]), p[2 * i + 1] + s * (p[2 * j + 1] - p[2 * i + 1]));
      }
    }
    p = out;
  }
  return p;
}
