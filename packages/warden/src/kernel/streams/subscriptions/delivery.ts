/** Delivers one notification of a wake: a signed request, or an event in the wake stream. */
import type { World } from "@hearth/protocol";
import { formatOffset } from "../bytes/offset.ts";
import type { ByteStreams } from "../bytes/byte-streams.ts";
import type { Signing } from "./signing.ts";
import { hasPending } from "./links.ts";
import type { LinkState, Subscription, Wake } from "./subscriptions.ts";

/** The outcome of a delivery. `done` means that the receiver has processed everything. */
export type DeliveryOutcome = "notified" | "done" | "failed";

/** Maximum time that a webhook takes to answer. */
const TIMEOUT_MS = 10_000;
/** Maximum size of an answer. The only relevant one is `{"done": true}`. */
const MAX_ANSWER_SIZE = 4 * 1024;

export type Deliver = (subscription: Subscription, wake: Wake, signal: AbortSignal) => Promise<DeliveryOutcome>;

export const createDelivery = (options: {
  readonly world: Pick<World, "clock" | "fetch">;
  readonly bytes: Pick<ByteStreams, "append">;
  readonly signing: Signing;
  /** The base URL of the house's streams. */
  readonly root: () => string;
  /** The epoch that is added to every offset sent. */
  readonly epoch?: string;
}): Deliver => {
  const { world, bytes, signing, root, epoch } = options;

  const send = async (url: string, body: string, signal: AbortSignal): Promise<DeliveryOutcome> => {
    try {
      const response = await world.fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json", "webhook-signature": await signing.sign(body) },
        body,
        // A redirect's target has not been checked.
        redirect: "manual",
        signal,
      });
      if (!response.ok) return "failed";
      return isDoneReply(await readLimited(response)) ? "done" : "notified";
    } catch {
      return "failed";
    }
  };

  const call = async (url: string, id: string, wake: Wake, signal: AbortSignal): Promise<DeliveryOutcome> => {
    const body = JSON.stringify({
      subscription_id: id,
      wake_id: wake.id,
      generation: wake.generation,
      streams: showLinks(wake.links, epoch),
      callback_url: `${root()}/__ds/subscriptions/${encodeURIComponent(id)}/callback`,
      callback_token: wake.token,
    });
    const controller = new AbortController();
    const linkedSignal = AbortSignal.any([signal, controller.signal]);
    try {
      const timeout = world.clock.sleep(TIMEOUT_MS, linkedSignal).then(() => "failed" as const);
      return await Promise.race([send(url, body, linkedSignal), timeout]);
    } finally {
      controller.abort();
    }
  };

  const write = async (
    subscription: Subscription,
    path: string,
    { generation, links }: Wake,
  ): Promise<DeliveryOutcome> => {
    const event = {
      type: "wake",
      subscription_id: subscription.id,
      stream: links.find(hasPending)?.path ?? null,
      generation,
      ts: world.clock.now(),
    };
    const { kind } = await bytes.append(
      { house: subscription.house, path },
      { bytes: new TextEncoder().encode(JSON.stringify(event)), contentType: "application/json", closes: false },
    );
    return kind === "appended" ? "notified" : "failed";
  };

  return (subscription, wake, signal) => {
    const { config, id } = subscription;
    return config.type === "webhook"
      ? call(config.url, id, wake, signal)
      : write(subscription, config.wakeStream, wake);
  };
};

/** Converts links to the form of the API. */
export const showLinks = (links: readonly LinkState[], epoch?: string) =>
  links.map((link) => ({
    path: link.path,
    link_type: link.kind,
    acked_offset: formatOffset(link.acked, epoch),
    tail_offset: formatOffset(link.tail, epoch),
    has_pending: hasPending(link),
  }));

const isDoneReply = (text: string): boolean => {
  try {
    const reply: unknown = JSON.parse(text);
    return typeof reply === "object" && reply !== null && "done" in reply && reply.done === true;
  } catch {
    return false;
  }
};

/** Reads an answer. An answer that is too long counts as empty. */
const readLimited = async ({ body }: Response): Promise<string> => {
  const decoder = new TextDecoder();
  let text = "";
  for await (const piece of body ?? []) {
    text += decoder.decode(piece, { stream: true });
    if (text.length > MAX_ANSWER_SIZE) return "";
  }
  return text;
};
