/**
 * The audit log of a house: reading, verifying and exporting. Only the house's administrators and
 * people with the right `audit` may; the API cannot write it. Administrators of the home rotate the
 * key.
 */
import { auditOperations } from "@hearth/protocol/operations";
import { actorOf } from "../../people/lazy.ts";
import { bytesAnswer } from "../answer.ts";
import { type App, bind, type RouteOptions } from "./route.ts";

export const auditRoutes = (app: App, options: RouteOptions): void => {
  const { access, areas } = options;
  const { audit } = areas.kernel;

  bind(app, options, auditOperations, {
    read: async ({ principal, params, query }) => {
      const { id } = await access.find(principal, "house", params.house);
      const { after, limit } = query;
      if (after !== undefined) return { house: id, rows: await audit.page(id, after, limit) };
      return { house: id, ...(await audit.search(id, query)) };
    },

    verify: async ({ principal, params }) => {
      const { id } = await access.find(principal, "house", params.house);
      return audit.verify(id);
    },

    export: async ({ principal, params, query }) => {
      const { id } = await access.find(principal, "house", params.house);
      const lines = audit.export(id, query.since);
      // A revocation ends the export.
      const body = toBody(lines, async () => void (await access.requireRight(principal, "audit", id)));
      return bytesAnswer(body, 200, { "content-type": "application/x-ndjson" });
    },

    rotateKey: async ({ principal }) => audit.rotateKey(actorOf(principal)),
  });
};

/** Produces the pieces as fast as the client reads them. Checks the permission before each one. */
const toBody = (pieces: AsyncIterable<string>, requirePermission: () => Promise<void>): ReadableStream<Uint8Array> => {
  const encoder = new TextEncoder();
  const source = pieces[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      await requirePermission();
      const result = await source.next();
      if (result.done === true) controller.close();
      else controller.enqueue(encoder.encode(result.value));
    },
    async cancel() {
      await source.return?.();
    },
  });
};
