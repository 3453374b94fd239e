// The frame of the page: the canvas, the title, the path's figures, the tabs that features fill, and the words for screen readers.

import { button, el } from "./dom";
import type { Path, Place, Scene } from "./scene";
import { sheet } from "./sheet";

export class Panel {
  readonly canvas = el("canvas", {
    id: "meadow-scene-view", tabindex: "0", role: "application", "aria-roledescription": "three-dimensional view", "aria-describedby": "meadow-keys",
  });
  readonly numbers = el("canvas", { id: "meadow-numbers", "aria-hidden": "true" });
  private readonly title = el("h1");
  private readonly subtitle = el("p");
  private readonly tip = el("div", { id: "meadow-tip", role: "presentation" });
  private readonly figures = el("dl", { id: "meadow-figures" });
  private readonly spoken = el("p", { class: "spoken", role: "status", "aria-live": "polite", id: "meadow-status" });
  private readonly hint = el("p", { class: "hint", role: "status" });
  private readonly bar = el("div", { id: "meadow-progress", hidden: "" });
  private readonly tabs = el("div", { class: "tabs", role: "tablist", "aria-label": "Panels" });
  private readonly pages = new Map<string, { tab: HTMLButtonElement; page: HTMLElement }>();
  private readonly side = el("details", { id: "meadow-side", open: "" }, el("summary", {}, "Panels"), this.tabs);
  private readonly keys = el("p", { id: "meadow-keys" });
  private areas = new Float32Array(0);
  /** Figures that features show beside those of the path, by name. */
  readonly beside = new Map<string, string>();

  constructor(readonly root: HTMLElement) {
    if (matchMedia("(max-width: 700px)").matches) this.side.removeAttribute("open");
    const card = el("section", { id: "meadow-path", "aria-label": "Path" }, this.figures, this.hint, this.bar);
    root.append(this.canvas, this.numbers, el("header", {}, this.title, this.subtitle), card,
      el("nav", { "aria-label": "Panels" }, this.side), this.tip, this.spoken);
  }

  /** Lays the panels out as a sheet where the page is narrow; tell hears how much of the page the sheet covers, in pixels. */
  asSheet(tell: (covered: number) => void): void {
    sheet(this.root, this.side, tell);
  }

  /** The page of a tab, made when first asked for. The first tab is open. */
  tab(id: string, name: string): HTMLElement {
    const known = this.pages.get(id);
    if (known) return known.page;
    const tab = el("button", { type: "button", role: "tab", id: `tab-${id}`, "aria-label": name, "aria-controls": `page-${id}` }, name);
    const page = el("section", { role: "tabpanel", id: `page-${id}`, "aria-labelledby": tab.id });
    tab.addEventListener("click", () => this.open(id));
    tab.addEventListener("keydown", (e) => {
      const step = e.key === "ArrowRight" ? 1 : e.key === "ArrowLeft" ? -1 : 0;
      if (!step) return;
      const ids = [...this.pages.keys()];
      const next = ids[(ids.indexOf(id) + step + ids.length) % ids.length];
      this.open(next);
      this.pages.get(next)?.tab.focus();
      e.preventDefault();
      e.stopPropagation();
    });
    this.pages.set(id, { tab, page });
    this.tabs.append(tab);
    this.side.append(page);
    this.tabs.hidden = this.pages.size < 2;
    this.open(this.current);
    return page;
  }

  /** The open tab. */
  current = "";

  /** Opens a tab; features hear of it by the events "open" and "close" on their pages. */
  open(id: string): void {
    if (!this.pages.has(id)) id = [...this.pages.keys()][0] ?? "";
    this.current = id;
    for (const [name, { tab, page }] of this.pages) {
      const on = name === id;
      tab.setAttribute("aria-selected", String(on));
      tab.tabIndex = on ? 0 : -1;
      const opens = page.hidden && on;
      if (!page.hidden && !on) page.dispatchEvent(new Event("close"));
      page.hidden = !on;
      if (opens) page.dispatchEvent(new Event("open"));
    }
  }

  /** Adds words to the help on keys. */
  help(text: string): void {
    this.keys.append(this.keys.textContent ? ` ${text}` : text);
  }

  /** The help and the facts, at the end of a tab. */
  about(page: HTMLElement): { facts: HTMLTableElement; notes: HTMLElement } {
    const facts = el("table");
    const notes = el("div");
    page.append(el("details", { id: "meadow-help" }, el("summary", {}, "Mouse, touch and keys"), this.keys),
      el("details", { id: "meadow-about" }, el("summary", {}, "About this mesh"), facts, notes));
    return { facts, notes };
  }

  /** Shows the words about a scene. */
  show(scene: Scene): void {
    const { head } = scene;
    this.areas = scene.floats("regionAreas") as Float32Array<ArrayBuffer>;
    this.title.textContent = head.title;
    this.subtitle.textContent = subtitle(scene);
    document.title = head.title || document.title;
    this.canvas.setAttribute("aria-label", `${head.title}. ${(head.facts ?? []).map((f) => `${f.name}: ${f.value}`).join(". ")}`);
  }

  say(text: string, wrong = false): void {
    this.hint.textContent = text;
    this.hint.classList.toggle("wrong", wrong);
  }

  /** The words of the last call of say. */
  get said(): string {
    return this.hint.textContent ?? "";
  }

  /** Shows how far a request is, with a button that ends it; null for none. */
  progress(text: string | null, share = 0, cancel?: () => void): void {
    this.bar.hidden = text === null;
    if (text === null) {
      this.bar.replaceChildren();
      return;
    }
    if (!this.bar.firstChild) this.bar.append(el("span"), el("progress", { max: "1", "aria-label": "How far the build is" }));
    this.bar.querySelector("span")!.textContent = text;
    const meter = this.bar.querySelector("progress")!;
    if (share > 0) meter.value = share;
    else meter.removeAttribute("value");
    if (cancel && !this.bar.querySelector("button")) this.bar.append(button("Cancel", "End the request", cancel, "Escape"));
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
    rows.push(...this.beside);
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
    const area = this.areas[place.region] ?? 0;
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
  if (regions === 0) return "no mesh yet";
  return `${regions} ${regions === 1 ? "region" : "regions"} · ${storeys} ${storeys === 1 ? "storey" : "storeys"} · agent ${+(2 * scene.head.radius).toFixed(2)} m wide, ${scene.head.tall} m tall`;
}

function short(regions: number[]): string {
  if (regions.length <= 10) return regions.join(" → ");
  return `${regions.slice(0, 5).join(" → ")} → … → ${regions.slice(-4).join(" → ")}`;
}
