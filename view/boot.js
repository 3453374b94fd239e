// Unpacks the page's program and starts it; without what it needs, says so above the still picture.
(async () => {
  const say = (text) => {
    document.documentElement.classList.add("still");
    document.getElementById("meadow-reason").textContent = text;
  };
  const unpack = async (id) => {
    const text = atob(document.getElementById(id).textContent);
    const bytes = new Uint8Array(text.length);
    for (let i = 0; i < bytes.length; i++) bytes[i] = text.charCodeAt(i);
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(stream).arrayBuffer();
  };
  if (typeof DecompressionStream === "undefined") {
    say("This browser is too old for the live view: it cannot unpack the page's data. The picture shows the same scene.");
    return;
  }
  globalThis.meadowPage = { unpack, say };
  const script = document.createElement("script");
  script.src = URL.createObjectURL(new Blob([await unpack("meadow-client")], { type: "text/javascript" }));
  script.onerror = () => say("The browser refuses the page's own program. The picture shows the same scene.");
  document.body.append(script);
})();
