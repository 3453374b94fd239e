// The page: makes the stage, the panels and the features, and starts the backend.

import { App } from "./app";
import { PageBackend, ServerBackend } from "./backend";
import { examples } from "./features/examples";
import { ask } from "./features/ask";
import { build, type Builder } from "./features/build";
import { duel } from "./features/duel";
import { findings } from "./features/findings";
import { judge } from "./features/judge";
import { change } from "./features/change";
import { crowd } from "./features/crowd";
import { keep } from "./features/keep";
import { look } from "./features/look";
import { firstWords, path } from "./features/path";
import { playback } from "./features/playback";
import { stages } from "./features/stages";
import { Numbers } from "./numbers";
import { Panel } from "./panel";
import { Scene } from "./scene";
import { drawnBySoftware, Stage } from "./stage";

/** What a page begins with, as its block meadow-begin says. */
interface Begin {
  /** A level to make by its kind. */
  kind?: string;
  /** The files in the block meadow-level, one after another, of which the first names the others. */
  files?: { name: string; size: number }[];
  /** How the numbers of the files are meant. */
  scale?: number;
  up?: string;
  /** The token of the page's server. */
  token?: string;
  /** The server has something to open. */
  opened?: boolean;
  /** The bytes that files may have together. */
  most?: number;
}

async function start(): Promise<void> {
  const root = document.getElementById("meadow-live")!;
  const panel = new Panel(root);
  let stage: Stage;
  try {
    const software = !/[#&]fine\b/.test(location.hash) && drawnBySoftware();
    document.documentElement.classList.toggle("plain", software);
    stage = new Stage(panel.canvas, software);
  } catch {
    root.replaceChildren();
    meadowPage.say("This browser cannot draw in three dimensions (WebGL is missing or switched off). The picture shows the same scene.");
    return;
  }
  const begin: Begin = meadowPage.has("meadow-begin") ? JSON.parse(meadowPage.text("meadow-begin")) : {};
  const builds = meadowPage.has("meadow-build") || begin.token !== undefined;
  const app = new App(stage, panel);
  panel.canvas.addEventListener("webglcontextlost", () => panel.say("The browser has taken the graphics away; reload the page to get them back.", true));
  const numbers = new Numbers(panel.numbers, stage);
  numbers.texts = app.labels;
  stage.onframe = () => numbers.refresh(app.dark);
  document.documentElement.classList.add("live");

  let builder: Builder | null = null;
  if (builds) builder = build(app, begin.most);
  look(app);
  path(app);
  let kept: ReturnType<typeof keep> | null = null;
  if (builder) {
    stages(app);
    playback(app);
    change(app, builder);
    crowd(app);
    const second = duel(app);
    ask(app, second);
    findings(app, second);
    judge(app, second);
    kept = keep(app, builder);
    examples(app, builder);
  }

  const resize = () => {
    const ratio = Math.min(devicePixelRatio, 2);
    numbers.resize(root.clientWidth, root.clientHeight, ratio);
    stage.resize(root.clientWidth, root.clientHeight, ratio);
  };
  new ResizeObserver(resize).observe(root);
  resize();
  panel.asSheet((covered) => stage.cover(covered));
  const system = matchMedia("(prefers-color-scheme: dark)");
  app.theme(system.matches);
  system.addEventListener("change", (e) => app.theme(e.matches));

  // What tests read: figures of the scene as it is drawn.
  Object.assign(globalThis, {
    meadowState: () => ({
      ready: app.backend !== null,
      frames: stage.frames,
      script: stage.script,
      ...stage.figures,
      coarse: stage.isCoarse,
      length: app.path?.length ?? 0,
      complete: app.path?.complete ?? false,
      regions: app.path?.regions ?? [],
      count: app.scene.bytes("regionStoreys").length,
      start: stage.pinOnPage("start"),
      goal: stage.pinOnPage("goal"),
      goalPoint: app.ends.goal,
      startPoint: app.ends.start,
      numbers: numbers.shown,
      written: numbers.written,
      shown: { ...stage.shown },
      dark: app.dark,
      ...Object.fromEntries(Object.entries(app.state).map(([name, value]) => [name, value()])),
    }),
    meadowApp: app,
    meadowBuilder: builder,
  });

  if (meadowPage.has("meadow-scene")) {
    const scene = new Scene(await meadowPage.unpack("meadow-scene"));
    const first = scene.head.path;
    app.ends.start = first?.start.point ?? null;
    app.ends.goal = first?.goal.point ?? null;
    app.show(await meadowPage.unpack("meadow-scene"));
    app.came = builds;
    stage.reset();
  }
  panel.say("Starting Meadow …");
  try {
    app.backend = begin.token === undefined ? await PageBackend.open() : new ServerBackend(begin.token);
    panel.say(app.path ? "Drag the red pin, or click the floor." : builds ? "Drop a level on the page." : firstWords);
    for (const task of app.starting) await task();
    // A link counts before the page's own level; a link for another file waits for that file. The server's file may be any.
    const restored = (await kept?.restore()) ?? "none";
    const ours = restored === "none" || (restored !== "done" && (begin.opened || restored.file === begin.files?.[0]?.name));
    if (ours && builder && begin.opened) await builder.begin();
    else if (ours && builder && begin.files) {
      const data = await meadowPage.unpack("meadow-level");
      let at = 0;
      const files = begin.files.map((f) => ({ name: f.name, data: new Uint8Array(data, (at += f.size) - f.size, f.size) }));
      await builder.open(files, { scale: begin.scale, up: begin.up });
    } else if (ours && builder && begin.kind) await builder.generate({ kind: begin.kind });
    // The first answers of a program are slow: the browser is still translating it.
    for (let i = 0; i < 3 && app.ends.start && app.ends.goal && !builder; i++) await app.ask("path", { from: app.ends.start, to: app.ends.goal, reach: app.reach });
    void app.find();
  } catch (error) {
    panel.say(`Meadow does not start: ${error instanceof Error ? error.message : String(error)}`, true);
  }
}

start().catch((error) => meadowPage.say(`The page failed: ${error}. The picture shows the same scene.`));
