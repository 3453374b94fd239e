// Opening: files from a button or a drop, levels by their kind, and the unit and axis of a file, with hints where they seem to be others.

import type { App, Opened } from "../app";
import { button, choice, el, group } from "../dom";
import { Scene } from "../scene";

export interface NamedFile {
  name: string;
  data: Uint8Array;
}

/** How the numbers of a file are meant: metres per unit, and the axis that points up. Missing is the format's own. */
export interface Meaning {
  scale?: number;
  up?: string;
}

export interface Generate {
  kind: string;
  seed?: number;
  size?: number;
  storeys?: number;
  steepness?: number;
}

/** What is open: the arguments of generate, or the name and size of the first file, with 0 bytes for the file of the server's command line. */
export type Source = Generate | { file: string; bytes: number };

/** A level on its way to the page: the name of its triangles, and when they are shown. A build need not wait for that. */
export interface Coming {
  drawn: string;
  shown: Promise<void>;
}

export interface Opener {
  source(): Source | null;
  /** Opens files, of which the first is the level, map, mesh or world. */
  open(files: NamedFile[], meaning?: Meaning): Promise<void>;
  generate(args: Generate): Promise<void>;
  /** Opens the file of the server's command line. */
  begin(): Promise<void>;
  /** Fills the choices once the backend answers. */
  fill(): Promise<void>;
  readonly panel: HTMLElement;
}

/** The bytes that files may have together, where no server says another bound: those of Meadow's own limit. */
const usualMost = 256 * 1024 * 1024;

/** Names of files that are parts of other files, where such are dropped together. */
const parts = /\.(mtl|bin|png|pgm|jpe?g|webp|ktx2|tsx|tsj|tx|json)$/i;

const units: [string, string][] = [["", "as in the file"], ["0.001", "mm"], ["0.01", "cm"], ["0.0254", "in"], ["0.3048", "ft"], ["1", "m"]];
const axes: [string, string][] = [["", "as in the file"], ["y", "y"], ["z", "z"], ["x", "x"]];

/** Puts the file that names the others first: no part of another, and among such the largest. */
export function mainFirst(files: NamedFile[]): NamedFile[] {
  const rank = (f: NamedFile) => (/\.(mtl|bin|tsx|tsj|tx)$/i.test(f.name) ? 2 : parts.test(f.name) ? 1 : 0);
  return [...files].sort((a, b) => rank(a) - rank(b) || b.data.length - a.data.length);
}

export function opener(app: App, most: number | undefined, built: (o: Opened, coming: Coming) => Promise<void>): Opener {
  const { panel } = app;
  const from = group("Level");
  const limit = most ?? usualMost;
  let source: Source | null = null;
  /** Opens the same again with another meaning; null where nothing has one. */
  let again: ((m: Meaning) => Promise<void>) | null = null;

  const show = async (o: Opened, scene: ArrayBuffer, meaning: Meaning | null) => {
    app.opened = o;
    if (source && "file" in source) source.file = o.name;
    // The build begins, if there is one, and then the page makes its pictures of the level.
    let tellShown = () => {};
    const shown = new Promise<void>((done) => (tellShown = done));
    const build = built(o, { drawn: app.came ? app.drawn : (new Scene(scene, app.scene).head.level ?? ""), shown });
    try {
      await new Promise((done) => setTimeout(done, 0));
      present(o, scene, meaning);
    } finally {
      tellShown();
    }
    await build;
  };
  const present = (o: Opened, scene: ArrayBuffer, meaning: Meaning | null) => {
    // A page that came with its mesh goes on showing the mesh until it has built its own.
    if (app.came) app.came = false;
    else {
      app.ends.start = app.ends.goal = null;
      app.show(scene, null, false);
    }
    app.emit("opened", o);
    fields.hidden = meaning === null || o.kind === "mesh" || o.kind === "world";
    up.parentElement!.hidden = o.kind !== "level";
    unit.value = units.some(([v]) => v === String(meaning?.scale ?? "")) ? String(meaning?.scale ?? "") : "";
    up.value = meaning?.up ?? "";
    doubts(o);
    const notes = [...(o.notes ?? []), ...(o.warnings ?? [])];
    panel.say(notes.slice(0, 3).join(" "));
  };
  const doubts = (o: Opened) => {
    hints.replaceChildren(...(o.hints ?? []).map((h) => {
      const take = h.up ? `Take ${h.up.toUpperCase()} as up` : `Take ${h.unit} as unit`;
      const b = button(take, `${take}: open the file again`, () => void again?.({ scale: h.scale ?? number(unit.value), up: h.up ?? (up.value || undefined) }));
      return el("p", { class: "doubt" }, el("span", {}, h.text), b);
    }));
    hints.hidden = !hints.firstChild;
  };
  const request = async (name: string, args: unknown, body: Uint8Array | undefined, meaning: Meaning | null) => {
    try {
      const { answer, body: scene } = await app.do<Opened>(name, args, body, (p) => panel.progress(p.stage, p.total > 0 ? p.done / p.total : 0));
      panel.progress(null);
      await show(answer, scene, meaning);
    } catch (error) {
      panel.progress(null);
      app.fail(error);
    }
  };
  const open = async (files: NamedFile[], meaning: Meaning = {}) => {
    const length = files.reduce((n, f) => n + f.data.length, 0);
    const body = new Uint8Array(length);
    files.reduce((at, f) => (body.set(f.data, at), at + f.data.length), 0);
    panel.say(`Opening ${files[0].name} …`);
    again = (m) => open(files, m);
    source = { file: files[0].name, bytes: files[0].data.length };
    await request("open", { files: files.map((f) => ({ name: f.name, size: f.data.length })), ...meaning }, body, meaning);
  };
  const begin = async (meaning: Meaning = {}) => {
    again = begin;
    source = { file: "", bytes: 0 };
    await request("begin", meaning, undefined, meaning);
  };
  const generate = async (args: Generate) => {
    again = null;
    source = args;
    await request("generate", args, undefined, null);
  };

  const tooLarge = (size: number): boolean => {
    if (size <= limit) return false;
    app.fail(new Error(`The files have ${megabytes(size)} together, and at most ${megabytes(limit)} can be opened here. ` +
      (most === undefined ? "The command meadow build takes larger ones." : "Start meadow view with a larger --max-bytes.")));
    return true;
  };
  const take = async (list: { name: string; file: File }[]) => {
    if (list.length === 0 || tooLarge(list.reduce((n, { file }) => n + file.size, 0))) return;
    try {
      await open(mainFirst(await Promise.all(list.map(async ({ name, file }) => ({ name, data: new Uint8Array(await file.arrayBuffer()) })))));
    } catch (error) {
      app.fail(error);
    }
  };

  const input = el("input", { type: "file", id: "meadow-file", multiple: "", "aria-label": "Open a level, a map, a mesh or a world, with its parts" });
  input.addEventListener("change", () => {
    void take([...(input.files ?? [])].map((file) => ({ name: file.webkitRelativePath || file.name, file })));
    input.value = "";
  });
  const sign = el("div", { id: "meadow-drop", "aria-hidden": "true" }, el("span", {}, "Drop a level, a map or a mesh, with its parts"));
  panel.root.append(sign);
  let over = 0;
  const files = (e: DragEvent) => e.dataTransfer?.types.includes("Files") ?? false;
  document.addEventListener("dragenter", (e) => files(e) && sign.classList.toggle("on", ++over > 0));
  document.addEventListener("dragleave", (e) => files(e) && sign.classList.toggle("on", (over = Math.max(0, over - 1)) > 0));
  document.addEventListener("dragover", (e) => e.preventDefault());
  document.addEventListener("drop", (e) => {
    e.preventDefault();
    over = 0;
    sign.classList.remove("on");
    void dropped(e.dataTransfer).then(take);
  });

  const fields = el("div", { hidden: "" });
  const hints = el("div", { id: "meadow-hints", role: "status", hidden: "" });
  const number = (text: string) => (text === "" ? undefined : Number(text));
  const reopen = () => void again?.({ scale: number(unit.value), up: up.value || undefined });
  const unitField = el("div"), upField = el("div");
  const unit = choice(unitField, "unit", "Unit", units, "", reopen);
  const up = choice(upField, "up", "Axis up", axes, "", reopen);
  fields.append(unitField, upField);
  from.append(el("label", { class: "file" }, "Open, or drop on the page", input));

  const fill = async () => {
    const kinds = await app.ask<{ name: string; description: string }[]>("kinds");
    const kind = choice(from, "kind", "or make", [["", "a level …"], ...kinds.map((k) => [k.name, k.name] as const)], "", (name) => name && void generate({ kind: name }));
    kinds.forEach((k, i) => (kind.options[i + 1].title = k.description));
    app.on("opened", (o) => (kind.value = kinds.some((k) => k.name === o.name) ? o.name : ""));
    from.append(fields, hints);
  };
  return { source: () => source, open, generate, begin, fill, panel: from };
}

function megabytes(bytes: number): string {
  return `${(bytes / 1048576).toFixed(bytes < 10 * 1048576 ? 1 : 0)} MB`;
}

/** The files of a drop, also of folders. */
async function dropped(data: DataTransfer | null): Promise<{ name: string; file: File }[]> {
  if (!data) return [];
  const entries = [...data.items].map((i) => i.webkitGetAsEntry?.() ?? null);
  const plain = [...data.files].map((file) => ({ name: file.name, file }));
  if (!entries.some((e) => e?.isDirectory)) return plain;
  const all: { name: string; file: File }[] = [];
  const walk = async (e: FileSystemEntry, below: string): Promise<void> => {
    if (e.isFile) {
      const file = await new Promise<File>((done, fail) => (e as FileSystemFileEntry).file(done, fail));
      all.push({ name: below + e.name, file });
      return;
    }
    const reader = (e as FileSystemDirectoryEntry).createReader();
    for (;;) {
      const some = await new Promise<FileSystemEntry[]>((done, fail) => reader.readEntries(done, fail));
      if (some.length === 0) return;
      for (const child of some) await walk(child, `${below}${e.name}/`);
    }
  };
  // The folder itself is no part of the names: a level and its parts lie in it.
  for (const e of entries) {
    if (!e) continue;
    const before = all.length;
    await walk(e, "");
    if (e.isDirectory) for (const f of all.slice(before)) f.name = f.name.slice(e.name.length + 1);
  }
  return all;
}
