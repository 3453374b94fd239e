// A duel of two methods.
import { start } from "meadow-nav";

const bench = await start();
bench.generate("rooms");
for (const generator of ["hertelmehlhorn", "best"]) {
  console.log(`${generator}: ${bench.build({ generator }).regions} regions`);
}
