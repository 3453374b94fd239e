// recast.mjs builds the navigation mesh of an OBJ level with recast-navigation, the WebAssembly port of Recast and Detour from npm, and
// prints a line of JSON as ../recast/recast.cpp does: times, bytes and polygons. The mesh is built with the generators of the package,
// for the same agent and with the same settings.
//
//   node recast.mjs --modules FOLDER [--radius m] [--height m] [--climb m] [--slope deg] [--cell m] [--cell-height m]
//                   [--runs n] [--slice ms] [-o FILE] LEVEL.obj
//
// FOLDER has the packages in node_modules. -o saves the mesh by the package's own function, in RecastDemo's format.
// Exit status: 0 done, 1 the level cannot be built (one line on stderr says why), 2 bad usage.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

class Usage extends Error {}

const settings = {
  radius: 0.6, height: 2, climb: 0.9, slope: 45, cell: 0.3, 'cell-height': 0.2, runs: 1, slice: 0,
};

function parse(words) {
  const s = { ...settings, modules: '', out: '', level: '' };
  for (let i = 0; i < words.length; i++) {
    const name = words[i].replace(/^--/, '');
    if (words[i] === '-o' || words[i] === '--modules') {
      if (i + 1 === words.length) throw new Usage(`${words[i]} needs a path`);
      s[words[i] === '-o' ? 'out' : 'modules'] = words[++i];
    } else if (words[i].startsWith('-')) {
      if (!Object.hasOwn(settings, name)) throw new Usage(`no option ${words[i]}`);
      s[name] = Number(words[++i]);
      if (!(s[name] > 0)) throw new Usage(`--${name} needs a number above 0`);
    } else {
      s.level = words[i];
    }
  }
  if (s.level === '' || s.modules === '') throw new Usage('no level or no --modules given');
  return s;
}

// readLevel reads the vertices and faces of an OBJ file; polygons become fans.
function readLevel(path) {
  const vertices = [];
  const triangles = [];
  for (const [number, line] of readFileSync(path, 'utf8').split('\n').entries()) {
    const words = line.trim().split(/\s+/);
    if (words[0] === 'v') {
      const v = words.slice(1, 4).map(Number);
      if (v.length < 3 || v.some(Number.isNaN)) throw new Error(`${path}:${number + 1}: no number`);
      vertices.push(...v);
    } else if (words[0] === 'f') {
      const face = words.slice(1).map((word) => {
        const index = parseInt(word, 10);
        return index < 0 ? vertices.length / 3 + index : index - 1;
      });
      if (face.some((v) => !(v >= 0 && v < vertices.length / 3))) throw new Error(`${path}:${number + 1}: no such vertex`);
      for (let i = 2; i < face.length; i++) triangles.push(face[0], face[i - 1], face[i]);
    }
  }
  if (triangles.length === 0) throw new Error(`${path} has no triangles`);
  return [new Float32Array(vertices), new Uint32Array(triangles)];
}

// countSet returns the bytes of the tiles of a set and their polygons. A set begins with 40 bytes, each tile with 8.
function countSet(set) {
  const view = new DataView(set.buffer, set.byteOffset, set.byteLength);
  let bytes = 0;
  let polys = 0;
  let at = 40;
  for (let left = view.getInt32(8, true); left > 0; left--) {
    const size = view.getInt32(at + 4, true);
    polys += view.getInt32(at + 8 + 24, true);
    bytes += size;
    at += 8 + size;
  }
  return { bytes, polys };
}

async function main(words) {
  const s = parse(words);
  const load = (name) => import(pathToFileURL(join(s.modules, 'node_modules', '@recast-navigation', name, 'dist', 'index.mjs')));
  const { init, exportNavMesh } = await load('core');
  const { generateSoloNavMesh } = await load('generators');
  await init();
  const [vertices, triangles] = readLevel(s.level);
  const config = {
    cs: s.cell,
    ch: s['cell-height'],
    walkableSlopeAngle: s.slope,
    walkableHeight: Math.ceil(Math.fround(s.height) / Math.fround(s['cell-height'])),
    walkableClimb: Math.floor(Math.fround(s.climb) / Math.fround(s['cell-height'])),
    walkableRadius: Math.ceil(Math.fround(s.radius) / Math.fround(s.cell)),
    maxEdgeLen: Math.floor(12 / s.cell),
    maxSimplificationError: 1.3,
    minRegionArea: 8,
    mergeRegionArea: 20,
    maxVertsPerPoly: 6,
    detailSampleDist: 6,
    detailSampleMaxError: 1,
  };
  const build = () => {
    const begin = performance.now();
    const result = generateSoloNavMesh(vertices, triangles, config);
    const ms = performance.now() - begin;
    if (!result.success) throw new Error(result.error);
    return [result.navMesh, ms];
  };
  let [mesh, ms] = build();
  const runs = [];
  if (s.slice > 0 && ms >= s.slice) runs.push(ms);
  for (let spent = 0; runs.length < s.runs && (runs.length === 0 || s.slice === 0 || spent < s.slice); ) {
    if (runs.length === 1 && ms >= s.slice && s.slice > 0) break;
    mesh.destroy();
    [mesh, ms] = build();
    runs.push(ms);
    spent += ms;
  }
  const set = exportNavMesh(mesh);
  const { bytes, polys } = countSet(set);
  if (polys === 0) throw new Error('no polygons: nothing is walkable');
  if (s.out !== '') writeFileSync(s.out, set);
  console.log(JSON.stringify({ total_ms: runs, bytes, all: { polys } }));
}

main(process.argv.slice(2)).catch((e) => {
  console.error(`recast.mjs: ${String(e.message ?? e).split('\n')[0]}`);
  process.exit(e instanceof Usage ? 2 : 1);
});
