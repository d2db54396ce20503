/** Calls about what agents remember. Loaded on demand, as few pages of a browser need them. */
import { memoryOperations } from "@hearth/protocol/operations";
import { type Calls, createCalls } from "./calls.ts";
import type { Connection } from "./request.ts";

export const createMemoryCalls = (connection: Connection): Calls<typeof memoryOperations> =>
  createCalls(connection, memoryOperations);
