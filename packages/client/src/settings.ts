/** Single values of the config file. Loaded on demand: few visits need them. */
import { settingOperations } from "@hearth/protocol/operations";
import { type Calls, createCalls } from "./calls.ts";
import type { Connection } from "./request.ts";

export const createSettingCalls = (connection: Connection): Calls<typeof settingOperations> =>
  createCalls(connection, settingOperations);
