/** The search. Loaded on demand: few visits need it. */
import { searchOperations } from "@hearth/protocol/operations";
import { type Calls, createCalls } from "./calls.ts";
import type { Connection } from "./request.ts";

export const createSearchCalls = (connection: Connection): Calls<typeof searchOperations> =>
  createCalls(connection, searchOperations);
