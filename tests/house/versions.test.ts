import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { root } from "./source.ts";

interface Manifest {
  readonly name?: string;
  readonly version?: string;
  readonly [field: string]: unknown;
}

const FIELDS = ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"];

/** Returns one sentence per reason why installs could differ. */
const findLoose = (manifests: readonly Manifest[]): readonly string[] => {
  const chosen = new Map<string, string>();
  const loose: string[] = [];
  for (const manifest of manifests) {
    for (const field of FIELDS) {
      for (const [name, version] of Object.entries((manifest[field] ?? {}) as Record<string, string>)) {
        const what = `${manifest.name} wants ${name} ${version}`;
        if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)) loose.push(`${what}: not an exact version`);
        const own = manifests.find((other) => other.name === name)?.version;
        const known = own ?? chosen.get(name) ?? version;
        if (known !== version) loose.push(`${what}, but another package has ${known}`);
        chosen.set(name, known);
      }
    }
  }
  return loose;
};

const readManifests = async (): Promise<readonly Manifest[]> => {
  const places = ["package.json", "packages/*/package.json", "tests/package.json", "bench/package.json"];
  const paths = places.flatMap((place) => [...new Bun.Glob(place).scanSync({ cwd: root })]);
  return Promise.all(paths.map((path) => Bun.file(join(root, path)).json() as Promise<Manifest>));
};

describe("in this repository", () => {
  test("every dependency has one exact version, the same in every package", async () => {
    const manifests = await readManifests();
    expect(manifests.length).toBeGreaterThan(5);
    expect(findLoose(manifests)).toEqual([]);
  });

  test("every package has the version of the house", async () => {
    const versions = new Set((await readManifests()).map((manifest) => manifest.version));
    expect(versions.size).toBe(1);
  });

  test("E5: the lock file names versions and hashes, and no download location", async () => {
    const lock = (await Bun.file(join(root, "package-lock.json")).json()) as {
      readonly packages: Readonly<
        Record<string, { readonly resolved?: string; readonly integrity?: string; readonly link?: boolean }>
      >;
    };
    const entries = Object.entries(lock.packages);
    expect(entries.length).toBeGreaterThan(20);
    expect(entries.filter(([, entry]) => entry.link !== true && entry.resolved !== undefined)).toEqual([]);
    const foreign = entries.filter(([path, entry]) => path.includes("node_modules/") && entry.link !== true);
    expect(foreign.filter(([, entry]) => entry.integrity === undefined).map(([path]) => path)).toEqual([]);
  });
});

describe("the check of versions", () => {
  test.each(["^1.0.0", "~1.0.0", "1", "1.x", "*", "latest", "file:../x", ">=1.0.0", "npm:other@1.0.0"])(
    "refuses %s",
    (version) => {
      expect(findLoose([{ name: "a", devDependencies: { b: version } }])).toEqual([
        `a wants b ${version}: not an exact version`,
      ]);
    },
  );

  test("refuses two versions of one package", () => {
    const one = { name: "a", dependencies: { zod: "1.0.0" } };
    expect(findLoose([one, { name: "b", optionalDependencies: { zod: "1.0.1-rc.1" } }])).toEqual([
      "b wants zod 1.0.1-rc.1, but another package has 1.0.0",
    ]);
    expect(findLoose([one, { name: "b", dependencies: { zod: "1.0.0" } }])).toEqual([]);
  });

  test("refuses a version of our own package that it does not have", () => {
    expect(
      findLoose([
        { name: "a", dependencies: { b: "1.0.0" } },
        { name: "b", version: "2.0.0" },
      ]),
    ).toHaveLength(1);
  });
});
