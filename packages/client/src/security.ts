/** How a house is set up, as typed calls. Read when it is asked for: few visits need it. */
import { SecurityReport } from "@hearth/protocol";
import { type Connection, requestJson } from "./request.ts";

/** What is open wider than it has to be, and how to mend it. */
export const readSecurity = (connection: Connection): Promise<SecurityReport> =>
  requestJson(connection, SecurityReport, "GET", "/api/security");
