/**
 * Tracks the author's label of each line in a brain whose author is not the owner. Labels are
 * stored in the commit of the version that adds the line.
 */
import { writeJson, readLabel, type Store, type Write } from "../../kernel/index.ts";
import { type ActivationId, type AgentId, joinLabels, type Label, OWNER_LABEL, type World } from "@hearth/protocol";
import { lineKey, splitLines } from "./lines.ts";

export interface NewLines {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string;
  /** The label of new lines. */
  readonly label: Label;
  readonly activation: ActivationId | undefined;
}

export interface LineLabels {
  labelOf(path: string, line: string): Label;
  /**
   * Returns the writes for the commit that writes the file. The labels take effect at once.
   * Existing lines keep their labels. A new line gets the writer's label, joined with that of an
   * equal line in another file: it was moved or copied from there.
   */
  plan(lines: NewLines): readonly Write[];
  /**
   * Returns the writes for the commit of a change that a person approved: its new lines get that
   * person's label.
   */
  trust(lines: Pick<NewLines, "path" | "before" | "after">): readonly Write[];
  /** Returns the keys of each file's lines that came from this source. */
  linesFrom(source: string): ReadonlyMap<string, ReadonlySet<string>>;
  /** Returns the writes that remove the labels of lines that were erased from all versions. */
  forget(path: string, keys: ReadonlySet<string>): readonly Write[];
}

export const loadLineLabels = async (options: {
  readonly agent: AgentId;
  readonly world: Pick<World, "clock" | "hash">;
  readonly store: Pick<Store, "select">;
}): Promise<LineLabels> => {
  const { agent, world } = options;
  /** Line → path → label. */
  const labels = new Map<string, Map<string, Label>>();
  const put = (path: string, key: string, label: Label): void => {
    const paths = labels.get(key) ?? new Map<string, Label>();
    labels.set(key, paths.set(path, label));
  };
  for (const { path, line, labels } of await options.store.select({ table: "brain_lines", where: { agent } }))
    put(path, line, readLabel(labels) ?? OWNER_LABEL);
  const keysOf = (text: string): ReadonlySet<string> =>
    new Set(splitLines(text).flatMap((line) => lineKey(world.hash, line) ?? []));

  const forget: LineLabels["forget"] = (path, keys) => {
    const writes: Write[] = [];
    for (const key of keys) {
      if (labels.get(key)?.delete(path) !== true) continue;
      if (labels.get(key)?.size === 0) labels.delete(key);
      writes.push({ kind: "delete", table: "brain_lines", where: { agent, path, line: key } });
    }
    return writes;
  };

  return {
    labelOf(path, line) {
      if (labels.size === 0) return OWNER_LABEL;
      const key = lineKey(world.hash, line);
      return (key === undefined ? undefined : labels.get(key)?.get(path)) ?? OWNER_LABEL;
    },
    plan({ path, before, after, label, activation }) {
      if (labels.size === 0 && isDefaultLabel(label)) return [];
      const earlierKeys = keysOf(before ?? "");
      const writes: Write[] = [];
      for (const key of keysOf(after)) {
        if (earlierKeys.has(key)) continue;
        const currentLabel = labels.get(key)?.get(path);
        const joinedLabel = [...(labels.get(key)?.values() ?? [])].reduce(joinLabels, label);
        if (
          isDefaultLabel(joinedLabel) ||
          (currentLabel !== undefined && JSON.stringify(currentLabel) === JSON.stringify(joinedLabel))
        )
          continue;
        put(path, key, joinedLabel);
        const row = { agent, path, line: key, labels: writeJson(joinedLabel), activation: activation ?? null };
        writes.push({ kind: "put", table: "brain_lines", row: { ...row, at: world.clock.now() } });
      }
      return writes;
    },
    linesFrom(source) {
      const linesByPath = new Map<string, Set<string>>();
      for (const [key, paths] of labels) {
        for (const [path, { sources }] of paths)
          if (sources.includes(source)) linesByPath.set(path, (linesByPath.get(path) ?? new Set()).add(key));
      }
      return linesByPath;
    },
    trust({ path, before, after }) {
      const earlierKeys = keysOf(before ?? "");
      return forget(path, new Set([...keysOf(after)].filter((key) => !earlierKeys.has(key))));
    },
    forget,
  };
};

/** Whether a label is the default, which is not stored. */
const isDefaultLabel = ({ integrity, sources }: Label): boolean => integrity === "owner" && sources.length === 0;
