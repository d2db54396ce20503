/** Chooses random mutants: equally many in each area, and the same ones for the same seed. */
import type { Site } from "./sites.ts";

/**
 * Area → path prefixes of its files. The longest matching prefix decides. Other files are
 * `elsewhere`.
 */
export const AREAS = {
  kernel: ["packages/warden/src/kernel/"],
  policy: ["packages/warden/src/policy/"],
  identity: ["packages/warden/src/people/"],
  egress: ["packages/warden/src/cells/egress/"],
  secrets: ["packages/warden/src/policy/secrets/"],
} as const;

const PREFIXES = Object.entries(AREAS)
  .flatMap(([area, prefixes]) => prefixes.map((prefix) => ({ area: area as keyof typeof AREAS, prefix })))
  .sort((a, b) => b.prefix.length - a.prefix.length);

export type Area = keyof typeof AREAS | "elsewhere";

export const ALL_AREAS: readonly Area[] = ["kernel", "policy", "identity", "egress", "secrets", "elsewhere"];

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
  /** Returns those of the mutants that have no type errors. */
  readonly compiling: (sites: readonly Site[]) => Promise<ReadonlySet<Site>>;
}

/** Most mutants compile. Checking a few more at once saves another check. */
const SPARE = 1.3;

/** All sites of an area in random order, at most one per line. */
const shuffle = function* ({ sites, seed, isFit }: Choice, area: Area): Generator<Site> {
  const random = createRandom(`${seed} ${area}`);
  const left = sites.filter(({ path }) => areaOf(path) === area);
  const lines = new Set<string>();
  while (left.length > 0) {
    const [site] = left.splice(Math.floor(random() * left.length), 1);
    if (site === undefined) return;
    const line = `${site.path}:${site.line}`;
    if (lines.has(line) || !isFit(site)) continue;
    lines.add(line);
    yield site;
  }
};

const draw = (left: Iterator<Site, void>, count: number): readonly Site[] => {
  const drawn: Site[] = [];
  while (drawn.length < count) {
    const { value } = left.next();
    if (value === undefined) break;
    drawn.push(value);
  }
  return drawn;
};

/**
 * Chooses mutants that compile, at most one per line. Areas alternate, so that a run that ends
 * early has some of each.
 */
export const chooseSites = async (choice: Choice): Promise<readonly Site[]> => {
  const { areas, count, compiling } = choice;
  const share = Math.ceil(count / areas.length);
  const all = areas.map((area) => ({ left: shuffle(choice, area), own: [] as Site[] }));
  for (;;) {
    const drawn = all.map(({ left, own }) => draw(left, Math.ceil(SPARE * (share - own.length))));
    if (drawn.every((sites) => sites.length === 0)) break;
    const sound = await compiling(drawn.flat());
    for (const [index, { own }] of all.entries())
      own.push(...(drawn[index] ?? []).filter((site) => sound.has(site)).slice(0, share - own.length));
  }
  return Array.from({ length: share }, (_, turn) => all.flatMap(({ own }) => own.slice(turn, turn + 1)))
    .flat()
    .slice(0, count);
};
