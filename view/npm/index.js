// Meadow in JavaScript: benches, each with a level, its mesh and what is asked of both. The work is done by Meadow as WebAssembly, in the
// thread that calls: start benches in a worker where building must not hold a page up.

import "./go.js";

let compiled; // the promise of the module, for all benches

async function load() {
  const address = new URL("./meadow.wasm.gz", import.meta.url);
  let packed;
  if (address.protocol === "file:") {
    const { readFile } = await import("node:fs/promises");
    packed = new Blob([await readFile(address)]).stream();
  } else {
    const response = await fetch(address);
    if (!response.ok) throw new Error(`meadow.wasm.gz: the server says ${response.status}`);
    packed = response.body;
  }
  const bytes = await new Response(packed.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
  return WebAssembly.compile(bytes);
}

/** Starts a bench, with a memory of its own. `module` is the compiled program, where a page has loaded it by itself. */
export async function start({ module } = {}) {
  compiled ??= load();
  const go = new globalThis.Go();
  const instance = await WebAssembly.instantiate(module ?? (await compiled), go.importObject);
  void go.run(instance);
  const act = globalThis.meadowDo;
  delete globalThis.meadowDo;
  return new Bench(act);
}

const nothing = new Uint8Array(0);

export class Bench {
  #act;

  constructor(act) {
    this.#act = act;
  }

  /** Any request by its name: { answer, body }. The methods below are the usual ones. */
  do(name, args = {}, body = nothing, tell = () => {}) {
    const reply = this.#act(name, args, body, tell);
    if (reply.error !== undefined) throw new Error(reply.error);
    return reply;
  }

  open(files, options = {}) {
    const list = Array.isArray(files) ? files : [files];
    const parts = list.map((f) => (typeof f.data === "string" ? new TextEncoder().encode(f.data) : new Uint8Array(f.data)));
    const body = new Uint8Array(parts.reduce((n, p) => n + p.length, 0));
    parts.reduce((at, p) => (body.set(p, at), at + p.length), 0);
    return this.do("open", { ...options, files: list.map((f, i) => ({ name: f.name, size: parts[i].length })) }, body).answer;
  }

  generate(kind, options = {}) {
    return this.do("generate", { ...options, kind }).answer;
  }

  build(settings = {}, tell = undefined) {
    return this.do("build", settings, nothing, tell).answer;
  }

  /** The place on the floor nearest to a point, or null. */
  at(point, reach = 1) {
    const place = this.do("at", { from: point, to: point, reach }).answer;
    return place.found ? place : null;
  }

  /** The place that a walker reaches who goes straight from one point towards another, along walls where they are in the way. */
  step(from, to, reach = 1) {
    const place = this.do("step", { from, to, reach }).answer;
    return place.found ? place : null;
  }

  path(from, to, reach = 1) {
    return this.do("path", { from, to, reach }).answer;
  }

  /** The mesh as a file, for open, `meadow` and meadow.Load in Go. */
  save() {
    return this.do("save").body;
  }
}
