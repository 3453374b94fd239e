// The path: pins that are dragged, clicks and keys that set its ends, and what is under the pointer.

import type { App, End } from "../app";
import { Newest } from "../backend";
import type { Place, Point } from "../scene";
import { typing } from "./look";

/** What to do on a mesh without a path. */
export const firstWords = "Click or tap the floor for a start, then drag the red pin to the goal.";

export function path(app: App): void {
  const { stage, panel } = app;
  const { canvas } = panel;
  panel.help("A click or tap on the floor sets the start. Drag the red pin, or click with Shift, for the goal. Shift with arrows walks the goal, Alt with arrows the start.");

  // Mouse, pen and touch. A press on a pin drags the pin; any other press belongs to the camera, and is a click if it stays.
  let dragged: End | null = null;
  let pressed: { x: number; y: number; at: number; id: number } | null = null;
  const fingers = new Set<number>();
  const hovering = new Newest();
  const dragging = new Newest();
  const local = (e: PointerEvent) => {
    const b = canvas.getBoundingClientRect();
    return { x: e.clientX - b.left, y: e.clientY - b.top };
  };
  const pinAt = (x: number, y: number, touch: boolean): End | null => {
    if (!stage.shown.path || !app.backend) return null;
    let best: End | null = null;
    let least = touch ? 34 : 20;
    // Of two pins at one place the hand takes the goal.
    for (const end of ["goal", "start"] as const) {
      const p = stage.pinOnPage(end);
      const d = p ? Math.hypot(p.x - x, p.y - y) : Infinity;
      if (d < least) [best, least] = [end, d];
    }
    return best;
  };
  canvas.addEventListener("pointerdown", (e) => {
    const { x, y } = local(e);
    fingers.add(e.pointerId);
    dragged = fingers.size === 1 && e.button === 0 ? pinAt(x, y, e.pointerType === "touch") : null;
    pressed = fingers.size === 1 && e.button === 0 ? { x, y, at: performance.now(), id: e.pointerId } : null;
    if (dragged) {
      stage.controls.enabled = false;
      canvas.setPointerCapture(e.pointerId);
      e.stopImmediatePropagation();
    }
  }, { capture: true });
  canvas.addEventListener("pointermove", (e) => {
    const { x, y } = local(e);
    if (dragged) {
      const end = dragged;
      void dragging.run(async () => {
        const place = await app.floorAt(x, y);
        if (place) app.set(end, place);
      });
      return;
    }
    if (e.pointerType === "touch" || e.buttons !== 0) {
      panel.hover(null, 0, 0);
      return;
    }
    canvas.style.cursor = pinAt(x, y, false) ? "grab" : app.tool === "path" ? "" : "crosshair";
    void hovering.run(async () => {
      const place = await app.floorAt(x, y);
      stage.hover(place ? place.region : -1);
      panel.hover(place, e.clientX, e.clientY);
      app.emit("hover", place);
    });
  });
  const release = (e: PointerEvent) => {
    fingers.delete(e.pointerId);
    const wasDragged = dragged;
    dragged = null;
    stage.controls.enabled = true;
    const p = pressed;
    pressed = null;
    if (wasDragged || e.type !== "pointerup" || !p || p.id !== e.pointerId) return;
    const { x, y } = local(e);
    if (Math.hypot(x - p.x, y - p.y) > 5 || performance.now() - p.at > 600) return;
    const ground = app.under(x, y);
    void app.floorAt(x, y).then((place) => {
      app.emit("click", { event: e, place, ground });
      if (place && app.tool === "path") app.set(e.shiftKey ? "goal" : "start", place);
    });
  };
  canvas.addEventListener("pointerup", release);
  canvas.addEventListener("pointercancel", release);
  canvas.addEventListener("pointerleave", () => {
    stage.hover(-1);
    panel.hover(null, 0, 0);
    app.emit("hover", null);
  });

  app.on("path", (found) => {
    if (found?.complete && panel.said === firstWords) panel.say("");
  });
  const walk = (end: End, x: number, y: number) => {
    const from = app.ends[end];
    if (!from || !app.backend) return;
    const ahead = stage.controls.target.clone().sub(stage.camera.position).setY(0).normalize();
    const step = 0.5;
    const to: Point = [from[0] + step * (ahead.x * y - ahead.z * x), from[1], from[2] + step * (ahead.z * y + ahead.x * x)];
    app.ask<Place>("step", { from, to, reach: app.reach }).then((place) => app.set(end, place), (error) => app.fail(error));
  };
  const arrows: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
  window.addEventListener("keydown", (e) => {
    if (e.ctrlKey || e.metaKey || typing(e)) return;
    const arrow = arrows[e.key];
    if (arrow && (e.shiftKey || e.altKey) && !(e.target instanceof HTMLInputElement)) {
      walk(e.shiftKey ? "goal" : "start", ...arrow);
      e.preventDefault();
    } else if (e.key.toLowerCase() === "x" && !e.altKey) {
      app.swap();
      e.preventDefault();
    }
  });
}
