/**
 * Measures how parts are wired: the members of options types, options that are assembled with
 * `Pick` and `Omit`, and literals that are spread into other literals.
 */
import type { SourceFile, TypeShape } from "./source.ts";

/** Maximum number of members of an options type. */
export const MAX_OPTIONS = 12;

export interface Wiring {
  /** `path#Name` to members, for options with more than `MAX_OPTIONS`. */
  readonly options: Readonly<Record<string, number>>;
  /** `path#Name` of options that extend or join a `Pick` or `Omit`. */
  readonly assembled: readonly string[];
  /** Path to spread literals. */
  readonly spreads: Readonly<Record<string, number>>;
}

/** Tests, suites, fakes and fixtures are not measured. */
export const isProduct = (path: string): boolean =>
  /^packages\/[^/]+\/src\//.test(path) &&
  !/\.(test|conformance)\.tsx?$|\/(fakes|fixtures)\/|\/fake-|-fake\.tsx?$/.test(path);

/** Whether the text spreads a whole area of the warden, so that a reader cannot see which parts are passed on. */
export const spreadsArea = (text: string): boolean =>
  /\.\.\.(?:kernel|people|policy|cells|messaging)\b(?=\s*[,}])/.test(text);

const isOptions = ({ name }: TypeShape): boolean => /Options$|\(\)$/.test(name);

export const measureWiring = (all: readonly SourceFile[]): Wiring => {
  const files = all.filter(({ path }) => isProduct(path));
  const byName = new Map<string, { readonly path: string; readonly shape: TypeShape }[]>();
  for (const { path, types } of files)
    for (const shape of types) byName.set(shape.name, [...(byName.get(shape.name) ?? []), { path, shape }]);

  const find = (name: string, from: string): { readonly path: string; readonly shape: TypeShape } | undefined => {
    const found = byName.get(name) ?? [];
    return found.find(({ path }) => path === from) ?? found[0];
  };

  const membersOf = (shape: TypeShape, path: string, seen: readonly TypeShape[] = []): ReadonlySet<string> => {
    const members = new Set(shape.members);
    if (seen.includes(shape)) return members;
    for (const { name, of, keys } of shape.bases) {
      const base = find(of ?? name, path);
      const inherited = base === undefined ? new Set<string>() : membersOf(base.shape, base.path, [...seen, shape]);
      const added = name === "Pick" ? keys : [...inherited].filter((key) => name !== "Omit" || !keys.includes(key));
      for (const key of added) members.add(key);
    }
    return members;
  };

  const options: Record<string, number> = {};
  const assembled: string[] = [];
  const spreads: Record<string, number> = {};
  for (const { path, types, literalSpreads } of files) {
    if (literalSpreads > 0) spreads[path] = literalSpreads;
    for (const shape of types.filter(isOptions)) {
      const key = `${path}#${shape.name}`;
      const { size } = membersOf(shape, path);
      if (size > MAX_OPTIONS) options[key] = size;
      if (shape.bases.some(({ name }) => name === "Pick" || name === "Omit")) assembled.push(key);
    }
  }
  return { options, assembled, spreads };
};
