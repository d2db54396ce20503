/** Schemas and errors of subscriptions. The protocol has its own error codes. */
import {
  formatOffset,
  matchesPattern,
  DEFAULT_LEASE_MS,
  MAX_EXPLICIT_LINKS,
  findWebhookUrlProblem,
} from "../../kernel/lazy.ts";
import type { Subscription, SubscriptionConfig } from "../../kernel/index.ts";
import { checkJson, type HouseId } from "@hearth/protocol";
import type { Context } from "hono";
import { z } from "zod";
import { answer } from "../answer.ts";
import { readText } from "../body.ts";
import { checkOwnPath, pathInHouse } from "./durable-path.ts";
import type { Env } from "../env.ts";
import type { DurableOptions } from "./durable-route.ts";

export const SubscriptionName = z.string().regex(/^[\w.~-]{1,200}$/, "is not a subscription id");
const Path = z.string().min(1).max(500);
const Paths = z.array(Path).max(MAX_EXPLICIT_LINKS);

export const PutSubscription = z
  .object({
    type: z.enum(["webhook", "pull-wake"]),
    pattern: Path.optional(),
    streams: Paths.default([]),
    webhook: z.object({ url: z.string().max(2000) }).optional(),
    wake_stream: Path.optional(),
    lease_ttl_ms: z.int().min(1_000).max(600_000).default(DEFAULT_LEASE_MS),
    description: z.string().max(1000).optional(),
  })
  .refine(({ pattern, streams }) => pattern !== undefined || streams.length > 0, "names no stream: pattern or streams");
export const AddStreams = z.object({ streams: Paths.min(1) });
export const ClaimSubscription = z.object({ worker: z.string().min(1).max(200) });
export const WakeReport = z.object({
  wake_id: z.string().max(100),
  generation: z.int().nonnegative(),
  acks: z
    .array(z.object({ stream: Path, offset: z.string().max(100) }))
    .max(10_000)
    .default([]),
  done: z.boolean().default(false),
});

/** An error with a code of the protocol. */
export class ControlError extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(status: number, code: string, message: string, details: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = details;
  }
}

/** Converts the protocol's errors to responses, and rethrows any other error. */
export const answerControlErrors = async (work: () => Promise<Response>): Promise<Response> => {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ControlError)) throw error;
    const { status, code, message, details } = error;
    return answer({ error: { code, message, ...details } }, status);
  }
};

export const parseInput = <Schema extends z.ZodType>(schema: Schema, value: unknown): z.infer<Schema> => {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new ControlError(
    400,
    "INVALID_REQUEST",
    `${issue?.path.join(".") ?? ""} ${issue?.message ?? "is wrong"}`.trim(),
  );
};

export const bodyOf = async (c: Context<Env>, { areas }: DurableOptions): Promise<unknown> => {
  const text = await readText(c.req.raw, "application/json", areas.kernel.world.clock);
  checkJson(text);
  try {
    return JSON.parse(text);
  } catch {
    throw new ControlError(400, "INVALID_REQUEST", "The body is not valid JSON.");
  }
};

/** Normalises a requested configuration. */
export const toConfig = (
  request: z.infer<typeof PutSubscription>,
  house: HouseId,
  allowsLoopback: boolean,
): SubscriptionConfig => {
  const { type, pattern, webhook, wake_stream: wakeStream, lease_ttl_ms: leaseMs, description } = request;
  const baseConfig = {
    ...(pattern === undefined ? {} : { pattern }),
    streams: [...new Set(request.streams.map((path) => pathInHouse(path, house)))].sort(),
    leaseMs,
    ...(description === undefined ? {} : { description }),
  };
  if (type === "webhook") {
    if (webhook === undefined) throw new ControlError(400, "INVALID_REQUEST", "webhook.url is missing.");
    const problem = findWebhookUrlProblem(webhook.url, { allowsLoopback });
    if (problem !== undefined) throw new ControlError(400, "WEBHOOK_URL_REJECTED", `webhook.url ${problem}.`);
    return { type, url: webhook.url, ...baseConfig };
  }
  if (wakeStream === undefined) throw new ControlError(400, "INVALID_REQUEST", "wake_stream is missing.");
  const config = { type, wakeStream: checkOwnPath(wakeStream), ...baseConfig };
  checkWakeStream(config, baseConfig.streams);
  return config;
};

/** Throws if the wake stream is one of the subscribed streams. */
export const checkWakeStream = (config: SubscriptionConfig, paths: readonly string[]): void => {
  if (config.type !== "pull-wake") return;
  const { pattern, wakeStream } = config;
  if (paths.includes(wakeStream) || (pattern !== undefined && matchesPattern(pattern, wakeStream)))
    throw new ControlError(400, "INVALID_REQUEST", "The wake stream is one of the subscribed streams.");
};

export const showSubscription = async (
  { durable, areas }: DurableOptions,
  { id, config, links, createdAt, isFailing }: Subscription,
): Promise<object> => ({
  id,
  subscription_id: id,
  type: config.type,
  pattern: config.pattern ?? null,
  streams: links.map((link) => ({
    path: link.path,
    link_type: link.kind,
    acked_offset: formatOffset(link.acked, areas.kernel.findings.epoch),
  })),
  ...(config.type === "webhook"
    ? {
        webhook: {
          url: config.url,
          signing: {
            alg: "ed25519",
            kid: await durable.signing.keyId(),
            jwks_url: `${durable.root()}/__ds/jwks.json`,
          },
        },
        wake_stream: null,
      }
    : { wake_stream: config.wakeStream }),
  lease_ttl_ms: config.leaseMs,
  created_at: new Date(createdAt).toISOString(),
  status: isFailing ? "failed" : "active",
  ...(config.description === undefined ? {} : { description: config.description }),
});
