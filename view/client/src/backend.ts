// Who answers a page: Meadow as WebAssembly in a worker made of the page's own blocks, or a server on the same machine. Both take the
// same requests by the same names, see view/workbench.

interface PageBlocks {
  has(id: string): boolean;
  text(id: string): string;
  unpack(id: string): Promise<ArrayBuffer>;
  say(text: string): void;
}

declare global {
  // eslint-disable-next-line no-var
  var meadowPage: PageBlocks;
}

export interface Progress {
  stage: string;
  done: number;
  total: number;
}

export interface Doing {
  body?: Uint8Array;
  tell?: (p: Progress) => void;
}

export interface Reply<T> {
  answer: T;
  body: ArrayBuffer;
}

export interface Backend {
  /** Whether levels can be opened and built; else only the page's own mesh is asked. */
  readonly builds: boolean;
  /** Answers a request; its error is for people. */
  do<T>(name: string, args?: unknown, doing?: Doing): Promise<Reply<T>>;
  /**
   * Ends the request that runs, whose error is a Cancelled, and leaves the bench as it was before the request. Where a build follows at once,
   * the bench may come without the mesh of before: making the mesh again would take as long as the build.
   */
  cancel(buildFollows?: boolean): Promise<void>;
}

/** The error of a request that was ended. */
export class Cancelled extends Error {
  constructor() {
    super("cancelled");
  }
}

interface Waiting {
  done: (r: Reply<never>) => void;
  fail: (e: Error) => void;
  tell?: (p: Progress) => void;
}

/** The requests that a new worker needs to be where the last one was: what is open, and what is built. */
interface Deed {
  name: string;
  args: unknown;
  body?: Uint8Array;
}

export class PageBackend implements Backend {
  private readonly waiting = new Map<number, Waiting>();
  private last = 0;
  private worker!: Worker;
  private deeds: Deed[] = [];
  private starting: Promise<void> = Promise.resolve();

  private constructor(readonly builds: boolean, private readonly script: ArrayBuffer, private readonly module: WebAssembly.Module) {}

  static async open(): Promise<PageBackend> {
    const builds = meadowPage.has("meadow-build");
    const [script, module] = await Promise.all([meadowPage.unpack("meadow-worker"), meadowPage.unpack(builds ? "meadow-build" : "meadow-query")]);
    const backend = new PageBackend(builds, script, await WebAssembly.compile(module));
    await backend.start();
    if (meadowPage.has("meadow-mesh")) {
      const mesh = new Uint8Array(await meadowPage.unpack("meadow-mesh"));
      await backend.do("open", { files: [{ name: "page.mesh", size: mesh.length }] }, { body: mesh });
    }
    return backend;
  }

  private async start(): Promise<void> {
    const worker = new Worker(URL.createObjectURL(new Blob([this.script], { type: "text/javascript" })));
    await new Promise<void>((resolve, reject) => {
      worker.onerror = (e) => reject(new Error(e.message || "the browser refuses the worker"));
      worker.onmessage = ({ data }) => (data.ready ? resolve() : reject(new Error(data.failed)));
      worker.postMessage({ module: this.module });
    });
    worker.onerror = (e) => this.failAll(new Error(e.message || "the worker has failed"));
    worker.onmessage = ({ data }) => {
      const w = this.waiting.get(data.id);
      if (!w) return;
      if (data.progress) {
        w.tell?.(data.progress);
        return;
      }
      this.waiting.delete(data.id);
      if (data.error !== undefined) w.fail(new Error(data.error));
      else w.done({ answer: data.answer as never, body: data.body ?? new ArrayBuffer(0) });
    };
    this.worker = worker;
  }

  async do<T>(name: string, args: unknown = {}, doing: Doing = {}): Promise<Reply<T>> {
    await this.starting;
    return this.send(name, args, doing);
  }

  private async send<T>(name: string, args: unknown, doing: Doing): Promise<Reply<T>> {
    const id = ++this.last;
    const reply = await new Promise<Reply<T>>((done, fail) => {
      this.waiting.set(id, { done: done as Waiting["done"], fail, tell: doing.tell });
      this.worker.postMessage({ id, name, args, body: doing.body });
    });
    // What stands before a new level is of no more use, and neither is a build before a newer one.
    if (name === "open" || name === "generate") this.deeds = [];
    if (name === "build") this.deeds = this.deeds.filter((d) => lasting.has(d.name));
    // The same request again takes the place of the one before.
    if (replayed.has(name)) this.deeds = this.deeds.filter((d) => d.name !== name);
    if (replayed.has(name)) this.deeds.push({ name, args, body: doing.body });
    return reply;
  }

  /** Go's WebAssembly has one thread: ending a request ends the worker, and a new one does the deeds of the old one again. */
  async cancel(buildFollows = false): Promise<void> {
    await this.starting.catch(() => undefined);
    if (this.waiting.size === 0) return;
    this.worker.terminate();
    const deeds = buildFollows ? this.deeds.filter((d) => d.name === "open" || d.name === "generate") : this.deeds;
    this.deeds = [];
    // Requests that come meanwhile wait for the new worker.
    const held = [...this.waiting.values()];
    this.waiting.clear();
    this.starting = (async () => {
      await this.start();
      for (const d of deeds) await this.send(d.name, d.args, { body: d.body });
    })();
    for (const w of held) w.fail(new Cancelled());
    await this.starting;
  }

  private failAll(e: Error): void {
    const all = [...this.waiting.values()];
    this.waiting.clear();
    for (const w of all) w.fail(e);
  }
}

/** The requests that change a bench; a feature adds its own. */
export const replayed = new Set(["open", "generate", "edit", "build", "change", "crowd"]);

/** Those among them that stay when a mesh is built anew. */
const lasting = new Set(["open", "generate", "edit"]);

/** A server on the same machine: a request is a frame of JSON and bytes, a reply a stream of frames. */
export class ServerBackend implements Backend {
  readonly builds = true;
  private running: AbortController | null = null;

  /** The name of this page, by which the server knows its level. */
  private readonly page = [...crypto.getRandomValues(new Uint8Array(16))].map((b) => b.toString(16).padStart(2, "0")).join("");

  constructor(private readonly token: string) {}

  async do<T>(name: string, args: unknown = {}, doing: Doing = {}): Promise<Reply<T>> {
    const head = new TextEncoder().encode(JSON.stringify(args));
    const length = new Uint8Array(4);
    new DataView(length.buffer).setUint32(0, head.length, true);
    const abort = new AbortController();
    this.running = abort;
    try {
      const response = await fetch(`do/${encodeURIComponent(name)}`, {
        method: "POST", body: new Blob([length, head, (doing.body ?? new Uint8Array(0)) as Uint8Array<ArrayBuffer>]), signal: abort.signal,
        headers: { "X-Meadow-Token": this.token, "X-Meadow-Page": this.page, "Content-Type": "application/octet-stream" },
      });
      if (!response.ok || !response.body) throw new Error((await response.text()).trim() || `the server says ${response.status}`);
      return await frames<T>(response.body.getReader(), doing.tell);
    } catch (error) {
      if (abort.signal.aborted) throw new Cancelled();
      throw error instanceof TypeError ? new Error("the server is gone: start meadow view again") : error;
    } finally {
      if (this.running === abort) this.running = null;
    }
  }

  async cancel(): Promise<void> {
    this.running?.abort();
    await Promise.resolve();
  }
}

/** Reads frames: a kind, a length and that many bytes. P is progress, A the answer, B its bytes, E an error. */
async function frames<T>(reader: ReadableStreamDefaultReader<Uint8Array>, tell?: (p: Progress) => void): Promise<Reply<T>> {
  let held = new Uint8Array(0);
  const take = async (n: number): Promise<Uint8Array> => {
    const parts = [held];
    let have = held.length;
    while (have < n) {
      const { value, done } = await reader.read();
      if (done || !value) throw new Error("the server has stopped in the middle of its answer");
      parts.push(value as Uint8Array<ArrayBuffer>);
      have += value.length;
    }
    const all = new Uint8Array(have);
    parts.reduce((at, p) => (all.set(p, at), at + p.length), 0);
    held = all.slice(n);
    return all.slice(0, n);
  };
  let answer: T | undefined;
  for (;;) {
    const head = await take(5);
    const data = await take(new DataView(head.buffer).getUint32(1, true));
    const kind = String.fromCharCode(head[0]);
    if (kind === "B") return { answer: answer as T, body: data.buffer as ArrayBuffer };
    const value = JSON.parse(new TextDecoder().decode(data));
    if (kind === "P") tell?.(value);
    else if (kind === "E") throw new Error(value);
    else if (kind === "A") answer = value;
  }
}

/** Runs one task at a time and keeps only the newest of those that wait. */
export class Newest {
  private running = false;
  private next: (() => Promise<void>) | null = null;

  get busy(): boolean {
    return this.running;
  }

  /** Whether a newer task waits for this one. */
  get waiting(): boolean {
    return this.next !== null;
  }

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
