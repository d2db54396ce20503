/** Operations on audit logs: reading, verifying and exporting the log of a house, and rotating the key. */
import { z } from "zod";
import { AuditKeyRotation, AuditPage, AuditQuery, AuditReport, ExportQuery } from "../house/audit.ts";
import { IdOrHandle } from "./parameters.ts";
import { declareOperations } from "./operation.ts";

export const auditOperations = declareOperations("Audit", {
  read: {
    id: "readAudit",
    method: "GET",
    path: "/api/houses/{house}/audit",
    needs: "x on house {house} or audit",
    summary: "Reads the audit log of a house, newest first",
    description:
      "Filters select rows by type, person, agent and time. One request examines a limited number of rows: to continue, send its `next` as `before`. With `after`, reads the rows after that offset, oldest first and without filters.",
    params: { house: IdOrHandle },
    query: AuditQuery,
    answers: { status: 200, schema: AuditPage },
    errors: ["record.not-found"],
  },
  verify: {
    id: "verifyAudit",
    method: "GET",
    path: "/api/houses/{house}/audit/verify",
    needs: "x on house {house} or audit",
    summary: "Verifies every row of the audit log of a house, and its end",
    params: { house: IdOrHandle },
    answers: { status: 200, schema: AuditReport },
    errors: ["record.not-found"],
  },
  export: {
    id: "exportAudit",
    method: "GET",
    path: "/api/houses/{house}/audit/export",
    needs: "x on house {house} or audit",
    summary: "Exports the audit log of a house as lines of JSON, for verification elsewhere",
    description: "The export is incomplete unless it ends with a line marked `end`.",
    params: { house: IdOrHandle },
    query: ExportQuery,
    answers: { status: 200, schema: z.string(), type: "application/x-ndjson" },
    errors: ["record.not-found"],
  },
  rotateKey: {
    id: "rotateAuditKey",
    method: "POST",
    path: "/api/audit/key",
    needs: "x on home",
    requiresKey: "whole",
    freshLogin: true,
    summary: "Replaces the key that seals the audit logs of all houses",
    description:
      "A row in each log records the new key, which seals this row and all later ones. The replaced key stays in the home to verify older rows.",
    refusesBody: true,
    answers: { status: 200, schema: AuditKeyRotation },
    errors: ["home.read-only", "store.unavailable"],
  },
});
