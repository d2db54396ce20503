/** Calls about the audit log of a house, which is given by id or handle. The caller needs `x` or `audit`. */
import { auditOperations } from "@hearth/protocol/operations";
import { createCalls, pathOf } from "./calls.ts";
import { type Connection, request } from "./request.ts";

export const createAuditCalls = (connection: Connection) => {
  const { read, verify, rotateKey } = createCalls(connection, auditOperations);
  return {
    read,
    verify,
    /** Replaces the key of all logs. Needs `x` on the home, and the run token or a fresh login. */
    rotateKey,
    /**
     * Yields lines of JSON as they arrive. The export is complete only if its last line has the kind
     * `end`.
     */
    async *export(house: string, since?: number): AsyncIterable<string> {
      const { method, path } = auditOperations.export;
      const response = await request(connection, method, pathOf(path, { house }), {
        accept: "application/x-ndjson",
        query: { since },
      });
      if (response.body !== null) yield* response.body.pipeThrough(new TextDecoderStream());
    },
  };
};
