// Compare: a second mesh beside the first, by another method or from a file, both under one camera and with the same path.

import * as THREE from "three";
import type { App } from "../app";
import { button, choice, el, group } from "../dom";
import { lifted, Lines } from "../lift";
import { Scene, type Path } from "../scene";
import { expand, perCorner, type Tint } from "../stage";
import { Newest } from "../backend";

export interface Duel {
  readonly shown: boolean;
  readonly name: string;
  /** Called after the second mesh has come, changed or gone. */
  readonly changed: (() => void)[];
  /** Colours of the second mesh's regions. */
  paint(tint: Tint | null): void;
}

interface Rival {
  name: string;
  regions: number;
  portals: number;
  area: number;
}

/** The second mesh as objects of the stage. */
class Beside extends THREE.Group {
  private readonly colors: THREE.BufferAttribute;
  private readonly path: Lines[];
  private readonly shift: [number, number, number];
  private readonly lines: Record<"portals" | "borders" | "seams" | "links", Lines>;
  private readonly mesh: THREE.Mesh;
  private readonly owners: Uint32Array;

  constructor(readonly scene: Scene, private readonly app: App) {
    super();
    const { stage } = app;
    const [to, from] = [stage.scene.head.center, scene.head.center];
    this.shift = [from[0] - to[0], from[1] - to[1], from[2] - to[2]];
    this.owners = scene.numbers("regionOwners");
    const storeys = scene.bytes("regionStoreys");
    const points = this.moved(expand(scene.floats("regionPoints"), scene.numbers("regionCorners")));
    const g = new THREE.BufferGeometry();
    this.colors = new THREE.BufferAttribute(new Float32Array((points.length / 3) * 4), 4);
    g.setAttribute("position", new THREE.BufferAttribute(points, 3));
    g.setAttribute("color", this.colors);
    g.setAttribute("storey", new THREE.BufferAttribute(perCorner(Uint8Array.from(this.owners, (r) => storeys[r])), 1));
    this.mesh = new THREE.Mesh(g, lifted(new THREE.MeshBasicMaterial({
      vertexColors: true, transparent: true, depthWrite: false, side: THREE.DoubleSide, polygonOffset: true, polygonOffsetFactor: -4, polygonOffsetUnits: -4,
    })));
    this.lines = {
      portals: stage.line({ color: 0xffffff, width: 1.2, opacity: 0.75, bias: 0.002 }), borders: stage.line({ color: 0x1d2a4a, width: 2, bias: 0.0025 }),
      seams: stage.line({ color: 0xe65c00, width: 2.6, bias: 0.003 }), links: stage.line({ color: 0x7c3abe, width: 2.2, bias: 0.003 }),
    };
    for (const [name, l] of Object.entries(this.lines)) l.strokes(this.moved(Float32Array.from(scene.floats(name))), scene.bytes(name + "Storeys"));
    this.path = [stage.line({ color: 0xd62839, width: 2, opacity: 0.35, through: true }), stage.line({ color: 0xffffff, width: 8, bias: 0.005 }), stage.line({ color: 0xd62839, width: 5, bias: 0.006 })];
    [this.mesh, ...Object.values(this.lines), ...this.path].forEach((o, i) => {
      o.renderOrder = i + 3;
      o.frustumCulled = false;
      this.add(o);
    });
    this.paint(null);
    this.theme(app.dark);
  }

  private moved(points: Float32Array): Float32Array {
    for (let i = 0; i < points.length; i++) points[i] += this.shift[i % 3];
    return points;
  }

  theme(dark: boolean): void {
    this.lines.borders.material.uniforms.color.value.set(dark ? 0x0b1120 : 0x1d2a4a);
  }

  /** Follows the layers of the stage. */
  follow(shown: Record<string, boolean>): void {
    this.mesh.visible = shown.regions;
    for (const [name, l] of Object.entries(this.lines)) l.visible = !l.empty && shown[name === "seams" ? "portals" : name];
    for (const l of this.path) l.visible = shown.path && !l.empty;
  }

  setPath(path: Path | null): void {
    const c = this.app.scene.head.center;
    const storeys = this.scene.bytes("regionStoreys");
    const points: number[] = [];
    if (path?.complete) {
      const s = path.surface;
      for (let i = 3; i < s.length; i += 3) for (const k of [i - 3, i]) points.push(s[k] - c[0], s[k + 1] - c[1] + 0.1, s[k + 2] - c[2]);
    }
    const heights = this.scene.head.storeys.map((h) => h + this.shift[1]);
    const of = new Uint8Array(points.length / 3);
    for (let i = 0; i < of.length; i++) {
      let storey = path ? storeys[path.regions[0]] ?? 0 : 0;
      heights.forEach((h, k) => Math.abs(h - points[3 * i + 1]) < Math.abs(heights[storey] - points[3 * i + 1]) && (storey = k));
      of[i] = storey;
    }
    for (const l of this.path) l.strokes(Float32Array.from(points), of);
    this.follow(this.app.stage.shown);
  }

  paint(tint: Tint | null): void {
    (this.mesh.material as THREE.Material).depthTest = !tint;
    const rgb = this.scene.bytes("regionColors");
    const out = this.colors.array as Float32Array;
    const color = new THREE.Color();
    this.owners.forEach((r, i) => {
      const t = tint?.(r);
      if (t) color.setRGB(t[0], t[1], t[2], THREE.SRGBColorSpace);
      else color.setRGB(rgb[3 * r] / 255, rgb[3 * r + 1] / 255, rgb[3 * r + 2] / 255, THREE.SRGBColorSpace);
      for (let k = 0; k < 3; k++) {
        color.toArray(out, 12 * i + 4 * k);
        out[12 * i + 4 * k + 3] = t?.[3] ?? 0.62;
      }
    });
    this.colors.needsUpdate = true;
  }

  free(): void {
    for (const o of this.children as THREE.Mesh[]) {
      o.geometry.dispose();
      (o.material as THREE.Material).dispose();
    }
  }
}

export function duel(app: App): Duel {
  const { stage, panel } = app;
  const page = panel.tab("judge", "Judge");
  const changed: (() => void)[] = [];
  const labels = [0, 1].map(() => el("div", { class: "versus", hidden: "" }));
  panel.root.append(...labels);
  let second: Beside | null = null;
  let known: Rival | null = null;
  /** How the second mesh is made: asked for again after each build. */
  let wanted: { args: { generator?: string; file?: string }; body?: Uint8Array } | null = null;
  let lengths: (number | null)[] = [null, null];
  const asking = new Newest();
  const finding = new Newest();

  const place = () => {
    const views = stage.views();
    labels.forEach((label, i) => {
      label.hidden = !second;
      const v = views[i];
      if (!second || !v) return;
      const name = i ? known?.name ?? "" : "this mesh";
      const regions = i ? known?.regions ?? 0 : app.scene.bytes("regionStoreys").length;
      const length = lengths[i];
      label.replaceChildren(el("b", {}, name), `${regions} regions${length === null ? "" : ` · path ${length.toFixed(2)} m`}`);
      label.style.left = `${v.left + v.width / 2}px`;
      label.style.top = `${v.top + (v.top > 0 ? 8 : 84)}px`;
    });
    panel.root.classList.toggle("split", second !== null);
  };
  const end = () => {
    if (!second) return;
    stage.beside(null);
    second.free();
    second = null;
    known = null;
    place();
    for (const hear of changed) hear();
  };
  const find = () => finding.run(async () => {
    const { start, goal } = app.ends;
    if (!second) return;
    let path: Path | null = null;
    if (start && goal) {
      try {
        path = await app.ask<Path>("rivalPath", { from: start, to: goal, reach: app.reach });
      } catch (error) {
        app.fail(error);
      }
    }
    second?.setPath(path);
    lengths = [app.path?.complete ? app.path.length : null, path?.complete ? path.length : null];
    place();
    stage.draw();
  });
  const show = () => asking.run(async () => {
    if (!wanted || app.scene.bytes("regionStoreys").length === 0) {
      end();
      return;
    }
    try {
      panel.progress("building the second mesh", 0, () => void app.backend?.cancel());
      const { answer, body } = await app.do<Rival>("rival", wanted.args, wanted.body);
      if (!wanted) return;
      const next = new Beside(new Scene(body), app);
      next.follow(stage.shown);
      stage.beside(next);
      second?.free();
      second = next;
      known = answer;
      await find();
      for (const hear of changed) hear();
    } catch (error) {
      end();
      app.fail(error);
    } finally {
      panel.progress(null);
    }
  });
  const stop = () => {
    wanted = null;
    method.value = "";
    end();
    if (app.backend) void app.ask("endRival").catch(() => undefined);
  };

  const compare = group("Compare two meshes");
  const method = choice(compare, "rival", "Beside this mesh", [["", "nothing"]], "", (generator) => {
    if (!generator) return stop();
    wanted = { args: { generator } };
    void show();
  });
  app.actions.beside = async (args) => {
    const { generator } = args as { generator: string };
    method.value = generator;
    wanted = { args: { generator } };
    await show();
  };
  const input = el("input", { type: "file", id: "meadow-rival-file", "aria-label": "Open a second mesh, of Meadow, Detour or another program" });
  input.addEventListener("change", () => {
    const file = input.files?.[0];
    if (!file) return;
    void file.arrayBuffer().then((data) => {
      wanted = { args: { file: file.name }, body: new Uint8Array(data) };
      method.value = "";
      input.value = "";
      return show();
    });
  });
  compare.append(el("label", { class: "file" }, "or a mesh file (Detour, too)", input), el("div", { class: "tools one" }, button("One mesh", "End the comparison", stop)));
  page.append(compare);
  app.starting.push(async () => {
    if (!app.backend?.builds) return;
    const { generators } = await app.ask<{ generators: string[] }>("makers");
    method.append(...generators.map((g) => el("option", { value: g }, g)));
  });
  app.on("scene", () => {
    if (wanted) void show();
    else end();
  });
  app.on("opened", () => {
    wanted = null;
    method.value = "";
    // What is open now need not be built, and then no other scene follows.
    end();
  });
  app.on("path", () => void find());
  app.on("theme", (dark) => second?.theme(dark));
  new ResizeObserver(place).observe(panel.root);
  // The layers of both meshes are those of the boxes.
  const before = stage.show.bind(stage);
  stage.show = (layer, on) => {
    before(layer, on);
    second?.follow(stage.shown);
  };
  app.state.duel = () => (second ? { name: known?.name, regions: known?.regions, lengths, views: stage.views() } : null);
  return {
    get shown() {
      return second !== null;
    },
    get name() {
      return known?.name ?? "";
    },
    changed,
    paint: (tint) => {
      second?.paint(tint);
      stage.draw();
    },
  };
}
