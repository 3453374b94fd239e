// Regions and portals of a navigation mesh in a glTF file, for three.js: docs/formats/gltf-navmesh.md.
//
//     const gltf = await new GLTFLoader().loadAsync('level.glb');
//     scene.add(gltf.scene);                       // the floor as triangles
//     const mesh = await readNavigationMesh(gltf); // regions with corners and neighbours
import { Vector3 } from 'three';

const NAME = 'MEADOW_navigation_mesh';

export async function readNavigationMesh(gltf) {
  const extension = gltf.parser.json.extensions?.[NAME];
  if (extension?.version !== 1) throw new Error(`no ${NAME} of version 1`);
  const read = async (index) =>
    index === undefined ? [] : (await gltf.parser.getDependency('accessor', index)).array;
  const [positions, corners, ends, areas, portals] = await Promise.all(
    [extension.positions, extension.corners, extension.regions, extension.areas, extension.portals].map(read));
  const origin = new Vector3(...extension.origin);
  const point = (vertex) => new Vector3().fromArray(positions, 3 * vertex).add(origin);
  const regions = [...areas].map((area, i) => ({
    area, corners: [...corners.subarray(ends[i], ends[i + 1])].map(point), portals: [],
  }));
  for (let i = 0; i < portals.length; i += 4) {
    const [from, to, right, left] = portals.subarray(i, i + 4);
    regions[from].portals.push({ to, right: point(right), left: point(left) });
  }
  return { agent: extension.agent, regions };
}
