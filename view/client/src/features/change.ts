// Change: crates and dear ground that are dropped, dragged and taken away, and doors that open and close. The mesh is repaired at once.

import * as THREE from "three";
import type { App } from "../app";
import type { Builder } from "./build";
import { Newest } from "../backend";
import { button, choice, el, group, slider } from "../dom";
import type { Doc, Thing } from "../history";
import { Copies, shared } from "../lift";
import type { Path, Place, Point } from "../scene";
import { typing } from "./look";

interface Changed {
  microseconds: number;
  edits: number;
  boxes: number[][];
  fresh: number[];
  regions: number;
}

interface Door {
  name: string;
  kind: string;
  low: Point;
  high: Point;
  closed: boolean;
}

const wood = new THREE.Color(0xb9803f);
const chosen = new THREE.Color(0xffd28a);
const dear = new THREE.Color(0xd9b400);
const barred = new THREE.Color(0x8b1e3f);
const shut = new THREE.Color(0xb3261e);
const ajar = new THREE.Color(0x2f7fd1);

const tools = [["crate", "Box", "Click the floor to drop a box; drag it, click a door."], ["cylinder", "Barrel", "Click the floor to drop a barrel."],
  ["ground", "Ground", "Click the floor to make its ground dear."], ["link", "Link", "Click where a way over the floor begins, then where it ends."]] as const;
const linkKinds = ["jump", "drop", "climb", "ladder", "lift", "teleporter"].map((kind) => [kind, kind] as const);
/** Parts of the level itself: an obstacle, and kinds of markers. */
const parts = [["", "nothing"], ["obstacle", "obstacle"], ["door", "door"], ["area", "area by its name"], ["jump", "link: jump"], ["drop", "link: drop"], ["ladder", "link: ladder"],
  ["lift", "link: lift"], ["start", "start: a seed of the floor"]] as const;
const partColors: Record<string, THREE.Color> = {
  obstacle: new THREE.Color(0x8c5a2b), door: new THREE.Color(0x2f7fd1), jump: new THREE.Color(0x7c3abe), drop: new THREE.Color(0x7c3abe),
  ladder: new THREE.Color(0x7c3abe), lift: new THREE.Color(0x7c3abe), start: new THREE.Color(0x1c7e48),
};
const area = new THREE.Color(0x1a9c8c);
type Tool = string;

export function change(app: App, builder: Builder): void {
  const { stage, panel, history } = app;
  const page = panel.tab("change", "Change");
  let tool: Tool = "crate";
  let doors: Door[] = [];
  let begun: Point | null = null; // where the link begins that is being made
  let pointed: Point | null = null; // where its end would be
  let good: Doc = history.doc;
  let last: Changed | null = null;
  let flashes = 0;
  let glow = 0; // how strongly new floor glows, 0 to 1
  let edited = "[]";
  let stale = false; // the floor that is drawn
  let asked: { things: unknown[]; closed: string[] } = { things: [], closed: [] };

  // Shapes.
  const boxShape = new THREE.BoxGeometry(1, 1, 1).translate(0, 0.5, 0);
  const roundShape = new THREE.CylinderGeometry(0.5, 0.5, 1, 20).translate(0, 0.5, 0);
  const place = (o: THREE.Mesh, before: THREE.Mesh | null) => {
    if (before) stage.remove(before);
    stage.add(o);
  };
  const firm = new THREE.MeshLambertMaterial();
  const glass = new THREE.MeshLambertMaterial({ transparent: true, opacity: 0.42, depthWrite: false });
  const shapes = {
    box: new Copies(boxShape, firm, place), cylinder: new Copies(roundShape, firm, place),
    boxGround: new Copies(boxShape, glass, place), cylinderGround: new Copies(roundShape, glass, place), doors: new Copies(boxShape, glass, place),
  };
  const edges = stage.line({ color: 0x3b2a14, width: 1.4, opacity: 0.8, bias: 0.003 });
  stage.add(edges);
  const arcs = stage.line({ color: partColors.jump, width: 5, opacity: 0.55, bias: 0.004 });
  stage.add(arcs);
  const matrix = new THREE.Matrix4();
  const turn = new THREE.Quaternion();
  const up = new THREE.Vector3(0, 1, 0);
  const draw = () => {
    const { center, tall } = app.scene.head;
    const lists: Record<keyof typeof shapes, { at: Point; size: Point; yaw: number; color: THREE.Color }[]> = { box: [], cylinder: [], boxGround: [], cylinderGround: [], doors: [] };
    const strokes: number[] = [];
    const storeys: number[] = [];
    const bows: number[] = [];
    const bowStoreys: number[] = [];
    const bow = (from: Point, to: Point, width: number, oneWay: boolean, color: THREE.Color) => {
      for (const at of [from, to]) lists.cylinderGround.push({ at, size: [width, 0.08, width], yaw: 0, color });
      const s = [from, to].map((p) => app.scene.storeyAt(p[1] - center[1]));
      for (const [a, b, end] of strokesOf(from, to, oneWay)) {
        for (const p of [a, b]) bows.push(p[0] - center[0], p[1] - center[1], p[2] - center[2]);
        bowStoreys.push(s[end], s[end]);
      }
    };
    if (begun) bow(begun, pointed ?? begun, now.size, now.oneWay, chosen);
    for (const t of history.doc.things) {
      if (t.to) {
        bow(t.at, t.to, t.size[0], t.oneWay ?? false, t.id === app.selected ? chosen : partColors.jump);
        continue;
      }
      const size: Point = t.shape === "cylinder" ? [t.size[0], t.size[1], t.size[0]] : t.size;
      const color = t.id === app.selected ? chosen : t.cost === 0 ? wood : t.cost < 0 ? barred : dear;
      const look = t.fixed ? (t.id === app.selected ? chosen : (partColors[t.fixed] ?? area)) : color;
      // The level shows its obstacles itself.
      if (t.fixed && (t.fixed !== "obstacle" || t.id === app.selected)) lists.boxGround.push({ at: t.at, size: [size[0], size[1] + 0.02, size[2]], yaw: t.yaw, color: look });
      const form = t.shape === "cylinder" ? "cylinder" : "box";
      if (!t.fixed) lists[t.cost === 0 ? form : (`${form}Ground` as const)].push({ at: t.at, size, yaw: t.yaw, color });
      if (t.shape === "box") outline(t, center, (a, b) => {
        strokes.push(...a, ...b);
        const s = app.scene.storeyAt(t.at[1] - center[1]);
        storeys.push(s, s);
      });
    }
    for (const d of doors) {
      if (!isDoor(d)) continue;
      lists.doors.push({
        at: [(d.low[0] + d.high[0]) / 2, d.low[1], (d.low[2] + d.high[2]) / 2], yaw: 0, color: isClosed(d) ? shut : ajar,
        size: [Math.max(0.1, d.high[0] - d.low[0]), isClosed(d) ? tall || 1.8 : 0.15, Math.max(0.1, d.high[2] - d.low[2])],
      });
    }
    for (const [name, instances] of Object.entries(shapes)) {
      const list = lists[name as keyof typeof shapes];
      instances.begin(list.length);
      list.forEach((t, i) => {
        const y = t.at[1] - center[1];
        matrix.compose(new THREE.Vector3(t.at[0] - center[0], y, t.at[2] - center[2]), turn.setFromAxisAngle(up, t.yaw), new THREE.Vector3(...t.size));
        instances.set(i, matrix, t.color, app.scene.storeyAt(y));
      });
      instances.end();
    }
    edges.strokes(Float32Array.from(strokes), Uint8Array.from(storeys));
    edges.visible = strokes.length > 0;
    arcs.strokes(Float32Array.from(bows), Uint8Array.from(bowStoreys));
    arcs.visible = bows.length > 0;
    stage.draw();
  };
  const isClosed = (d: Door) => history.doc.closed.includes(d.name);

  // The panel.
  const picks = group("Put by a click");
  const row = el("div", { class: "tools two", role: "radiogroup", "aria-label": "What a click puts" });
  const choose = (to: Tool) => {
    tool = to;
    begun = pointed = null;
    for (const b of row.children) b.setAttribute("aria-checked", String((b as HTMLElement).dataset.tool === tool));
    for (const e of [cost.input, cost.input.previousElementSibling as HTMLElement]) e.hidden = tool !== "ground";
    for (const { input } of [sliders.long, sliders.tall, sliders.turn]) for (const e of [input, input.previousElementSibling as HTMLElement]) e.hidden = tool === "link";
    for (const e of [kindOf, wayOf]) for (const f of [e, e.previousElementSibling as HTMLElement]) f.hidden = tool !== "link";
    called.hidden = !isPart(tool) && tool !== "link";
    const known = tools.find(([name]) => name === tool);
    if (known) part.value = "";
    panel.say(known ? known[2] : `Click the floor: the level gets ${tool === "area" ? "an area" : `a part of kind ${tool}`}, and the mesh is built anew.`);
  };
  for (const [name, text, help] of tools) {
    const b = button(text, help, () => {
      app.selected = "";
      choose(name);
      draw();
    });
    b.setAttribute("role", "radio");
    b.dataset.tool = name;
    row.append(b);
  }
  picks.append(row);
  const part = choice(picks, "part", "Into the level", parts, "", (kind) => {
    app.selected = "";
    choose(kind || "crate");
    draw();
  });
  const called = el("input", { type: "text", id: "part-name", placeholder: "name", "aria-label": "Name of the part", maxlength: "100" });
  called.addEventListener("change", () => {
    const id = app.selected;
    const t = history.doc.things.find((t) => t.id === id);
    if (t?.fixed) history.edit("another name", (d) => rename(d.things.find((t) => t.id === id)!));
  });
  picks.append(called);
  const rename = (t: Thing) => {
    t.name = called.value.trim();
    if (t.to) return;
    if (!parts.some(([kind]) => kind === t.fixed && kind !== "area")) t.fixed = t.name.replaceAll(":", " ").trim() || "area";
  };
  const now = { size: 1, long: 1, tall: 1, turn: 0, cost: 8, kind: "jump", oneWay: false };
  const shape = (t: Thing) => {
    if (t.to) {
      t.size = [now.size, 1, now.size];
      t.fixed = now.kind;
      t.oneWay = now.oneWay;
      return;
    }
    t.size = [now.size, t.cost === 0 ? now.tall : 1.5, t.shape === "cylinder" ? now.size : now.long];
    t.yaw = (now.turn * Math.PI) / 180;
    if (t.cost !== 0) t.cost = now.cost > 30 ? -1 : now.cost;
  };
  const reshape = () => {
    const id = app.selected;
    if (!id || !history.doc.things.some((t) => t.id === id)) return;
    history.edit("change of a thing", (d) => shape(d.things.find((t) => t.id === id)!), `shape ${id}`);
  };
  const kindOf = choice(picks, "link-kind", "Kind", linkKinds, now.kind, (v) => ((now.kind = v), reshape()));
  const wayOf = choice(picks, "link-way", "Leads", [["both", "both ways"], ["one", "one way, from the first click"]], "both", (v) => ((now.oneWay = v === "one"), reshape()));
  const sliders = {
    size: slider(picks, "crate-size", "Width", { min: 0.2, max: 6, step: 0.1, at: now.size }, (v) => ((now.size = v), `${v.toFixed(1)} m`)),
    long: slider(picks, "crate-long", "Length", { min: 0.2, max: 12, step: 0.1, at: now.long }, (v) => ((now.long = v), `${v.toFixed(1)} m`)),
    tall: slider(picks, "crate-tall", "Height", { min: 0.1, max: 4, step: 0.1, at: now.tall }, (v) => ((now.tall = v), `${v.toFixed(1)} m`)),
    turn: slider(picks, "crate-turn", "Turn", { min: 0, max: 90, step: 5, at: 0 }, (v) => ((now.turn = v), `${v}°`)),
  };
  const cost = slider(picks, "ground-cost", "Cost of ground", { min: 2, max: 31, step: 1, at: now.cost }, (v) => ((now.cost = v), v > 30 ? "closed" : `${v} × plain`));
  for (const s of [...Object.values(sliders), cost]) {
    s.update();
    s.input.addEventListener("input", reshape);
  }
  const remove = () => {
    const id = app.selected;
    if (!id) return;
    app.selected = "";
    history.edit("removal", (d) => (d.things = d.things.filter((t) => t.id !== id)));
  };
  const clear = () => {
    if (history.doc.things.length > 0) history.edit("removal of all", (d) => (d.things = []));
  };
  const list = group("Open doors and ways");
  const words = el("p", { class: "hint", id: "meadow-changed", role: "status" });
  page.append(picks, el("div", { class: "tools two" }, button("Remove", "Remove the chosen thing", remove, "Delete"), button("Clear", "Remove all things", clear)), list, words);
  panel.help("In the Change tab a click drops a thing, a drag moves it, Delete removes it, and a click on a door opens or closes it. Enter puts a thing in the middle of the view, Control and arrows move the chosen one.");

  const toggle = (d: Door) => {
    const closed = !isClosed(d);
    history.edit(closed ? `closing of ${d.name}` : `opening of ${d.name}`, (doc) => {
      doc.closed = doc.closed.filter((n) => n !== d.name);
      if (closed) doc.closed.push(d.name);
    });
  };
  let listed: { door: Door; input: HTMLInputElement; row: HTMLElement }[] = [];
  const showDoors = () => {
    // Rows stay while the doors do, for the keyboard's sake.
    if (doors.length === 0 || doors.some((d, i) => listed[i]?.door.name !== d.name) || doors.length !== listed.length) {
      listed = doors.map((door) => {
        const input = el("input", { type: "checkbox", id: `door-${door.name}` });
        input.addEventListener("change", () => toggle(door));
        return { door, input, row: el("label", { class: "layer" }, input, el("span", {}, door.name), el("small", {}, door.name === door.kind ? "" : door.kind)) };
      });
      list.replaceChildren(list.firstElementChild!, ...(listed.length ? listed.map((l) => l.row) : [el("p", { class: "hint" }, "This level has none.")]));
    }
    for (const { door, input, row } of listed) {
      input.checked = !isClosed(door);
      row.title = `${door.name}: ${isClosed(door) ? "closed" : "open"}`;
    }
  };

  // The backend takes the whole document; the newest counts.
  const syncing = new Newest();
  const sync = (force = false) => syncing.run(async () => {
    const doc = history.doc;
    const things = doc.things.filter((t) => !t.fixed).map(({ id, shape, at, size, yaw, cost }) => ({ id, shape, at, size, yaw, cost }));
    const { closed } = doc;
    if (!app.backend?.builds) return;
    const items = doc.things.filter((t) => t.fixed).map(item);
    if (JSON.stringify(items) !== edited) {
      try {
        await app.do("edit", { items });
      } catch (error) {
        app.fail(error);
        if (history.doc === doc && doc !== good) history.refuse(good);
        return;
      }
      edited = JSON.stringify(items);
      good = doc;
      await builder.rebuild();
      return; // the new mesh asks for the rest
    }
    if (app.scene.bytes("regionStoreys").length === 0) return;
    if (!force && !stale && JSON.stringify({ things, closed }) === JSON.stringify(asked)) return;
    try {
      const answer = await app.ask<Changed>("change", { things, closed, later: true });
      asked = { things, closed };
      good = doc;
      if (answer.edits > 0) {
        last = answer;
        const text = took(answer.microseconds);
        panel.beside.set("repaired in", text);
        words.textContent = `${answer.edits} ${answer.edits === 1 ? "edit" : "edits"}: the mesh was repaired in ${text}; ${answer.fresh.length} of ${answer.regions} regions are new.`;
      }
      const { start, goal } = app.ends;
      const path = start && goal ? await app.ask<Path>("path", { from: start, to: goal, reach: app.reach }) : null;
      // The path follows at once; the floor is drawn when no newer change waits.
      if (path) stage.setPath({ ...path, regions: app.path?.regions ?? [] });
      if (syncing.waiting) {
        stale = true;
        return;
      }
      app.showFloor((await app.do("floor")).body, path);
      stale = false;
      draw();
      if (answer.edits > 0) flash(answer.fresh);
    } catch (error) {
      app.fail(error);
      if (history.doc === doc && doc !== good) history.refuse(good);
    }
  });
  const flash = (fresh: number[]) => {
    const regions = new Set(fresh);
    const mine = ++flashes;
    const step = (strength: number) => {
      if (mine !== flashes) return;
      stage.flash(regions, strength);
      glow = strength;
      if (strength > 0) setTimeout(() => step(Math.max(0, strength - 0.125)), 80);
    };
    step(1);
  };
  history.on(() => {
    showDoors();
    draw();
    void sync();
  });
  app.on("opened", () => {
    app.selected = "";
    asked = { things: [], closed: [] };
    edited = "[]";
    panel.beside.delete("repaired in");
    words.textContent = "";
    history.reset();
    good = history.doc;
  });
  app.on("scene", async (scene) => {
    if (scene.base || !app.backend?.builds) return;
    asked = { things: [], closed: [] };
    doors = [];
    if (scene.bytes("regionStoreys").length > 0) {
      doors = await app.ask<Door[]>("doors").catch(() => []);
      doors = doors.filter((d) => d.name !== "");
      const { things, closed } = history.doc;
      if (things.length + closed.length > 0) void sync(true);
    }
    showDoors();
    draw();
  });
  showDoors();

  // The pointer.
  const { canvas } = panel;
  const local = (e: PointerEvent) => {
    const b = canvas.getBoundingClientRect();
    return { x: e.clientX - b.left, y: e.clientY - b.top };
  };
  /** The distance of a ray to a box on its base, in scene space; Infinity for none. */
  const hit = (ray: THREE.Ray, at: Point, size: Point, yaw: number): number => {
    const c = app.scene.head.center;
    const y = at[1] - c[1];
    const base = new THREE.Vector3(at[0] - c[0], y + app.scene.storeyAt(y) * shared.gap.value, at[2] - c[2]);
    const own = ray.clone();
    own.origin.sub(base).applyAxisAngle(up, -yaw);
    own.direction.applyAxisAngle(up, -yaw);
    const box = new THREE.Box3(new THREE.Vector3(-size[0] / 2, 0, -size[2] / 2), new THREE.Vector3(size[0] / 2, size[1], size[2] / 2));
    const p = own.intersectBox(box, new THREE.Vector3());
    return p ? p.distanceTo(own.origin) : Infinity;
  };
  /** Whether a place is drawn within some pixels of a place of the page. */
  const near = (p: Point, x: number, y: number, pixels: number): boolean => {
    const at = app.pageOf(p);
    return at !== null && Math.hypot(at.x - x, at.y - y) < pixels;
  };
  const thingAt = (x: number, y: number): { thing?: Thing; door?: Door } => {
    const ray = stage.ray(x, y);
    const bow = history.doc.things.find((t) => t.to && strokesOf(t.at, t.to, false).some(([p]) => near(p, x, y, 9)));
    if (bow) return { thing: bow };
    const wall = stage.shown.level ? (stage.level.first(ray)?.distance ?? Infinity) : Infinity;
    let best = wall + 0.5;
    let found: { thing?: Thing; door?: Door } = {};
    for (const thing of history.doc.things) {
      if (thing.to) continue;
      const d = hit(ray, thing.at, thing.shape === "cylinder" ? [thing.size[0], thing.size[1], thing.size[0]] : thing.size, thing.yaw);
      if (d < best) [best, found] = [d, { thing }];
    }
    for (const door of doors) {
      if (!isDoor(door)) continue;
      const size: Point = [Math.max(0.1, door.high[0] - door.low[0]), isClosed(door) ? app.scene.head.tall : 0.3, Math.max(0.1, door.high[2] - door.low[2])];
      const d = hit(ray, [(door.low[0] + door.high[0]) / 2, door.low[1], (door.low[2] + door.high[2]) / 2], size, 0);
      if (d < best) [best, found] = [d, { door }];
    }
    return found;
  };
  let held: { id: string; pointer: number; moved: boolean; end: "at" | "to" } | null = null;
  let drags = 0;
  const dragging = new Newest();
  canvas.addEventListener("pointerdown", (e) => {
    if (app.tool !== "change" || e.button !== 0 || !e.isPrimary) return;
    const { x, y } = local(e);
    const { thing } = thingAt(x, y);
    if (!thing || begun) return;
    // A link is held by its nearer end, and not by the middle of its arc.
    const end = thing.to && near(thing.to, x, y, 24) ? "to" : "at";
    if (thing.to && !near(thing[end]!, x, y, 24)) return;
    held = { id: thing.id, pointer: e.pointerId, moved: false, end };
    drags++;
    stage.controls.enabled = false;
    canvas.setPointerCapture(e.pointerId);
  }, { capture: true });
  canvas.addEventListener("pointermove", (e) => {
    if (!held || e.pointerId !== held.pointer) return;
    const { id, end } = held;
    const { x, y } = local(e);
    held.moved = true;
    const { steps } = history;
    void dragging.run(async () => {
      const at = await app.floorAt(x, y);
      // An undo that came before the answer takes back this move too.
      if (!at || history.steps !== steps || history.doc.things.every((t) => t.id !== id)) return;
      history.edit("move", (d) => (d.things.find((t) => t.id === id)![end] = spot(at, app.under(x, y))), `drag ${drags}`);
    });
  });
  const release = (e: PointerEvent) => {
    if (held?.pointer === e.pointerId) setTimeout(() => (held = null));
  };
  canvas.addEventListener("pointerup", release);
  canvas.addEventListener("pointercancel", release);
  app.on("click", ({ event, place: floor, ground }) => {
    if (app.tool !== "change") return;
    const { x, y } = local(event);
    const { thing, door } = begun ? {} : thingAt(x, y);
    if (thing) {
      if (thing.to) {
        kindOf.value = now.kind = thing.fixed;
        now.oneWay = thing.oneWay ?? false;
        wayOf.value = now.oneWay ? "one" : "both";
        choose("link");
      }
      app.selected = thing.id;
      for (const [name, v] of [["size", thing.size[0]], ["long", thing.size[2]], ["tall", thing.size[1]], ["turn", (thing.yaw * 180) / Math.PI]] as const) {
        sliders[name].input.value = String(v);
        sliders[name].update();
      }
      called.value = thing.name;
      draw();
    } else if (tool === "link") bind(floor ? spot(floor, ground) : ground);
    else if (door && !isPart(tool)) toggle(door);
    else if (!floor) panel.say("No floor is near; click the floor.");
    else {
      const id = fresh(tool);
      const fixed = isPart(tool) ? tool : "";
      const thing: Thing = { id, shape: tool === "cylinder" ? "cylinder" : "box", at: spot(floor, ground), size: [1, 1, 1], yaw: 0, cost: tool === "ground" ? 1 : 0, fixed, name: "" };
      shape(thing);
      if (fixed) rename(thing);
      app.selected = id;
      history.edit(fixed ? `${tool} in the level` : tool === "ground" ? "dear ground" : `new ${tool}`, (d) => d.things.push(thing));
    }
  });
  const fresh = (tool: Tool) => `${tool} ${history.doc.things.reduce((n, t) => Math.max(n, Number(t.id.split(" ").at(-1))), 0) + 1}`;
  /** Takes a click of the tool Link: the first one begins a link, and the second one ends it. */
  const bind = (at: Point | null) => {
    if (!at) {
      panel.say("Nothing of the level is there; click the floor.");
      return;
    }
    if (!begun) {
      begun = at;
      app.selected = "";
      panel.say("Click where the link ends. Escape leaves it out.");
      draw();
      return;
    }
    const from = begun;
    begun = pointed = null;
    if (Math.hypot(at[0] - from[0], at[1] - from[1], at[2] - from[2]) < 0.1) {
      panel.say("A link needs two places.");
      draw();
      return;
    }
    const thing: Thing = { id: fresh("link"), shape: "link", at: from, size: [1, 1, 1], yaw: 0, cost: 0, fixed: now.kind, name: called.value.trim(), to: at };
    shape(thing);
    app.selected = thing.id;
    panel.say(`The level gets a link of kind ${now.kind}, and the mesh is built anew.`);
    history.edit(`link of kind ${now.kind}`, (d) => d.things.push(thing));
  };
  app.on("hover", (place) => {
    if (!begun) return;
    pointed = place?.point ?? null;
    draw();
  });
  window.addEventListener("keydown", (e) => {
    if (e.key !== "Escape" || !begun) return;
    begun = pointed = null;
    panel.say("No link.");
    draw();
  });
  // The first change is slow, because the browser is still translating the program: a tiny box comes and goes before people see it.
  let warm = "";
  const warmUp = async () => {
    const middles = app.scene.floats("regionMiddles");
    const { things, closed } = history.doc;
    if (warm === app.scene.head.title || middles.length < 3 || things.length + closed.length > 0) return;
    warm = app.scene.head.title;
    const c = app.scene.head.center;
    const probe = { id: "probe 0", shape: "box", at: [middles[0] + c[0], middles[1] + c[1], middles[2] + c[2]], size: [0.1, 1, 0.1], yaw: 0, cost: 0 };
    for (const list of [[probe], []]) await app.do("change", { things: list, closed: [] });
  };
  page.addEventListener("open", () => {
    app.tool = "change";
    choose(tool);
    void syncing.run(() => warmUp().catch(() => undefined));
  });
  page.addEventListener("close", () => {
    app.tool = "path";
    app.selected = "";
    begun = pointed = null;
    draw();
  });
  // By keys: Enter on the view puts a thing, or paints, in the middle of what is seen.
  canvas.addEventListener("keydown", (e) => {
    if (e.key !== "Enter" || app.tool === "path") return;
    const p = stage.onPage(stage.controls.target.clone());
    if (!p) return;
    const b = canvas.getBoundingClientRect();
    const event = new PointerEvent("pointerup", { clientX: b.left + p.x, clientY: b.top + p.y });
    const ground = app.under(p.x, p.y);
    void app.floorAt(p.x, p.y).then((floor) => app.emit("click", { event, place: floor, ground }));
  });
  const arrows: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  window.addEventListener("keydown", (e) => {
    const arrow = arrows[e.key];
    if (app.tool !== "change" || !arrow || !e.ctrlKey || typing(e) || !history.doc.things.some((t) => t.id === app.selected)) return;
    e.preventDefault();
    const ahead = stage.controls.target.clone().sub(stage.camera.position).setY(0).normalize();
    const [x, y] = [0.25 * arrow[0], -0.25 * arrow[1]];
    history.edit("move", (d) => {
      const { at, to } = d.things.find((t) => t.id === app.selected)!;
      for (const p of to ? [at, to] : [at]) {
        p[0] += ahead.x * y - ahead.z * x;
        p[2] += ahead.z * y + ahead.x * x;
      }
    }, `keys ${app.selected}`);
  });
  window.addEventListener("keydown", (e) => {
    if (app.tool === "change" && !typing(e) && (e.key === "Delete" || e.key === "Backspace")) remove();
  });
  /** Puts a box, as a click does, and waits for the mesh. */
  app.actions.crate = async (args) => {
    const { at, size } = args as { at: Point; size: Point };
    history.edit("new box", (d) => d.things.push({ id: `box ${d.things.length + 1}`, shape: "box", at, size, yaw: 0, cost: 0, fixed: "", name: "" }));
    await settled();
  };
  app.actions.door = async (args) => {
    const { name, open } = args as { name: string; open: boolean };
    history.edit(open ? `opening of ${name}` : `closing of ${name}`, (d) => {
      d.closed = d.closed.filter((c) => c !== name);
      if (!open) d.closed.push(name);
    });
    await settled();
  };
  const settled = async () => {
    do await new Promise((done) => setTimeout(done, 20));
    while (syncing.busy);
  };
  app.state.change = () => ({
    things: history.doc.things, closed: history.doc.closed, selected: app.selected, begun, arcs: arcs.length, doors: doors.map((d) => ({ ...d, closed: isClosed(d) })), last, syncing: syncing.busy, flashes, glow,
    onPage: history.doc.things.map((t) => app.pageOf(t.at, t.size[1] / 2)), doorsOnPage: doors.map((d) => app.pageOf([(d.low[0] + d.high[0]) / 2, d.low[1], (d.low[2] + d.high[2]) / 2], 0.1)),
  });
}

/** The arc of a link as strokes, each with the number of the end that it moves with, and of a link that leads one way an arrow at its end. */
function strokesOf(from: Point, to: Point, oneWay: boolean): [Point, Point, 0 | 1][] {
  const parts = 16;
  const [dx, dy, dz] = [to[0] - from[0], to[1] - from[1], to[2] - from[2]];
  const rise = 0.3 + 0.15 * Math.hypot(dx, dy, dz);
  const at = (t: number): Point => [from[0] + t * dx, from[1] + t * dy + 4 * rise * t * (1 - t) + 0.08, from[2] + t * dz];
  const list: [Point, Point, 0 | 1][] = [];
  for (let i = 0; i < parts; i++) list.push([at(i / parts), at((i + 1) / parts), 2 * i < parts ? 0 : 1]);
  const wide = Math.hypot(dx, dz);
  if (oneWay && wide > 0) {
    const tip = at(1), back = at(1 - 2.5 / parts);
    const [sx, sz] = [(-0.12 * rise * dz) / wide, (0.12 * rise * dx) / wide];
    for (const side of [-3, 3]) list.push([[back[0] + side * sx, back[1], back[2] + side * sz], tip, 1]);
  }
  return list;
}

function isPart(tool: Tool): boolean {
  return tools.every(([name]) => name !== tool);
}

/** A part of the level as the backend takes it. An obstacle stands a little in the floor, and a marker begins below it. */
function item(t: Thing): unknown {
  const below = t.fixed === "obstacle" ? 0.1 : 0.2;
  const end = t.to && { to: [t.to[0], t.to[1] - below, t.to[2]], oneWay: t.oneWay ?? false };
  return { id: t.id, kind: t.fixed, name: t.name, at: [t.at[0], t.at[1] - below, t.at[2]], size: [t.size[0], t.size[1] + below, t.size[2]], yaw: t.yaw, ...end };
}

function isDoor(d: Door): boolean {
  return /^(door|gate)\b/i.test(d.kind);
}

/** Where a thing stands: under the pointer, unless that is a wall beside the floor. */
function spot(floor: Place, ground: Point | null): Point {
  const p = floor.point;
  if (!ground || Math.hypot(ground[0] - p[0], ground[2] - p[2]) > 1 || Math.abs(ground[1] - p[1]) > 0.5) return p;
  return ground;
}

/** The words for a time in microseconds; browsers count time in steps of 0.1 ms. */
export function took(us: number): string {
  if (us < 100) return "≤ 0.1 ms";
  return us < 10_000 ? `${(us / 1000).toFixed(1)} ms` : `${(us / 1000).toFixed(0)} ms`;
}

/** The edges of a box, from the centre of the scene. */
function outline(t: Thing, center: Point, add: (a: Point, b: Point) => void): void {
  const [w, h, d] = t.size;
  const corner = (i: number, up: number): Point => {
    const x = [-w, w, w, -w][i % 4] / 2, z = [-d, -d, d, d][i % 4] / 2;
    const c = Math.cos(t.yaw), s = Math.sin(t.yaw);
    return [t.at[0] - center[0] + c * x + s * z, t.at[1] - center[1] + up * h, t.at[2] - center[2] - s * x + c * z];
  };
  for (let i = 0; i < 4; i++) {
    add(corner(i, 0), corner(i + 1, 0));
    add(corner(i, 1), corner(i + 1, 1));
    add(corner(i, 0), corner(i, 1));
  }
}
