// Ask: other searches beside the shortest path, rays and walls under the pointer, nodes that searches look at, and costs of grounds.

import type { App } from "../app";
import { Newest, replayed } from "../backend";
import { box, button, choice, el, group, slider } from "../dom";
import type { Lines } from "../lift";
import { storeyAt } from "../mark";
import type { Point } from "../scene";
import type { Duel } from "./duel";

interface Way {
  name: string;
  about: string;
  found: boolean;
  length: number;
  milliseconds: number;
  expanded: number;
  points: number[];
  nodes: number[];
}

interface Ray {
  found: boolean;
  hit: boolean;
  start: Point;
  end: Point;
  length: number;
  regions: number[];
  wall: Point;
  distance: number;
  goal: Point;
}

interface Ground {
  area: number;
  name: string;
  size: number;
  cost: number;
}

// Colours that people tell apart whatever colours they see (Okabe and Ito).
const colors: Record<string, number> = {
  "portals, funnel": 0x0072b2, "portal middles": 0xe69f00, centroids: 0x56b4e9, "both, tight": 0x009e73, "both, smooth": 0xcc79a7, curve: 0xf0e442, roadmap: 0x8a5a2b,
};
/** At most so many ways are drawn at once. */
const most = 6;

replayed.add("costs");

export function ask(app: App, duel: Duel): void {
  const { stage, panel } = app;
  const page = panel.tab("ask", "Ask");
  const fields = group("Other searches");
  const table = el("table", { id: "meadow-ways" });
  let list: Way[] = [];
  let comparing = false;
  const on = new Set(["portals, funnel", "portal middles", "both, smooth", "roadmap"]);
  let nodesOf = "";
  const lines = new Map<string, Lines>();
  const nodes = stage.line({ color: 0x7c3abe, width: 4, bias: 0.006 });
  const clear = stage.line({ color: 0x009e73, width: 4, bias: 0.006 });
  const behind = stage.line({ color: 0xd55e00, width: 2.5, bias: 0.006, opacity: 0.8 });
  const toWall = stage.line({ color: 0xcc79a7, width: 3, bias: 0.006 });
  [nodes, clear, behind, toWall].forEach((l, i) => {
    l.renderOrder = 24 + i;
    l.visible = false;
    stage.add(l, true);
  });

  /** Draws a way, pieces between pairs of places, or crosses at places. */
  const put = (l: Lines, points: readonly number[], kind: "way" | "crosses") => {
    const { center: c, storeys } = app.scene.head;
    const out: number[] = [], of: number[] = [];
    const at = (i: number, dx = 0, dz = 0) => {
      out.push(points[i] - c[0] + dx, points[i + 1] - c[1] + 0.14, points[i + 2] - c[2] + dz);
      of.push(storeyAt(storeys, points[i + 1] - c[1]));
    };
    const size = 0.12;
    for (let i = 0; i < points.length; i += 3) {
      if (kind === "crosses") {
        at(i, -size, -size);
        at(i, size, size);
        at(i, -size, size);
        at(i, size, -size);
      } else if (i >= 3) {
        at(i - 3);
        at(i);
      }
    }
    l.strokes(Float32Array.from(out), Uint8Array.from(of));
    l.visible = out.length > 0;
    stage.draw(true);
  };
  const draw = () => {
    const drawn = duel.shown ? [] : list.filter((w) => on.has(w.name) && colors[w.name] !== undefined).slice(0, most);
    for (const [name, l] of lines) {
      if (drawn.some((w) => w.name === name)) continue;
      stage.remove(l);
      l.geometry.dispose();
      l.material.dispose();
      lines.delete(name);
    }
    for (const w of drawn) {
      let l = lines.get(w.name);
      if (!l) {
        l = stage.line({ color: colors[w.name], width: 3, bias: 0.0055 });
        l.renderOrder = 22;
        lines.set(w.name, l);
        stage.add(l, true);
      }
      put(l, w.points, "way");
    }
    put(nodes, duel.shown ? [] : list.find((w) => w.name === nodesOf)?.nodes ?? [], "crosses");
  };
  const fill = () => {
    const first = list[0];
    const head = el("tr", {}, ...[["", ""], ["m", "length in metres"], ["%", "longer than the shortest, in percent"], ["nodes", "expanded nodes"], ["ms", "time of the search in milliseconds"]]
      .map(([t, title]) => el("th", { scope: "col", title }, t)));
    table.replaceChildren(...(list.length ? [head] : []), ...list.map((w) => {
      const known = colors[w.name] !== undefined;
      const mark = el("input", { type: "checkbox", "aria-label": `Draw ${w.name}` });
      mark.checked = on.has(w.name);
      mark.hidden = !known;
      mark.addEventListener("change", () => {
        if (mark.checked) on.add(w.name);
        else on.delete(w.name);
        draw();
      });
      const swatch = el("i", { "aria-hidden": "true" });
      swatch.style.background = known ? `#${colors[w.name].toString(16).padStart(6, "0")}` : w === first ? "#d62839" : "none";
      // Searches of one graph go from middle to middle of regions: their lengths compare with each other only.
      const more = known && w.found && first?.found && first.length > 0 ? percent(100 * (w.length / first.length - 1)) : "";
      return el("tr", { title: w.about }, el("th", { scope: "row" }, el("label", {}, mark, swatch, w.name)),
        ...(w.found ? [w.length.toFixed(2), w === first ? "" : more, w.expanded < 0 ? "–" : String(w.expanded), w.milliseconds < 0.1 ? "0.1" : w.milliseconds.toFixed(1)]
          : ["no way", "", "", ""]).map((t) => el("td", {}, t)));
    }));
  };
  const asking = new Newest();
  const compare = () => asking.run(async () => {
    const { start, goal } = app.ends;
    try {
      list = comparing && start && goal && app.path?.complete ? await app.ask<Way[]>("ways", { from: start, to: goal, reach: app.reach }) : [];
    } catch (error) {
      list = [];
      app.fail(error);
    }
    fill();
    draw();
  });
  box(fields, "compare", "Compare other searches", false, (checked) => {
    comparing = checked;
    void compare();
  });
  fields.append(table);
  choice(fields, "nodes", "Nodes looked at by", [["", "none"], ...["Dijkstra", "A*", "Fringe", "two-way A*"].map((n) => [n, n] as const)], "", (name) => {
    nodesOf = name;
    draw();
  });
  app.on("path", () => void compare());
  duel.changed.push(draw);

  // Rays: from the start to the pointer, and the wall nearest to the pointer.
  const pointer = group("Under the pointer");
  const words = el("p", { class: "soft", id: "meadow-ray", role: "status" });
  let rays = false, walls = false;
  let ray: Ray | null = null;
  const pointing = new Newest();
  box(pointer, "ray", "Ray from the start", false, (checked) => {
    rays = checked;
    look(null);
  });
  box(pointer, "wall", "Nearest wall", false, (checked) => {
    walls = checked;
    look(null);
  });
  pointer.append(words);
  const look = (to: Point | null) => void pointing.run(async () => {
    const from = app.ends.start ?? to;
    ray = null;
    if (to && from && (rays || walls)) {
      try {
        ray = await app.ask<Ray>("ray", { from, to, reach: app.reach });
      } catch (error) {
        app.fail(error);
      }
    }
    const r = ray?.found ? ray : null;
    const shown = rays && app.ends.start !== null;
    put(clear, r && shown ? [...r.start, ...r.end] : [], "way");
    put(behind, r && shown && r.hit ? [...r.end, ...r.goal] : [], "way");
    put(toWall, r && walls && r.distance >= 0 ? [...r.goal, ...r.wall] : [], "way");
    const said: string[] = [];
    if (r && shown) said.push(r.hit ? `A wall is in the way after ${r.length.toFixed(2)} m.` : `The way is free for ${r.length.toFixed(2)} m, through ${r.regions.length} regions.`);
    if (r && walls) said.push(r.distance < 0 ? "No wall is near." : `The nearest wall is ${r.distance.toFixed(2)} m away.`);
    words.textContent = said.join(" ");
  });
  app.on("hover", (place) => {
    if (rays || walls) look(place?.point ?? null);
  });

  // Costs of grounds.
  const costs = group("Cost of a metre");
  costs.hidden = true;
  const setting = new Newest();
  let grounds: Ground[] = [];
  const set = () => setting.run(async () => {
    try {
      await app.ask("costs", { costs: grounds });
      await app.find();
    } catch (error) {
      app.fail(error);
    }
  });
  const show = async () => {
    // The costs of people stay where a mesh is built anew.
    const before = new Map(grounds.map((g) => [g.name, g.cost]));
    grounds = app.scene.bytes("regionStoreys").length ? await app.ask<Ground[]>("grounds") : [];
    let changed = false;
    for (const g of grounds) {
      const cost = before.get(g.name) ?? g.cost;
      changed ||= cost !== g.cost;
      g.cost = cost;
    }
    costs.hidden = grounds.length < 2;
    costs.replaceChildren(costs.firstElementChild!);
    for (const g of grounds) {
      const s = slider(costs, `cost-${g.area}`, g.name, { min: -2, max: 4, step: 0.1, at: Math.log2(g.cost) }, (v) => {
        g.cost = Math.round(100 * 2 ** v) / 100;
        return `${g.cost} × · ${g.size.toFixed(0)} m²`;
      });
      s.update();
      s.input.addEventListener("input", () => void set());
    }
    if (grounds.length > 1) {
      costs.append(el("div", { class: "tools one" }, button("All the same", "Every ground costs the same again", () => {
        for (const g of grounds) g.cost = 1;
        void set().then(show);
      })));
    }
    if (changed) await set();
  };
  app.on("opened", () => (grounds = []));
  app.on("scene", () => {
    list = [];
    fill();
    draw();
    put(clear, [], "way");
    put(behind, [], "way");
    put(toWall, [], "way");
    if (app.backend) show().catch((error) => app.fail(error));
  });
  page.append(fields, pointer, costs);
  app.state.ask = () => ({
    ways: list.map((w) => ({ name: w.name, found: w.found, length: w.length, expanded: w.expanded })), drawn: lines.size, nodes: nodes.visible,
    ray: ray?.found ? { hit: ray.hit, length: ray.length, wall: ray.distance } : null, grounds: grounds.length, costs: grounds.map((g) => g.cost),
  });
}

const percent = (v: number) => v.toFixed(Math.abs(v) < 9.95 ? 1 : 0);
