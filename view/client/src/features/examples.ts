// Examples: what the page can show by itself, each with its program in Go and in JavaScript.

import type { App } from "../app";
import { button, el } from "../dom";
import type { Point } from "../scene";
import type { Builder, Settings } from "./build";

interface Example {
  name: string;
  title: string;
  text: string;
  go: string;
  js: string;
  steps: { do: string; args: unknown }[];
}

export function examples(app: App, builder: Builder): void {
  const { panel } = app;
  const page = panel.tab("examples", "Examples");
  const list = el("ol", { class: "examples" });
  const about = el("section", { class: "example", hidden: "" });
  const back = button("← All examples", "Back to the list of examples", () => {
    list.hidden = false;
    about.hidden = true;
  });
  page.append(list, about);
  let shown = "";

  app.actions.level = (args) => builder.generate(args as Parameters<Builder["generate"]>[0]);
  app.actions.file = (args) => {
    const { name, text } = args as { name: string; text: string };
    return builder.open([{ name, data: new TextEncoder().encode(text) }]);
  };
  app.actions.settings = async (args) => {
    builder.apply(args as Partial<Settings>);
    await builder.rebuild();
  };
  app.actions.path = async (args) => {
    const { from, to } = args as { from: Point; to: Point };
    app.ends.start = from;
    app.ends.goal = to;
    await app.find();
  };
  /** A path between the regions that are farthest from each other, in the largest part. */
  app.actions.longway = async () => {
    const middles = app.scene.floats("regionMiddles");
    const parts = app.scene.numbers("regionComponents");
    const c = app.scene.head.center;
    const sizes = new Map<number, number>();
    for (const p of parts) sizes.set(p, (sizes.get(p) ?? 0) + 1);
    const largest = [...sizes].sort((a, b) => b[1] - a[1])[0]?.[0];
    const own = [...parts.keys()].filter((r) => parts[r] === largest);
    const farthest = (from: number) => own.reduce((best, r) => (apart(r, from) > apart(best, from) ? r : best), from);
    const apart = (a: number, b: number) => Math.hypot(middles[3 * a] - middles[3 * b], 3 * (middles[3 * a + 1] - middles[3 * b + 1]), middles[3 * a + 2] - middles[3 * b + 2]);
    if (own.length === 0) return;
    const start = farthest(own[0]);
    const goal = farthest(start);
    const at = (r: number): Point => [middles[3 * r] + c[0], middles[3 * r + 1] + c[1], middles[3 * r + 2] + c[2]];
    app.ends.start = at(start);
    app.ends.goal = at(goal);
    await app.find();
  };
  app.actions.look = async (args) => {
    const { apart } = args as { apart?: number };
    const s = document.getElementById("slider-apart") as HTMLInputElement | null;
    if (s && apart !== undefined) {
      s.value = String(apart);
      s.dispatchEvent(new Event("input"));
    }
    await Promise.resolve();
  };

  const show = async (e: Example) => {
    shown = "";
    const code = el("pre", { tabindex: "0", "aria-label": "The program" }, e.go);
    const tools = el("div", { class: "tools" });
    const choose = (text: string, source: string) => button(text, `Show the program in ${text}`, () => (code.textContent = source));
    if (e.js) tools.append(choose("Go", e.go), choose("JS", e.js));
    tools.append(button("Copy", "Copy the program", () => void navigator.clipboard?.writeText(code.textContent ?? "").catch(() => getSelection()?.selectAllChildren(code))));
    about.replaceChildren(back, el("h2", {}, e.title), el("p", {}, e.text), tools, code);
    about.hidden = false;
    list.hidden = true;
    builder.reset();
    for (const s of e.steps) {
      const act = app.actions[s.do];
      if (!act) throw new Error(`this page has no action called ${s.do}`);
      await act(s.args);
    }
    panel.open("examples");
    shown = e.name;
  };
  let count = 0;
  app.state.examples = () => count;
  app.starting.push(async () => {
    const all = await app.ask<Example[]>("examples");
    list.replaceChildren(...all.map((e) => {
      const b = button(e.title, `Example: ${e.title}`, () => void show(e).catch((error) => app.fail(error)));
      b.dataset.name = e.name;
      return el("li", {}, b);
    }));
    count = all.length;
    app.actions.example = async (args) => {
      const e = all.find((x) => x.name === args);
      if (e) await show(e);
    };
  });
  app.state.example = () => shown;
}
