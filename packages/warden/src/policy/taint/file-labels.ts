/**
 * Labels of files in an agent's workspace. The label of a path applies to it and to everything
 * below it. It is stored with the step that wrote the file; reads are answered from memory.
 */
import { writeJson, readLabel, type Store, type Write } from "../../kernel/index.ts";
import { type ActivationId, type AgentId, type Clock, joinLabels, type Label, OWN } from "@hearth/protocol";

/** The whole workspace: any of its files may have been written by a command. */
export const EVERYTHING = "";

export interface FileLabels {
  /** Label for reading this path: its own, those of its parents, and those below it. */
  of(path: string): Label;
  /** Every labelled path, for people. */
  list(): readonly { readonly path: string; readonly label: Label }[];
  /** Writes for the commit that ends the step. The label applies from this call on. */
  add(path: string, label: Label, by: ActivationId): readonly Write[];
  /** The same for a file that was rewritten from untainted input. */
  clear(path: string): readonly Write[];
}

export interface LabelledFiles {
  /** Loaded once. Throws what the store throws. */
  open(agent: AgentId): Promise<FileLabels>;
  /**
   * A person trusts everything below the path. Durable when it resolves with the paths that had
   * labels.
   */
  forget(agent: AgentId, path: string, by: AgentId): Promise<readonly string[]>;
}

export const createLabelledFiles = ({
  clock,
  store,
}: {
  readonly clock: Pick<Clock, "now">;
  readonly store: Pick<Store, "select" | "commit">;
}): LabelledFiles => {
  const known = new Map<AgentId, Promise<Map<string, Label>>>();

  const load = async (agent: AgentId): Promise<Map<string, Label>> => {
    const rows = await store.select({ table: "files", where: { agent } });
    return new Map(rows.map(({ path, labels }) => [path, readLabel(labels) ?? OWN]));
  };
  const labelsOf = (agent: AgentId): Promise<Map<string, Label>> => {
    const labels = known.get(agent) ?? load(agent);
    known.set(agent, labels);
    // Let the next caller load again.
    labels.catch(() => known.delete(agent));
    return labels;
  };

  return {
    async open(agent) {
      const labels = await labelsOf(agent);
      return {
        of(path) {
          let label = OWN;
          const name = folded(path);
          for (const [written, one] of labels) {
            const other = folded(written);
            if (isWithin(name, other) || isWithin(other, name)) label = joinLabels(label, one);
          }
          return label;
        },
        list: () => [...labels].map(([path, label]) => ({ path, label })),
        add(path, label, activation) {
          const joined = joinLabels(labels.get(path) ?? OWN, label);
          labels.set(path, joined);
          const row = { agent, path, labels: writeJson(joined), activation, at: clock.now() };
          return [{ kind: "put", table: "files", row }];
        },
        clear(path) {
          if (!labels.delete(path)) return [];
          return [{ kind: "delete", table: "files", where: { agent, path } }];
        },
      };
    },
    async forget(agent, path, by) {
      const labels = await labelsOf(agent);
      const cleared = [...labels.keys()].filter((one) => isWithin(one, path));
      await store.commit({
        by,
        writes: cleared.map((one) => ({ kind: "delete", table: "files", where: { agent, path: one } }) as const),
      });
      for (const one of cleared) labels.delete(one);
      return cleared;
    },
  };
};

/**
 * Treats paths as equal that a case-insensitive or normalizing disk may treat as equal. A false
 * match is safer than a missed one.
 */
const folded = (path: string): string => path.normalize("NFD").toUpperCase().toLowerCase().normalize("NFC");

/** Whether the path is that file, or below that folder. */
export const isWithin = (path: string, folder: string): boolean =>
  folder === EVERYTHING || path === folder || path.startsWith(`${folder}/`);
