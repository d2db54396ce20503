/**
 * Webhooks of chat platforms and jobs. They are open to every client: a channel verifies its
 * platform's signature or secret, and a job verifies the signature with its key.
 */
import { isHearthError, MAX_HOOK_BODY } from "@hearth/protocol";
import { channelHookOperations, jobHookOperations } from "@hearth/protocol/operations";
import { type BodyLimits, readBody } from "../body.ts";
import { type App, bind, type RouteOptions } from "./route.ts";

/** Webhook bodies must be small and arrive quickly. */
const HOOK_BODY: BodyLimits = { maxSize: MAX_HOOK_BODY, timeoutMs: 10_000 };

export const hookRoutes = (app: App, options: RouteOptions): void => {
  const { areas } = options;
  const { world } = areas.kernel;
  const { attempts } = areas.people;
  const { inbound } = areas.messaging;
  const { schedule } = areas.agents;

  bind(app, options, channelHookOperations, {
    receive: async ({ request, params }) => {
      const { headers } = request;
      const body = await readBody(request, world.clock);
      await inbound.receive(params.channel, { headers, body });
      return { ok: true } as const;
    },
  });

  bind(app, options, jobHookOperations, {
    call: async ({ caller, request, params }) => {
      const { headers } = request;
      const body = await readBody(request, world.clock, HOOK_BODY);
      try {
        return await schedule.deliver(params.id, { headers, body });
      } catch (error) {
        // Invalid calls count as failed attempts of the peer.
        if (isHearthError(error, "job.unverified")) attempts.recordInvalidCredential(caller.peer);
        throw error;
      }
    },
  });
};
