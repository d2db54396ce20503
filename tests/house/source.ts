/** Reads the repository as data: its packages and source files, with their imports and exports. */
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export const root = join(import.meta.dir, "../..");

export interface SourceFile {
  /** The path relative to the root, with slashes. */
  readonly path: string;
  readonly imports: readonly Import[];
  readonly exports: readonly { readonly name: string; readonly line: number }[];
  /** Number of calls that declare tests. */
  readonly tests: number;
  /** Object types with a name, and those of the options of `createX` and `openX`, named `createX()`. */
  readonly types: readonly TypeShape[];
  /** Number of object literals that are spread into another one. */
  readonly literalSpreads: number;
  /** Texts that components contain literally, for elements or for attributes that people read. */
  readonly texts: readonly { readonly text: string; readonly line: number }[];
}

export interface TypeShape {
  readonly name: string;
  /** The members that the type declares itself. */
  readonly members: readonly string[];
  /** The types that it extends or joins. `of` and `keys`: the arguments of `Pick` and `Omit`. */
  readonly bases: readonly { readonly name: string; readonly of?: string; readonly keys: readonly string[] }[];
}

export interface Import {
  /** The specifier. `undefined` if it is computed. */
  readonly source: string | undefined;
  readonly isType: boolean;
  readonly line: number;
}

export interface Package {
  /** `packages/warden`, or an empty string for the root. */
  readonly folder: string;
  readonly name: string;
  readonly exports: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

type Manifest = Package & { readonly optionalDependencies: Readonly<Record<string, string>> };

export interface Tree {
  readonly packages: readonly Package[];
  readonly files: readonly SourceFile[];
  /** Every file below the packages, source or not, that an import may name. */
  readonly paths: ReadonlySet<string>;
}

/** Runs oxlint on a folder and returns its diagnostics. */
export const lint = async (folder: string, options: readonly string[]): Promise<readonly Diagnostic[]> => {
  const command = [
    process.execPath,
    "--no-install",
    join(root, "node_modules/oxlint/bin/oxlint"),
    "--format=json",
    ...options,
  ];
  const drawer = await mkdtemp(join(tmpdir(), "hearth-lint-"));
  try {
    // Output goes to a file, because oxlint exits before a pipe is fully written.
    const answer = Bun.file(join(drawer, "answer.json"));
    // oxlint would look for tsgolint in the folder, which may be a planted tree.
    const env = { ...process.env, OXLINT_TSGOLINT_PATH: join(root, "node_modules/.bin/tsgolint") };
    const child = Bun.spawn(command, { cwd: folder, env, stdout: answer, stderr: "pipe" });
    const complaint = await child.stderr.text();
    await child.exited;
    const text = await answer.text();
    if (!text.startsWith("{")) throw new Error(`oxlint printed no JSON: ${text}${complaint}`);
    return (JSON.parse(text) as { diagnostics: readonly Diagnostic[] }).diagnostics;
  } finally {
    await rm(drawer, { recursive: true });
  }
};

export interface Diagnostic {
  readonly message: string;
  /** `eslint(no-restricted-globals)`. */
  readonly code?: string;
  readonly filename: string;
  readonly labels: readonly { readonly span: { readonly line: number } }[];
}

type Fact =
  | { readonly fact: "import"; readonly source: string | null; readonly isType: boolean }
  | { readonly fact: "export"; readonly name: string }
  | { readonly fact: "test" }
  | ({ readonly fact: "type" } & TypeShape)
  | { readonly fact: "literal-spread" }
  | { readonly fact: "text"; readonly text: string };

const TOPS = ["packages", "tests", "bench", "scripts"];

/** Whether a file is our source. Folders named `fixtures` contain recorded files. */
const isSource = (path: string): boolean =>
  /\.tsx?$/.test(path) && !path.includes("/fixtures/") && !path.endsWith(".d.ts");

let repository: Promise<Tree> | undefined;

/** Reads this repository, once per process, because it takes seconds. */
export const readRepository = (): Promise<Tree> => (repository ??= readTree(root));

/** Reads a tree laid out like this repository. */
export const readTree = async (folder: string): Promise<Tree> => {
  const packages = await readPackages(folder);
  const listings = await Promise.all(TOPS.map((top) => list(folder, top)));
  const paths = listings.flat();
  const diagnostics = await lint(folder, ["-c", join(root, "tests/house/facts.oxlintrc.json"), ...TOPS]);
  const factsOf = Map.groupBy(diagnostics, (diagnostic) => diagnostic.filename.replaceAll("\\", "/"));
  const files = paths.filter(isSource).map((path): SourceFile => {
    const facts = (factsOf.get(path) ?? []).map((diagnostic) => {
      if (diagnostic.code !== "house(facts)") throw new Error(`${path}: ${diagnostic.message}`);
      return { ...(JSON.parse(diagnostic.message) as Fact), line: diagnostic.labels[0]?.span.line ?? 1 };
    });
    return {
      path,
      imports: facts
        .filter((fact) => fact.fact === "import")
        .map(({ source, isType, line }) => ({ source: source ?? undefined, isType, line })),
      exports: facts.filter((fact) => fact.fact === "export").map(({ name, line }) => ({ name, line })),
      tests: facts.filter((fact) => fact.fact === "test").length,
      types: facts.filter((fact) => fact.fact === "type"),
      texts: facts.filter((fact) => fact.fact === "text").map(({ text, line }) => ({ text, line })),
      literalSpreads: facts.filter((fact) => fact.fact === "literal-spread").length,
    };
  });
  return { packages, files, paths: new Set(paths) };
};

const list = async (folder: string, top: string): Promise<readonly string[]> => {
  const entries = await readdir(join(folder, top), { withFileTypes: true }).catch(() => []);
  const nested = entries.map(async (entry) => {
    const path = `${top}/${entry.name}`;
    if (entry.name === "node_modules" || entry.name === "dist") return [];
    return entry.isDirectory() ? list(folder, path) : [path];
  });
  return (await Promise.all(nested)).flat().sort();
};

const readPackages = async (folder: string): Promise<readonly Package[]> => {
  const places = ["package.json", "packages/*/package.json", "tests/package.json", "bench/package.json"];
  const paths = places.flatMap((place) => [...new Bun.Glob(place).scanSync({ cwd: folder })].sort());
  return Promise.all(
    paths.map(async (path): Promise<Package> => {
      const manifest = (await Bun.file(join(folder, path)).json()) as Partial<Manifest>;
      const { name = "", exports = {}, devDependencies = {} } = manifest;
      // Optional dependencies are declared too.
      const dependencies = { ...manifest.optionalDependencies, ...manifest.dependencies };
      return { folder: dirname(path).replace(/^\.$/, ""), name, exports, dependencies, devDependencies };
    }),
  );
};
