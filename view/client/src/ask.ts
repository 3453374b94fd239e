// Questions to Meadow's queries, which run as WebAssembly in a worker made of the page's own blocks.

import type { Path, Place, Point } from "./scene";

interface PageBlocks {
  unpack(id: string): Promise<ArrayBuffer>;
  say(text: string): void;
}

declare global {
  // eslint-disable-next-line no-var
  var meadowPage: PageBlocks;
}

export class Queries {
  private readonly waiting = new Map<number, (answer: never) => void>();
  private last = 0;

  private constructor(private readonly worker: Worker) {}

  static async open(): Promise<Queries> {
    const [script, module, mesh] = await Promise.all(
      ["meadow-worker", "meadow-query", "meadow-mesh"].map((id) => meadowPage.unpack(id)),
    );
    const worker = new Worker(URL.createObjectURL(new Blob([script], { type: "text/javascript" })));
    const queries = new Queries(worker);
    await new Promise<void>((resolve, reject) => {
      worker.onerror = (e) => reject(new Error(e.message || "the browser refuses the worker"));
      worker.onmessage = ({ data }) => (data.ready ? resolve() : reject(new Error(data.failed)));
      worker.postMessage({ module, mesh }, [module, mesh]);
    });
    worker.onmessage = ({ data }) => {
      const done = queries.waiting.get(data.id);
      queries.waiting.delete(data.id);
      done?.(data.answer as never);
    };
    return queries;
  }

  private ask<T>(question: string, numbers: number[]): Promise<T> {
    const id = ++this.last;
    return new Promise((resolve) => {
      this.waiting.set(id, resolve as (answer: never) => void);
      this.worker.postMessage({ id, question, numbers });
    });
  }

  at(p: Point, reach: number): Promise<Place> {
    return this.ask("at", [...p, reach]);
  }

  step(from: Point, to: Point, reach: number): Promise<Place> {
    return this.ask("step", [...from, ...to, reach]);
  }

  path(start: Point, goal: Point, reach: number): Promise<Path & { error?: string }> {
    return this.ask("path", [...start, ...goal, reach]);
  }
}

/** Runs one task at a time and keeps only the newest of those that wait. */
export class Newest {
  private running = false;
  private next: (() => Promise<void>) | null = null;

  async run(task: () => Promise<void>): Promise<void> {
    this.next = task;
    if (this.running) return;
    this.running = true;
    try {
      while (this.next) {
        const now = this.next;
        this.next = null;
        await now();
      }
    } finally {
      this.running = false;
    }
  }
}
