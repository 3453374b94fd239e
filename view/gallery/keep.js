// Save, load, hand over.
import { start } from "meadow-nav";

const bench = await start();
bench.generate("bridge");
const mesh = bench.build();
const file = bench.save();
const other = await start();
other.open({ name: "bridge.mesh", data: file });
const again = other.save();
console.log(`${mesh.regions} regions, and ${file.every((byte, i) => byte === again[i]) ? mesh.regions : "others"} after loading`);
