/**
 * Subscriptions to streams under `/v1/stream/__ds/`, which wake workers when streams grow. Names
 * are those of the protocol.
 */
import { showLinks, MAX_NAMED, MAX_SUBSCRIPTIONS } from "../../kernel/lazy.ts";
import type { Subscription, SubscriptionConfig } from "../../kernel/index.ts";
import { requireLasting } from "../../people/lazy.ts";
import type { HouseId } from "@hearth/protocol";
import type { Context } from "hono";
import { z } from "zod";
import { answer, emptyAnswer } from "../answer.ts";
import {
  AddStreams,
  bodyOf,
  checkWakeStream,
  ClaimSubscription,
  complaining,
  ControlError,
  parsed,
  PutSubscription,
  showSubscription,
  SubscriptionName,
  toConfig,
} from "./durable-control.ts";
import { pathInHouse, STREAM_ROOT } from "./durable-path.ts";
import { houseOf, put } from "./durable-route.ts";
import type { Env } from "../env.ts";
import type { DurableOptions } from "./durable-route.ts";
import type { App } from "../routes/route.ts";

export const subscriptionRoutes = (app: App, options: DurableOptions): void => {
  for (const scope of ["house {house}", "own house"] as const) scopedRoutes(app, options, scope);
};

const scopedRoutes = (app: App, options: DurableOptions, scope: "house {house}" | "own house"): void => {
  const { access, durable } = options;
  const { subscriptions } = durable;
  const isNamed = scope !== "own house";
  const root = `${STREAM_ROOT}/${isNamed ? "houses/{house}/" : ""}__ds/subscriptions/{id}`;
  const params = z.object({ ...(isNamed ? { house: z.string() } : {}), id: SubscriptionName });
  const needs = `w on ${scope}` as const;
  const name = (verb: string): string => `${verb}${isNamed ? "OfHouse" : ""}`;
  const idOf = (c: Context<Env>): string => parsed(SubscriptionName, c.req.param("id"));

  /** Only administrators choose webhook targets, because a webhook sends data out of the house. */
  const mayChange = async (c: Context<Env>, house: HouseId, type: SubscriptionConfig["type"]): Promise<void> => {
    if (type === "webhook") await access.require(c.env.principal, "x", house);
  };
  const known = async (c: Context<Env>): Promise<Subscription> => {
    const house = await houseOf(options, c);
    const subscription = await subscriptions.get(house, idOf(c));
    if (subscription === undefined) throw new ControlError(404, "NOT_FOUND", "There is no such subscription.");
    await mayChange(c, house, subscription.config.type);
    return subscription;
  };
  const show = (subscription: Subscription): Promise<object> => showSubscription(options, subscription);

  put(app, options, "PUT", root, {
    about: {
      id: name("putSubscription"),
      needs,
      summary: "Subscribes to streams",
      description: "`webhook` needs `x` on the house. Repeating the request changes nothing.",
      answers: { status: 201, text: "JSON, as the protocol specifies." },
      otherwise: { status: 200, text: "The subscription exists with this configuration." },
      errors: ["grant.exceeds", "stream.differs", "stream.limit"],
    },
    params,
    handle: (c) =>
      complaining(async () => {
        requireLasting(c.env.principal);
        const house = await houseOf(options, c);
        const body = parsed(PutSubscription, await bodyOf(c, options));
        await mayChange(c, house, body.type);
        const config = toConfig(body, house, durable.allowsLoopback);
        const subscribed = await subscriptions.put(house, idOf(c), c.env.principal.agent, config);
        switch (subscribed.kind) {
          case "created":
            return answer(await show(subscribed.subscription), 201);
          case "known":
            return answer(await show(subscribed.subscription));
          case "differs":
            throw new ControlError(
              409,
              "CONFIG_MISMATCH",
              "A subscription with this id exists with another configuration.",
            );
          case "full":
            throw new ControlError(429, "TOO_MANY", `A house has at most ${MAX_SUBSCRIPTIONS} subscriptions.`);
        }
      }),
  });

  put(app, options, "GET", root, {
    about: {
      id: name("getSubscription"),
      needs,
      summary: "Shows a subscription",
      answers: { status: 200, text: "JSON, as the protocol specifies." },
    },
    params,
    handle: (c) => complaining(async () => answer(await show(await known(c)))),
  });

  put(app, options, "DELETE", root, {
    about: { id: name("removeSubscription"), needs, summary: "Ends a subscription", answers: { status: 204 } },
    params,
    handle: (c) =>
      complaining(async () => {
        const { house, id } = await known(c);
        await subscriptions.remove(house, id);
        return emptyAnswer(204);
      }),
  });

  put(app, options, "POST", `${root}/streams`, {
    about: { id: name("linkStreams"), needs, summary: "Adds streams to a subscription", answers: { status: 204 } },
    params,
    handle: (c) =>
      complaining(async () => {
        requireLasting(c.env.principal);
        const { house, id, config } = await known(c);
        const { streams } = parsed(AddStreams, await bodyOf(c, options));
        const paths = streams.map((path) => pathInHouse(path, house));
        checkWakeStream(config, paths);
        if ((await subscriptions.link(house, id, paths)) === "full")
          throw new ControlError(429, "TOO_MANY", `A subscription names at most ${MAX_NAMED} streams.`);
        return emptyAnswer(204);
      }),
  });

  put(app, options, "DELETE", `${root}/streams/{path}`, {
    about: {
      id: name("unlinkStream"),
      needs,
      summary: "Removes a stream from a subscription",
      answers: { status: 204 },
    },
    params: params.extend({ path: z.string() }),
    handle: (c) =>
      complaining(async () => {
        const { house, id } = await known(c);
        await subscriptions.unlink(house, id, pathInHouse(c.req.param("path") ?? "", house));
        return emptyAnswer(204);
      }),
  });

  put(app, options, "POST", `${root}/claim`, {
    about: {
      id: name("claimWake"),
      needs,
      summary: "Claims a wake for one worker",
      answers: { status: 200, text: "JSON, as the protocol specifies." },
    },
    params,
    handle: (c) =>
      complaining(async () => {
        const { house, id } = await known(c);
        const { worker } = parsed(ClaimSubscription, await bodyOf(c, options));
        const claimed = await subscriptions.claim(house, id, worker);
        switch (claimed.kind) {
          case "claimed": {
            const { wake } = claimed;
            return answer({
              wake_id: wake.id,
              generation: wake.generation,
              token: wake.token,
              streams: showLinks(wake.links, options.areas.kernel.findings.epoch),
              lease_ttl_ms: wake.leaseMs,
            });
          }
          case "held":
            throw new ControlError(409, "ALREADY_CLAIMED", "Another worker has claimed it.", {
              current_holder: claimed.holder,
              generation: claimed.generation,
            });
          case "idle":
            throw new ControlError(409, "NOTHING_PENDING", "There is nothing to process.");
          case "not-claimed":
            throw new ControlError(
              400,
              "NOT_PULL_WAKE",
              "This subscription calls its webhook, so it cannot be claimed.",
            );
          case "absent":
            throw new ControlError(404, "NOT_FOUND", "There is no such subscription.");
        }
      }),
  });
};
