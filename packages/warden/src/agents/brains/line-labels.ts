/** Whose lines stand in a brain, as far as they are not the owner's. In the store it changes with the version that brought a line. */
import { readLabel, type Store, type Write } from "../../kernel/index.ts";
import { type ActivationId, type AgentId, joinLabels, type Label, OWN, type World } from "@hearth/protocol";
import { lineKey, splitLines } from "./lines.ts";

export interface NewLines {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string;
  /** Of whoever wrote what is new. */
  readonly label: Label;
  readonly activation: ActivationId | undefined;
}

export interface LineLabels {
  of(path: string, line: string): Label;
  /**
   * For the commit that writes the file; counts from this call on. A line that was there stays whose it was. One that is new has the writer's
   * label, and that of the same line in other files: it was moved from there, or copied.
   */
  plan(lines: NewLines): readonly Write[];
  /** For the commit that writes what a person has read and agreed to: lines that are new in the file are theirs. */
  trust(lines: Pick<NewLines, "path" | "before" | "after">): readonly Write[];
  /** Keys of a file's lines that came from this source. */
  from(source: string): ReadonlyMap<string, ReadonlySet<string>>;
  /** They are not there any more, in no version. */
  forget(path: string, keys: ReadonlySet<string>): readonly Write[];
}

export const loadLineLabels = async (options: {
  readonly agent: AgentId;
  readonly world: Pick<World, "clock" | "hash">;
  readonly store: Pick<Store, "select">;
}): Promise<LineLabels> => {
  const { agent, world } = options;
  /** Line → path → label. */
  const known = new Map<string, Map<string, Label>>();
  const put = (path: string, key: string, label: Label): void => {
    const paths = known.get(key) ?? new Map<string, Label>();
    known.set(key, paths.set(path, label));
  };
  for (const { path, line, labels } of await options.store.select({ table: "brain_lines", where: { agent } }))
    put(path, line, readLabel(labels) ?? OWN);
  const keysOf = (text: string): ReadonlySet<string> =>
    new Set(splitLines(text).flatMap((line) => lineKey(world.hash, line) ?? []));

  const forget: LineLabels["forget"] = (path, keys) => {
    const writes: Write[] = [];
    for (const key of keys) {
      if (known.get(key)?.delete(path) !== true) continue;
      if (known.get(key)?.size === 0) known.delete(key);
      writes.push({ kind: "delete", table: "brain_lines", where: { agent, path, line: key } });
    }
    return writes;
  };

  return {
    of(path, line) {
      if (known.size === 0) return OWN;
      const key = lineKey(world.hash, line);
      return (key === undefined ? undefined : known.get(key)?.get(path)) ?? OWN;
    },
    plan({ path, before, after, label, activation }) {
      if (known.size === 0 && isOwn(label)) return [];
      const there = keysOf(before ?? "");
      const writes: Write[] = [];
      for (const key of keysOf(after)) {
        if (there.has(key)) continue;
        const own = known.get(key)?.get(path);
        const joined = [...(known.get(key)?.values() ?? [])].reduce(joinLabels, label);
        if (isOwn(joined) || (own !== undefined && JSON.stringify(own) === JSON.stringify(joined))) continue;
        put(path, key, joined);
        const row = { agent, path, line: key, labels: JSON.stringify(joined), activation: activation ?? null };
        writes.push({ kind: "put", table: "brain_lines", row: { ...row, at: world.clock.now() } });
      }
      return writes;
    },
    from(source) {
      const found = new Map<string, Set<string>>();
      for (const [key, paths] of known) {
        for (const [path, { sources }] of paths)
          if (sources.includes(source)) found.set(path, (found.get(path) ?? new Set()).add(key));
      }
      return found;
    },
    trust({ path, before, after }) {
      const there = keysOf(before ?? "");
      return forget(path, new Set([...keysOf(after)].filter((key) => !there.has(key))));
    },
    forget,
  };
};

/** What need not be remembered: nothing is known that speaks against it. */
const isOwn = ({ integrity, sources }: Label): boolean => integrity === "owner" && sources.length === 0;
