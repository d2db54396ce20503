/** Calls about agents' brains: files, versions, proposals and labels. Loaded on demand. */
import type { BrainDiff, BrainText, BrainWritten, LabelsCleared } from "@hearth/protocol";
import { brainOperations, labelOperations, proposalOperations } from "@hearth/protocol/operations";
import { createCalls } from "./calls.ts";
import type { Connection } from "./request.ts";

export const createBrainCalls = (connection: Connection) => {
  const files = createCalls(connection, brainOperations);
  const labels = createCalls(connection, labelOperations);
  return {
    ...files,
    ...labels,
    ...createCalls(connection, proposalOperations),
    read: (agent: string, path: string): Promise<BrainText> => files.read(agent, { path }),
    /**
     * Writes a file. With `hash`, writes only if the file's current content has that hash. With
     * `source`, the new lines are untrusted.
     */
    write: (agent: string, path: string, text: string, hash?: string, source?: string): Promise<BrainWritten> =>
      files.write(agent, { text, hash, source }, { path }),
    remove: (agent: string, path: string): Promise<BrainWritten> => files.remove(agent, { path }),
    diff: (agent: string, change: string): Promise<readonly BrainDiff[]> => files.diff(agent, { change }),
    /** Marks a path and everything below it as trusted. */
    clearLabels: (agent: string, path: string): Promise<LabelsCleared> => labels.clearLabels(agent, { path }),
  };
};
