// Look: layers, storeys pulled apart, the cut, the camera, light and dark.

import type { App } from "../app";
import { box, button, choice, el, group, slider, type Slider } from "../dom";
import type { Scene } from "../scene";
import { layerNames, type Layer, type Palette } from "../stage";

const titles: Record<Layer, string> = {
  level: "Level", regions: "Regions", portals: "Portals", borders: "Borders", links: "Links", path: "Path", numbers: "Region numbers",
};

export function look(app: App): void {
  const { stage, panel } = app;
  const page = panel.tab("look", "Look");
  const boxes = new Map<Layer, HTMLInputElement>();
  const layers = group("Layers");
  layers.id = "meadow-layers";
  layerNames.forEach((layer, i) => {
    const input = box(layers, layer, titles[layer], stage.shown[layer], (on) => stage.show(layer, on));
    input.id = `layer-${layer}`;
    const label = input.parentElement!;
    label.classList.add(layer);
    input.after(el("i", { "aria-hidden": "true" }));
    label.append(el("kbd", { "aria-hidden": "true" }, String(i + 1)));
    boxes.set(layer, input);
  });
  const inside = group("Look inside");
  const tools = el("div", { class: "tools" },
    button("Whole", "Show the whole level", () => stage.reset(), "R"), button("Top", "Look straight down", () => stage.top(), "T"),
    button("Swap", "Swap start and goal", () => app.swap(), "X"), button("Light", "Light or dark", () => app.theme(!app.dark), "D"));
  const colours = el("div");
  choice(colours, "colours", "Colours", [["usual", "usual"], ["safe", "for the colour-blind"]], "usual", (name) => {
    stage.palette(name as Palette);
    document.documentElement.classList.toggle("safe", name === "safe");
  });
  page.append(layers, inside, colours, tools);
  const about = panel.about(page);
  panel.help("Drag turns the view, the wheel or two fingers come nearer, the right button or two fingers move it. Keys: arrows turn, plus and minus come nearer, " +
    "1 to 7 switch layers, A and Z pull storeys apart, C and V move the cut, R shows all, T looks down, X swaps, D changes the light.");

  let apart: Slider | null = null;
  let cut: Slider | null = null;
  /** The share of the level's height below the cut; null without a cut. */
  let share: number | null = null;
  const scene = (s: Scene) => {
    const { head } = s;
    const had = Number(apart?.input.value ?? 0);
    inside.replaceChildren(inside.firstElementChild!);
    apart = slider(inside, "apart", "Storeys apart", { min: 0, max: Math.max(4, 4 * head.tall), step: 0.05, at: had }, (v) => {
      stage.apart(v);
      return `${v.toFixed(1)} m`;
    });
    apart.input.disabled = head.storeys.length < 2;
    if (apart.input.disabled) apart.input.value = "0";
    // The last step of the slider is above all. A cut of another level stays at its share of the height.
    const low = head.low[1], highest = head.high[1];
    const step = Math.max(0.01, (highest - low) / 200);
    const top = low + step * (Math.floor((highest - low) / step) + 2);
    cut = slider(inside, "cut", "Cut at height", { min: low, max: top, step, at: share === null ? top : low + share * (highest - low) }, (v) => {
      const whole = v > highest;
      share = whole ? null : (v - low) / (highest - low || 1);
      stage.cut(whole ? null : v);
      return whole ? "off" : `${(v + head.center[1]).toFixed(1)} m`;
    });
    apart.update();
    cut.update();
    boxes.get("level")!.parentElement!.hidden = s.bytes("levelStoreys").length === 0;
    boxes.get("links")!.parentElement!.hidden = s.floats("links").length === 0;
    about.facts.replaceChildren(...(head.facts ?? []).map((f) => el("tr", {}, el("th", { scope: "row" }, f.name), el("td", {}, f.value))));
    about.notes.replaceChildren(...(head.notes?.length ? [el("h2", {}, "What to try next"), el("pre", { tabindex: "0" }, head.notes.join("\n"))] : []));
  };
  app.on("scene", scene);
  scene(app.scene);

  /** Moves a slider by a share of its range, as its user would. */
  const nudge = (s: Slider | null, share: number) => {
    if (!s || s.input.disabled) return;
    s.input.value = String(Number(s.input.value) + share * (Number(s.input.max) - Number(s.input.min)));
    s.input.dispatchEvent(new Event("input"));
  };
  const arrows: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
  window.addEventListener("keydown", (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey || typing(e)) return;
    const arrow = arrows[e.key];
    if (arrow) {
      if (e.shiftKey || e.target instanceof HTMLInputElement || e.target instanceof HTMLSelectElement || (e.target as HTMLElement)?.tagName === "PRE") return;
      stage.orbit(0.12 * arrow[0], 0.08 * -arrow[1], 1);
      e.preventDefault();
      return;
    }
    if (e.key >= "1" && e.key <= String(layerNames.length)) boxes.get(layerNames[Number(e.key) - 1])?.click();
    else if (e.key === "+" || e.key === "=") stage.orbit(0, 0, 1 / 1.15);
    else if (e.key === "-") stage.orbit(0, 0, 1.15);
    else {
      switch (e.key.toLowerCase()) {
        case "r": stage.reset(); break;
        case "t": stage.top(); break;
        case "d": app.theme(!app.dark); break;
        case "a": nudge(apart, 0.08); break;
        case "z": nudge(apart, -0.08); break;
        case "c": nudge(cut, -0.04); break;
        case "v": nudge(cut, 0.04); break;
        default: return;
      }
    }
    e.preventDefault();
  });
}

/** Whether a key belongs to a field for text or numbers. */
export function typing(e: KeyboardEvent): boolean {
  const t = e.target;
  return t instanceof HTMLTextAreaElement || t instanceof HTMLSelectElement || (t instanceof HTMLInputElement && !["checkbox", "range", "radio", "button", "file"].includes(t.type));
}
