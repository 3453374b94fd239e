// Histograms with a box plot below, as SVG: a bar is a button.

import { el } from "./dom";

export interface Chart {
  name: string;
  about: string;
  unit: string;
  bars: { text: string; count: number }[];
  box: {
    count: number;
    mean: number | null;
    min: number | null;
    q1: number | null;
    median: number | null;
    q3: number | null;
    max: number | null;
    whiskers: (number | null)[];
    outliers: number[];
    extremes: number[];
  };
  trouble: number;
}

const svgNames = "http://www.w3.org/2000/svg";

export function svg<K extends keyof SVGElementTagNameMap>(tag: K, attributes: Record<string, string | number>, ...children: (Node | string)[]): SVGElementTagNameMap[K] {
  const e = document.createElementNS(svgNames, tag);
  for (const [name, value] of Object.entries(attributes)) e.setAttribute(name, String(value));
  e.append(...children);
  return e;
}

const wide = 220;
const tall = 74;
const base = 60;

/** A chart; second is the same of another mesh, drawn beside each bar. pick hears of the bar that is chosen. */
export function drawChart(c: Chart, second: Chart | null, picked: number, pick: (bar: number) => void, number: number): HTMLElement {
  const total = c.bars.reduce((n, b) => n + b.count, 0) || 1;
  const totals = second?.bars.reduce((n, b) => n + b.count, 0) || 1;
  const others = c.bars.map((b) => second?.bars.find((o) => o.text === b.text)?.count ?? 0);
  const most = Math.max(...c.bars.map((b) => b.count / total), ...others.map((n) => n / totals), 1e-9);
  const step = wide / c.bars.length;
  const unit = c.unit ? ` ${c.unit}` : "";
  const drawing = svg("svg", { viewBox: `0 0 ${wide} ${tall + 4}`, role: "group", "aria-label": `${c.name}: ${c.about}`, "data-chart": number });
  drawing.append(svg("line", { x1: 0, x2: wide, y1: base + 0.5, y2: base + 0.5, class: "axis" }));
  c.bars.forEach((b, i) => {
    const height = (share: number) => (share > 0 ? Math.max(1.5, (share / most) * (base - 12)) : 0);
    const h = height(b.count / total);
    const half = second ? 0.5 : 1;
    const words = `${b.text}${unit}: ${b.count} of ${total} regions${second ? `, and ${others[i]} of ${totals}` : ""}`;
    const bar = svg("g", {
      class: ["bar", i === picked ? "picked" : "", c.trouble === i && b.count > 0 ? "trouble" : ""].join(" "), tabindex: 0, role: "button",
      "aria-label": words, "aria-pressed": String(i === picked), "data-bar": i, "data-count": b.count,
    }, svg("title", {}, words), svg("rect", { x: i * step, y: 0, width: step, height: base, class: "ground" }),
    svg("rect", { x: i * step + 1, y: base - h, width: Math.max(1, step * half - 2), height: h, class: "value" }));
    if (second) {
      const o = height(others[i] / totals);
      bar.append(svg("rect", { x: i * step + step / 2, y: base - o, width: Math.max(1, step / 2 - 1), height: o, class: "value second" }));
    }
    if (b.count > 0 && step >= 15 && !second) bar.append(svg("text", { x: (i + 0.5) * step, y: base - h - 2, class: "count" }, String(b.count)));
    bar.addEventListener("click", () => pick(i));
    bar.addEventListener("keydown", (e) => {
      const next = e.key === "ArrowRight" ? i + 1 : e.key === "ArrowLeft" ? i - 1 : -1;
      if (e.key === "Enter" || e.key === " ") pick(i);
      else if (drawing.querySelector<SVGElement>(`[data-bar="${next}"]`)) drawing.querySelector<SVGElement>(`[data-bar="${next}"]`)!.focus();
      else return;
      e.preventDefault();
      e.stopPropagation();
    });
    drawing.append(bar);
  });
  const first = c.bars[0]?.text ?? "", last = c.bars[c.bars.length - 1]?.text ?? "";
  drawing.append(svg("text", { x: 0, y: tall, class: "end" }, first), svg("text", { x: wide, y: tall, class: "end", "text-anchor": "end" }, last));
  const now = picked >= 0 ? c.bars[picked] : null;
  const said = now ? `${now.text}${unit}: ${now.count} of ${total}` : c.box.mean === null || c.box.mean === undefined ? "" : `mean ${figure(c.box.mean)}${unit}`;
  const chart = el("figure", { class: "chart" }, el("figcaption", {}, el("span", { title: c.about }, c.name), el("output", {}, said)), drawing);
  if (c.box.count > 0) chart.append(boxPlot(c, second));
  return chart;
}

/** Box plots of one mesh or two on the same scale: box, median, whiskers, outliers as dots and extremes as rings. */
function boxPlot(c: Chart, second: Chart | null): SVGSVGElement {
  const boxes = second && second.box.count > 0 ? [c.box, second.box] : [c.box];
  const low = Math.min(...boxes.map((b) => b.min ?? 0)), high = Math.max(...boxes.map((b) => b.max ?? 0));
  const skewed = low >= 0 && high > 20 * Math.max(1e-9, c.box.q3 ?? 0);
  // A long tail would press the box into a line: the root of the values gives it room.
  const scale = (v: number) => (skewed ? Math.sqrt(Math.max(0, v)) : v);
  const x = (v: number | null) => 5 + ((wide - 10) * (scale(v ?? 0) - scale(low))) / (scale(high) - scale(low) || 1);
  const plot = svg("svg", { viewBox: `0 0 ${wide} ${boxes.length * 16 + 2}`, role: "img", class: "box", "aria-label": boxes.map((b) =>
    `box plot from ${figure(b.min)} to ${figure(b.max)}, half of the regions from ${figure(b.q1)} to ${figure(b.q3)}, median ${figure(b.median)}`).join("; ") });
  boxes.forEach((b, i) => {
    const y = 16 * i + 8;
    const [from, to] = b.whiskers;
    const g = svg("g", { class: i ? "second" : "" }, svg("title", {}, `least ${figure(b.min)}, quarter ${figure(b.q1)}, median ${figure(b.median)}, three quarters ${figure(b.q3)}, most ${figure(b.max)}`),
      svg("path", { d: `M${x(from)} ${y - 3}V${y + 3}M${x(from)} ${y}H${x(b.q1)}M${x(b.q3)} ${y}H${x(to)}M${x(to)} ${y - 3}V${y + 3}` }),
      svg("rect", { x: x(b.q1), y: y - 5, width: Math.max(1, x(b.q3) - x(b.q1)), height: 10 }),
      svg("path", { class: "median", d: `M${x(b.median)} ${y - 5}V${y + 5}` }));
    // Dots at the same pixel are one.
    for (const [list, kind] of [[b.outliers, "outlier"], [b.extremes, "extreme"]] as const) {
      for (const at of new Set(list.map((v) => Math.round(x(v))))) g.append(svg("circle", { class: kind, cx: at, cy: y, r: 1.8 }));
    }
    plot.append(g);
  });
  return plot;
}

export function figure(v: number | null | undefined): string {
  if (v === null || v === undefined) return "–";
  const size = Math.abs(v);
  return size >= 100 ? v.toFixed(0) : size >= 10 ? v.toFixed(1) : v.toFixed(2);
}
