// A tower of storeys.
import { start } from "meadow-nav";

const bench = await start();
bench.generate("tower", { storeys: 6 });
const mesh = bench.build({ radius: 0.3 });
console.log(`${mesh.regions} regions in one piece: ${mesh.parts === 1}`);
