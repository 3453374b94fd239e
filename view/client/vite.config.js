import { readFileSync } from "node:fs";
import { defineConfig } from "vite";

// three.js is in every page, and so is its licence.
const licence = readFileSync(new URL("LICENSE-three.js", import.meta.url), "utf8").trim();

export default defineConfig({
  esbuild: { legalComments: "inline" },
  build: {
    target: "es2022",
    modulePreload: false,
    lib: { entry: "src/main.ts", formats: ["iife"], name: "meadow", fileName: () => "client.js" },
    rollupOptions: { output: { banner: `/*! three.js\n${licence}\n*/` } },
  },
});
