// Keep: undo and redo over all edits, links that restore what is seen, and files of all that was made.

import type { App } from "../app";
import { button, el, group } from "../dom";
import type { Doc } from "../history";
import type { Point } from "../scene";
import { layerNames, type Layer } from "../stage";
import type { Builder, Settings } from "./build";
import { typing } from "./look";
import { savedPage } from "./savedpage";

interface Exported {
  name: string;
  type: string;
}

/** What a link carries. */
interface Link {
  source: NonNullable<Builder["source"]>;
  settings: Settings;
  camera: number[];
  layers: Layer[];
  apart: number;
  cut: number;
  tab: string;
  selected: string;
  start: Point | null;
  goal: Point | null;
  doc: Partial<Doc>;
}

const formats = [
  ["project", "Project", "Save the project that meadow build reads: meadow.yaml and the level with all edits"], ["mesh", "Mesh", "Save the mesh as it is now"],
  ["detour", "Detour", "Save the mesh as a set of tiles for Detour"], ["meshglb", "Mesh GLB", "Save the mesh as glTF"], ["levelglb", "Level GLB", "Save the level with all edits as glTF"],
  ["svg", "SVG", "Save the view as a drawing"],
] as const;

/** Whether a link has been followed, waits for the file that it names, or is none. */
export type Restored = "done" | { file: string } | "none";

export function keep(app: App, builder: Builder): { restore(): Promise<Restored> } {
  const { history, panel, stage } = app;
  const page = panel.tab("keep", "Keep");
  const undo = button("Undo", "Undo", () => history.undo(), "Control+Z");
  const redo = button("Redo", "Redo", () => history.redo(), "Control+Shift+Z");
  page.append(el("div", { class: "tools two" }, undo, redo));
  const names = () => {
    const n = history.names;
    undo.disabled = n.undo === null;
    redo.disabled = n.redo === null;
    undo.title = `Undo ${n.undo ?? ""} (Control+Z)`;
    redo.title = `Redo ${n.redo ?? ""} (Control+Shift+Z)`;
  };
  history.on(names);
  names();
  panel.help("Control and Z undoes, with Shift redoes.");
  window.addEventListener("keydown", (e) => {
    if (!(e.ctrlKey || e.metaKey) || e.key.toLowerCase() !== "z" || typing(e)) return;
    if (e.shiftKey) history.redo();
    else history.undo();
    e.preventDefault();
  });

  // Files.
  const download = (name: string, data: Blob) => {
    const a = el("a", { href: URL.createObjectURL(data), download: name });
    a.click();
    setTimeout(() => URL.revokeObjectURL(a.href), 10_000);
    panel.say(`Saved ${name}, ${data.size < 1e5 ? `${data.size} bytes` : `${(data.size / 1e6).toFixed(1)} MB`}.`);
  };
  const stem = () => (app.opened?.name ?? "meadow").replace(/^.*[/\\]/, "").replace(/(?<=.)\..*$/, "") || "meadow";
  const save = async (format: string) => {
    try {
      const arm = stage.camera.position.clone().sub(stage.controls.target);
      const { answer, body } = await app.do<Exported>("export", {
        format, yaw: Math.atan2(arm.x, arm.z), tilt: Math.min(1.5, Math.acos(Math.min(1, arm.y / arm.length()))), width: 1600,
        path: app.path?.complete ? app.path.surface : [],
      });
      download(answer.name, new Blob([body], { type: answer.type }));
    } catch (error) {
      app.fail(error);
    }
  };
  const files = group("Save as a file");
  const rows = el("div", { class: "tools two" }, ...formats.map(([format, text, help]) => button(text, help, () => void save(format))),
    button("PNG", "Save the view as a picture", () => void stage.picture().then((b) => download(`${stem()}.png`, b), (e) => app.fail(e))),
    button("HTML", "Save a page that shows level and mesh without a server", () => void savedPage(app).then((b) => download(`${stem()}.html`, b), (e) => app.fail(e))));
  files.append(rows);

  // Links.
  const links = group("Link");
  const field = el("input", { type: "text", readonly: "", id: "meadow-link", hidden: "", "aria-label": "Link to this view" });
  field.addEventListener("focus", () => field.select());
  links.append(el("div", { class: "tools one" }, button("Copy link", "Copy a link that restores this view", () => void copy())), field);
  page.append(files, links);
  const round = (v: number) => Math.round(v * 1000) / 1000;
  const value = (id: string) => Number((document.getElementById(`slider-${id}`) as HTMLInputElement | null)?.value ?? 0);
  const link = (): string => {
    if (!builder.source || !app.opened) return "";
    const c = app.scene.head.center;
    const { camera, controls } = stage;
    const cut = document.getElementById("slider-cut") as HTMLInputElement | null;
    const out: Link = {
      source: builder.source, settings: builder.settings,
      camera: [...camera.position.toArray().map((v, i) => round(v + c[i])), ...controls.target.toArray().map((v, i) => round(v + c[i]))],
      layers: layerNames.filter((l) => stage.shown[l]), apart: value("apart"), cut: cut && cut.value !== cut.max ? Number(cut.value) : NaN,
      tab: panel.current, selected: app.selected, start: app.ends.start, goal: app.ends.goal, doc: history.doc,
    };
    const p = new URLSearchParams();
    for (const [k, v] of Object.entries(out.source)) if (v !== undefined) p.set(k, String(v));
    for (const [k, v] of Object.entries(out.settings)) if (v !== undefined) p.set(`set.${k}`, String(v));
    p.set("camera", out.camera.join(" "));
    p.set("layers", out.layers.join(" "));
    if (out.apart > 0) p.set("apart", String(out.apart));
    if (!Number.isNaN(out.cut)) p.set("cut", String(out.cut));
    if (app.dark) p.set("dark", "1");
    p.set("tab", out.tab);
    if (out.selected) p.set("selected", out.selected);
    for (const end of ["start", "goal"] as const) if (out[end]) p.set(end, out[end].join(" "));
    const { things, closed, sources, goals } = history.doc;
    if (things.length + closed.length + sources.length + goals.length > 0) p.set("doc", JSON.stringify(history.doc));
    if (/[#&]fine\b/.test(location.hash)) p.set("fine", "");
    return `#${p}`;
  };
  const copy = async () => {
    field.hidden = false;
    field.value = location.href.replace(/#.*$/, "") + link();
    try {
      await navigator.clipboard.writeText(field.value);
      panel.say("The link is copied.");
    } catch {
      field.focus();
      panel.say("Copy the link below: the browser does not let the page do it.");
    }
  };
  // The address follows what is seen; some browsers do not allow that for files.
  let last = "";
  setInterval(() => {
    const now = link();
    if (!now || now === last || pending || document.hidden) return;
    last = now;
    try {
      window.history.replaceState(null, "", now);
    } catch {
      // The button still gives the link.
    }
  }, 500);

  let pending: URLSearchParams | null = null;
  const numbers = (text: string | null, count: number): number[] | null => {
    const list = text?.split(" ").map(Number) ?? [];
    return list.length === count && list.every(Number.isFinite) ? list : null;
  };
  /** Puts back all but the level and the settings. */
  const rest = (p: URLSearchParams) => {
    history.reset(sound(read<Doc>(p.get("doc"))));
    const layers = p.get("layers")?.split(" ");
    for (const layer of layerNames) {
      const input = document.getElementById(`layer-${layer}`) as HTMLInputElement | null;
      if (layers && input && input.checked !== layers.includes(layer)) input.click();
    }
    for (const id of ["apart", "cut"]) {
      const input = document.getElementById(`slider-${id}`) as HTMLInputElement | null;
      if (!input || !numbers(p.get(id), 1)) continue;
      input.value = p.get(id)!;
      input.dispatchEvent(new Event("input"));
    }
    if (p.has("dark")) app.theme(true);
    if (p.get("tab")) panel.open(p.get("tab")!);
    app.selected = p.get("selected") ?? "";
    for (const end of ["start", "goal"] as const) app.ends[end] = numbers(p.get(end), 3) as Point | null;
    const view = numbers(p.get("camera"), 6);
    if (view) {
      const c = app.scene.head.center;
      stage.camera.position.set(view[0] - c[0], view[1] - c[1], view[2] - c[2]);
      stage.controls.target.set(view[3] - c[0], view[4] - c[1], view[5] - c[2]);
      stage.controls.update();
    }
    stage.draw();
    void app.find();
  };
  app.on("scene", (scene) => {
    const { source } = builder;
    if (!pending || !source || scene.bytes("regionStoreys").length === 0) return;
    const p = pending;
    if ("file" in source && (source.file !== p.get("file") || String(source.bytes) !== p.get("bytes"))) {
      panel.say(`The link is for ${p.get("file")} with ${p.get("bytes")} bytes; this is ${source.file} with ${source.bytes}.`, true);
      return;
    }
    pending = null;
    rest(p);
  });
  const restore = async (): Promise<Restored> => {
    const p = new URLSearchParams(location.hash.slice(1));
    const kind = p.get("kind");
    const file = p.get("file");
    if (!kind && !file) return "none";
    const settings: Record<string, unknown> = {};
    for (const [k, v] of p) {
      if (k.startsWith("set.")) settings[k.slice(4)] = v === "true" ? true : v === "false" ? false : v !== "" && Number.isFinite(Number(v)) ? Number(v) : v;
    }
    builder.apply(settings as Partial<Settings>);
    pending = p;
    if (!kind) {
      panel.say(`This link shows ${file}, ${p.get("bytes")} bytes: drop that file on the page.`);
      return { file: file! };
    }
    const number = (k: string) => (p.has(k) && Number.isFinite(Number(p.get(k))) ? { [k]: Number(p.get(k)) } : {});
    await builder.generate({ kind, ...number("seed"), ...number("size"), ...number("storeys"), ...number("steepness") });
    return "done";
  };
  window.addEventListener("hashchange", () => void restore());
  app.state.keep = () => ({ ...history.names, link: link(), pending: pending !== null, view: stage.camera.position.toArray() });
  return { restore };
}

/** What of a document from a link has the right form; the backend looks at the values. */
function sound(doc: Doc | null): Partial<Doc> {
  const point = (v: unknown): v is Point => Array.isArray(v) && v.length === 3 && v.every((n) => Number.isFinite(n));
  const list = <T>(v: T[] | undefined, ok: (t: T) => boolean): T[] => (Array.isArray(v) ? v.filter((t) => t !== null && ok(t)) : []);
  const text = (v: unknown) => typeof v === "string";
  return {
    things: list(doc?.things, (t) => text(t.id) && text(t.fixed) && text(t.name) && (["box", "cylinder"].includes(t.shape) ? t.to === undefined : t.shape === "link" && point(t.to) && t.fixed !== "") && point(t.at) && point(t.size) && Number.isFinite(t.yaw) && Number.isFinite(t.cost)),
    closed: list(doc?.closed, text),
    sources: list(doc?.sources, (d) => point(d.at) && Number.isFinite(d.radius)), goals: list(doc?.goals, (d) => point(d.at) && Number.isFinite(d.radius)),
  };
}

function read<T>(text: string | null): T | null {
  try {
    return text ? (JSON.parse(text) as T) : null;
  } catch {
    return null;
  }
}
