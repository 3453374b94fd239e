// Level: what is open, the agent and the method, and builds while sliders move. A newer build ends an older one.

import type { App } from "../app";
import { Cancelled } from "../backend";
import { box, button, choice, el, group, slider } from "../dom";
import type { Path } from "../scene";
import { firstWords } from "./path";
import { opener, type Coming, type Source, type Generate, type Meaning, type NamedFile } from "./open";

interface Built {
  seconds: { extract: number; decompose: number; link: number; pack: number };
  regions: number;
  portals: number;
  vertices: number;
  layers: number;
  parts: number;
  links: number;
  area: number;
  dropped: { area: number; at: [number, number, number] }[];
  warnings: string[] | null;
  notes: string[] | null;
  generator: string;
  extractor: string;
}

interface Makers {
  generators: string[];
  generator: string;
  extractors: string[];
  extractor: string;
  agents: { name: string; radius: number; height: number; climb: number; slope: number }[];
}

/** The settings of a build as the backend takes them: lengths in metres, the slope in degrees. */
export interface Settings {
  radius: number;
  height: number;
  climb: number;
  slope: number;
  gap?: number;
  extractor?: string;
  generator?: string;
  simplify?: number;
  keepAll?: boolean;
  keepArea?: number;
  cleanup?: boolean;
  terrain?: boolean;
}

const defaults: Settings = { radius: 0.4, height: 1.8, climb: 0.4, slope: 45 };

export interface Builder {
  settings: Settings;
  /** What is open: the arguments of generate, or the name and size of the first file; null for neither. */
  readonly source: Source | null;
  /** Takes settings over, and shows them, without a build. */
  apply(settings: Partial<Settings>): void;
  /** Goes back to the default settings, without a build. */
  reset(): void;
  /** Opens files, of which the first is the level, map, mesh or world, and builds. */
  open(files: NamedFile[], meaning?: Meaning): Promise<void>;
  generate(args: Generate): Promise<void>;
  /** Opens the file of the server's command line, and builds. */
  begin(): Promise<void>;
  /** Builds anew after the settings have changed; ends a build that runs. */
  rebuild(): Promise<void>;
}

/** A slider's movements start at most one build in this time, in milliseconds. */
const calm = 60;

/**
 * A newer build waits for an older one for this time at least and at most, in milliseconds, and else for one and a half times the last
 * build: people see more of a movement when its steps come to their end.
 */
const patience = { least: 200, most: 1500 };

export function build(app: App, most?: number): Builder {
  const { panel } = app;
  const page = panel.tab("level", "Level");
  const settings: Settings = { ...defaults };
  const seconds = el("table", { id: "meadow-seconds", "aria-label": "The last build" });
  let builds = 0;
  let cancels = 0;
  let began = 0;
  let building = false;
  let again = false;
  let impatient = 0;
  /** The level that was opened, until it is shown. */
  let coming: Coming | null = null;
  /** How long the last build took, in milliseconds. */
  let last = 0;
  /** The settings of the mesh on the page, and whether the backend has lost the mesh by a build that was ended for a newer one. */
  let good: Settings | null = null;
  let lost = false;
  const builds2d = () => app.opened?.kind === "map";

  const end = (newer: boolean) => {
    clearTimeout(impatient);
    impatient = 0;
    cancels++;
    if (newer) lost = true;
    return app.backend?.cancel(newer);
  };
  const rebuild = async (): Promise<void> => {
    if (!app.opened || app.opened.kind === "mesh" || app.opened.kind === "world") return;
    if (building) {
      again = true;
      const wait = Math.min(patience.most, Math.max(patience.least, 1.5 * last));
      const left = wait - (performance.now() - began);
      if (left <= 0) await end(true);
      else impatient ||= window.setTimeout(() => again && void end(true), left);
      return;
    }
    building = true;
    const level = app.opened;
    try {
      do {
        again = false;
        began = performance.now();
        const now = { ...settings };
        if (builds2d()) delete now.extractor;
        const ends = cancels;
        const timer = setTimeout(() => panel.progress("building", 0, () => void end(false)), 150);
        try {
          const { answer, body } = await app.do<Built>("build", { ...now, drawn: coming?.drawn ?? app.drawn }, undefined, (p) => {
            if (performance.now() - began > 150) panel.progress(p.stage, p.total > 0 ? p.done / p.total : 0, () => void end(false));
          }, () => cancels === ends);
          await coming?.shown;
          const path = await pathOn(now);
          last = performance.now() - began;
          builds++;
          [good, lost] = [now, false];
          app.show(body, path);
          app.stage.release();
          tell(answer, last);
        } catch (error) {
          await coming?.shown;
          // A build that was ended for a newer one took the mesh with it; the newer one brings another, unless it fails.
          if (lost && good && !again && app.opened === level) await app.do("build", good).then(() => (lost = false), () => undefined);
          app.fail(error);
        } finally {
          clearTimeout(timer);
          clearTimeout(impatient);
          impatient = 0;
          panel.progress(null);
        }
      } while (again);
    } finally {
      building = false;
    }
  };
  /** The path on a new mesh, so that both are shown in the same frame. */
  const pathOn = async (now: Settings): Promise<Path | null> => {
    const { start, goal } = app.ends;
    if (!start || !goal) return null;
    return app.ask<Path>("path", { from: start, to: goal, reach: Math.max(0.5, 2 * now.radius) }).catch((error) => {
      if (error instanceof Cancelled) throw error;
      return null;
    });
  };
  const tell = (b: Built, whole: number) => {
    const s = b.seconds;
    const ms = (v: number) => `${(1000 * v).toFixed(v < 0.01 ? 1 : 0)} ms`;
    const rows: [string, string][] = [["floor", ms(s.extract)], ["regions", ms(s.decompose)], ["links", ms(s.link)], ["drawing", ms(s.pack)], ["in all", ms(whole / 1000)],
      ["area", `${b.area.toFixed(1)} m²`], ["layers", String(b.layers)], ["regions", String(b.regions)], ["portals", String(b.portals)], ["corners", String(b.vertices)],
      ["parts", String(b.parts)], ["links", String(b.links)]];
    if (b.dropped.length) rows.push(["left out", `${b.dropped.length} parts, ${b.dropped.reduce((n, d) => n + d.area, 0).toFixed(1)} m²`]);
    seconds.replaceChildren(el("caption", {}, `${b.generator} on ${b.extractor}`),
      ...rows.map(([name, value]) => el("tr", {}, el("th", { scope: "row" }, name), el("td", {}, value))));
    const notes = [...(b.notes ?? []), ...(b.warnings?.length ? [`${b.warnings.length === 1 ? "A warning" : `${b.warnings.length} warnings`}: ${b.warnings[0]}`] : [])];
    panel.say(notes.join(" ") || (app.ends.start ? "" : firstWords));
  };

  const from = opener(app, most, async (o, level) => {
    [good, lost, last] = [null, false, 0];
    floor.parentElement!.hidden = o.kind === "map";
    app.stage.hold(1500);
    coming = level;
    void level.shown.then(() => coming === level && (coming = null));
    await rebuild();
    app.stage.release();
  });
  page.append(from.panel);

  let waiting = 0;
  /** Builds soon, and not for each step of a movement. */
  const soon = () => {
    waiting ||= window.setTimeout(() => {
      waiting = 0;
      void rebuild();
    }, calm);
  };
  const agent = group("Agent");
  const words: Record<string, (v: number) => string> = { slope: (v) => `${v}°` };
  const sliders = ([
    ["radius", "Radius", 0, 2, 0.05], ["height", "Height", 0.5, 4, 0.05], ["climb", "Step", 0, 1.5, 0.05], ["slope", "Slope", 1, 80, 1],
  ] as const).map(([name, text, min, max, step]) => {
    const s = slider(agent, name, text, { min, max, step, at: settings[name] }, (v) => {
      settings[name] = v;
      return words[name]?.(v) ?? `${v.toFixed(2)} m`;
    });
    s.update();
    s.input.addEventListener("input", () => {
      if (preset) preset.value = "";
      soon();
    });
    return { name, ...s };
  });
  let preset: HTMLSelectElement | null = null;
  const shown = new Map<string, () => void>();
  /** A slider whose lowest place leaves the value to the build. */
  const optional = (into: HTMLElement, name: "gap" | "simplify", text: string, max: number, step: number) => {
    const s = slider(into, name, text, { min: -step, max, step, at: -step }, (v) => {
      settings[name] = v < 0 ? undefined : v;
      return v < 0 ? "by itself" : v < step / 2 ? "none" : `${v.toFixed(2)} m`;
    });
    s.update();
    shown.set(name, s.update);
    s.input.addEventListener("input", soon);
  };
  optional(agent, "gap", "Gap to step over", 1, 0.05);
  const method = group("Method");
  const floorField = el("div");
  const floor = choice(floorField, "extractor", "Floor", [], "", (x) => {
    settings.extractor = x;
    void rebuild();
  });
  page.append(agent, method, el("div", { class: "tools one" }, button("Build", "Build the mesh anew", () => void rebuild(), "B")), seconds);
  panel.help("B builds anew, Escape ends a build.");

  const first: Partial<Settings> = {};
  const fill = async () => {
    await from.fill();
    const makers = await app.ask<Makers>("makers");
    Object.assign(first, { generator: makers.generator, extractor: makers.extractor });
    const like = el("div");
    agent.firstElementChild!.after(like);
    preset = choice(like, "preset", "Like", [["", "own"], ...makers.agents.map((a) => [a.name, a.name] as const)], "", (name) => {
      const a = makers.agents.find((m) => m.name === name);
      if (!a) return;
      for (const s of sliders) {
        s.input.value = String(a[s.name]);
        s.update();
      }
      void rebuild();
    });
    choice(method, "generator", "Regions", makers.generators.map((g) => [g, g] as const), makers.generator, (g) => {
      settings.generator = g;
      void rebuild();
    });
    floor.replaceChildren(...makers.extractors.map((x) => el("option", { value: x }, x)));
    floor.value = makers.extractor;
    method.append(floorField);
    optional(method, "simplify", "Straighten by", 0.5, 0.01);
    choice(method, "keep", "Keep", [["", "the largest part"], ["10", "parts above 10 m²"], ["1", "parts above 1 m²"], ["all", "all parts"]], "", (keep) => {
      settings.keepAll = keep === "all";
      settings.keepArea = keep === "all" || keep === "" ? undefined : Number(keep);
      void rebuild();
    });
    box(method, "terrain", "Ground by names of materials", false, (on) => {
      settings.terrain = on;
      void rebuild();
    });
    box(method, "cleanup", "Merge and mend regions", false, (on) => {
      settings.cleanup = on;
      void rebuild();
    });
  };
  app.starting.push(fill);
  window.addEventListener("keydown", (e) => {
    if (e.key === "Escape" && building) {
      again = false;
      void end(false);
    } else if (e.key === "b" && !e.ctrlKey && !e.metaKey && !e.altKey && !(e.target instanceof HTMLInputElement && e.target.type === "text")) void rebuild();
  });
  const apply = (to: Partial<Settings>) => {
    for (const name of ["radius", "height", "climb", "slope", "gap", "simplify"] as const) if (typeof to[name] === "number") settings[name] = to[name];
    for (const name of ["extractor", "generator"] as const) if (typeof to[name] === "string") settings[name] = to[name];
    for (const name of ["keepAll", "cleanup"] as const) if (typeof to[name] === "boolean") settings[name] = to[name];
    for (const s of sliders) {
      s.input.value = String(settings[s.name]);
      s.update();
    }
    for (const [id, value] of [["generator", settings.generator], ["extractor", settings.extractor]] as const) {
      const select = document.getElementById(`choice-${id}`) as HTMLSelectElement | null;
      if (select && value) select.value = value;
    }
    const kept = document.getElementById("choice-keep") as HTMLSelectElement | null;
    if (kept) kept.value = settings.keepAll ? "all" : String(settings.keepArea ?? "");
    const cleaned = document.getElementById("box-cleanup") as HTMLInputElement | null;
    if (cleaned) cleaned.checked = Boolean(settings.cleanup);
    for (const name of ["gap", "simplify"] as const) {
      const field = document.getElementById(`slider-${name}`) as HTMLInputElement | null;
      if (!field) continue;
      const value = settings[name];
      field.value = value === undefined ? field.min : String(value);
      shown.get(name)?.();
    }
  };
  app.state.builds = () => builds;
  app.state.cancels = () => cancels;
  app.state.building = () => building;
  app.state.opened = () => app.opened;
  const reset = () => {
    for (const name of Object.keys(settings)) delete (settings as unknown as Record<string, unknown>)[name];
    apply({ ...defaults, ...first });
  };
  return { settings, get source() { return from.source(); }, apply, reset, open: from.open, generate: from.generate, begin: from.begin, rebuild };
}
