// A dungeon in two dimensions.
import { start } from "meadow-nav";

const map = `type octile
height 8
width 16
map
@@@@@@@@@@@@@@@@
@....@@....@...@
@....@@....@...@
@..........@...@
@....@@........@
@@.@@@@@.@@@@.@@
@..............@
@@@@@@@@@@@@@@@@
`;
const bench = await start();
bench.open({ name: "dungeon.map", data: map });
const mesh = bench.build();
const path = bench.path([1.5, 0, 1.5], [14.5, 0, 6.5]);
console.log(`${mesh.regions} regions, a path of ${path.length.toFixed(2)} m`);
