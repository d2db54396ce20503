/** The tools of agents. Loaded on demand: few visits need them. */
import { agentToolOperations } from "@hearth/protocol/operations";
import { type Calls, createCalls } from "./calls.ts";
import type { Connection } from "./request.ts";

export const createAgentToolCalls = (connection: Connection): Calls<typeof agentToolOperations> =>
  createCalls(connection, agentToolOperations);
