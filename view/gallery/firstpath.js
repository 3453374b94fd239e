// First path.
import { start } from "meadow-nav";

const bench = await start();
bench.generate("arch"); // or bench.open({ name: "level.glb", data })
const mesh = bench.build({ radius: 0.4, height: 1.8 });
const path = bench.path([-8, 0, 4], [8, 0, -4], 2);
console.log(`${mesh.regions} regions, a path of ${path.length.toFixed(2)} m`);
