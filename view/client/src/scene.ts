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

interface Head {
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
  sections: Record<string, { type: "f32" | "u32" | "u8"; start: number; count: number }>;
}

export class Scene {
  readonly head: Head;
  private readonly body: number;

  constructor(private readonly file: ArrayBuffer) {
    const length = new DataView(file).getUint32(0, true);
    this.head = JSON.parse(new TextDecoder().decode(new Uint8Array(file, 4, length)));
    this.body = 4 + length;
  }

  floats(name: string): Float32Array {
    const s = this.head.sections[name];
    return new Float32Array(this.file, this.body + s.start, s.count);
  }

  numbers(name: string): Uint32Array {
    const s = this.head.sections[name];
    return new Uint32Array(this.file, this.body + s.start, s.count);
  }

  bytes(name: string): Uint8Array {
    const s = this.head.sections[name];
    return new Uint8Array(this.file, this.body + s.start, s.count);
  }
}
