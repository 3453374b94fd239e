// The page: builds the stage and the panels, and turns what people do into questions to Meadow's queries.

import { Newest, Queries } from "./ask";
import { Numbers } from "./numbers";
import { Panel } from "./panel";
import { Scene, type Path, type Place, type Point } from "./scene";
import { drawnBySoftware, layerNames, Stage } from "./stage";

type End = "start" | "goal";

async function start(): Promise<void> {
  const scene = new Scene(await meadowPage.unpack("meadow-scene"));
  const root = document.getElementById("meadow-live")!;
  let dark = matchMedia("(prefers-color-scheme: dark)").matches;
  let stage!: Stage;
  let numbers!: Numbers;

  const paint = () => {
    document.documentElement.classList.toggle("dark", dark);
    document.documentElement.classList.toggle("light", !dark);
    stage.theme(dark);
  };
  const panel = new Panel(root, scene, {
    show: (layer, on) => stage.show(layer, on),
    apart: (gap) => stage.apart(gap),
    cut: (height) => stage.cut(height),
    reset: () => stage.reset(),
    top: () => stage.top(),
    theme: () => {
      dark = !dark;
      paint();
    },
    swap: () => swap(),
  });
  const { canvas } = panel;
  try {
    const software = location.hash !== "#fine" && drawnBySoftware();
    document.documentElement.classList.toggle("plain", software);
    stage = new Stage(canvas, scene, software);
  } catch {
    root.replaceChildren();
    meadowPage.say("This browser cannot draw in three dimensions (WebGL is missing or switched off). The picture shows the same scene.");
    return;
  }
  canvas.addEventListener("webglcontextlost", () => panel.say("The browser has taken the graphics away; reload the page to get them back."));
  numbers = new Numbers(panel.numbers, stage);
  stage.onframe = () => numbers.refresh(dark);
  document.documentElement.classList.add("live");
  panel.begin();
  const resize = () => {
    const ratio = Math.min(devicePixelRatio, 2);
    numbers.resize(root.clientWidth, root.clientHeight, ratio);
    stage.resize(root.clientWidth, root.clientHeight, ratio);
  };
  new ResizeObserver(resize).observe(root);
  resize();
  stage.reset();
  paint();
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", (e) => {
    dark = e.matches;
    paint();
  });

  let path: Path | null = scene.head.path ?? null;
  let queries: Queries | null = null;
  let here = false; // whether this browser has found the path
  const ends: Record<End, Point | null> = { start: path?.start.point ?? null, goal: path?.goal.point ?? null };
  const show = () => {
    stage.setPath(path);
    panel.path(path, here);
  };
  show();

  const reach = Math.max(0.5, 2 * scene.head.radius);
  const finding = new Newest();
  const find = () =>
    finding.run(async () => {
      if (!queries || !ends.start || !ends.goal) return;
      const found = await queries.path(ends.start, ends.goal, reach);
      if (found.error) {
        panel.say(found.error);
        return;
      }
      path = found;
      here = true;
      show();
    });
  const set = (end: End, place: Place) => {
    if (!place.found) return;
    ends[end] = place.point;
    ends[end === "start" ? "goal" : "start"] ??= place.point;
    void find();
  };
  const swap = () => {
    [ends.start, ends.goal] = [ends.goal, ends.start];
    void find();
  };

  /** The place of the scene under a place of the page, in metres of the level. */
  const under = (x: number, y: number): Point | null => {
    const ray = stage.ray(x, y);
    const regions = stage.regions.first(ray);
    const level = stage.shown.level ? stage.level.first(ray, regions ? regions.distance - 0.35 : Infinity) : null;
    const hit = level ?? regions;
    const c = scene.head.center;
    return hit && [hit.point.x + c[0], hit.point.y + c[1], hit.point.z + c[2]];
  };
  const floorAt = async (x: number, y: number): Promise<Place | null> => {
    const p = under(x, y);
    if (!p || !queries) return null;
    const place = await queries.at(p, reach);
    return place.found ? place : null;
  };

  // Mouse, pen and touch. A press on a pin drags the pin; any other press belongs to the camera, and is a click if it stays.
  let dragged: End | null = null;
  let pressed: { x: number; y: number; at: number; id: number } | null = null;
  const fingers = new Set<number>();
  const hovering = new Newest();
  const dragging = new Newest();
  const local = (e: PointerEvent) => {
    const box = canvas.getBoundingClientRect();
    return { x: e.clientX - box.left, y: e.clientY - box.top };
  };
  const pinAt = (x: number, y: number, touch: boolean): End | null => {
    if (!stage.shown.path || !queries) return null;
    let best: End | null = null;
    let least = touch ? 34 : 20;
    for (const end of ["start", "goal"] as const) {
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
        const place = await floorAt(x, y);
        if (place) set(end, place);
      });
      return;
    }
    if (e.pointerType === "touch" || e.buttons !== 0) {
      panel.hover(null, 0, 0);
      return;
    }
    canvas.style.cursor = pinAt(x, y, false) ? "grab" : "";
    void hovering.run(async () => {
      const place = await floorAt(x, y);
      stage.hover(place ? place.region : -1);
      panel.hover(place, e.clientX, e.clientY);
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
    void floorAt(x, y).then((place) => {
      if (place) set(e.shiftKey ? "goal" : "start", place);
    });
  };
  canvas.addEventListener("pointerup", release);
  canvas.addEventListener("pointercancel", release);
  canvas.addEventListener("pointerleave", () => {
    stage.hover(-1);
    panel.hover(null, 0, 0);
  });

  // Keys.
  const walk = (end: End, x: number, y: number) => {
    const from = ends[end];
    if (!from || !queries) return;
    const look = stage.controls.target.clone().sub(stage.camera.position).setY(0).normalize();
    const step = 0.5;
    const to: Point = [from[0] + step * (look.x * y - look.z * x), from[1], from[2] + step * (look.z * y + look.x * x)];
    void queries.step(from, to, reach).then((place) => set(end, place));
  };
  const arrows: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
  window.addEventListener("keydown", (e) => {
    const field = e.target instanceof HTMLElement ? e.target : null;
    if (e.ctrlKey || e.metaKey) return;
    const arrow = arrows[e.key];
    if (arrow) {
      if (field instanceof HTMLInputElement || field?.tagName === "PRE") return; // sliders and texts have their own arrows
      const [x, y] = arrow;
      if (e.shiftKey) walk("goal", x, y);
      else if (e.altKey) walk("start", x, y);
      else stage.orbit(0.12 * x, 0.08 * -y, 1);
      e.preventDefault();
      return;
    }
    if (e.altKey) return;
    if (e.key >= "1" && e.key <= String(layerNames.length)) panel.toggle(Number(e.key) - 1);
    else if (e.key === "+" || e.key === "=") stage.orbit(0, 0, 1 / 1.15);
    else if (e.key === "-") stage.orbit(0, 0, 1.15);
    else {
      switch (e.key.toLowerCase()) {
        case "r": stage.reset(); break;
        case "t": stage.top(); break;
        case "x": swap(); break;
        case "d": dark = !dark; paint(); break;
        case "a": panel.nudge("apart", 0.08); break;
        case "z": panel.nudge("apart", -0.08); break;
        case "c": panel.nudge("cut", -0.04); break;
        case "v": panel.nudge("cut", 0.04); break;
        default: return;
      }
    }
    e.preventDefault();
  });

  // What tests read: figures of the scene as it is drawn.
  Object.assign(globalThis, {
    meadowState: () => ({
      ready: queries !== null,
      frames: stage.frames,
      calls: stage.renderer.info.render.calls,
      triangles: stage.renderer.info.render.triangles,
      length: path?.length ?? 0,
      complete: path?.complete ?? false,
      regions: path?.regions ?? [],
      start: stage.pinOnPage("start"),
      goal: stage.pinOnPage("goal"),
      goalPoint: ends.goal,
      startPoint: ends.start,
      numbers: numbers.shown,
      shown: { ...stage.shown },
      dark,
    }),
  });

  panel.say("Starting Meadow's queries …");
  try {
    queries = await Queries.open();
    panel.say(path ? "Drag the red pin, or click the floor." : "Click the floor for a start, then with Shift for a goal.");
    // The first answers of a program are slow: the browser is still translating it.
    for (let i = 0; i < 3 && ends.start && ends.goal; i++) await queries.path(ends.start, ends.goal, reach);
    void find();
  } catch (error) {
    panel.say(`Paths stay as they are: ${error instanceof Error ? error.message : String(error)}`);
  }
}

start().catch((error) => meadowPage.say(`The page failed: ${error}. The picture shows the same scene.`));
