// Unpacks the page's program and starts it; without what it needs, says so above the still picture.
(async () => {
  const say = (text) => {
    document.documentElement.classList.add("still");
    document.getElementById("meadow-reason").textContent = text;
  };
  const has = (id) => document.getElementById(id) !== null;
  const content = (id) => document.getElementById(id).textContent;
  const unpack = async (id) => {
    const text = atob(content(id));
    const bytes = new Uint8Array(text.length);
    for (let i = 0; i < bytes.length; i++) bytes[i] = text.charCodeAt(i);
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(stream).arrayBuffer();
  };
  if (typeof DecompressionStream === "undefined") {
    say("This browser is too old for the live view: it cannot unpack the page's data. The picture shows the same scene.");
    return;
  }
  globalThis.meadowPage = { has, text: content, unpack, say };
  const script = document.createElement("script");
  script.src = URL.createObjectURL(new Blob([await unpack("meadow-client")], { type: "text/javascript" }));
  script.onerror = () => say("The browser refuses the page's own program. The picture shows the same scene.");
  document.body.append(script);
})();
