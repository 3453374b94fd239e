// Findings: faults, warnings, parts left out, markers, and the judgement by the whole floor, as a list; a click flies there.

import type { App } from "../app";
import { button, el, group } from "../dom";
import { Mark } from "../mark";
import type { Point } from "../scene";
import type { Duel } from "./duel";

interface Finding {
  kind: "fault" | "warning" | "dropped" | "marker" | "floor";
  text: string;
  at: Point | null;
  region: number;
  area: number;
}

interface Findings {
  list: Finding[];
  count: number;
  rows: { name: string; about: string; text: string; verdict: string }[];
}

const titles = { fault: "Faults of the mesh", warning: "Warnings", floor: "Beside the whole floor", dropped: "Parts left out", marker: "Markers" };

export function findings(app: App, duel: Duel): void {
  const { stage, panel } = app;
  const page = panel.tab("judge", "Judge");
  const fields = group("Findings");
  fields.id = "meadow-findings";
  const list = el("div");
  const rows = el("table", { id: "meadow-verdicts" });
  const mark = new Mark(stage, 0xc2185b);
  let own: Findings = { list: [], count: 0, rows: [] };
  let floor: Findings = own;
  let marked: Finding | null = null;
  let stale = true;

  const go = (f: Finding) => {
    marked = f;
    if (!f.at) return;
    const radius = Math.max(app.scene.head.radius, 0.35, Math.sqrt(f.area / Math.PI));
    mark.at(f.at, radius);
    stage.fly(f.at, Math.max(8, 7 * radius));
    stage.hover(f.region);
  };
  const draw = () => {
    const all = [...own.list, ...floor.list];
    const parts: HTMLElement[] = (Object.keys(titles) as Finding["kind"][]).flatMap((kind) => {
      const some = all.filter((f) => f.kind === kind);
      if (some.length === 0) return [];
      return [el("details", kind === "marker" || kind === "dropped" ? {} : { open: "" }, el("summary", {}, `${titles[kind]} (${some.length})`),
        el("ol", { class: "finds" }, ...some.map((f) => {
          const b = button(f.text, f.at ? `Fly to: ${f.text}` : f.text, () => go(f));
          b.disabled = !f.at;
          b.dataset.kind = kind;
          return el("li", {}, b);
        })))];
    });
    const hidden = own.count + floor.count - all.length;
    if (hidden > 0) parts.push(el("p", { class: "soft" }, `and ${hidden} more`));
    if (parts.length === 0) parts.push(el("p", { class: "soft" }, app.scene.bytes("regionStoreys").length ? "No fault, no warning, nothing left out." : "Build or open a mesh first."));
    list.replaceChildren(...parts);
    rows.replaceChildren(...floor.rows.map((r) => el("tr", {}, el("th", { scope: "row", title: r.about }, r.name), el("td", { class: r.verdict }, r.text))));
    rows.hidden = floor.rows.length === 0;
    if (!rows.hidden) rows.append(el("caption", {}, floorOf));
  };
  const load = async () => {
    if (page.hidden || !stale || !app.backend) return;
    stale = false;
    try {
      own = app.scene.bytes("regionStoreys").length ? await app.ask<Findings>("faults") : { list: [], count: 0, rows: [] };
      draw();
    } catch (error) {
      app.fail(error);
    }
  };
  let floorOf = "";
  let verifying = false;
  const verify = async () => {
    if (verifying) return;
    verifying = true;
    panel.progress("judging by the whole floor", 0, () => void app.backend?.cancel());
    try {
      const rival = duel.shown;
      floor = (await app.do<Findings>("verify", { rival }, undefined, (p) => panel.progress(p.stage, p.total > 0 ? p.done / p.total : 0))).answer;
      floorOf = rival ? `${duel.name}, the second mesh` : "";
      draw();
    } catch (error) {
      app.fail(error);
    } finally {
      verifying = false;
      panel.progress(null);
    }
  };
  fields.append(list, rows, el("div", { class: "tools one" }, button("Judge by the whole floor", "Compare the mesh with the whole floor of its level; the second mesh, if one is shown", () => void verify())));
  page.append(fields);
  app.on("scene", () => {
    floor = { list: [], count: 0, rows: [] };
    marked = null;
    mark.at(null);
    stale = true;
    void load();
  });
  page.addEventListener("open", () => void load());
  draw();
  app.state.findings = () => ({ count: own.count + floor.count, kinds: [...own.list, ...floor.list].map((f) => f.kind), verdicts: floor.rows.length, marked: marked?.at ?? null });
}
