/** A point in metres: x, y (up), z, right-handed. */
export type Point = [number, number, number];

/** A file: its name, whose extension tells the format, and its content. */
export interface File {
  name: string;
  data: string | ArrayBuffer | Uint8Array;
}

export interface Opened {
  name: string;
  kind: "level" | "map" | "mesh" | "world";
  triangles: number;
  /** What the reader takes for granted. */
  notes: string[] | null;
  warnings: string[] | null;
}

/** How a mesh is built. Lengths are metres, angles degrees; a missing field is the default. */
export interface Settings {
  /** Default 0.4. */
  radius?: number;
  /** Default 1.8. */
  height?: number;
  /** The highest step; default 0.4. */
  climb?: number;
  /** The steepest slope; default 45. */
  slope?: number;
  /** The widest gap that is stepped over; default half of climb. */
  gap?: number;
  extractor?: string;
  generator?: string;
  /** Straightens borders by up to this length. */
  simplify?: number;
  detail?: number;
  keepAll?: boolean;
  /** Keeps all parts of the floor above this area in square metres. */
  keepArea?: number;
  convexDistance?: number;
  cleanup?: boolean;
}

export interface Built {
  seconds: { extract: number; decompose: number; link: number; pack: number };
  regions: number;
  portals: number;
  vertices: number;
  layers: number;
  /** Parts of the mesh without a path from one to another. */
  parts: number;
  links: number;
  /** Square metres, in plan. */
  area: number;
  /** Parts of the floor that the mesh leaves out. */
  dropped: { area: number; at: Point }[];
  warnings: string[] | null;
  generator: string;
  extractor: string;
}

/** A place on the floor. */
export interface Place {
  found: true;
  point: Point;
  region: number;
  component: number;
  ground: string;
  /** Metres to the nearest wall in plan, -1 without a wall within 20 m. */
  wall: number;
}

export interface Path {
  /** Whether the path leads to the goal. */
  complete: boolean;
  start: Place | { found: false };
  goal: Place | { found: false };
  /** x, y, z of the points on the floor, in order. */
  surface: number[];
  bends: number;
  regions: number[];
  links: number;
  /** Metres; no path is shorter. */
  length: number;
  expanded: number;
  milliseconds: number;
}

export declare class Bench {
  private constructor();
  /** Opens a level, a map or a mesh; the files after the first are those that it names. */
  open(files: File | File[], options?: { scale?: number; up?: "x" | "y" | "z" }): Opened;
  /** Makes a level by its kind: `meadow gen --help` lists them. */
  generate(kind: string, options?: { seed?: number; size?: number; storeys?: number; steepness?: number }): Opened;
  build(settings?: Settings, tell?: (stage: string, done: number, total: number) => void): Built;
  at(point: Point, reach?: number): Place | null;
  step(from: Point, to: Point, reach?: number): Place | null;
  path(from: Point, to: Point, reach?: number): Path;
  save(): Uint8Array;
  /** Any request of the workbench by its name. */
  do(name: string, args?: unknown, body?: Uint8Array, tell?: (stage: string, done: number, total: number) => void): { answer: any; body?: Uint8Array };
}

/** Starts a bench. Errors of its methods are those of Meadow, with the file, the element and the place. */
export declare function start(options?: { module?: WebAssembly.Module }): Promise<Bench>;
