// The panels of the page: layers, sliders, the path's figures, and the words for screen readers.

import { layerNames, type Layer } from "./stage";
import type { Path, Place, Scene } from "./scene";

const titles: Record<Layer, string> = {
  level: "Level", regions: "Regions", portals: "Portals", borders: "Borders", links: "Links", path: "Path", numbers: "Region numbers",
};

export interface Deeds {
  show(layer: Layer, on: boolean): void;
  apart(gap: number): void;
  cut(height: number | null): void;
  reset(): void;
  top(): void;
  theme(): void;
  swap(): void;
}

type Child = Node | string;

function el<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Record<string, string> = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const e = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) e.setAttribute(name, value);
  e.append(...children);
  return e;
}

export class Panel {
  readonly canvas = el("canvas", {
    id: "meadow-scene-view", tabindex: "0", role: "application", "aria-roledescription": "three-dimensional view", "aria-describedby": "meadow-keys",
  });
  readonly numbers = el("canvas", { id: "meadow-numbers", "aria-hidden": "true" });
  private readonly tip = el("div", { id: "meadow-tip", role: "presentation" });
  private readonly figures = el("dl", { id: "meadow-figures" });
  private readonly spoken = el("p", { class: "spoken", role: "status", "aria-live": "polite", id: "meadow-status" });
  private readonly hint = el("p", { class: "hint" });
  private readonly boxes = new Map<Layer, HTMLInputElement>();
  private readonly updates: (() => void)[] = [];
  private readonly lowest: number;
  private readonly highest: number;
  private readonly gap: HTMLInputElement;
  private readonly height: HTMLInputElement;

  constructor(root: HTMLElement, private readonly scene: Scene, deeds: Deeds) {
    const { head } = scene;
    this.canvas.setAttribute("aria-label", `${head.title}. ${(head.facts ?? []).map((f) => `${f.name}: ${f.value}`).join(". ")}`);
    const layers = el("fieldset", {}, el("legend", {}, "Layers"));
    layerNames.forEach((layer, i) => {
      if (!this.has(layer)) return;
      const box = el("input", { type: "checkbox", id: `layer-${layer}` });
      box.checked = layer !== "numbers";
      box.addEventListener("change", () => deeds.show(layer, box.checked));
      this.boxes.set(layer, box);
      layers.append(el("label", { class: `layer ${layer}` }, box, el("i", { "aria-hidden": "true" }), el("span", {}, titles[layer]), el("kbd", { "aria-hidden": "true" }, String(i + 1))));
    });
    this.lowest = head.low[1];
    this.highest = head.high[1];
    const sliders = el("fieldset", {}, el("legend", {}, "Look inside"));
    this.gap = this.slider(sliders, "apart", "Storeys apart", 0, Math.max(4, 4 * head.tall), 0, (v, out) => {
      out.textContent = `${v.toFixed(1)} m`;
      deeds.apart(v);
    });
    if (head.storeys.length < 2) this.gap.disabled = true;
    this.height = this.slider(sliders, "cut", "Cut at height", this.lowest, this.highest + 0.1, this.highest + 0.1, (v, out) => {
      const whole = v > this.highest;
      out.textContent = whole ? "off" : `${(v + head.center[1]).toFixed(1)} m`;
      deeds.cut(whole ? null : v);
    });
    const button = (text: string, key: string, run: () => void, label = text) => {
      const b = el("button", { type: "button", "aria-label": label, title: `${label} (${key})`, "aria-keyshortcuts": key }, text);
      b.addEventListener("click", run);
      return b;
    };
    const tools = el("div", { class: "tools" },
      button("Whole", "R", deeds.reset, "Show the whole level"), button("Top", "T", deeds.top, "Look straight down"),
      button("Swap", "X", deeds.swap, "Swap start and goal"), button("Light", "D", deeds.theme, "Light or dark"));
    const facts = el("table", {});
    for (const f of head.facts ?? []) facts.append(el("tr", {}, el("th", { scope: "row" }, f.name), el("td", {}, f.value)));
    const about = el("details", { id: "meadow-about" }, el("summary", {}, "About this mesh"), facts);
    if (head.notes?.length) about.append(el("h2", {}, "What to try next"), el("pre", { tabindex: "0" }, head.notes.join("\n")));
    const keys = el("details", { id: "meadow-help" }, el("summary", {}, "Mouse, touch and keys"), el("p", { id: "meadow-keys" },
      "Drag turns the view, the wheel or two fingers come nearer, the right button or two fingers move it. A click or tap on the floor sets the start. " +
      "Drag the red pin, or click with Shift, for the goal. Keys: arrows turn, plus and minus come nearer, Shift with arrows walks the goal, " +
      "Alt with arrows the start, 1 to 7 switch layers, A and Z pull storeys apart, C and V move the cut, R shows all, T looks down, X swaps, D changes the light."));
    const card = el("section", { id: "meadow-path", "aria-label": "Path" }, this.figures, this.hint);
    const side = el("details", { id: "meadow-side", open: "" }, el("summary", {}, "Layers and views"), layers, sliders, tools, keys, about);
    if (matchMedia("(max-width: 700px)").matches) side.removeAttribute("open");
    root.append(this.canvas, this.numbers, el("header", {}, el("h1", {}, head.title), el("p", {}, subtitle(scene))), card,
      el("nav", { "aria-label": "Layers and views" }, side), this.tip, this.spoken);
  }

  private has(layer: Layer): boolean {
    if (layer === "level") return this.scene.bytes("levelStoreys").length > 0;
    if (layer === "links") return this.scene.floats("links").length > 0;
    return true;
  }

  private slider(into: HTMLElement, id: string, text: string, min: number, max: number, at: number, change: (v: number, out: HTMLElement) => void): HTMLInputElement {
    const input = el("input", { type: "range", id: `slider-${id}`, min: String(min), max: String(max), step: "0.05", value: String(at) });
    const out = el("output", { for: input.id });
    const update = () => {
      change(Number(input.value), out);
      input.setAttribute("aria-valuetext", out.textContent ?? "");
    };
    input.addEventListener("input", update);
    into.append(el("label", { for: input.id }, el("span", {}, text), out), input);
    this.updates.push(update);
    return input;
  }

  /** Gives the scene what the sliders say at the beginning. */
  begin(): void {
    for (const update of this.updates) update();
  }

  /** Moves a slider by a share of its range, as its user would. */
  nudge(which: "apart" | "cut", share: number): void {
    const input = which === "apart" ? this.gap : this.height;
    if (input.disabled) return;
    input.value = String(Number(input.value) + share * (Number(input.max) - Number(input.min)));
    input.dispatchEvent(new Event("input"));
  }

  toggle(number: number): void {
    this.boxes.get(layerNames[number])?.click();
  }

  say(text: string): void {
    this.hint.textContent = text;
  }

  path(path: Path | null, here: boolean): void {
    const rows: [string, string, string?][] = [];
    let spoken = "";
    if (path?.complete) {
      rows.push(["length", `${path.length.toFixed(2)} m`, "big"], ["regions", String(path.regions.length)], ["bends", String(path.bends)]);
      if (path.links > 0) rows.push(["links", String(path.links)]);
      rows.push(["expanded", `${path.expanded} nodes`]);
      if (here) rows.push(["found in", path.milliseconds < 0.15 ? "≤ 0.1 ms" : `${path.milliseconds.toFixed(1)} ms`]);
      spoken = `Path of ${path.length.toFixed(1)} metres through ${path.regions.length} regions.`;
    } else if (path) {
      rows.push(["path", path.goal.found && path.start.found ? "none: no way leads there" : "no floor there", "big"]);
      spoken = "No path.";
    }
    this.figures.replaceChildren(...rows.map(([name, value, kind]) => el("div", kind ? { class: kind } : {}, el("dt", {}, name), el("dd", {}, value))));
    if (path) {
      this.figures.append(el("div", { class: "chain" }, el("dt", {}, "sequence"), el("dd", { title: path.regions.join(" → ") }, short(path.regions))));
    }
    this.spoken.textContent = spoken;
  }

  hover(place: Place | null, x: number, y: number): void {
    if (!place?.found) {
      this.tip.classList.remove("on");
      return;
    }
    const area = this.scene.floats("regionAreas")[place.region];
    const lines = [
      `region ${place.region}`, `area ${area.toFixed(area < 10 ? 2 : 1)} m²`, `component ${place.component}`, `height ${place.point[1].toFixed(2)} m`,
    ];
    if (place.ground) lines.push(`ground ${place.ground}`);
    if (place.wall >= 0) lines.push(`wall in ${place.wall.toFixed(2)} m`);
    this.tip.replaceChildren(el("b", {}, lines[0]), ...lines.slice(1).map((t) => el("span", {}, t)));
    this.tip.classList.add("on");
    const { innerWidth: w, innerHeight: h } = window;
    this.tip.style.left = `${Math.min(x + 16, w - this.tip.offsetWidth - 8)}px`;
    this.tip.style.top = `${Math.min(y + 16, h - this.tip.offsetHeight - 8)}px`;
  }
}

function subtitle(scene: Scene): string {
  const regions = scene.floats("regionAreas").length;
  const storeys = scene.head.storeys.length;
  return `${regions} ${regions === 1 ? "region" : "regions"} · ${storeys} ${storeys === 1 ? "storey" : "storeys"} · agent ${+(2 * scene.head.radius).toFixed(2)} m wide, ${scene.head.tall} m tall`;
}

function short(regions: number[]): string {
  if (regions.length <= 10) return regions.join(" → ");
  return `${regions.slice(0, 5).join(" → ")} → … → ${regions.slice(-4).join(" → ")}`;
}
