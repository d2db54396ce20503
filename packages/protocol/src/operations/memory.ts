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
import { Name } from "./parameters.ts";
import { operations } from "./operation.ts";

const LOOKS = "x on agent {agent} or self";
const DECIDES = "x on agent {agent}";
const ERRORS = ["record.not-found", "brain.not-found", "memory.lost"] as const;

export const memoryOperations = operations("Memory", {
  recall: {
    id: "recall",
    method: "POST",
    path: "/api/agents/{agent}/memory/recall",
    needs: LOOKS,
    summary: "Searches an agent's memory, by words and by meaning",
    params: { agent: Name },
    body: RecallQuestion,
    answers: { status: 200, schema: RecallAnswer },
    errors: ERRORS,
  },
  remember: {
    id: "remember",
    method: "POST",
    path: "/api/agents/{agent}/memory/remember",
    needs: DECIDES,
    summary: "Stores a fact, replacing another one if named",
    description: "Takes a person.",
    params: { agent: Name },
    body: RememberFact,
    answers: { status: 200, schema: FactKept },
    errors: ["record.not-found", "brain.not-found", "brain.changed", "brain.too-large", "memory.refused"],
  },
  forget: {
    id: "forget",
    method: "POST",
    path: "/api/agents/{agent}/memory/forget",
    needs: DECIDES,
    summary: "Forgets a source and everything derived from it",
    description:
      "Takes a person. Nothing brings it back. What the agent said in turns that had read it, and that has no stretch of words, no number and no name of " +
      "it, stays and is named in `kept`; with `replies` it goes too.",
    params: { agent: Name },
    body: ForgetSource,
    answers: { status: 200, schema: SourceForgotten },
    errors: [...ERRORS, "memory.nothing", "brain.path"],
  },
  status: {
    id: "memoryStatus",
    method: "GET",
    path: "/api/agents/{agent}/memory/status",
    needs: LOOKS,
    summary: "Shows the state of an agent's memory index",
    params: { agent: Name },
    answers: { status: 200, schema: MemoryStatus },
    errors: ERRORS,
  },
  reindex: {
    id: "reindexMemory",
    method: "POST",
    path: "/api/agents/{agent}/memory/reindex",
    needs: DECIDES,
    summary: "Rebuilds the memory index from the files",
    params: { agent: Name },
    answers: { status: 200, schema: MemoryStatus },
    errors: ERRORS,
  },
});
