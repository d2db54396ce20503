/** The security report of a house, as a typed call. Loaded on demand: few visits need it. */
import { SecurityReport } from "@hearth/protocol";
import { type Connection, requestJson } from "./request.ts";

/** Settings that are more open than necessary, with instructions to fix them. */
export const readSecurity = (connection: Connection): Promise<SecurityReport> =>
  requestJson(connection, SecurityReport, "GET", "/api/security");
