/** Calls about what agents remember. The caller needs `x` in the agent's house. */
import {
  FactKept,
  type ForgetSource,
  MemoryStatus,
  RecallAnswer,
  type RecallQuestion,
  type RememberFact,
  SourceForgotten,
} from "@hearth/protocol";
import { at, type Connection, requestJson } from "./request.ts";

export const createMemoryCalls = (connection: Connection) => {
  const of = (agent: string, what: string): string => at("/api/agents", agent, "memory", what);
  return {
    recall: (agent: string, body: RecallQuestion): Promise<RecallAnswer> =>
      requestJson(connection, RecallAnswer, "POST", of(agent, "recall"), { body }),
    /** Stores a fact and replaces the facts that it supersedes. */
    remember: (agent: string, body: RememberFact): Promise<FactKept> =>
      requestJson(connection, FactKept, "POST", of(agent, "remember"), { body }),
    /** Deletes permanently. */
    forget: (agent: string, body: ForgetSource): Promise<SourceForgotten> =>
      requestJson(connection, SourceForgotten, "POST", of(agent, "forget"), { body }),
    status: (agent: string): Promise<MemoryStatus> => requestJson(connection, MemoryStatus, "GET", of(agent, "status")),
    /** Rebuilds the index. */
    reindex: (agent: string): Promise<MemoryStatus> =>
      requestJson(connection, MemoryStatus, "POST", of(agent, "reindex")),
  };
};
