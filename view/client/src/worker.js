// The worker of a page: Meadow's queries, or all of Meadow. It follows Go's wasm_exec.js in the same file.
// Each message { id, name, args, body } is answered by { id, answer, body } or { id, error }, after any number of { id, progress }.
self.onmessage = async ({ data }) => {
  if (data.module) {
    try {
      const go = new Go();
      go.run(await WebAssembly.instantiate(data.module, go.importObject));
      postMessage({ ready: true });
    } catch (error) {
      postMessage({ failed: String(error) });
    }
    return;
  }
  const { id, name, args, body } = data;
  const tell = (stage, done, total) => postMessage({ id, progress: { stage, done, total } });
  try {
    const reply = meadowDo(name, args, body ?? new Uint8Array(0), tell);
    if (reply.error !== undefined) postMessage({ id, error: reply.error });
    else if (reply.body) postMessage({ id, answer: reply.answer, body: reply.body.buffer }, [reply.body.buffer]);
    else postMessage({ id, answer: reply.answer });
  } catch (error) {
    postMessage({ id, error: `Meadow has stopped: ${error}` });
  }
};
