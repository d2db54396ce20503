/**
 * Counts the code of the streams: what rooms and byte streams share, what each has alone, and what
 * the parts import from each other. Reads the sources and runs nothing.
 */
import { join, posix } from "node:path";
import type { Bench, Figure } from "../bench.ts";

const SOURCE = "packages/warden/src";
const FOLDERS = ["kernel/streams", "http/durable-streams"];

interface Part {
  readonly name: string;
  readonly matches: (path: string) => boolean;
}

const ENGINE = "kernel/streams/";
/** Creates byte streams and subscriptions when they are first used. */
const GLUE = /^kernel\/streams\/(own|lazy-own)-streams\./;

const PARTS: readonly Part[] = [
  { name: "byte streams", matches: (path) => path.startsWith("kernel/streams/bytes/") },
  { name: "subscriptions", matches: (path) => path.startsWith("kernel/streams/subscriptions/") },
  { name: "their creation", matches: (path) => GLUE.test(path) },
  { name: "progress streams in memory", matches: (path) => path.startsWith("kernel/streams/memory.") },
  { name: "engine", matches: (path) => path.startsWith(ENGINE) },
  { name: "protocol over HTTP", matches: (path) => path.startsWith("http/durable-streams/") },
];

interface Source {
  readonly path: string;
  /** The name of its part, or undefined for the rest of the warden. */
  readonly part: string | undefined;
  readonly isTest: boolean;
  /** Lines of code: neither empty nor only a comment. */
  readonly lines: readonly string[];
  /** Paths within the warden and names of packages, with the imported names. */
  readonly imports: readonly { readonly from: string; readonly names: readonly string[] }[];
}

export const streamCode: Bench = {
  name: "stream-code",
  about: "how much code rooms and byte streams share",
  isLong: true,
  async run(site) {
    const cwd = join(site.root, SOURCE);
    const paths = FOLDERS.flatMap((folder) => [...new Bun.Glob(`${folder}/**/*.ts`).scanSync({ cwd })]);
    const read = async (path: string): Promise<Source> => toSource(path, await Bun.file(join(cwd, path)).text());
    return report(await Promise.all(paths.toSorted((a, b) => (a < b ? -1 : 1)).map(read)));
  },
};

export const toSource = (path: string, text: string): Source => ({
  path,
  part: PARTS.find(({ matches }) => matches(path))?.name,
  isTest: /\.(test|conformance)\.ts$/.test(path) || /\/fake-/.test(path),
  lines: text
    .replaceAll(/^\s*\/\*\*[^]*?\*\/$/gm, "")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("//")),
  imports: [...text.matchAll(/^(?:import|export) (?:type )?\{([^}]*)\} from "([^"]+)";$/gm)].map(
    ([, names = "", from = ""]) => ({
      from: from.startsWith(".") ? posix.join(posix.dirname(path), from) : from,
      names: names.split(",").flatMap((name) => name.trim().replace(/^type /, "") || []),
    }),
  ),
});

/** Consecutive lines that count as repeated code. */
const WINDOW = 6;

/** Lines of the first sources that are in runs of `WINDOW` lines which the others have as well. */
export const countRepeated = (ones: readonly Source[], others: readonly Source[]): number => {
  const windowsOf = ({ lines }: Source) =>
    lines.slice(WINDOW - 1).map((_, at) => ({ at, text: lines.slice(at, at + WINDOW).join("\n") }));
  const known = new Set(others.flatMap((source) => windowsOf(source).map(({ text }) => text)));
  return ones.reduce((sum, source) => {
    const repeated = new Set<number>();
    for (const { at, text } of windowsOf(source))
      if (known.has(text)) for (let next = at; next < at + WINDOW; next += 1) repeated.add(next);
    return sum + repeated.size;
  }, 0);
};

const linesOf = (sources: readonly Source[]): number => sources.reduce((sum, { lines }) => sum + lines.length, 0);

export const report = (sources: readonly Source[]): readonly Figure[] => {
  const shipped = sources.filter(({ isTest }) => !isTest);
  const of = (part: string): readonly Source[] => shipped.filter((source) => source.part === part);
  const parts = PARTS.map(({ name }): Figure => {
    const tests = sources.filter(({ part, isTest }) => part === name && isTest);
    return {
      what: name,
      value: linesOf(of(name)),
      unit: "lines",
      samples: of(name).length,
      note: `${linesOf(tests)} lines of tests`,
    };
  });
  const [bytes, engine] = [of("byte streams"), of("engine")];
  const importsOf = (from: readonly Source[], isWanted: (path: string) => boolean): readonly string[] =>
    [
      ...new Set(
        from.flatMap(({ imports }) => imports.filter((source) => isWanted(source.from)).flatMap(({ names }) => names)),
      ),
    ].toSorted();
  const figure = (what: string, names: readonly string[], samples: number): Figure => ({
    what,
    value: names.length,
    unit: "names",
    samples,
    note: names.join(", "),
  });
  const isBytes = (path: string): boolean => path.startsWith("kernel/streams/bytes/");
  const isOwn = (path: string): boolean => isBytes(path) || path.startsWith("kernel/streams/subscriptions/");
  return [
    ...parts,
    figure(
      "imported by byte streams from the engine",
      importsOf(bytes, (path) => path.startsWith(ENGINE) && !isOwn(path)),
      bytes.length,
    ),
    figure(
      "imported by byte streams from the rest of the kernel",
      importsOf(bytes, (path) => path.startsWith("kernel/") && !path.startsWith(ENGINE)),
      bytes.length,
    ),
    figure(
      "imported by byte streams from packages",
      importsOf(bytes, (path) => path.startsWith("@hearth/")),
      bytes.length,
    ),
    figure("imported by the engine from byte streams", importsOf(engine, isBytes), engine.length),
    {
      what: "code of byte streams that the engine repeats",
      value: countRepeated(bytes, engine),
      unit: "lines",
      samples: bytes.length,
    },
  ];
};
