// Crowd: sources and goals that are painted, walkers between them, their speed, their density and their tracks.

import * as THREE from "three";
import type { App } from "../app";
import { box, button, el, group, slider } from "../dom";
import type { Disc } from "../history";
import { Copies } from "../lift";
import type { Point } from "../scene";
import { Walkers } from "../walkers";

interface Walked {
  microseconds: number;
  walkers: number;
  waiting: number;
  stuck: number;
  arrived: number;
  radius: number;
  height: number;
}

/** Numbers of crowd.State. */
const waiting = 1, stuck = 4;
/** Of walkers who walk, look for a way, and are stuck. */
const tints = [0x1f6feb, 0x9aa3b2, 0xd62839].map((c) => new THREE.Vector3((c >> 16) / 255, ((c >> 8) & 255) / 255, (c & 255) / 255));
const sourceColor = new THREE.Color(0x1c7e48), goalColor = new THREE.Color(0xd62839);
/** From empty to full, by viridis, which the colour-blind can read; walkers a square metre. */
const ramp = [0x440154, 0x3b528b, 0x21918c, 0x5ec962, 0xfde725].map((c) => new THREE.Color(c));
const full = 2;
const cell = 1;
/** Tracks of so many walkers, each of so many places. */
const tracked = 150, places = 36;
/** Steps in one answer at most. */
const mostAtOnce = 8;
/** The time between frames where steps come too late: three times what a frame takes, but within these bounds, in milliseconds. */
const seldom = { least: 66, most: 250 };

export function crowd(app: App): void {
  const { stage, panel, history } = app;
  const page = panel.tab("crowd", "Crowd");
  let count = 300;
  let rate = 40;
  let brush = 2;
  let tool: "source" | "goal" = "source";
  let running = false;
  let paused = false;
  let began = 0; // counts crowds: answers to an older one do not count
  let now = new Float32Array(0);
  let size = { radius: 0.4, height: 1.8 };
  let at = 0, every = 25;
  let behind = false;
  let figures = { steps: 0, perSecond: 0, perWalker: 0 };
  let last: Walked | null = null;
  const layers = { density: false, tracks: false };

  const place = (moves: boolean) => (o: THREE.Mesh, old: THREE.Mesh | null) => {
    if (old) stage.remove(old);
    stage.add(o, moves);
  };
  const walkers = new Walkers(tints);
  stage.add(walkers, true);
  const flat = new THREE.CircleGeometry(1, 36).rotateX(-Math.PI / 2).translate(0, 0.06, 0);
  const square = new THREE.PlaneGeometry(1, 1).rotateX(-Math.PI / 2).translate(0, 0.05, 0);
  const clear = (opacity: number) => new THREE.MeshBasicMaterial({ transparent: true, opacity, depthWrite: false, polygonOffset: true, polygonOffsetFactor: -6, polygonOffsetUnits: -6 });
  const discs = new Copies(flat, clear(0.5), place(false));
  const cells = new Copies(square, clear(0.7), place(true));
  const tracks = stage.line({ color: 0x1f6feb, width: 1.6, opacity: 0.75, bias: 0.004 });
  stage.add(tracks, true);

  // The panel.
  const paint = group("Paint by a click");
  const row = el("div", { class: "tools two", role: "radiogroup", "aria-label": "What a click paints" });
  const choose = (to: typeof tool) => {
    tool = to;
    for (const b of row.children) b.setAttribute("aria-checked", String((b as HTMLElement).dataset.tool === tool));
  };
  for (const [name, text, help] of [["source", "Source", "Walkers come out here"], ["goal", "Goal", "Walkers go here"]] as const) {
    const b = button(text, help, () => choose(name));
    b.setAttribute("role", "radio");
    b.dataset.tool = name;
    row.append(b);
  }
  paint.append(row);
  slider(paint, "crowd-brush", "Radius", { min: 0.5, max: 10, step: 0.5, at: brush }, (v) => ((brush = v), `${v.toFixed(1)} m`)).update();
  const many = group("Walkers");
  const number = slider(many, "crowd-count", "Number", { min: 10, max: 2000, step: 10, at: count }, (v) => ((count = v), String(v)));
  number.update();
  number.input.addEventListener("change", () => running && void start(false));
  slider(many, "crowd-rate", "Steps a second", { min: 20, max: 60, step: 5, at: rate }, (v) => ((rate = v), String(v))).update();
  const go = button("Start", "Start the crowd", () => void start(false));
  const rest = button("Pause", "Pause the crowd", () => pause(!paused));
  const end = button("End", "End the crowd", () => void stop());
  const wipe = button("Clear", "Clear sources and goals", () => {
    if (history.doc.sources.length + history.doc.goals.length > 0) history.edit("clearing of sources and goals", (d) => ((d.sources = []), (d.goals = [])));
  });
  const show = group("Show");
  box(show, "crowd-density", "Density", false, (on) => ((layers.density = on), drawCells()));
  box(show, "crowd-tracks", "Tracks", false, (on) => ((layers.tracks = on), drawTracks()));
  const table = el("table", { id: "meadow-crowd" });
  page.append(paint, many, el("div", { class: "tools" }, go, rest, end, wipe), show, table);
  panel.help("In the Crowd tab a click paints a source or a goal.");
  choose(tool);
  const tell = () => {
    rest.textContent = paused ? "Go on" : "Pause";
    rest.setAttribute("aria-pressed", String(paused));
    rest.disabled = end.disabled = !running;
    const rows: [string, string][] = running && last ? [["speed", `${figures.perSecond.toFixed(0)} of ${rate} steps/s`], ["a walker's step", `${figures.perWalker.toFixed(1)} µs`],
      ["on the floor", String(last.walkers)], ["arrived", String(last.arrived)], ["looking for a way", String(last.waiting)], ["stuck", String(last.stuck)]] : [];
    table.replaceChildren(...rows.map(([name, value]) => el("tr", {}, el("th", { scope: "row" }, name), el("td", {}, value))));
  };
  tell();

  // Discs.
  const drawDiscs = () => {
    const { center } = app.scene.head;
    const { sources, goals } = history.doc;
    discs.begin(sources.length + goals.length);
    [...sources, ...goals].forEach((d, i) => {
      const y = d.at[1] - center[1];
      discs.put(i, d.at[0] - center[0], y, d.at[2] - center[2], d.radius, 1, i < sources.length ? sourceColor : goalColor, app.scene.storeyAt(y));
    });
    discs.end();
    stage.draw();
  };
  let areas = JSON.stringify([[], []]);
  history.on(() => {
    const text = JSON.stringify([history.doc.sources, history.doc.goals]);
    if (text === areas) return;
    areas = text;
    drawDiscs();
    if (running) void start(true);
  });
  app.on("click", ({ place: floor }) => {
    if (app.tool !== "crowd" || !floor) return;
    const disc: Disc = { at: floor.point, radius: brush };
    history.edit(`new ${tool}`, (d) => d[tool === "source" ? "sources" : "goals"].push(disc));
  });
  page.addEventListener("open", () => {
    app.tool = "crowd";
    panel.say("Click the floor to paint sources and goals, or start: without any, walkers walk anywhere.");
  });
  page.addEventListener("close", () => (app.tool = "path"));

  // Walking.
  const start = async (keep: boolean) => {
    const { sources, goals } = history.doc;
    try {
      await app.do("crowd", { walkers: count, sources, goals, seed: 1, keep });
    } catch (error) {
      app.fail(error);
      return;
    }
    if (keep && running) return;
    paused = false;
    running = true;
    now = new Float32Array(0);
    density.clear();
    trails.length = 0;
    figures = { steps: 0, perSecond: 0, perWalker: 0 };
    tell();
    void walk(++began);
    requestAnimationFrame(frame);
  };
  const stop = async () => {
    began++;
    running = false;
    last = null;
    now = new Float32Array(0);
    put();
    stage.draw(true);
    density.clear();
    trails.length = 0;
    drawCells();
    drawTracks();
    tell();
    await app.do("crowd", { walkers: 0 }).catch(() => undefined);
  };
  const pause = (to: boolean) => {
    if (!running) return;
    paused = to;
    tell();
    if (!paused) {
      void walk(++began);
      requestAnimationFrame(frame);
    }
  };
  /**
   * Asks for one step after another until the crowd ends, pauses or begins again. The next step is made while the last one is shown, and where the
   * page cannot take as many answers as there are steps a second, an answer has several.
   */
  const walk = async (mine: number) => {
    let due = performance.now();
    let since = due, steps = 0, spent = 0;
    const step = (count: number) => {
      const dt = 1 / rate;
      const asked = app.do<Walked>("step crowd", { dt, steps: count, center: app.scene.head.center });
      asked.catch(() => undefined); // who waits for the answer hears of the error
      return { asked, count, dt: dt * count };
    };
    let ahead = step(1);
    while (mine === began && !paused) {
      const { asked, count, dt } = ahead;
      try {
        const { answer, body } = await asked;
        if (mine !== began || paused) return;
        const late = Math.max(0, Math.floor((performance.now() - due) / (1000 / rate)));
        behind = late > 1;
        ahead = step(Math.min(mostAtOnce, 1 + late));
        const early = due - performance.now();
        if (early > 0) await new Promise((done) => setTimeout(done, early));
        if (mine !== began) return;
        last = answer;
        size = answer;
        now = new Float32Array(body);
        every = Math.max(1000 * dt, performance.now() - at);
        at = performance.now();
        put();
        figures.steps += count;
        steps += count;
        spent += answer.microseconds / Math.max(1, answer.walkers);
        gather(dt);
      } catch (error) {
        app.fail(error);
        void stop();
        return;
      }
      const t = performance.now();
      if (t - since > 500) {
        figures = { ...figures, perSecond: (1000 * steps) / (t - since), perWalker: spent / steps };
        since = t;
        steps = spent = 0;
        tell();
        if (layers.density) drawCells();
      }
      due = Math.max(due + 1000 * dt, t - 100);
    }
  };
  /** Gives the walkers of the last answer to the stage. */
  const put = () => {
    const places = Float32Array.from(now);
    for (let k = 3; k < places.length; k += 4) {
      if (places[k] >= 0) places[k] = (places[k] === stuck ? 2 : places[k] === waiting ? 1 : 0) + 4 * app.scene.storeyAt(places[k - 2]);
    }
    walkers.step(places, size.radius, size.height);
  };
  let drawn = 0, shownAt = 0, frameAt = 0, cost = 0;
  const frame = (t: number) => {
    if (!running || paused) return;
    requestAnimationFrame(frame);
    if (shownAt === frameAt) cost += 0.2 * (t - frameAt - cost);
    frameAt = t;
    const share = Math.min(1, (performance.now() - at) / every);
    if (share === 1 && drawn === at) return;
    // Steps come first: where the processor has no time for all frames, some are left out.
    if (behind && t - shownAt < Math.min(seldom.most, Math.max(seldom.least, 3 * cost))) return;
    shownAt = t;
    drawn = share === 1 ? at : 0;
    walkers.between(share);
    stage.draw(true);
  };

  // Density: walkers a square metre, smoothed over two seconds; tracks: the last places of some.
  const density = new Map<number, { x: number; y: number; z: number; v: number }>();
  const trails: Point[][] = [];
  let beat = 0;
  const gather = (dt: number) => {
    const fade = Math.exp(-dt / 2);
    for (const [key, d] of density) {
      d.v *= fade;
      if (d.v < 0.004) density.delete(key);
    }
    for (let k = 0; k < now.length; k += 4) {
      if (now[k + 3] < 0) continue;
      const x = Math.floor(now[k] / cell), z = Math.floor(now[k + 2] / cell);
      const key = (x + 0x8000) * 0x400000 + (z + 0x8000) * 64 + app.scene.storeyAt(now[k + 1]);
      const d = density.get(key) ?? { x: (x + 0.5) * cell, y: now[k + 1], z: (z + 0.5) * cell, v: 0 };
      d.v += (1 - fade) / (cell * cell);
      d.y = now[k + 1];
      density.set(key, d);
    }
    beat += dt;
    if (beat < 0.25) return;
    beat = 0;
    const n = Math.min(tracked, now.length / 4);
    for (let i = 0; i < n; i++) {
      const trail = (trails[i] ??= []);
      const p: Point = [now[4 * i], now[4 * i + 1], now[4 * i + 2]];
      const end = trail.at(-1);
      if (now[4 * i + 3] < 0 || (end && Math.hypot(p[0] - end[0], p[2] - end[2]) > 4)) trail.length = 0;
      if (now[4 * i + 3] >= 0) trail.push(p);
      if (trail.length > places) trail.shift();
    }
    if (layers.tracks) drawTracks();
  };
  const drawCells = () => {
    const list = layers.density ? [...density.values()].filter((d) => d.v > 0.03) : [];
    cells.begin(list.length);
    const color = new THREE.Color();
    list.forEach((d, i) => {
      const t = Math.min(0.999, d.v / full) * (ramp.length - 1);
      color.copy(ramp[Math.floor(t)]).lerp(ramp[Math.floor(t) + 1], t % 1);
      cells.put(i, d.x, d.y, d.z, cell, 1, color, app.scene.storeyAt(d.y));
    });
    cells.end();
    stage.draw(true);
  };
  const drawTracks = () => {
    const points: number[] = [];
    const storeys: number[] = [];
    for (const trail of layers.tracks ? trails : []) {
      for (let i = 1; i < (trail?.length ?? 0); i++) {
        for (const p of [trail[i - 1], trail[i]]) {
          points.push(p[0], p[1] + 0.12, p[2]);
          storeys.push(app.scene.storeyAt(p[1]));
        }
      }
    }
    tracks.strokes(Float32Array.from(points), Uint8Array.from(storeys));
    tracks.visible = points.length > 0;
    stage.draw(true);
  };

  app.on("scene", (scene) => {
    drawDiscs();
    // Another mesh has no crowd: the same people walk on it.
    if (scene.base || !running) return;
    if (scene.bytes("regionStoreys").length > 0) void start(false);
    else void stop();
  });
  app.on("opened", () => {
    if (running) void stop();
  });
  app.actions.crowd = async (args) => {
    const { count: walkersWanted, from, to, radius } = args as { count: number; from: Point[]; to: Point[]; radius: number };
    number.input.value = String(walkersWanted);
    number.update();
    history.edit("sources and goals", (d) => {
      d.sources = from.map((at) => ({ at, radius }));
      d.goals = to.map((at) => ({ at, radius }));
    });
    await start(false);
  };
  app.state.crowd = () => ({ running, paused, ...figures, last, places: Array.from(now.slice(0, 400)), cells: cells.count, strokes: tracks.length, drawn: walkers.count, sources: history.doc.sources.length, goals: history.doc.goals.length });
}
