/** Calls about the audit log of a house, by its id or handle. The caller needs `x` there. */
import { AuditPage, AuditReport } from "@hearth/protocol";
import { at, type Connection, request, requestJson } from "./request.ts";

export const createAuditCalls = (connection: Connection) => ({
  /** The last rows, oldest first. */
  latest: (house: string, count: number): Promise<AuditPage> =>
    requestJson(connection, AuditPage, "GET", at("/api/houses", house, "audit"), { query: { latest: count } }),
  verify: (house: string): Promise<AuditReport> =>
    requestJson(connection, AuditReport, "GET", at("/api/houses", house, "audit", "verify")),
  /**
   * Yields lines of JSON as they arrive. The export is complete only if its last line has the kind
   * `end`.
   */
  async *export(house: string, since?: number): AsyncIterable<string> {
    const response = await request(connection, "GET", at("/api/houses", house, "audit", "export"), {
      accept: "application/x-ndjson",
      query: { since },
    });
    if (response.body !== null) yield* response.body.pipeThrough(new TextDecoderStream());
  },
});
