/** Finds the mutants that compile. The type checker refuses the others, so they need no test. */
import type { Copy } from "./copy.ts";
import { mutate, type Site } from "./sites.ts";

/**
 * Checks many mutants at once, at most one per file. A mutant that causes an error in another file
 * only counts as compiling.
 */
export const createTypeCheck = (
  copy: Pick<Copy, "put" | "mistyped">,
  read: (path: string) => Promise<string>,
): ((sites: readonly Site[]) => Promise<ReadonlySet<Site>>) => {
  const checkOriginals = async (): Promise<void> => {
    const wrong = [...(await copy.mistyped())];
    if (wrong.length > 0) throw new Error(`These files have type errors; run npm run check: ${wrong.join(", ")}`);
  };
  let checked: Promise<void> | undefined;

  return async (sites) => {
    await (checked ??= checkOriginals());
    const compiling = new Set<Site>();
    let left = sites;
    while (left.length > 0) {
      const round = [...new Map(left.toReversed().map((site) => [site.path, site])).values()];
      left = left.filter((site) => !round.includes(site));
      const restores: (() => Promise<void>)[] = [];
      try {
        for (const site of round) restores.push(await copy.put(site.path, mutate(await read(site.path), site)));
        const wrong = await copy.mistyped();
        for (const site of round) if (!wrong.has(site.path)) compiling.add(site);
      } finally {
        for (const restore of restores) await restore();
      }
    }
    return compiling;
  };
};
