/**
 * The audit log of a house: reading, verifying and exporting. Only the house's administrators may;
 * the API cannot write it.
 */
import { createRoute } from "@hono/zod-openapi";
import { AuditPage, AuditQuery, AuditReport, ExportQuery } from "@hearth/protocol";
import { z } from "zod";
import { answer, bytesAnswer } from "../answer.ts";
import { type App, Name, operation, type RouteOptions } from "./route.ts";

const HousePath = z.object({ house: Name });

export const auditRoutes = (app: App, options: RouteOptions): void => {
  const { access, audit } = options;
  const tag = "Audit";

  app.openapi(
    createRoute({
      method: "get",
      path: "/api/houses/{house}/audit",
      ...operation(options, {
        id: "readAudit",
        tag,
        needs: "x on house {house}",
        summary: "Reads the audit log of a house, oldest first",
        description: "With `latest`, returns its last rows; otherwise those after `after`.",
        answers: { status: 200, schema: AuditPage },
        errors: ["record.not-found"],
      }),
      request: { params: HousePath, query: AuditQuery },
    }),
    async (c) => {
      const { id } = await access.find(c.env.principal, "house", c.req.valid("param").house);
      const { after, limit, latest } = c.req.valid("query");
      const rows = await (latest === undefined ? audit.page(id, after, limit) : audit.latest(id, latest));
      return answer({ house: id, rows: [...rows] } satisfies z.infer<typeof AuditPage>);
    },
  );

  app.openapi(
    createRoute({
      method: "get",
      path: "/api/houses/{house}/audit/verify",
      ...operation(options, {
        id: "verifyAudit",
        tag,
        needs: "x on house {house}",
        summary: "Verifies every row of the audit log of a house, and its end",
        answers: { status: 200, schema: AuditReport },
        errors: ["record.not-found"],
      }),
      request: { params: HousePath },
    }),
    async (c) => {
      const { id } = await access.find(c.env.principal, "house", c.req.valid("param").house);
      return answer((await audit.verify(id)) satisfies z.infer<typeof AuditReport>);
    },
  );

  app.openapi(
    createRoute({
      method: "get",
      path: "/api/houses/{house}/audit/export",
      ...operation(options, {
        id: "exportAudit",
        tag,
        needs: "x on house {house}",
        summary: "Exports the audit log of a house as lines of JSON, for verification elsewhere",
        description: "The export is incomplete unless it ends with a line marked `end`.",
        answers: { status: 200, schema: z.string(), type: "application/x-ndjson" },
        errors: ["record.not-found"],
      }),
      request: { params: HousePath, query: ExportQuery },
    }),
    async (c) => {
      const { principal } = c.env;
      const { id } = await access.find(principal, "house", c.req.valid("param").house);
      const lines = audit.export(id, c.req.valid("query").since);
      // Checks permission for each page, so that a revocation ends the export.
      const body = toBody(lines, () => access.require(principal, "x", id));
      return bytesAnswer(body, 200, { "content-type": "application/x-ndjson" });
    },
  );
};

/** Produces pieces as fast as they are read. */
const toBody = (pieces: AsyncIterable<string>, ask: () => Promise<void>): ReadableStream<Uint8Array> => {
  const encoder = new TextEncoder();
  const source = pieces[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      await ask();
      const next = await source.next();
      if (next.done === true) controller.close();
      else controller.enqueue(encoder.encode(next.value));
    },
    async cancel() {
      await source.return?.();
    },
  });
};
