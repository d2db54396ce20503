/** Calls about the audit log of a house, by its id or handle. It takes who decides there. */
import { AuditPage, AuditReport } from "@hearth/protocol";
import { at, type Connection, request, requestJson } from "./request.ts";

export const createAuditCalls = (connection: Connection) => ({
  /** The last rows, oldest first. */
  latest: (house: string, count: number): Promise<AuditPage> =>
    requestJson(connection, AuditPage, "GET", at("/api/houses", house, "audit"), { query: { latest: count } }),
  verify: (house: string): Promise<AuditReport> =>
    requestJson(connection, AuditReport, "GET", at("/api/houses", house, "audit", "verify")),
  /** Lines of JSON as they come. Without a line of the kind `end` it is not all of it. */
  async *export(house: string, since?: number): AsyncIterable<string> {
    const response = await request(connection, "GET", at("/api/houses", house, "audit", "export"), {
      accept: "application/x-ndjson",
      query: { since },
    });
    if (response.body !== null) yield* response.body.pipeThrough(new TextDecoderStream());
  },
});
