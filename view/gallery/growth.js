// Regions that grow.
import { start } from "meadow-nav";

const bench = await start();
bench.generate("halls");
const mesh = bench.build({ generator: "pasfv" });
console.log(`${mesh.regions} regions by ${mesh.generator}`);
