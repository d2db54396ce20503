/** The repository as data: its packages, its source files, and what each of them imports and exports. */
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export const root = join(import.meta.dir, "../..");

export interface SourceFile {
  /** From the root, with slashes. */
  readonly path: string;
  readonly imports: readonly Import[];
  readonly exports: readonly { readonly name: string; readonly line: number }[];
  /** How many calls make tests. */
  readonly tests: number;
}

export interface Import {
  /** What stands in quotes; `undefined` when it is computed. */
  readonly source: string | undefined;
  readonly isType: boolean;
  readonly line: number;
}

export interface Package {
  /** `packages/warden`, or the empty text for the root. */
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
  /** Every file below the packages, source or not, for imports to lead to. */
  readonly paths: ReadonlySet<string>;
}

/** Runs oxlint over a folder and gives what it reports. */
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
    // Into a file: what oxlint has not yet written into a pipe when it exits is lost.
    const answer = Bun.file(join(drawer, "answer.json"));
    // The type-aware half is looked for in the folder, which may be a planted one.
    const env = { ...process.env, OXLINT_TSGOLINT_PATH: join(root, "node_modules/.bin/tsgolint") };
    const child = Bun.spawn(command, { cwd: folder, env, stdout: answer, stderr: "pipe" });
    const complaint = await child.stderr.text();
    await child.exited;
    const text = await answer.text();
    if (!text.startsWith("{")) throw new Error(`oxlint gave no answer: ${text}${complaint}`);
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
  | { readonly fact: "test" };

const TOPS = ["packages", "tests", "bench", "scripts"];

/** Where source stands. `fixtures` hold what others wrote. */
const isSource = (path: string): boolean =>
  /\.tsx?$/.test(path) && !path.includes("/fixtures/") && !path.endsWith(".d.ts");

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
      // What may be missing where it runs is declared as well.
      const dependencies = { ...manifest.optionalDependencies, ...manifest.dependencies };
      return { folder: dirname(path).replace(/^\.$/, ""), name, exports, dependencies, devDependencies };
    }),
  );
};
