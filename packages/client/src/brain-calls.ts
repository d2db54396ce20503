/**
 * Calls about agents' brains: files, versions and proposals. The caller needs `x` in the agent's
 * house.
 */
import {
  type BrainChange,
  BrainChangeList,
  type BrainDiff,
  BrainDiffList,
  BrainErased,
  BrainFiles,
  type BrainLogQuery,
  BrainText,
  BrainUndone,
  BrainWritten,
  type DecideProposal,
  type EraseBrain,
  LabelsCleared,
  Proposal,
  ProposalList,
  type ProposalQuery,
  type UndoBrain,
  type WorkspaceLabel,
  WorkspaceLabelList,
} from "@hearth/protocol";
import { at, type Connection, requestJson } from "./request.ts";

export const createBrainCalls = (connection: Connection) => {
  const of = (agent: string, ...more: readonly string[]): string => at("/api/agents", agent, "brain", ...more);
  return {
    files: (agent: string): Promise<BrainFiles> => requestJson(connection, BrainFiles, "GET", of(agent)),
    read: (agent: string, path: string): Promise<BrainText> =>
      requestJson(connection, BrainText, "GET", of(agent, "file"), { query: { path } }),
    /** With `hash`, writes only if the file's current content has that hash. */
    write: (agent: string, path: string, text: string, hash?: string): Promise<BrainWritten> =>
      requestJson(connection, BrainWritten, "PUT", of(agent, "file"), {
        query: { path },
        body: { text, ...(hash === undefined ? {} : { hash }) },
      }),
    remove: (agent: string, path: string): Promise<BrainWritten> =>
      requestJson(connection, BrainWritten, "DELETE", of(agent, "file"), { query: { path } }),
    /** Newest first. */
    log: (agent: string, query: Partial<BrainLogQuery> = {}): Promise<readonly BrainChange[]> =>
      requestJson(connection, BrainChangeList, "GET", of(agent, "versions"), { query }),
    diff: (agent: string, change: string): Promise<readonly BrainDiff[]> =>
      requestJson(connection, BrainDiffList, "GET", of(agent, "diff"), { query: { change } }),
    undo: (agent: string, what: UndoBrain): Promise<BrainUndone> =>
      requestJson(connection, BrainUndone, "POST", of(agent, "undo"), { body: what }),
    /** Permanently erases content from the brain and its history. */
    erase: (agent: string, what: EraseBrain): Promise<BrainErased> =>
      requestJson(connection, BrainErased, "POST", of(agent, "erase"), { body: what }),
    /** The files of the agent's workspace that hold text from untrusted sources. */
    labels: (agent: string): Promise<readonly WorkspaceLabel[]> =>
      requestJson(connection, WorkspaceLabelList, "GET", of(agent, "labels")),
    /** Marks a path and everything below it as trusted. */
    clearLabels: (agent: string, path: string): Promise<LabelsCleared> =>
      requestJson(connection, LabelsCleared, "DELETE", of(agent, "labels"), { query: { path } }),
    proposals: (agent: string, query: ProposalQuery = {}): Promise<readonly Proposal[]> =>
      requestJson(connection, ProposalList, "GET", of(agent, "proposals"), { query }),
    decide: (agent: string, id: string, decision: DecideProposal): Promise<Proposal> =>
      requestJson(connection, Proposal, "POST", of(agent, "proposals", id), { body: decision }),
  };
};
