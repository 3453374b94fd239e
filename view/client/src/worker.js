// The worker of a page: Meadow's queries. It follows Go's wasm_exec.js in the same file.
// Each message { id, question, numbers } is answered by { id, answer }.
self.onmessage = async ({ data }) => {
  if (data.module) {
    try {
      const go = new Go();
      const { instance } = await WebAssembly.instantiate(data.module, go.importObject);
      go.run(instance);
      const error = meadowOpen(new Uint8Array(data.mesh));
      postMessage(error ? { failed: error } : { ready: true });
    } catch (error) {
      postMessage({ failed: String(error) });
    }
    return;
  }
  postMessage({ id: data.id, answer: meadowAsk(data.question, ...data.numbers) });
};
