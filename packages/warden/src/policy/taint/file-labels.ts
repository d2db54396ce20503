/**
 * Where the text of files in an agent's workspace came from. A path's label counts for it and all below it. In the store it changes with the step
 * that wrote the file; whoever asks is answered from memory.
 */
import { readLabel, type Store, type Write } from "../../kernel/index.ts";
import { type ActivationId, type AgentId, type Clock, joinLabels, type Label, OWN } from "@hearth/protocol";

/** The whole workspace: after a command nobody knows which of its files it wrote. */
export const EVERYTHING = "";

export interface FileLabels {
  /** Of what is read at this path: its own, those above it, and those below it. */
  of(path: string): Label;
  /** Every path that has one, for people. */
  list(): readonly { readonly path: string; readonly label: Label }[];
  /** What is to be committed with the end of the step that wrote there. Counts from this call on. */
  add(path: string, label: Label, by: ActivationId): readonly Write[];
  /** The same for a file that was written anew, from what binds nobody. */
  clear(path: string): readonly Write[];
}

export interface LabelledFiles {
  /** Loaded once. Throws what the store throws. */
  open(agent: AgentId): Promise<FileLabels>;
  /** A person says that all of it may be believed. Durable when it resolves, with the paths that had a label of their own. */
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
    // Whoever asks next looks again.
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
          const row = { agent, path, labels: JSON.stringify(joined), activation, at: clock.now() };
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
      const gone = [...labels.keys()].filter((one) => isWithin(one, path));
      await store.commit({
        by,
        writes: gone.map((one) => ({ kind: "delete", table: "files", where: { agent, path: one } }) as const),
      });
      for (const one of gone) labels.delete(one);
      return gone;
    },
  };
};

/** As a disk may take it that makes no difference between `A` and `a`, or between two ways to write `é`: rather one name too many for a file than one too few. */
const folded = (path: string): string => path.normalize("NFD").toUpperCase().toLowerCase().normalize("NFC");

/** Whether it is that file, or below that folder. */
export const isWithin = (path: string, folder: string): boolean =>
  folder === EVERYTHING || path === folder || path.startsWith(`${folder}/`);
