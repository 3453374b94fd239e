// What all features of the page share: the scene, the one who answers, both ends of the path, and the words to people.

import { Vector3 } from "three";
import { Cancelled, Newest, type Backend, type Progress, type Reply } from "./backend";
import type { Text } from "./drawn";
import { History } from "./history";
import { shared } from "./lift";
import type { Panel } from "./panel";
import { Scene, type Path, type Place, type Point } from "./scene";
import type { Stage } from "./stage";

export type End = "start" | "goal";

/** What features hear of. */
export interface Events {
  /** Another scene is shown: after a level was opened, or a mesh built or changed. */
  scene: Scene;
  /** The path is another one; null without a path. */
  path: Path | null;
  /** A press and release on the canvas, without a drag. The place is the nearest floor, or null. */
  click: { event: PointerEvent; place: Place | null; ground: Point | null };
  /** The pointer is over a place. */
  hover: Place | null;
  /** A file or a level has been opened; a feature that builds starts with this. */
  opened: Opened;
  /** The page is light or dark. */
  theme: boolean;
}

export interface Opened {
  name: string;
  kind: "level" | "map" | "mesh" | "world";
  triangles: number;
  notes: string[] | null;
  warnings: string[] | null;
  /** Doubts about the unit and the axis, with the values that would end them. */
  hints: { text: string; up?: string; unit?: string; scale?: number }[] | null;
}

/** A feature adds its panels, keys and listeners when the page starts. */
export type Feature = (app: App) => void;

export class App {
  backend: Backend | null = null;
  readonly ends: Record<End, Point | null> = { start: null, goal: null };
  path: Path | null = null;
  opened: Opened | null = null;
  /** The mode of the pointer: the feature of this name gets the clicks, "path" by default. */
  tool = "path";
  dark = false;
  /** The page came with a scene, which shows what the backend opens first. */
  came = false;
  /** Texts at places of the scene, drawn where there is room. */
  readonly labels: Text[] = [];
  /** The thing that is chosen, by its id. */
  selected = "";
  /** What tests read, besides the figures of the scene. Features add their own. */
  readonly state: Record<string, () => unknown> = {};

  /** Deeds of the page by name, with a JSON value: examples and links are made of them. Features add their own. */
  readonly actions: Record<string, (args: unknown) => Promise<void>> = {};
  /** What people have put into the level, with undo and redo. */
  readonly history = new History();

  /** What features do once the backend answers. */
  readonly starting: (() => Promise<void>)[] = [];

  private readonly listeners = new Map<string, ((v: never) => void)[]>();
  private readonly finding = new Newest();
  /** The request that others wait for. */
  private busy: Promise<unknown> = Promise.resolve();

  constructor(readonly stage: Stage, readonly panel: Panel) {}

  on<K extends keyof Events>(name: K, hear: (v: Events[K]) => void): void {
    const list = this.listeners.get(name) ?? [];
    list.push(hear as (v: never) => void);
    this.listeners.set(name, list);
  }

  emit<K extends keyof Events>(name: K, v: Events[K]): void {
    for (const hear of this.listeners.get(name) ?? []) hear(v as never);
  }

  get scene(): Scene {
    return this.stage.scene;
  }

  /** The reach of questions: how far from a place its floor may be, in metres. */
  get reach(): number {
    return Math.max(0.5, 2 * this.scene.head.radius);
  }

  /** Asks the backend, one request after another. A request that is no longer wanted when its turn comes ends as cancelled. */
  do<T>(name: string, args: unknown = {}, body?: Uint8Array, tell?: (p: Progress) => void, wanted = () => true): Promise<Reply<T>> {
    const { backend } = this;
    if (!backend) return Promise.reject(new Error("Meadow has not started yet"));
    const next = this.busy.then(() => {
      if (!wanted()) throw new Cancelled();
      return backend.do<T>(name, args, { body, tell });
    });
    this.busy = next.catch(() => undefined);
    return next;
  }

  /** The name of the level's triangles that the page has, for the request build. */
  get drawn(): string {
    return (this.scene.base ?? this.scene).head.level ?? "";
  }

  /** Asks for the answer alone. */
  async ask<T>(name: string, args: unknown = {}): Promise<T> {
    return (await this.do<T>(name, args)).answer;
  }

  /** Says an error to people; that of a request that was ended is none. */
  fail(error: unknown): void {
    if (error instanceof Cancelled) return;
    this.panel.say(error instanceof Error ? error.message : String(error), true);
  }

  /**
   * Shows a scene from a reply, with the path on it if the caller has found that; else the path is found later. The camera stays where
   * the scene is of the same level as before.
   */
  show(body: ArrayBuffer, path?: Path | null, stay = true): void {
    const scene = new Scene(body, this.scene);
    this.stage.load(scene, stay && this.scene.head.high[0] > this.scene.head.low[0]);
    this.panel.show(scene);
    this.emit("scene", scene);
    if (path !== undefined) this.setPath(path, path !== null);
    else if (scene.head.path) this.setPath(scene.head.path, false);
    else void this.find();
  }

  /** Shows a changed floor in the same level, with the path on it. */
  showFloor(body: ArrayBuffer, path: Path | null): void {
    const scene = new Scene(body, this.scene, true);
    this.stage.load(scene, true);
    this.panel.show(scene);
    this.emit("scene", scene);
    this.setPath(path, true);
  }

  setPath(path: Path | null, here: boolean): void {
    this.path = path;
    this.stage.setPath(path);
    this.panel.path(path, here);
    this.emit("path", path);
  }

  /** Finds the path between both ends again. */
  find(): Promise<void> {
    return this.finding.run(async () => {
      const { start, goal } = this.ends;
      if (!this.backend || !start || !goal || this.scene.bytes("regionStoreys").length === 0) {
        if (this.path) this.setPath(null, false);
        return;
      }
      try {
        this.setPath(await this.ask<Path>("path", { from: start, to: goal, reach: this.reach }), true);
      } catch (error) {
        this.fail(error);
      }
    });
  }

  /** Moves an end of the path to a place. */
  set(end: End, place: Place): void {
    if (!place.found) return;
    this.ends[end] = place.point;
    this.ends[end === "start" ? "goal" : "start"] ??= place.point;
    void this.find();
  }

  swap(): void {
    [this.ends.start, this.ends.goal] = [this.ends.goal, this.ends.start];
    void this.find();
  }

  /** The place of the scene under a place of the page, in metres of the level. */
  under(x: number, y: number): Point | null {
    const { stage } = this;
    const ray = stage.ray(x, y);
    const regions = stage.regions.first(ray);
    const level = stage.shown.level ? stage.level.first(ray, regions ? regions.distance - 0.35 : Infinity) : null;
    const hit = level ?? regions;
    const c = this.scene.head.center;
    return hit && [hit.point.x + c[0], hit.point.y + c[1], hit.point.z + c[2]];
  }

  /** The place of the page where a place of the level is seen, some metres above it; null behind the eye. */
  pageOf(p: Point, above = 0): { x: number; y: number } | null {
    const c = this.scene.head.center;
    const y = p[1] - c[1];
    return this.stage.onPage(new Vector3(p[0] - c[0], y + above + this.scene.storeyAt(y) * shared.gap.value, p[2] - c[2]));
  }

  /** The floor under a place of the page. */
  async floorAt(x: number, y: number): Promise<Place | null> {
    const p = this.under(x, y);
    if (!p || !this.backend || this.scene.bytes("regionStoreys").length === 0) return null;
    try {
      const place = await this.ask<Place>("at", { from: p, to: p, reach: this.reach });
      return place.found ? place : null;
    } catch {
      return null;
    }
  }

  theme(dark: boolean): void {
    this.dark = dark;
    document.documentElement.classList.toggle("dark", dark);
    document.documentElement.classList.toggle("light", !dark);
    this.stage.theme(dark);
    this.emit("theme", dark);
  }
}
