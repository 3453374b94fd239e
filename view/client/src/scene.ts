// The draw data of a page: a head as JSON and arrays behind it, see view/scene.go.

export type Point = [number, number, number];

export interface Place {
  found: boolean;
  point: Point;
  region: number;
  component: number;
  ground: string;
  wall: number;
}

export interface Path {
  complete: boolean;
  start: Place;
  goal: Place;
  surface: number[];
  bends: number;
  regions: number[];
  links: number;
  length: number;
  expanded: number;
  milliseconds: number;
}

export interface Head {
  title: string;
  facts: { name: string; value: string }[] | null;
  notes: string[] | null;
  center: Point;
  low: Point;
  high: Point;
  radius: number;
  tall: number;
  storeys: number[];
  grounds: string[] | null;
  colors: Point[];
  path?: Path;
  /** The name of the level's triangles: another scene of the same name may leave them out. */
  level?: string;
  sections: Record<string, { type: "f32" | "u32" | "u8"; start: number; count: number }>;
}

export class Scene {
  readonly head: Head;
  private readonly body: number;

  /** The scene whose level this one shows, after its floor has changed; null for a scene with a level of its own. */
  readonly base: Scene | null;

  /** The scene whose file has the level's triangles. */
  private readonly owner: Scene;

  /** A file without a level's triangles shows those of the scene before; that of a changed floor has no storeys of them either. */
  constructor(private readonly file: ArrayBuffer, before?: Scene, floor = false) {
    this.base = before && floor ? (before.base ?? before) : null;
    const length = new DataView(file).getUint32(0, true);
    this.head = JSON.parse(new TextDecoder().decode(new Uint8Array(file, 4, length)));
    this.body = 4 + length;
    if (this.base) this.head.colors = this.base.head.colors;
    const { level } = this.head;
    this.owner = this;
    if (this.base) this.owner = this.base.owner;
    else if (before && level && level === before.owner.head.level && !this.head.sections.levelPoints) this.owner = before.owner;
    else if (!this.head.sections.levelPoints) throw new Error("the scene comes without its level");
  }

  /** Whether both scenes draw the same level in the same storeys. */
  levelAs(other: Scene): boolean {
    if (this.owner !== other.owner) return false;
    const [a, b] = [this.bytes("levelStoreys"), other.bytes("levelStoreys")];
    return a === b || (a.length === b.length && a.every((s, i) => s === b[i]));
  }

  /** The storey of a height in metres from the centre: the highest one that is not above it by more than half an agent. */
  storeyAt(y: number): number {
    const { storeys, tall } = this.head;
    let i = 0;
    while (i + 1 < storeys.length && storeys[i + 1] <= y + tall / 2) i++;
    return i;
  }

  /** A scene with nothing in it. */
  static empty(): Scene {
    const names = { levelPoints: "f32", levelCorners: "u32", levelStoreys: "u8", levelColors: "u8", regionPoints: "f32", regionCorners: "u32", regionOwners: "u32",
      regionMiddles: "f32", regionAreas: "f32", regionColors: "u8", regionGrounds: "u8", regionStoreys: "u8", regionComponents: "u32",
      borders: "f32", bordersStoreys: "u8", portals: "f32", portalsStoreys: "u8", seams: "f32", seamsStoreys: "u8", links: "f32", linksStoreys: "u8" };
    const sections = Object.fromEntries(Object.entries(names).map(([name, type]) => [name, { type, start: 0, count: 0 }]));
    const head = new TextEncoder().encode(JSON.stringify({
      title: "", facts: [], notes: [], center: [0, 0, 0], low: [0, 0, 0], high: [0, 0, 0], radius: 0, tall: 0, storeys: [], grounds: [], colors: [], sections,
    }));
    const padded = Math.ceil(head.length / 4) * 4;
    const file = new Uint8Array(4 + padded).fill(32);
    new DataView(file.buffer).setUint32(0, padded, true);
    file.set(head, 4);
    return new Scene(file.buffer);
  }

  floats(name: string): Float32Array {
    if (this.owner !== this && name.startsWith("level")) return this.owner.floats(name);
    const s = this.head.sections[name];
    return new Float32Array(this.file, this.body + s.start, s.count);
  }

  numbers(name: string): Uint32Array {
    if (this.owner !== this && name.startsWith("level")) return this.owner.numbers(name);
    const s = this.head.sections[name];
    return new Uint32Array(this.file, this.body + s.start, s.count);
  }

  bytes(name: string): Uint8Array {
    if (this.base && name === "levelStoreys") return this.base.bytes(name);
    if (this.owner !== this && name === "levelColors") return this.owner.bytes(name);
    const s = this.head.sections[name];
    return new Uint8Array(this.file, this.body + s.start, s.count);
  }
}
