/**
 * Webhooks of chat platforms and jobs. Open to all: a channel verifies its platform's signature or
 * secret, a job the signature with its key.
 */
import { createRoute } from "@hono/zod-openapi";
import { isHearthError, JobHookTaken, MAX_HOOK_BODY } from "@hearth/protocol";
import { z } from "zod";
import { answer } from "../answer.ts";
import { type BodyLimits, readBody } from "../body.ts";
import { type App, operation, type RouteOptions } from "./route.ts";

/** Webhook bodies must be small and arrive quickly. */
const HOOK_BODY: BodyLimits = { maxSize: MAX_HOOK_BODY, timeoutMs: 10_000 };
const BODY_ERRORS = ["request.too-large", "request.timeout"] as const;

export const hookRoutes = (app: App, options: RouteOptions): void => {
  const { inbound, schedule, attempts, world } = options;

  app.openapi(
    createRoute({
      method: "post",
      path: "/hooks/{channel}",
      ...operation(options, {
        id: "receiveWebhook",
        tag: "Channels",
        needs: "nothing",
        summary: "Takes an update of a chat platform",
        description:
          "The update is durable when this answers with success. After any other answer the platform may send it again.",
        answers: { status: 200, schema: z.object({ ok: z.literal(true) }) },
        errors: ["channel.unknown", "channel.unverified", "channel.failed", ...BODY_ERRORS],
      }),
      request: { params: z.object({ channel: z.string().min(1).max(64) }) },
    }),
    async (c) => {
      const { headers } = c.req.raw;
      const body = await readBody(c.req.raw, world.clock);
      await inbound.receive(c.req.valid("param").channel, { headers, body });
      return answer({ ok: true });
    },
  );

  app.openapi(
    createRoute({
      method: "post",
      path: "/hooks/jobs/{id}",
      ...operation(options, {
        id: "callJobHook",
        tag: "Jobs",
        needs: "nothing",
        summary: "Fires a job by its webhook",
        description: `Signed as Standard Webhooks says: \`webhook-id\`, \`webhook-timestamp\` and \`webhook-signature\`. JSON or text, at most ${MAX_HOOK_BODY / 1024} KiB; the agent is given it as data below the job's prompt. The same \`webhook-id\` fires once and is answered the same.`,
        answers: { status: 202, schema: JobHookTaken },
        errors: [
          ...(["job.unverified", "job.paused", "job.busy", "secret.locked", "auth.limited"] as const),
          ...(["request.unsupported", ...BODY_ERRORS] as const),
        ],
      }),
      request: { params: z.object({ id: z.string().min(1).max(64) }) },
    }),
    async (c) => {
      const { headers } = c.req.raw;
      const body = await readBody(c.req.raw, world.clock, HOOK_BODY);
      try {
        return answer(await schedule.deliver(c.req.valid("param").id, { headers, body }), 202);
      } catch (error) {
        // Invalid calls count as failed attempts of the peer.
        if (isHearthError(error, "job.unverified")) attempts.stray(c.env.peer);
        throw error;
      }
    },
  );
};
