/** Operations on an agent's memory. */
import {
  FactKept,
  ForgetSource,
  MemoryStatus,
  RecallAnswer,
  RecallQuestion,
  RememberFact,
  SourceForgotten,
} from "../agents/memory.ts";
import { IdOrHandle } from "./parameters.ts";
import { AGENT_CHANGE, AGENT_READ } from "./needs.ts";
import { declareOperations } from "./operation.ts";

const ERRORS = ["record.not-found", "brain.not-found", "memory.lost"] as const;

export const memoryOperations = declareOperations("Memory", {
  recall: {
    id: "recall",
    method: "POST",
    path: "/api/agents/{agent}/memory/recall",
    needs: AGENT_READ,
    summary: "Searches an agent's memory, by words and by meaning",
    params: { agent: IdOrHandle },
    body: RecallQuestion,
    answers: { status: 200, schema: RecallAnswer },
    errors: ERRORS,
  },
  remember: {
    id: "remember",
    method: "POST",
    path: "/api/agents/{agent}/memory/remember",
    needs: AGENT_CHANGE,
    summary: "Stores a fact, replacing another one if named",
    description: "Requires a person.",
    params: { agent: IdOrHandle },
    body: RememberFact,
    answers: { status: 200, schema: FactKept },
    errors: ["record.not-found", "brain.not-found", "brain.changed", "brain.too-large", "memory.refused"],
  },
  forget: {
    id: "forget",
    method: "POST",
    path: "/api/agents/{agent}/memory/forget",
    needs: AGENT_CHANGE,
    summary: "Forgets a source and everything derived from it",
    description:
      "Requires a person. It cannot be undone. Replies of turns that had read the source are removed if they share a phrase, a number or a name with it; " +
      "`kept` lists the others. With `replies`, all of them are removed.",
    params: { agent: IdOrHandle },
    body: ForgetSource,
    answers: { status: 200, schema: SourceForgotten },
    errors: [...ERRORS, "memory.nothing", "brain.path"],
  },
  status: {
    id: "memoryStatus",
    method: "GET",
    path: "/api/agents/{agent}/memory/status",
    needs: AGENT_READ,
    summary: "Shows the state of an agent's memory index",
    params: { agent: IdOrHandle },
    answers: { status: 200, schema: MemoryStatus },
    errors: ERRORS,
  },
  reindex: {
    id: "reindexMemory",
    method: "POST",
    path: "/api/agents/{agent}/memory/reindex",
    needs: AGENT_CHANGE,
    summary: "Rebuilds the memory index from the files",
    params: { agent: IdOrHandle },
    answers: { status: 200, schema: MemoryStatus },
    errors: ERRORS,
  },
});
