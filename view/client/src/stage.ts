// The scene in three.js: every layer is one draw call or two, and a frame is drawn only when something has changed.

import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { clustered, sharedCorners } from "./coarse";
import { creasesOf } from "./creases";
import { lifted, Lines, shared, type LineLook } from "./lift";
import { Triangles } from "./pick";
import { Scene, type Path, type Point } from "./scene";
import { Still } from "./still";

export const layerNames = ["level", "regions", "portals", "borders", "links", "path", "numbers"] as const;
export type Layer = (typeof layerNames)[number];

const themes = {
  light: { paper: 0xeef0f3, level: 1, edge: 0x3a4150, edgeOpacity: 0.38, sky: 0xffffff, earth: 0xb7b2a8, border: 0x1d2a4a, portal: 0xffffff },
  dark: { paper: 0x14171d, level: 0.52, edge: 0xc4cede, edgeOpacity: 0.3, sky: 0xd5e0f5, earth: 0x5a5a66, border: 0x0b1120, portal: 0xf3f6ff },
};

/** Colours for most people, and for people who see red and green alike: those differ in lightness, and in blue and yellow. */
const palettes = {
  usual: { path: 0xd62839, start: 0x1c7e48, seam: 0xe65c00, link: 0x7c3abe, regions: null },
  safe: {
    path: 0xa3001b, start: 0x00429d, seam: 0x000000, link: 0x5d3a9b,
    // After Okabe and Ito, Color Universal Design (2008), and others that differ from theirs in lightness.
    regions: [
      [86, 180, 233], [240, 228, 66], [0, 114, 178], [230, 159, 0], [217, 217, 217], [0, 158, 115], [204, 121, 167], [127, 127, 127],
      [189, 219, 247], [140, 96, 0], [0, 61, 107], [255, 247, 188],
    ],
  },
} as const;

export type Palette = keyof typeof palettes;

export class Stage {
  readonly renderer: THREE.WebGLRenderer;
  readonly camera = new THREE.PerspectiveCamera(38, 1, 0.1, 4000);
  readonly controls: OrbitControls;
  /** What is shown. */
  scene = Scene.empty();
  regions!: Triangles;
  /** The region of each triangle. */
  owners!: Uint32Array;
  level!: Triangles;
  readonly shown: Record<Layer, boolean> = {
    level: true, regions: true, portals: true, borders: true, links: true, path: true, numbers: false,
  };
  /** A second mesh, drawn beside the first with the same camera; null for none. */
  private rival: THREE.Object3D | null = null;
  private page = { width: 1, height: 1 };
  private covered = 0;
  /** Called after each frame but those where only movers have changed. */
  onframe: () => void = () => {};
  frames = 0;
  /** The draw calls and triangles of the picture on the page, with those of the part that rests. */
  figures = { calls: 0, triangles: 0 };
  /** How long the program worked on the last frame, in milliseconds. */
  script = 0;

  private readonly world = new THREE.Scene();
  private readonly content = new THREE.Group();
  private readonly extras = new THREE.Group();
  /** Objects that move while the rest of the scene rests: pins, paths, walkers, what the pointer lights up. */
  private readonly movers = new THREE.Group();
  private readonly still = new Still(this.world);
  private readonly size = { value: new THREE.Vector2(1, 1) };
  private readonly hemisphere = new THREE.HemisphereLight(0xffffff, 0xb7b2a8, 1.35);
  private readonly sun = new THREE.DirectionalLight(0xfff4e0, 2.1);
  private readonly levelMesh = new THREE.Mesh(new THREE.BufferGeometry(), lifted(new THREE.MeshLambertMaterial({
    vertexColors: true, flatShading: true, shadowSide: THREE.BackSide, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1,
  })));
  // Many and fine: plain lines cost a tenth of lines with a width.
  private readonly levelEdges = new THREE.LineSegments(new THREE.BufferGeometry(), lifted(new THREE.LineBasicMaterial({ transparent: true, depthWrite: false })));
  private readonly regionMesh = new THREE.Mesh(new THREE.BufferGeometry(), lifted(new THREE.MeshBasicMaterial({
    vertexColors: true, transparent: true, depthWrite: false, side: THREE.DoubleSide,
    polygonOffset: true, polygonOffsetFactor: -4, polygonOffsetUnits: -4,
  })));
  private readonly borders: Lines;
  private readonly portals: Lines;
  private readonly seams: Lines;
  private readonly links: Lines;
  private readonly pathThrough: Lines;
  private readonly pathHalo: Lines;
  private readonly pathLine: Lines;
  private readonly pins: Record<"start" | "goal", THREE.Group>;
  private readonly hoverLight = light(-5);
  private readonly glowLight = light(-6);
  private regionColors!: THREE.BufferAttribute;
  private storeyOf!: Uint8Array;
  private home!: { position: THREE.Vector3; target: THREE.Vector3 };
  private tint: Tint | null = null;
  private glow: ReadonlySet<number> | null = null;
  /** The regions that stand out as those of a path, and when they were coloured. */
  private coloured = { regions: [] as readonly number[], at: -Infinity, timer: 0 };
  private colours: Palette = "usual";
  private path: Path | null = null;
  private hovered = -1;
  private asked = false;
  /** More than movers has changed since the last frame. */
  private stale = true;
  /** Ends the wait for a better picture, 0 without one. */
  private held = 0;
  /** A coarser level for frames while the camera moves, null where the level is small or a graphics card draws. */
  private coarse: THREE.BufferGeometry | null = null;
  private fine: THREE.BufferGeometry | null = null;
  private moving = false;
  private resting = 0;
  /** The camera rests after so many milliseconds without a movement. */
  calm = 200;

  constructor(canvas: HTMLCanvasElement, readonly software: boolean) {
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: !software });
    this.renderer.info.autoReset = false;
    this.renderer.shadowMap.enabled = !software;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    this.renderer.shadowMap.autoUpdate = false;
    this.world.add(this.hemisphere, this.sun, this.sun.target, this.content, this.extras, this.movers);
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(2048, 2048);
    this.sun.shadow.normalBias = 0.06;
    this.sun.shadow.bias = -0.0008;
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = false;
    this.controls.maxPolarAngle = Math.PI * 0.495;
    this.controls.addEventListener("change", () => {
      this.moving = true;
      clearTimeout(this.resting); // the frame of this movement begins another rest
      this.draw();
    });
    this.portals = this.line({ color: 0xffffff, width: 1.2, opacity: 0.75, bias: 0.002 });
    this.borders = this.line({ color: 0x1d2a4a, width: 2, bias: 0.0025 });
    this.seams = this.line({ color: palettes.usual.seam, width: 2.6, bias: 0.003 });
    this.links = this.line({ color: palettes.usual.link, width: 2.2, bias: 0.003 });
    this.pathThrough = this.line({ color: palettes.usual.path, width: 2, opacity: 0.35, through: true });
    this.pathHalo = this.line({ color: 0xffffff, width: 8, bias: 0.005 });
    this.pathLine = this.line({ color: palettes.usual.path, width: 5, bias: 0.006 });
    this.pins = { start: pin(palettes.usual.start), goal: pin(palettes.usual.path) };
    [this.levelMesh, this.regionMesh, this.levelEdges, this.portals, this.borders, this.seams, this.links,
      this.pathThrough, this.pathHalo, this.pathLine, this.pins.start, this.pins.goal].forEach((o, i) => {
      o.renderOrder = i;
      o.frustumCulled = false;
      (i < 7 ? this.content : this.movers).add(o);
    });
    [this.hoverLight, this.glowLight].forEach((o, i) => {
      o.renderOrder = 6 + (i + 1) / 10;
      this.movers.add(o);
    });
    this.levelMesh.castShadow = this.levelMesh.receiveShadow = true;
    this.levelMesh.customDepthMaterial = lifted(new THREE.MeshDepthMaterial({ depthPacking: THREE.RGBADepthPacking, side: THREE.DoubleSide }));
    this.load(this.scene);
  }

  /** Lines of a width in pixels, in the size of this stage's page. */
  line(look: LineLook): Lines {
    return new Lines(look, this.size);
  }

  /** Shows another scene. The camera goes home, or stays where it is in the level. */
  load(scene: Scene, stay = false): void {
    const before = this.scene.head;
    const sameLevel = this.level !== undefined && scene.levelAs(this.scene);
    this.scene = scene;
    const { low, high, center } = scene.head;
    const radius = Math.max(1, Math.hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2]) / 2);
    this.camera.near = radius / 400;
    this.camera.far = radius * 40;
    this.camera.updateProjectionMatrix();
    this.controls.minDistance = radius / 30;
    this.controls.maxDistance = radius * 8;

    if (!sameLevel) this.loadLevel(scene);
    this.storeyOf = scene.bytes("regionStoreys");
    this.owners = scene.numbers("regionOwners");
    const regions = expand(scene.floats("regionPoints"), scene.numbers("regionCorners"));
    this.regions = new Triangles(regions, Uint8Array.from(this.owners, (r) => this.storeyOf[r]));
    this.regionColors = new THREE.BufferAttribute(new Float32Array((regions.length / 3) * 4), 4);
    const r = this.renew(this.regionMesh);
    r.setAttribute("position", new THREE.BufferAttribute(regions, 3));
    r.setAttribute("color", this.regionColors);
    r.setAttribute("storey", new THREE.BufferAttribute(perCorner(this.regions.storeys), 1));
    for (const name of ["portals", "borders", "seams", "links"] as const) {
      this[name].strokes(scene.floats(name), scene.bytes(name + "Storeys"));
    }

    this.sun.position.set(-0.55 * radius * 2, 1.15 * radius * 2, 0.5 * radius * 2);
    const s = this.sun.shadow;
    s.camera.left = s.camera.bottom = -radius * 1.05;
    s.camera.right = s.camera.top = radius * 1.05;
    s.camera.near = radius * 0.2;
    s.camera.far = radius * 5;
    s.camera.updateProjectionMatrix();
    const direction = new THREE.Vector3(0.46, 0.74, 0.72).normalize();
    const target = new THREE.Vector3(0, -0.17 * radius, 0);
    this.home = { position: direction.multiplyScalar(radius * 2.7).add(target), target };
    this.hovered = -1;
    this.path = null;
    this.tint = null;
    this.depthOfRegions(true);
    this.glow = null;
    this.lightUp(this.hoverLight, null);
    this.lightUp(this.glowLight, null);
    this.colour();
    if (stay) {
      const shift = new THREE.Vector3(...before.center).sub(new THREE.Vector3(...center));
      this.camera.position.add(shift);
      this.controls.target.add(shift);
      this.controls.update();
    } else this.reset();
    if (sameLevel) this.placePins();
    else this.relight();
    // The first frame of a large level is a coarse one, too, because much is to do besides.
    this.moving = this.coarse !== null;
    this.draw();
  }

  /** Draws another level. */
  private loadLevel(scene: Scene): void {
    const level = expand(scene.floats("levelPoints"), scene.numbers("levelCorners"));
    this.level = new Triangles(level, scene.bytes("levelStoreys"));
    const welded = sharedCorners(scene.floats("levelPoints"), scene.numbers("levelCorners"), scene.bytes("levelColors"), this.level.storeys);
    const colors = new Float32Array(welded.points.length);
    const palette = scene.head.colors.map(([r, g, b]) => new THREE.Color().setRGB(r / 255, g / 255, b / 255, THREE.SRGBColorSpace));
    welded.colors.forEach((c, i) => palette[c].toArray(colors, 3 * i));
    this.fine?.dispose();
    this.coarse?.dispose();
    const g = (this.fine = this.levelMesh.geometry = new THREE.BufferGeometry());
    g.setAttribute("position", new THREE.BufferAttribute(welded.points, 3));
    g.setAttribute("color", new THREE.BufferAttribute(colors, 3));
    g.setAttribute("storey", new THREE.BufferAttribute(Float32Array.from(welded.storeys), 1));
    g.setIndex(new THREE.BufferAttribute(welded.corners, 1));
    this.coarse = null;
    if (this.software && this.level.storeys.length > quick) {
      this.coarse = new THREE.BufferGeometry();
      for (const name of ["position", "color", "storey"]) this.coarse.setAttribute(name, g.getAttribute(name));
      this.coarse.setIndex(new THREE.BufferAttribute(clustered(welded, quick), 1));
    }
    const creases = creasesOf(scene.floats("levelPoints"), scene.numbers("levelCorners"), this.level.storeys);
    const edges = this.renew(this.levelEdges);
    edges.setAttribute("position", new THREE.BufferAttribute(creases.points, 3));
    edges.setAttribute("storey", new THREE.BufferAttribute(Float32Array.from(creases.storeys), 1));
  }

  /** Gives an object an empty geometry, and frees the one before. */
  private renew(o: THREE.Mesh | THREE.LineSegments): THREE.BufferGeometry {
    o.geometry.dispose();
    o.geometry = new THREE.BufferGeometry();
    return o.geometry;
  }

  /** Adds an object of a feature, drawn after the scene. The feature frees it. One that moves often is told apart from what rests. */
  add(o: THREE.Object3D, moves = false): void {
    o.renderOrder ||= 20;
    (moves ? this.movers : this.extras).add(o);
    this.draw(moves);
  }

  remove(o: THREE.Object3D): void {
    this.draw(o.parent === this.movers);
    o.removeFromParent();
  }

  /** Colours of single regions in place of the mesh's own: null for the mesh's own. With through, walls do not hide them. */
  paint(tint: Tint | null, through = false): void {
    this.tint = tint;
    this.depthOfRegions(!through);
    this.colour();
    this.draw();
  }

  private depthOfRegions(test: boolean): void {
    for (const o of [this.regionMesh, this.hoverLight, this.glowLight]) o.material.depthTest = test;
  }

  /** Makes regions glow, such as those of a change: strength 0 to 1, 0 ends it. */
  flash(regions: ReadonlySet<number>, strength: number): void {
    const lit = strength > 0 ? regions : null;
    if (lit !== this.glow) this.lightUp(this.glowLight, lit, (color) => color.copy(ember));
    this.glow = lit;
    this.glowLight.material.opacity = 0.95 * strength;
    this.draw(true);
  }

  /** Shows regions in other colours over their own, or nothing. Time O(n) for the triangles of these regions and the logarithm of all. */
  private lightUp(o: Light, regions: Iterable<number> | null, change: (color: THREE.Color) => void = () => {}): void {
    const triangles: number[] = [];
    for (const r of regions ?? []) {
      // Triangles are in the order of their regions.
      let low = 0, high = this.owners.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (this.owners[middle] < r) low = middle + 1;
        else high = middle;
      }
      for (; low < this.owners.length && this.owners[low] === r; low++) triangles.push(low);
    }
    o.geometry.dispose();
    o.geometry = new THREE.BufferGeometry();
    const points = new Float32Array(9 * triangles.length), colors = new Float32Array(9 * triangles.length), storeys = new Float32Array(3 * triangles.length);
    const color = new THREE.Color();
    const own = this.regionColors.array;
    triangles.forEach((t, i) => {
      points.set(this.regions.positions.subarray(9 * t, 9 * t + 9), 9 * i);
      change(color.setRGB(own[12 * t], own[12 * t + 1], own[12 * t + 2]));
      for (let k = 0; k < 3; k++) color.toArray(colors, 9 * i + 3 * k);
      storeys.fill(this.regions.storeys[t], 3 * i, 3 * i + 3);
    });
    o.geometry.setAttribute("position", new THREE.BufferAttribute(points, 3));
    o.geometry.setAttribute("color", new THREE.BufferAttribute(colors, 3));
    o.geometry.setAttribute("storey", new THREE.BufferAttribute(storeys, 1));
  }

  /** Turns the camera to a place of the level, from a distance in metres. */
  fly(p: Point, distance: number): void {
    const c = this.scene.head.center;
    const target = new THREE.Vector3(p[0] - c[0], p[1] - c[1], p[2] - c[2]);
    const arm = this.camera.position.clone().sub(this.controls.target).setLength(distance);
    this.controls.target.copy(target);
    this.camera.position.copy(target).add(arm);
    this.controls.update();
    this.draw();
  }

  /** Colours and light for a light or a dark page. */
  theme(dark: boolean): void {
    const t = dark ? themes.dark : themes.light;
    this.world.background = new THREE.Color(t.paper);
    this.levelMesh.material.color.setScalar(t.level);
    this.levelEdges.material.color.set(t.edge);
    this.levelEdges.material.opacity = t.edgeOpacity;
    this.borders.material.uniforms.color.value.set(t.border);
    this.portals.material.uniforms.color.value.set(t.portal);
    this.hemisphere.color.set(t.sky);
    this.hemisphere.groundColor.set(t.earth);
    this.draw();
  }

  /** Chooses the colours of regions, lines and pins. */
  palette(name: Palette): void {
    this.colours = name;
    const p = palettes[name];
    for (const l of [this.pathThrough, this.pathLine]) l.material.uniforms.color.value.set(p.path);
    this.seams.material.uniforms.color.value.set(p.seam);
    this.links.material.uniforms.color.value.set(p.link);
    for (const [end, color] of [["start", p.start], ["goal", p.path]] as const) {
      const look = (this.pins[end].children[0] as THREE.Mesh).material as THREE.MeshLambertMaterial;
      look.color.set(color);
      look.emissive.set(color);
    }
    this.colour();
    this.draw();
  }

  resize(width: number, height: number, ratio: number): void {
    this.renderer.setPixelRatio(ratio);
    this.renderer.setSize(width, height, false);
    this.page = { width, height };
    this.aim();
    this.draw();
  }

  /** Fits the camera to the page, or to one of two views. */
  private aim(): void {
    const { width, height } = this.page;
    const [view] = this.views();
    this.size.value.set(view.width, view.height);
    this.camera.aspect = view.width / view.height;
    // On a wide page the scene makes room for the panel at the right, and on a narrow one for the sheet below.
    const aside = this.rival || width <= 700 ? 0 : Math.min(110, width / 10);
    const above = this.rival ? 0 : Math.min(this.covered, 0.6 * height) / 2;
    if (aside || above) this.camera.setViewOffset(width, height, aside, above, width, height);
    else this.camera.clearViewOffset();
    this.camera.updateProjectionMatrix();
  }

  /** Makes room for what covers the lower part of the page, in pixels. */
  cover(pixels: number): void {
    if (pixels === this.covered) return;
    this.covered = pixels;
    this.aim();
    this.draw();
  }

  /** The parts of the page with a view each, in pixels from the left and the top: one, or two beside or above each other. */
  views(): View[] {
    const { width, height } = this.page;
    if (!this.rival) return [{ left: 0, top: 0, width, height }];
    if (width <= 700) return [0, 1].map((i) => ({ left: 0, top: (i * height) / 2, width, height: height / 2 }));
    const half = (width - panelRoom) / 2;
    return [0, 1].map((i) => ({ left: i * half, top: 0, width: half, height }));
  }

  /** Sets a second mesh beside the first; null for none. Who gives it frees it. */
  beside(rival: THREE.Object3D | null): void {
    if (this.rival) this.world.remove(this.rival);
    const before = this.camera.aspect;
    this.rival = rival;
    if (rival) this.world.add(rival);
    this.aim();
    this.orbit(0, 0, Math.max(1, 1.25 / this.camera.aspect) / Math.max(1, 1.25 / before));
    this.draw();
  }

  /** The picture on the canvas, as PNG. */
  picture(): Promise<Blob> {
    this.refine(true);
    this.renderer.render(this.world, this.camera);
    return new Promise((done, fail) => this.renderer.domElement.toBlob((b) => (b ? done(b) : fail(new Error("the browser gives no picture"))), "image/png"));
  }

  reset(): void {
    // A narrow screen needs more distance for the whole scene.
    const far = Math.max(1, 1.25 / this.camera.aspect);
    this.camera.position.copy(this.home.position).sub(this.home.target).multiplyScalar(far).add(this.home.target);
    this.controls.target.copy(this.home.target);
    this.controls.update();
    this.draw();
  }

  /** Turns, tilts and approaches by keys: angles in radians, and a factor of the distance. */
  orbit(turn: number, tilt: number, approach: number): void {
    const arm = this.camera.position.clone().sub(this.controls.target);
    const s = new THREE.Spherical().setFromVector3(arm);
    s.theta += turn;
    s.phi = Math.min(this.controls.maxPolarAngle, Math.max(0.001, s.phi + tilt));
    s.radius = Math.min(this.controls.maxDistance, Math.max(this.controls.minDistance, s.radius * approach));
    this.camera.position.copy(arm.setFromSpherical(s)).add(this.controls.target);
    this.controls.update();
    this.draw();
  }

  top(): void {
    const arm = this.camera.position.distanceTo(this.controls.target);
    this.camera.position.copy(this.controls.target).add(new THREE.Vector3(0, arm, 0.001 * arm));
    this.controls.update();
    this.draw();
  }

  show(layer: Layer, on: boolean): void {
    this.shown[layer] = on;
    this.draw();
  }

  /** Pulls storeys apart by metres. */
  apart(gap: number): void {
    shared.gap.value = gap;
    this.relight();
  }

  /** Hides all above a height of the level; null hides nothing. */
  cut(height: number | null): void {
    shared.cut.value = height ?? 1e9;
    // What is cut open shows its inside; otherwise ceilings are open from above.
    this.levelMesh.material.side = height === null ? THREE.FrontSide : THREE.DoubleSide;
    this.levelMesh.material.needsUpdate = true;
    this.relight();
  }

  /** Draws the level as the edges of its triangles. */
  wire(on: boolean): void {
    this.levelMesh.material.wireframe = on;
    this.draw();
  }

  relight(): void {
    this.placePins();
    this.renderer.shadowMap.needsUpdate = true;
    this.draw();
  }

  setPath(path: Path | null): void {
    this.path = path;
    const c = this.scene.head.center;
    const points: number[] = [];
    const storeys: number[] = [];
    if (path?.complete) {
      const s = path.surface;
      const at = this.storeysAlong(path);
      for (let i = 3; i < s.length; i += 3) {
        for (const k of [i - 3, i]) points.push(s[k] - c[0], s[k + 1] - c[1] + 0.1, s[k + 2] - c[2]);
        storeys.push(at[i / 3 - 1], at[i / 3]);
      }
    }
    for (const l of [this.pathThrough, this.pathHalo, this.pathLine]) l.strokes(Float32Array.from(points), Uint8Array.from(storeys));
    this.placePins();
    this.draw(true);
    // The regions of the path are part of the picture that rests. Where software draws, they follow a hand that drags the path with some delay.
    clearTimeout(this.coloured.timer);
    const left = this.software ? this.coloured.at + lag - performance.now() : 0;
    if (left <= 0) this.follow();
    else this.coloured.timer = window.setTimeout(() => this.follow(), left);
  }

  /** Colours the regions of the path, if they are not. */
  private follow(): void {
    const regions = this.path?.complete ? this.path.regions : [];
    const before = this.coloured.regions;
    if (regions.length === before.length && regions.every((r, i) => r === before[i])) return;
    this.coloured.at = performance.now();
    this.colour();
    this.draw();
  }

  /** The storey of each point of a path: that of the nearest floor among the path's regions. */
  private storeysAlong(path: Path): number[] {
    const c = this.scene.head.center;
    const heights = this.scene.head.storeys;
    const out: number[] = [];
    const used = [...new Set(path.regions.map((r) => this.storeyOf[r]))];
    const own = new Set(path.regions);
    const { positions } = this.regions;
    const near: { storey: number; k: number }[] = [];
    this.owners.forEach((r, i) => own.has(r) && near.push({ storey: this.storeyOf[r], k: 9 * i }));
    for (let i = 0; i < path.surface.length; i += 3) {
      const x = path.surface[i] - c[0], y = path.surface[i + 1] - c[1], z = path.surface[i + 2] - c[2];
      let best = Infinity;
      let storey = used[0] ?? 0;
      if (used.length > 1) {
        for (const { storey: s, k } of near) {
          const d = farFrom(positions, k, x, y, z);
          if (d < best) [best, storey] = [d, s];
        }
      }
      out.push(Math.min(storey, Math.max(0, heights.length - 1)));
    }
    return out;
  }

  private placePins(): void {
    const c = this.scene.head.center;
    for (const end of ["start", "goal"] as const) {
      const place = this.path?.[end];
      const group = this.pins[end];
      group.userData.found = Boolean(place?.found);
      if (!place?.found) continue;
      const [x, y, z] = place.point;
      group.position.set(x - c[0], y - c[1] + (this.storeyOf[place.region] ?? 0) * shared.gap.value, z - c[2]);
    }
  }

  /** How tall a pin is, in metres: as tall as the agent, but never too small to be seen and held. */
  private pinSize(pin: THREE.Object3D): number {
    const metres = (leastPin * 2 * Math.tan(THREE.MathUtils.degToRad(this.camera.fov / 2)) * pin.position.distanceTo(this.camera.position)) / this.views()[0].height;
    return Math.max(this.scene.head.tall || 1.8, metres);
  }

  /** The place of a pin's head on the page, in pixels; null without a pin. */
  pinOnPage(end: "start" | "goal"): { x: number; y: number } | null {
    const group = this.pins[end];
    if (!group.userData.found) return null;
    return this.onPage(group.position.clone().add(new THREE.Vector3(0, 0.9 * this.pinSize(group), 0)));
  }

  /** The place of a point of the scene on the page, in pixels; null behind the eye. */
  onPage(p: THREE.Vector3): { x: number; y: number } | null {
    const q = p.project(this.camera);
    if (q.z > 1) return null;
    const [view] = this.views();
    return { x: view.left + ((q.x + 1) / 2) * view.width, y: view.top + ((1 - q.y) / 2) * view.height };
  }

  hover(region: number): void {
    if (region === this.hovered) return;
    this.hovered = region;
    this.lightUp(this.hoverLight, region < 0 ? null : [region], (color) => color.lerp(white, 0.35));
    this.draw(true);
  }

  /** Colours regions: those of the path stand out. */
  private colour(): void {
    const rgb = this.paletteOf(this.scene.bytes("regionColors"));
    this.coloured.regions = this.path?.complete ? this.path.regions : [];
    const onPath = new Set(this.shown.path ? this.coloured.regions : []);
    const color = new THREE.Color();
    const out = this.regionColors.array as Float32Array;
    for (let i = 0; i < this.owners.length; i++) {
      const r = this.owners[i];
      const tinted = this.tint?.(r);
      if (tinted) color.setRGB(tinted[0], tinted[1], tinted[2], THREE.SRGBColorSpace);
      else color.setRGB(rgb[3 * r] / 255, rgb[3 * r + 1] / 255, rgb[3 * r + 2] / 255, THREE.SRGBColorSpace);
      let alpha = onPath.size > 0 && !onPath.has(r) ? 0.42 : 0.62;
      if (onPath.has(r)) alpha = 0.88;
      if (tinted?.[3] !== undefined) alpha = tinted[3];
      for (let k = 0; k < 3; k++) {
        const at = 12 * i + 4 * k;
        color.toArray(out, at);
        out[at + 3] = alpha;
      }
    }
    this.regionColors.needsUpdate = true;
  }

  /** The regions' colours in the chosen palette: regions with different colours keep different ones, as long as there are as many. */
  private paletteOf(rgb: Uint8Array): Uint8Array {
    const list = palettes[this.colours].regions;
    if (!list) return rgb;
    const known = new Map<number, number>();
    const out = new Uint8Array(rgb.length);
    for (let i = 0; i < rgb.length; i += 3) {
      const key = (rgb[i] << 16) | (rgb[i + 1] << 8) | rgb[i + 2];
      if (!known.has(key)) known.set(key, known.size % list.length);
      out.set(list[known.get(key)!], i);
    }
    return out;
  }

  ray(x: number, y: number): THREE.Ray {
    const views = this.views();
    const view = views.find((v) => x >= v.left && x < v.left + v.width && y >= v.top && y < v.top + v.height) ?? views[views.length - 1];
    const caster = new THREE.Raycaster();
    caster.setFromCamera(new THREE.Vector2(((x - view.left) / view.width) * 2 - 1, 1 - ((y - view.top) / view.height) * 2), this.camera);
    return caster.ray;
  }

  /** Draws the first mesh in one view and the second in the other, both on the same level. */
  private renderBoth(rival: THREE.Object3D): void {
    const { renderer } = this;
    renderer.setClearColor(this.world.background as THREE.Color);
    renderer.clear();
    renderer.setScissorTest(true);
    const pins: THREE.Object3D[] = Object.values(this.pins);
    const own = [this.regionMesh, this.borders, this.portals, this.seams, this.links, ...this.movers.children.filter((o) => !pins.includes(o))].filter((o) => o.visible);
    this.views().forEach((v, i) => {
      const bottom = this.page.height - v.top - v.height;
      renderer.setViewport(v.left, bottom, v.width, v.height);
      renderer.setScissor(v.left, bottom, v.width, v.height);
      for (const o of own) o.visible = i === 0;
      this.extras.visible = i === 0;
      rival.visible = i === 1;
      renderer.render(this.world, this.camera);
    });
    this.extras.visible = true;
    renderer.setScissorTest(false);
    renderer.setViewport(0, 0, this.page.width, this.page.height);
  }

  /** Whether the last frame shows the coarser level. */
  get isCoarse(): boolean {
    return this.coarse !== null && this.levelMesh.geometry === this.coarse;
  }

  /** Takes the level itself, or the coarser one while the camera moves; once the camera rests, another frame has the level itself. */
  private refine(fully = false): void {
    if (!this.coarse || !this.fine) return;
    const coarsely = this.moving && !fully;
    this.levelMesh.geometry = coarsely ? this.coarse : this.fine;
    clearTimeout(this.resting);
    if (!coarsely) return;
    this.resting = window.setTimeout(() => {
      this.moving = false;
      this.draw();
    }, this.calm);
  }

  /**
   * Where software draws a level of many triangles, leaves out frames until release, because a better picture comes soon: a frame takes as long as
   * a part of the build. At the latest after a time in milliseconds the frames come.
   */
  hold(most: number): void {
    if (!this.software || this.level.storeys.length < many) return;
    clearTimeout(this.held);
    this.held = window.setTimeout(() => this.release(), most);
  }

  release(): void {
    if (this.held === 0) return;
    clearTimeout(this.held);
    this.held = 0;
    if (this.stale) this.draw();
  }

  /** Asks for a frame. Where only movers have changed, the picture of all else may stay. */
  draw(onlyMovers = false): void {
    if (!onlyMovers) this.stale = true;
    if (this.asked || this.held !== 0) return;
    this.asked = true;
    requestAnimationFrame(() => {
      this.asked = false;
      if (this.held !== 0) {
        this.stale = true;
        return;
      }
      const began = performance.now();
      const { stale } = this;
      this.stale = false;
      if (stale) this.refine();
      this.arrange();
      if (this.frames === 0) this.renderer.shadowMap.needsUpdate = true;
      this.renderer.info.reset();
      const { render } = this.renderer.info;
      if (stale) this.still.fresh = false;
      if (this.rival || stale || !this.software) {
        if (this.rival) this.renderBoth(this.rival);
        else this.renderer.render(this.world, this.camera);
        this.figures = { calls: render.calls, triangles: render.triangles };
      } else {
        const { calls, triangles } = this.still.render(this.renderer, this.camera, [this.content, this.extras], this.movers);
        this.figures = { calls: calls + render.calls, triangles: triangles + render.triangles };
      }
      if (this.scene.head.title !== "") this.frames++;
      if (stale) this.onframe();
      this.script = performance.now() - began;
    });
  }

  /** Shows the layers that are on. */
  private arrange(): void {
    const s = this.shown;
    this.levelMesh.visible = s.level && this.level.storeys.length > 0;
    this.levelEdges.visible = this.levelMesh.visible && (!this.isCoarse || this.levelEdges.geometry.getAttribute("position").count < 2 * quick);
    this.regionMesh.visible = s.regions;
    this.borders.visible = s.borders && !this.borders.empty;
    this.portals.visible = s.portals && !this.portals.empty;
    this.seams.visible = s.portals && !this.seams.empty;
    this.links.visible = s.links && !this.links.empty;
    for (const l of [this.pathThrough, this.pathHalo, this.pathLine]) l.visible = s.path && !l.empty;
    for (const p of Object.values(this.pins)) {
      p.visible = s.path && p.userData.found;
      p.scale.setScalar(this.pinSize(p));
    }
    this.hoverLight.visible = s.regions && this.hovered >= 0;
    this.glowLight.visible = s.regions && this.glow !== null;
  }
}

/** A part of the page. */
export interface View {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** The colour of a region, in sRGB from 0 to 1, and its opacity; null for the mesh's own. */
export type Tint = (region: number) => readonly [number, number, number, number?] | null;

/** So many triangles of a level are drawn quickly by a processor. */
const quick = 100_000;

/** Where software draws, the regions of a path that is dragged are coloured again after so many milliseconds at the earliest. */
const lag = 300;

/** A level of so many triangles takes software long enough that frames are left out while it is built. */
const many = 20_000;

/** The least height of a pin, in pixels of the page. */
const leastPin = 26;

/** The width of the panel at the right of a wide page, with its margins, in pixels. */
const panelRoom = 264;

const white = new THREE.Color(0xffffff);
const ember = new THREE.Color(0xff8a00);

/** Whether the processor draws in place of a graphics card: then smooth edges and shadows cost more than they are worth. */
export function drawnBySoftware(): boolean {
  const gl = document.createElement("canvas").getContext("webgl2");
  const info = gl?.getExtension("WEBGL_debug_renderer_info");
  const name = info ? String(gl?.getParameter(info.UNMASKED_RENDERER_WEBGL)) : "";
  gl?.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);
}

/** Points by corner, three corners a triangle. */
export function expand(points: Float32Array, corners: Uint32Array): Float32Array {
  const out = new Float32Array(corners.length * 3);
  corners.forEach((v, i) => {
    out[3 * i] = points[3 * v];
    out[3 * i + 1] = points[3 * v + 1];
    out[3 * i + 2] = points[3 * v + 2];
  });
  return out;
}

export function perCorner(perTriangle: Uint8Array): Float32Array {
  const out = new Float32Array(perTriangle.length * 3);
  perTriangle.forEach((v, i) => out.fill(v, 3 * i, 3 * i + 3));
  return out;
}

/** Regions that stand out for a while. */
type Light = THREE.Mesh<THREE.BufferGeometry, THREE.MeshBasicMaterial>;

function light(offset: number): Light {
  const o = new THREE.Mesh(new THREE.BufferGeometry(), lifted(new THREE.MeshBasicMaterial({
    vertexColors: true, transparent: true, opacity: 0.8, depthWrite: false, side: THREE.DoubleSide, polygonOffset: true, polygonOffsetFactor: offset, polygonOffsetUnits: offset,
  })));
  o.frustumCulled = o.visible = false;
  return o;
}

const triangle = new THREE.Triangle();
const nearest = new THREE.Vector3();
const probe = new THREE.Vector3();

/** The square of the distance of a place from a triangle. */
function farFrom(positions: Float32Array, k: number, x: number, y: number, z: number): number {
  triangle.a.fromArray(positions, k);
  triangle.b.fromArray(positions, k + 3);
  triangle.c.fromArray(positions, k + 6);
  triangle.closestPointToPoint(probe.set(x, y, z), nearest);
  return nearest.distanceToSquared(probe);
}

/** A pin a metre tall: a disc on the floor, a stem and a head. */
function pin(color: number): THREE.Group {
  const tall = 1;
  const group = new THREE.Group();
  // Transparent things are drawn in their order, so that the path does not cover its pins.
  const look = new THREE.MeshLambertMaterial({ color, emissive: color, emissiveIntensity: 0.35, transparent: true });
  const head = new THREE.Mesh(new THREE.SphereGeometry(tall * 0.24, 24, 16), look);
  head.position.y = tall * 0.9;
  const stem = new THREE.Mesh(new THREE.CylinderGeometry(tall * 0.05, tall * 0.05, tall * 0.8, 12), look);
  stem.position.y = tall * 0.4;
  const foot = new THREE.Mesh(new THREE.CylinderGeometry(tall * 0.2, tall * 0.2, tall * 0.05, 24), look);
  foot.position.y = tall * 0.06;
  group.add(head, stem, foot);
  group.userData.found = false;
  return group;
}
