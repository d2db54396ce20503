/**
 * Labels of files in an agent's workspace. The label of a path applies to the path and everything
 * below it. It is stored with the step that wrote the file, and cached in memory.
 */
import { writeJson, readLabel, type Store, type Write } from "../../kernel/index.ts";
import { type ActivationId, type AgentId, type Clock, joinLabels, type Label, OWNER_LABEL } from "@hearth/protocol";

/** The path of the whole workspace. A command may have written any of its files. */
export const EVERYTHING = "";

export interface FileLabels {
  /**
   * Returns the label for a read of this path: its own label, joined with those of its parents
   * and of the paths below it.
   */
  labelOf(path: string): Label;
  /** Returns every labelled path, for people. */
  list(): readonly { readonly path: string; readonly label: Label }[];
  /** Returns the writes for the commit that ends the step. The label applies at once. */
  add(path: string, label: Label, by: ActivationId): readonly Write[];
  /**
   * Returns the writes that remove the labels of a file that was rewritten from untainted input.
   */
  clear(path: string): readonly Write[];
}

export interface LabelledFiles {
  /** Loads the labels of an agent once. Throws the errors of the store. */
  open(agent: AgentId): Promise<FileLabels>;
  /**
   * Removes the labels of the path and everything below it, because a person trusts them. Returns
   * the paths that had labels. Durable when the promise resolves.
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
  const labelsByAgent = new Map<AgentId, Promise<Map<string, Label>>>();

  const load = async (agent: AgentId): Promise<Map<string, Label>> => {
    const rows = await store.select({ table: "files", where: { agent } });
    return new Map(rows.map(({ path, labels }) => [path, readLabel(labels) ?? OWNER_LABEL]));
  };
  const labelsOf = (agent: AgentId): Promise<Map<string, Label>> => {
    const labels = labelsByAgent.get(agent) ?? load(agent);
    labelsByAgent.set(agent, labels);
    // After a failure, the next caller loads the labels again.
    labels.catch(() => labelsByAgent.delete(agent));
    return labels;
  };

  return {
    async open(agent) {
      const labels = await labelsOf(agent);
      return {
        labelOf(path) {
          let label = OWNER_LABEL;
          const name = foldPath(path);
          for (const [labelledPath, pathLabel] of labels) {
            const foldedPath = foldPath(labelledPath);
            if (isWithin(name, foldedPath) || isWithin(foldedPath, name)) label = joinLabels(label, pathLabel);
          }
          return label;
        },
        list: () => [...labels].map(([path, label]) => ({ path, label })),
        add(path, label, activation) {
          const joinedLabel = joinLabels(labels.get(path) ?? OWNER_LABEL, label);
          labels.set(path, joinedLabel);
          const row = { agent, path, labels: writeJson(joinedLabel), activation, at: clock.now() };
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
      const clearedPaths = [...labels.keys()].filter((labelledPath) => isWithin(labelledPath, path));
      await store.commit({
        by,
        writes: clearedPaths.map((path) => ({ kind: "delete", table: "files", where: { agent, path } }) as const),
      });
      for (const path of clearedPaths) labels.delete(path);
      return clearedPaths;
    },
  };
};

/**
 * Returns a form in which paths are equal if a case-insensitive or normalizing disk may treat them
 * as equal. A false match is safer than a missed one.
 */
const foldPath = (path: string): string => path.normalize("NFD").toUpperCase().toLowerCase().normalize("NFC");

/** Whether the path is that file, or is below that folder. */
export const isWithin = (path: string, folder: string): boolean =>
  folder === EVERYTHING || path === folder || path.startsWith(`${folder}/`);
