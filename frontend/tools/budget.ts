/** Fails the build when Home needs more script than it may: what Home does not show is loaded with another screen. */
import { gzipSync } from "node:zlib";
import type { Plugin, Rolldown } from "vite";

const HOME = "/pages/home/Home.tsx";
// Home loaded the editor too, 1,059 kB. `React.lazy` would draw an empty page even where the code is present
// (makeLoadable.tsx).
const MAX_BYTES = 350_000;
const MAX_GZIP_BYTES = 110_000;

export function limitHome(): Plugin {
  return {
    name: "home-budget",
    apply: "build",
    generateBundle(_, bundle) {
      const scripts = [...findNeeds(bundle, HOME)].map((name) => readCode(bundle, name));
      const bytes = sum(scripts.map((code) => Buffer.byteLength(code)));
      const gzipBytes = sum(scripts.map((code) => gzipSync(code).length));
      const said = `Home needs ${bytes} bytes of script (gzip ${gzipBytes})`;
      if (bytes > MAX_BYTES || gzipBytes > MAX_GZIP_BYTES) {
        this.error(`${said}, and may need ${MAX_BYTES} (gzip ${MAX_GZIP_BYTES}). See what it imports by now.`);
      }
      this.info(said);
    },
  };
}

/** The files of the entry and of one screen, with what they import at once. */
function findNeeds(bundle: Rolldown.OutputBundle, screen: string): ReadonlySet<string> {
  const chunks = Object.values(bundle).filter((file) => file.type === "chunk");
  const first = chunks.filter(({ isEntry, facadeModuleId }) => isEntry || facadeModuleId?.endsWith(screen));
  if (first.length !== 2) throw new Error(`The build has no chunk of its own for ${screen}.`);
  const needed = new Set<string>();
  const add = (name: string) => {
    const chunk = bundle[name];
    if (needed.has(name) || chunk?.type !== "chunk") return;
    needed.add(name);
    chunk.imports.forEach(add);
  };
  first.forEach(({ fileName }) => add(fileName));
  return needed;
}

function readCode(bundle: Rolldown.OutputBundle, name: string): string {
  const chunk = bundle[name];
  return chunk?.type === "chunk" ? chunk.code : "";
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}
