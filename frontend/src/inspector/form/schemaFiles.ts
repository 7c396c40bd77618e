/** Schema files as one text. Several are .proto files, of which the one that no other imports comes first. */

export interface SchemaFile {
  readonly name: string;
  readonly text: string;
}

/** One text of all files. Each imported file follows a comment with the path under which others import it. */
export function joinFiles(files: readonly SchemaFile[]): string {
  const [only] = files;
  if (only === undefined) return "";
  if (files.length === 1) return only.text;
  const imports = new Set(files.flatMap(({ text }) => [...text.matchAll(IMPORT)].map((match) => match[1] ?? "")));
  const named = files.map((file) => ({ ...file, path: findPath(file.name, imports) }));
  const main = named.find(({ path }) => !imports.has(path)) ?? named[0];
  const others = named.filter((file) => file !== main).map(({ path, text }) => `// file: ${path}\n${text.trim()}\n`);
  return [`${(main?.text ?? "").trim()}\n`, ...others].join("\n");
}

const IMPORT = /^\s*import\s+(?:public\s+|weak\s+|option\s+)?"([^"]+)"\s*;/gm;

/** The path under which others import the file: a browser tells only its name, or the path from the chosen folder. */
function findPath(name: string, imports: ReadonlySet<string>): string {
  const isThat = (path: string) => path === name || path.endsWith(`/${name}`) || name.endsWith(`/${path}`);
  return [...imports].find(isThat) ?? name;
}
