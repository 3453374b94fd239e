// A page of its own with level and mesh, made of the blocks of this page, as package view writes it.

import type { App } from "../app";

export async function savedPage(app: App): Promise<Blob> {
  const { start, goal } = app.ends;
  const scene = await app.do("scene", { from: start, to: goal, reach: app.reach });
  const mesh = await app.do("export", { format: "mesh" });
  const picture = base64(new Uint8Array(await (await app.stage.picture()).arrayBuffer()));
  const module = meadowPage.has("meadow-query") ? "meadow-query" : "meadow-build";
  const blocks = [
    block("meadow-scene", await packed(scene.body)), block("meadow-mesh", await packed(mesh.body)),
    ...(await Promise.all([module, "meadow-worker", "meadow-client"].map(async (id) => block(id, meadowPage.has(id) ? meadowPage.text(id) : await packed(await meadowPage.unpack(id)))))),
  ];
  const policy = document.querySelector<HTMLMetaElement>('meta[http-equiv="Content-Security-Policy"]')!.content.replace(/connect-src [^;]*/, "connect-src 'none'");
  const style = document.querySelector("style")!.textContent;
  const boot = [...document.scripts].find((s) => !s.src && !s.type)!.textContent;
  const title = plain(app.scene.head.title || "Meadow");
  return new Blob([`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${plain(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${style}</style>
<body>
<main id="meadow-live"></main>
<article id="meadow-still">
<h1>${title}</h1>
<p id="meadow-reason" role="alert"></p>
<noscript><p>The live view needs JavaScript. The picture shows the same scene.</p></noscript>
<img src="data:image/png;base64,${picture}" alt="${title}">
</article>
${blocks.join("\n")}
<script>${boot}</script>
</body>
</html>
`], { type: "text/html" });
}

function block(id: string, data: string): string {
  return `<script type="application/octet-stream" id="${id}">${data}</script>`;
}

function plain(text: string): string {
  return text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
}

async function packed(data: ArrayBuffer): Promise<string> {
  const stream = new Blob([data]).stream().pipeThrough(new CompressionStream("gzip"));
  return base64(new Uint8Array(await new Response(stream).arrayBuffer()));
}

function base64(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let i = 0; i < bytes.length; i += 0x6000) parts.push(btoa(String.fromCharCode(...bytes.subarray(i, i + 0x6000))));
  return parts.join("");
}
