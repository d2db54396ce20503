/**
 * Callbacks of woken workers. The token of the wake authenticates them. It names the house and
 * allows no other operation.
 */
import type { ReportResult } from "../../kernel/index.ts";
import { parseOffset } from "../../kernel/lazy.ts";
import { z } from "zod";
import { answer, bytesAnswer, emptyAnswer } from "../answer.ts";
import {
  bodyOf,
  answerControlErrors,
  ControlError,
  parseInput,
  WakeReport,
  SubscriptionName,
} from "./durable-control.ts";
import { STREAM_ROOT } from "./durable-path.ts";
import { addRoute } from "./durable-route.ts";
import type { DurableOptions } from "./durable-route.ts";
import type { App } from "../routes/route.ts";

const CONTROL = `${STREAM_ROOT}/__ds`;

/** Whether a path is open without a key. */
export const isOpenControl = (path: string): boolean => OPEN_CONTROL_PATHS.test(path);
const OPEN_CONTROL_PATHS = /^\/v1\/stream\/__ds\/(jwks\.json|subscriptions\/[^/]+\/(callback|ack|release))$/;

/** Answers a CORS preflight with the methods, but allows no origin. */
export const preflightAnswer = ({ method, url }: Request): Response | undefined =>
  method === "OPTIONS" && URL.parse(url)?.pathname.startsWith(`${STREAM_ROOT}/`) === true
    ? emptyAnswer(204, {
        allow: "GET, HEAD, PUT, POST, DELETE",
        "access-control-allow-methods": "GET, HEAD, PUT, POST, DELETE",
        "access-control-allow-headers":
          "authorization, content-type, if-none-match, producer-epoch, producer-id, producer-seq, stream-closed, stream-expires-at, stream-fork-offset, stream-fork-sub-offset, stream-forked-from, stream-seq, stream-ttl",
      })
    : undefined;

export const reportRoutes = (app: App, options: DurableOptions): void => {
  const { signing, subscriptions } = options.durable;

  addRoute(app, options, "GET", `${CONTROL}/jwks.json`, {
    about: {
      id: "webhookKeys",
      needs: "nothing",
      summary: "Returns the public keys of webhook signatures",
      answers: { status: 200, text: "A set of JSON Web Keys." },
    },
    params: z.object({}),
    async handle() {
      const keys = new TextEncoder().encode(JSON.stringify({ keys: await signing.publicKeys() }));
      return bytesAnswer(keys, 200, { "content-type": "application/jwk-set+json" });
    },
  });

  for (const [verb, summary] of Object.entries(VERBS)) {
    addRoute(app, options, "POST", `${CONTROL}/subscriptions/{id}/${verb}`, {
      about: {
        id: `${verb}Wake`,
        needs: "nothing",
        summary,
        description: "`Authorization: Bearer TOKEN`, with the token of the wake.",
        answers: { status: 200, text: "JSON, as the protocol specifies." },
      },
      params: z.object({ id: SubscriptionName }),
      handle: (c) =>
        answerControlErrors(async () => {
          const id = parseInput(SubscriptionName, c.req.param("id"));
          const token = /^Bearer +(\S{1,500})$/i.exec(c.req.header("authorization") ?? "")?.[1] ?? "";
          const { wake_id: wake, generation, acks, done } = parseInput(WakeReport, await bodyOf(c, options));
          const isReleased = verb === "release";
          const result = await subscriptions.report(id, token, {
            wake,
            generation,
            acks: isReleased
              ? []
              : acks.map(({ stream: path, offset }) => ({
                  path,
                  offset: readAck(offset, options.areas.kernel.findings.epoch),
                })),
            isDone: isReleased || done,
          });
          // An invalid token counts against the peer.
          if (result.kind === "unknown") options.areas.people.attempts.recordInvalidCredential(c.env.peer);
          const wakesAgain = checkReport(result);
          return isReleased ? emptyAnswer(204) : answer({ ok: true, next_wake: wakesAgain });
        }),
    });
  }
};

const VERBS = {
  callback: "Reports what was processed, after a webhook",
  ack: "Reports what was processed, after a claim",
  release: "Releases a claim",
} as const;

const readAck = (text: string, epoch: string): number => {
  const offset = parseOffset(text, epoch);
  if (offset === "stale")
    throw new ControlError(400, "INVALID_OFFSET", "This offset is from before the house was restored.");
  if (offset === undefined) throw new ControlError(400, "INVALID_OFFSET", "This is not a valid offset.");
  return offset;
};

const checkReport = (result: ReportResult): boolean => {
  switch (result.kind) {
    case "taken":
      return result.wakesAgain;
    case "unknown":
      throw new ControlError(401, "INVALID_TOKEN", "This token belongs to no wake of this subscription.");
    case "fenced":
      throw new ControlError(409, "FENCED", "This wake is over, or a newer one has begun.");
    case "no-such-offset":
      throw new ControlError(
        400,
        "INVALID_OFFSET",
        `${result.path} is not part of the subscription, or has not come to this offset.`,
      );
  }
};
