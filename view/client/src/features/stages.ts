// Stages: every stage of the build as a layer that is switched on, with the counts of what it decided.

import type { App } from "../app";
import { box, el, group } from "../dom";
import { Overlay, type Drawn } from "../drawn";

interface Info {
  name: string;
  title: string;
  about: string;
  has: boolean;
}

export function stages(app: App): void {
  const { stage, panel } = app;
  const page = panel.tab("stages", "Stages");
  const fields = group("Stages of the build");
  fields.id = "meadow-stages";
  const views = group("Level");
  box(views, "wireframe", "Level as wireframe", false, (on) => stage.wire(on));
  page.append(fields, views);
  const on = new Set<string>();
  const shown = new Map<string, Overlay>();
  const rows = new Map<string, { input: HTMLInputElement; counts: HTMLElement }>();
  let order: string[] = [];

  const labels = () => {
    app.labels.splice(0, app.labels.length, ...[...shown.values()].flatMap((o) => o.labels));
    stage.draw();
  };
  const hide = (name: string) => {
    shown.get(name)?.free();
    shown.delete(name);
    rows.get(name)?.counts.replaceChildren();
    labels();
  };
  const show = async (name: string) => {
    const row = rows.get(name);
    if (!row) return;
    try {
      const { answer, body } = await app.do<Drawn>("layer", { name });
      hide(name);
      if (!on.has(name)) return;
      shown.set(name, new Overlay(stage, answer, body, 7 + order.indexOf(name) / 20));
      row.counts.replaceChildren(...answer.counts.map((c) => {
        const swatch = el("i", { "aria-hidden": "true" });
        if (/^#[0-9a-f]{6}$/.test(c.about)) swatch.style.background = c.about;
        else swatch.hidden = true;
        return el("li", {}, swatch, el("span", {}, c.name), el("output", {}, c.text));
      }));
      labels();
    } catch (error) {
      on.delete(name);
      row.input.checked = false;
      app.fail(error);
    }
  };
  const fill = async () => {
    const list = await app.ask<Info[]>("layers");
    order = list.map((l) => l.name);
    if (rows.size === 0) {
      for (const l of list) {
        const input = box(fields, `stage-${l.name}`, l.title, false, (checked) => {
          if (checked) on.add(l.name);
          else on.delete(l.name);
          if (checked) void show(l.name);
          else hide(l.name);
        });
        const label = input.parentElement!;
        label.title = l.about;
        const counts = el("ul", { class: "decided" });
        label.after(counts);
        rows.set(l.name, { input, counts });
      }
    }
    for (const l of list) {
      const row = rows.get(l.name)!;
      row.input.disabled = !l.has;
      hide(l.name);
      if (l.has && on.has(l.name)) await show(l.name);
    }
  };
  app.starting.push(fill);
  app.on("scene", () => {
    if (app.backend) void fill().catch((error) => app.fail(error));
  });
  app.state.stages = () => [...shown].map(([name, o]) => ({ name, triangles: o.drawn.triangles, strokes: o.drawn.lines.reduce((n, l) => n + l.strokes, 0), labels: o.labels.length }));
}
