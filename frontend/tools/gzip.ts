/** Puts a gzip of each script, style sheet and picture beside it: the server gives it to browsers that take it. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Plugin } from "vite";

const TEXTS = /\.(css|js|svg)$/;

export function addGzipFiles(): Plugin {
  return {
    name: "gzip-files",
    apply: "build",
    writeBundle({ dir }, bundle) {
      if (dir === undefined) throw new Error("The build names no folder.");
      for (const file of Object.values(bundle)) {
        if (!TEXTS.test(file.fileName)) continue;
        const text = file.type === "chunk" ? file.code : file.source;
        writeFileSync(join(dir, `${file.fileName}.gz`), gzipSync(text, { level: 9 }));
      }
    },
  };
}
