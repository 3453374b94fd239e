// Judge: the metrics of the mesh with a histogram and a box plot for each; a bar that is picked lights up its regions.

import type { App } from "../app";
import { el, group } from "../dom";
import { drawChart, type Chart } from "../charts";
import type { Duel } from "./duel";

interface Row {
  name: string;
  about: string;
  text: string;
  better: number;
  value: number | null;
  verdict: string;
}

export interface Measured {
  name: string;
  regions: number;
  rows: Row[];
  charts: Chart[];
}

/** A measured mesh, with the bar of each region in each chart. */
interface Sheet extends Measured {
  barOf: Uint8Array[];
}

const lit = [1, 0.66, 0, 0.95] as const;
const dim = [0.62, 0.64, 0.68, 0.16] as const;

export function judge(app: App, duel: Duel): void {
  const { panel } = app;
  const page = panel.tab("judge", "Judge");
  const charts = group("Regions by their measures");
  charts.id = "meadow-charts";
  const table = el("table", { id: "meadow-metrics" });
  const numbers = el("details", { open: "" }, el("summary", {}, "Metrics"), table);
  page.append(el("p", { class: "soft" }, "Pick a bar, and its regions light up."), charts, numbers);

  let sheets: (Sheet | null)[] = [null, null];
  let picked: { chart: number; bar: number } | null = null;
  let stale = true;
  let measuring = false;

  const sheet = async (rival: boolean): Promise<Sheet> => {
    const { answer, body } = await app.do<Measured>("measure", { rival });
    const bytes = new Uint8Array(body);
    const size = Math.ceil((5 * answer.regions) / 4) * 4;
    return { ...answer, barOf: answer.charts.map((_, i) => bytes.subarray(i * size + 4 * answer.regions, i * size + 5 * answer.regions)) };
  };
  const measure = async () => {
    if (page.hidden || !stale || measuring || !app.backend) return;
    if (app.scene.bytes("regionStoreys").length === 0) {
      sheets = [null, null];
      draw();
      return;
    }
    measuring = true;
    stale = false;
    try {
      sheets = [await sheet(false), duel.shown ? await sheet(true) : null];
      draw();
      paint();
    } catch (error) {
      app.fail(error);
    } finally {
      measuring = false;
    }
    if (stale) void measure();
  };
  const paint = () => {
    const tints = sheets.map((s) => {
      const bars = picked && s?.barOf[picked.chart];
      // A chart of the other mesh has its own bars: the words decide.
      const words = picked && sheets[0]?.charts[picked.chart].bars[picked.bar]?.text;
      if (!s || !bars || !picked) return null;
      const bar = s.charts[picked.chart].bars.findIndex((b) => b.text === words);
      return (region: number) => (bars[region] === bar ? lit : dim);
    });
    app.stage.paint(tints[0], picked !== null);
    duel.paint(tints[1]);
  };
  const draw = () => {
    const [first, second] = sheets;
    if (!first) {
      charts.replaceChildren(charts.firstElementChild!, el("p", { class: "soft" }, "Build or open a mesh first."));
      table.replaceChildren();
      return;
    }
    charts.replaceChildren(charts.firstElementChild!, ...first.charts.map((c, i) => drawChart(c, second?.charts[i] ?? null, picked?.chart === i ? picked.bar : -1, (bar) => {
      picked = picked?.chart === i && picked.bar === bar ? null : { chart: i, bar };
      draw();
      paint();
      charts.querySelector<SVGElement>(`[data-chart="${i}"] [data-bar="${bar}"]`)?.focus();
    }, i)));
    const head = second ? [el("tr", {}, el("td"), el("th", { scope: "col" }, short(first.name || "first")), el("th", { scope: "col", class: "second" }, short(duel.name)))] : [];
    table.replaceChildren(...head, ...first.rows.map((row, i) => {
      const cells = [row, second?.rows[i]].filter((r) => r !== undefined);
      const values = cells.map((r) => r.value);
      const best = cells.length > 1 && row.better !== 0 && values.every((v) => v !== null) && values[0] !== values[1]
        ? ((values[0]! - values[1]!) * row.better > 0 ? 0 : 1) : -1;
      return el("tr", {}, el("th", { scope: "row", title: row.about }, row.name.replaceAll("_", " ")), ...cells.map((r, k) =>
        el("td", { class: [r.verdict, k === best ? "best" : ""].join(" ").trim(), title: r.verdict === "fail" ? "beyond the limit of the source" : row.about }, r.text)));
    }));
  };
  const again = () => {
    stale = true;
    void measure();
  };
  app.on("scene", () => {
    picked = null;
    again();
  });
  duel.changed.push(again);
  page.addEventListener("open", () => void measure());
  app.state.judge = () => ({
    charts: sheets[0]?.charts.length ?? 0,
    rival: sheets[1]?.charts.length ?? 0,
    picked,
    lit: picked && sheets[0] ? sheets[0].charts[picked.chart].bars[picked.bar]?.count ?? 0 : 0,
  });
}

const short = (name: string) => (name.length > 14 ? `${name.slice(0, 13)}…` : name);
