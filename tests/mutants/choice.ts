/** Chooses random mutants: equally many in each area, and the same ones for the same seed. */
import type { Site } from "./sites.ts";

/**
 * Area → path prefixes of its files. The longest matching prefix decides. Other files are
 * `elsewhere`.
 */
export const AREAS = {
  kernel: [
    "packages/warden/src/kernel/store/",
    "packages/warden/src/kernel/streams/",
    "packages/warden/src/kernel/journal/",
  ],
  policy: ["packages/warden/src/policy/"],
  identity: ["packages/warden/src/people/"],
  egress: ["packages/warden/src/cells/egress/"],
  secrets: ["packages/warden/src/policy/secrets/"],
  // Pages run in a browser, so few of their lines have a fast test.
  ui: ["packages/ui/"],
} as const;

const PREFIXES = Object.entries(AREAS)
  .flatMap(([area, prefixes]) => prefixes.map((prefix) => ({ area: area as keyof typeof AREAS, prefix })))
  .sort((one, other) => other.prefix.length - one.prefix.length);

export type Area = keyof typeof AREAS | "elsewhere";

/** The areas to choose from by default. */
export const DEFAULT_AREAS: readonly Area[] = ["kernel", "policy", "identity", "egress", "secrets", "elsewhere"];
export const ALL_AREAS: readonly Area[] = [...DEFAULT_AREAS, "ui"];

export const areaOf = (path: string): Area =>
  PREFIXES.find(({ prefix }) => path.startsWith(prefix))?.area ?? "elsewhere";

/** Pseudo-random numbers in [0, 1) that depend only on the text. */
const createRandom = (words: string): (() => number) => {
  let state = Number(Bun.hash.xxHash32(words));
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

export interface Choice {
  readonly sites: readonly Site[];
  readonly seed: number;
  readonly areas: readonly Area[];
  /** Total number of mutants, with equal shares per area. */
  readonly count: number;
  readonly isFit: (site: Site) => boolean;
}

/**
 * Chooses at most one mutant per line. Areas alternate, so that a run that ends early has some of
 * each.
 */
export const chooseSites = ({ sites, seed, areas, count, isFit }: Choice): readonly Site[] => {
  const share = Math.ceil(count / areas.length);
  const chosen = areas.map((area) => {
    const random = createRandom(`${seed} ${area}`);
    const left = sites.filter(({ path }) => areaOf(path) === area);
    const lines = new Map<string, Site>();
    while (left.length > 0 && lines.size < share) {
      const [site] = left.splice(Math.floor(random() * left.length), 1);
      if (site === undefined) break;
      const line = `${site.path}:${site.line}`;
      if (!lines.has(line) && isFit(site)) lines.set(line, site);
    }
    return [...lines.values()];
  });
  return Array.from({ length: share }, (_, turn) => chosen.flatMap((own) => own.slice(turn, turn + 1)))
    .flat()
    .slice(0, count);
};
