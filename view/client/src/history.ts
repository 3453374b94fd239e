// What people have put into a level: crates, dear ground, closed doors, and edits of the level itself, with undo and redo over all of it.

import type { Point } from "./scene";

/** An obstacle, or ground of another cost, see workbench.Thing; or a part of the level, see workbench.Item. A link leads from one place to another. */
export interface Thing {
  id: string;
  shape: "box" | "cylinder" | "link";
  at: Point;
  size: Point;
  yaw: number;
  cost: number;
  /** Empty for what comes and goes while the mesh stays; else part of the level itself: an obstacle, or a marker of this kind. */
  fixed: string;
  /** Of a marker. */
  name: string;
  /** Where a link ends. */
  to?: Point;
  oneWay?: boolean;
}

/** A round place on the floor that a crowd comes from or goes to. */
export interface Disc {
  at: Point;
  radius: number;
}

export interface Doc {
  things: Thing[];
  /** Names of closed doors. */
  closed: string[];
  sources: Disc[];
  goals: Disc[];
}

const empty = (): Doc => ({ things: [], closed: [], sources: [], goals: [] });

export class History {
  doc = empty();
  private past: { name: string; doc: Doc }[] = [];
  private future: { name: string; doc: Doc }[] = [];
  private merging = "";
  private readonly listeners: (() => void)[] = [];

  on(hear: () => void): void {
    this.listeners.push(hear);
  }

  private tell(): void {
    for (const hear of this.listeners) hear();
  }

  /** Changes a copy of the document. Edits in a row with the same merge count as one, such as those of one drag. */
  edit(name: string, change: (d: Doc) => void, merge = ""): void {
    const next = structuredClone(this.doc);
    change(next);
    if (!merge || merge !== this.merging) this.past.push({ name, doc: this.doc });
    if (this.past.length > 500) this.past.shift();
    this.merging = merge;
    this.future = [];
    this.doc = next;
    this.tell();
  }

  /** The names of the edits that undo and redo would take back or make again, or null. */
  get names(): { undo: string | null; redo: string | null } {
    return { undo: this.past.at(-1)?.name ?? null, redo: this.future.at(-1)?.name ?? null };
  }

  undo(): boolean {
    return this.step(this.past, this.future);
  }

  redo(): boolean {
    return this.step(this.future, this.past);
  }

  /** How often undo and redo have changed the document: an edit that was begun before the last of them is out of date. */
  steps = 0;

  private step(from: { name: string; doc: Doc }[], to: { name: string; doc: Doc }[]): boolean {
    const last = from.pop();
    if (!last) return false;
    to.push({ name: last.name, doc: this.doc });
    this.steps++;
    this.doc = last.doc;
    this.merging = "";
    this.tell();
    return true;
  }

  /** Puts a document that the backend has taken in place of one that it has refused, and forgets the last edit. */
  refuse(good: Doc): void {
    this.past = this.past.filter((p) => p.doc !== good);
    this.doc = good;
    this.merging = "";
    this.tell();
  }

  /** Begins again, with a document or none. */
  reset(doc: Partial<Doc> = {}): void {
    this.doc = { ...empty(), ...doc };
    this.past = [];
    this.future = [];
    this.merging = "";
    this.tell();
  }
}
