// The scene in three.js: every layer is one draw call or two, and a frame is drawn only when something has changed.

import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { lifted, Lines, shared } from "./lift";
import { Triangles } from "./pick";
import type { Path, Scene } from "./scene";

export const layerNames = ["level", "regions", "portals", "borders", "links", "path", "numbers"] as const;
export type Layer = (typeof layerNames)[number];

const themes = {
  light: { paper: 0xeef0f3, level: 1, edge: 0x3a4150, edgeOpacity: 0.38, sky: 0xffffff, earth: 0xb7b2a8, border: 0x1d2a4a, portal: 0xffffff },
  dark: { paper: 0x14171d, level: 0.52, edge: 0xc4cede, edgeOpacity: 0.3, sky: 0xd5e0f5, earth: 0x5a5a66, border: 0x0b1120, portal: 0xf3f6ff },
};

const pathRed = 0xd62839;
const startGreen = 0x1c7e48;

export class Stage {
  readonly renderer: THREE.WebGLRenderer;
  readonly camera = new THREE.PerspectiveCamera(38, 1, 0.1, 4000);
  readonly controls: OrbitControls;
  readonly regions: Triangles;
  readonly owners: Uint32Array;
  readonly level: Triangles;
  readonly shown: Record<Layer, boolean> = {
    level: true, regions: true, portals: true, borders: true, links: true, path: true, numbers: false,
  };
  /** Called after each frame. */
  onframe: () => void = () => {};
  frames = 0;

  private readonly world = new THREE.Scene();
  private readonly size = { value: new THREE.Vector2(1, 1) };
  private readonly hemisphere = new THREE.HemisphereLight(0xffffff, 0xb7b2a8, 1.35);
  private readonly sun = new THREE.DirectionalLight(0xfff4e0, 2.1);
  private readonly levelMesh: THREE.Mesh<THREE.BufferGeometry, THREE.MeshLambertMaterial>;
  private readonly levelEdges: THREE.LineSegments<THREE.BufferGeometry, THREE.LineBasicMaterial>;
  private readonly regionMesh: THREE.Mesh<THREE.BufferGeometry, THREE.MeshBasicMaterial>;
  private readonly borders: Lines;
  private readonly portals: Lines;
  private readonly seams: Lines;
  private readonly links: Lines;
  private readonly pathThrough: Lines;
  private readonly pathHalo: Lines;
  private readonly pathLine: Lines;
  private readonly pins: Record<"start" | "goal", THREE.Group>;
  private readonly regionColors: THREE.BufferAttribute;
  private readonly storeyOf: Uint8Array;
  private readonly home: { position: THREE.Vector3; target: THREE.Vector3 };
  private path: Path | null = null;
  private hovered = -1;
  private asked = false;

  constructor(canvas: HTMLCanvasElement, readonly scene: Scene, software: boolean) {
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: !software });
    this.renderer.shadowMap.enabled = !software;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    this.renderer.shadowMap.autoUpdate = false;
    const { low, high } = scene.head;
    const radius = Math.max(1, Math.hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2]) / 2);
    this.camera.near = radius / 400;
    this.camera.far = radius * 40;

    const level = expand(scene.floats("levelPoints"), scene.numbers("levelCorners"));
    this.level = new Triangles(level, scene.bytes("levelStoreys"));
    this.levelMesh = new THREE.Mesh(new THREE.BufferGeometry(), lifted(new THREE.MeshLambertMaterial({ vertexColors: true, flatShading: true, shadowSide: THREE.BackSide, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 })));
    {
      const colors = new Float32Array(level.length);
      const palette = scene.head.colors.map(([r, g, b]) => new THREE.Color().setRGB(r / 255, g / 255, b / 255, THREE.SRGBColorSpace));
      scene.bytes("levelColors").forEach((c, i) => {
        for (let k = 0; k < 3; k++) palette[c].toArray(colors, 9 * i + 3 * k);
      });
      const g = this.levelMesh.geometry;
      g.setAttribute("position", new THREE.BufferAttribute(level, 3));
      g.setAttribute("color", new THREE.BufferAttribute(colors, 3));
      g.setAttribute("storey", new THREE.BufferAttribute(perCorner(this.level.storeys), 1));
      g.computeVertexNormals();
    }
    this.levelMesh.castShadow = this.levelMesh.receiveShadow = true;
    this.levelMesh.customDepthMaterial = lifted(new THREE.MeshDepthMaterial({ depthPacking: THREE.RGBADepthPacking, side: THREE.DoubleSide }));
    this.levelMesh.frustumCulled = false;
    // Many and fine: plain lines cost a tenth of lines with a width.
    this.levelEdges = new THREE.LineSegments(new THREE.BufferGeometry(), lifted(new THREE.LineBasicMaterial({ transparent: true, depthWrite: false })));
    const creases = creasesOf(scene.floats("levelPoints"), scene.numbers("levelCorners"), this.level.storeys);
    this.levelEdges.geometry.setAttribute("position", new THREE.BufferAttribute(creases.points, 3));
    this.levelEdges.geometry.setAttribute("storey", new THREE.BufferAttribute(Float32Array.from(creases.storeys), 1));
    this.levelEdges.frustumCulled = false;

    this.storeyOf = scene.bytes("regionStoreys");
    this.owners = scene.numbers("regionOwners");
    const regions = expand(scene.floats("regionPoints"), scene.numbers("regionCorners"));
    this.regions = new Triangles(regions, Uint8Array.from(this.owners, (r) => this.storeyOf[r]));
    this.regionColors = new THREE.BufferAttribute(new Float32Array((regions.length / 3) * 4), 4);
    this.regionMesh = new THREE.Mesh(
      new THREE.BufferGeometry(),
      lifted(new THREE.MeshBasicMaterial({
        vertexColors: true, transparent: true, depthWrite: false, side: THREE.DoubleSide,
        polygonOffset: true, polygonOffsetFactor: -4, polygonOffsetUnits: -4,
      })),
    );
    this.regionMesh.geometry.setAttribute("position", new THREE.BufferAttribute(regions, 3));
    this.regionMesh.geometry.setAttribute("color", this.regionColors);
    this.regionMesh.geometry.setAttribute("storey", new THREE.BufferAttribute(perCorner(this.regions.storeys), 1));
    this.regionMesh.frustumCulled = false;

    const line = (name: string, look: ConstructorParameters<typeof Lines>[0]) => {
      const l = new Lines(look, this.size);
      l.strokes(scene.floats(name), scene.bytes(name + "Storeys"));
      return l;
    };
    this.portals = line("portals", { color: 0xffffff, width: 1.2, opacity: 0.75, bias: 0.002 });
    this.borders = line("borders", { color: 0x1d2a4a, width: 2, bias: 0.0025 });
    this.seams = line("seams", { color: 0xe65c00, width: 2.6, bias: 0.003 });
    this.links = line("links", { color: 0x7c3abe, width: 2.2, bias: 0.003 });
    this.pathThrough = new Lines({ color: pathRed, width: 2, opacity: 0.35, through: true }, this.size);
    this.pathHalo = new Lines({ color: 0xffffff, width: 8, bias: 0.005 }, this.size);
    this.pathLine = new Lines({ color: pathRed, width: 5, bias: 0.006 }, this.size);
    this.pins = { start: pin(startGreen, scene.head.tall), goal: pin(pathRed, scene.head.tall) };

    [this.levelMesh, this.regionMesh, this.levelEdges, this.portals, this.borders, this.seams, this.links,
      this.pathThrough, this.pathHalo, this.pathLine, this.pins.start, this.pins.goal].forEach((o, i) => {
      o.renderOrder = i;
      this.world.add(o);
    });
    this.world.add(this.hemisphere, this.sun, this.sun.target);
    this.sun.castShadow = true;
    this.sun.position.set(-0.55 * radius * 2, 1.15 * radius * 2, 0.5 * radius * 2);
    const s = this.sun.shadow;
    s.mapSize.set(2048, 2048);
    s.camera.left = s.camera.bottom = -radius * 1.05;
    s.camera.right = s.camera.top = radius * 1.05;
    s.camera.near = radius * 0.2;
    s.camera.far = radius * 5;
    s.normalBias = 0.06;
    s.bias = -0.0008;

    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = false;
    this.controls.minDistance = radius / 30;
    this.controls.maxDistance = radius * 8;
    this.controls.maxPolarAngle = Math.PI * 0.495;
    this.controls.addEventListener("change", () => this.draw());
    const direction = new THREE.Vector3(0.46, 0.74, 0.72).normalize();
    const target = new THREE.Vector3(0, -0.17 * radius, 0);
    this.home = { position: direction.multiplyScalar(radius * 2.7).add(target), target };
    this.colour();
    this.reset();
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

  resize(width: number, height: number, ratio: number): void {
    this.renderer.setPixelRatio(ratio);
    this.renderer.setSize(width, height, false);
    this.size.value.set(width, height);
    this.camera.aspect = width / height;
    // On a wide page the scene makes room for the panel at the right.
    const aside = width > 700 ? Math.min(110, width / 10) : 0;
    this.camera.setViewOffset(width, height, aside, 0, width, height);
    this.draw();
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

  private relight(): void {
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
      group.position.set(x - c[0], y - c[1] + this.storeyOf[place.region] * shared.gap.value, z - c[2]);
    }
  }

  /** The place of a pin's head on the page, in pixels; null without a pin. */
  pinOnPage(end: "start" | "goal"): { x: number; y: number } | null {
    const group = this.pins[end];
    if (!group.userData.found) return null;
    return this.onPage(group.position.clone().add(new THREE.Vector3(0, 0.9 * this.scene.head.tall, 0)));
  }

  /** The place of a point of the scene on the page, in pixels; null behind the eye. */
  onPage(p: THREE.Vector3): { x: number; y: number } | null {
    const q = p.project(this.camera);
    if (q.z > 1) return null;
    const { clientWidth: w, clientHeight: h } = this.renderer.domElement;
    return { x: ((q.x + 1) / 2) * w, y: ((1 - q.y) / 2) * h };
  }

  hover(region: number): void {
    if (region === this.hovered) return;
    this.hovered = region;
    this.colour();
    this.draw();
  }

  /** Colours regions: those of the path stand out, the hovered one most. */
  private colour(): void {
    const rgb = this.scene.bytes("regionColors");
    const onPath = new Set(this.shown.path && this.path?.complete ? this.path.regions : []);
    const color = new THREE.Color();
    const out = this.regionColors.array as Float32Array;
    for (let i = 0; i < this.owners.length; i++) {
      const r = this.owners[i];
      color.setRGB(rgb[3 * r] / 255, rgb[3 * r + 1] / 255, rgb[3 * r + 2] / 255, THREE.SRGBColorSpace);
      let alpha = onPath.size > 0 && !onPath.has(r) ? 0.42 : 0.62;
      if (onPath.has(r)) alpha = 0.88;
      if (r === this.hovered) {
        color.lerp(white, 0.35);
        alpha = 0.95;
      }
      for (let k = 0; k < 3; k++) {
        const at = 12 * i + 4 * k;
        color.toArray(out, at);
        out[at + 3] = alpha;
      }
    }
    this.regionColors.needsUpdate = true;
  }

  ray(x: number, y: number): THREE.Ray {
    const { clientWidth: w, clientHeight: h } = this.renderer.domElement;
    const caster = new THREE.Raycaster();
    caster.setFromCamera(new THREE.Vector2((x / w) * 2 - 1, 1 - (y / h) * 2), this.camera);
    return caster.ray;
  }

  draw(): void {
    if (this.asked) return;
    this.asked = true;
    requestAnimationFrame(() => {
      this.asked = false;
      const s = this.shown;
      this.levelMesh.visible = s.level && this.level.storeys.length > 0;
      this.levelEdges.visible = this.levelMesh.visible;
      this.regionMesh.visible = s.regions;
      this.borders.visible = s.borders && !this.borders.empty;
      this.portals.visible = s.portals && !this.portals.empty;
      this.seams.visible = s.portals && !this.seams.empty;
      this.links.visible = s.links && !this.links.empty;
      for (const l of [this.pathThrough, this.pathHalo, this.pathLine]) l.visible = s.path && !l.empty;
      for (const p of Object.values(this.pins)) p.visible = s.path && p.userData.found;
      if (this.frames === 0) this.renderer.shadowMap.needsUpdate = true;
      this.renderer.render(this.world, this.camera);
      this.frames++;
      this.onframe();
    });
  }
}

const white = new THREE.Color(0xffffff);

/** Whether the processor draws in place of a graphics card: then smooth edges and shadows cost more than they are worth. */
export function drawnBySoftware(): boolean {
  const gl = document.createElement("canvas").getContext("webgl2");
  const info = gl?.getExtension("WEBGL_debug_renderer_info");
  const name = info ? String(gl?.getParameter(info.UNMASKED_RENDERER_WEBGL)) : "";
  gl?.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);
}

/** Points by corner, three corners a triangle. */
function expand(points: Float32Array, corners: Uint32Array): Float32Array {
  const out = new Float32Array(corners.length * 3);
  corners.forEach((v, i) => {
    out[3 * i] = points[3 * v];
    out[3 * i + 1] = points[3 * v + 1];
    out[3 * i + 2] = points[3 * v + 2];
  });
  return out;
}

function perCorner(perTriangle: Uint8Array): Float32Array {
  const out = new Float32Array(perTriangle.length * 3);
  perTriangle.forEach((v, i) => out.fill(v, 3 * i, 3 * i + 3));
  return out;
}

/** The edges of a level where two triangles meet at more than 25 degrees, or where only one triangle is. */
function creasesOf(points: Float32Array, corners: Uint32Array, storeys: Uint8Array): { points: Float32Array; storeys: Uint8Array } {
  const a = new THREE.Vector3(), b = new THREE.Vector3(), c = new THREE.Vector3();
  const open = new Map<number, { normal: THREE.Vector3; triangle: number }>();
  const count = points.length / 3;
  const out: number[] = [];
  const of: number[] = [];
  const add = (u: number, v: number, triangle: number) => {
    out.push(points[3 * u], points[3 * u + 1], points[3 * u + 2], points[3 * v], points[3 * v + 1], points[3 * v + 2]);
    of.push(storeys[triangle], storeys[triangle]);
  };
  for (let i = 0; i < corners.length; i += 3) {
    a.fromArray(points, 3 * corners[i]);
    b.fromArray(points, 3 * corners[i + 1]).sub(a);
    c.fromArray(points, 3 * corners[i + 2]).sub(a);
    const normal = b.clone().cross(c).normalize();
    for (let k = 0; k < 3; k++) {
      const u = corners[i + k], v = corners[i + ((k + 1) % 3)];
      const key = Math.min(u, v) * count + Math.max(u, v);
      const other = open.get(key);
      if (!other) {
        open.set(key, { normal, triangle: i / 3 });
        continue;
      }
      open.delete(key);
      if (other.normal.dot(normal) < 0.906) add(u, v, i / 3);
    }
  }
  for (const [key, { triangle }] of open) add(Math.floor(key / count), key % count, triangle);
  return { points: Float32Array.from(out), storeys: Uint8Array.from(of) };
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

/** A pin as tall as the agent: a disc on the floor, a stem and a head. */
function pin(color: number, tall: number): THREE.Group {
  const group = new THREE.Group();
  const look = new THREE.MeshLambertMaterial({ color, emissive: color, emissiveIntensity: 0.35 });
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
