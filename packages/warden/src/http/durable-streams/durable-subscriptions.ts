/**
 * Subscriptions to streams under `/v1/stream/__ds/`, which wake workers when streams grow. Names
 * are those of the protocol.
 */
import { showLinks, MAX_EXPLICIT_LINKS, MAX_SUBSCRIPTIONS } from "../../kernel/lazy.ts";
import type { Subscription, SubscriptionConfig, Subscriptions } from "../../kernel/index.ts";
import { requireNoExpiry } from "../../people/lazy.ts";
import type { HouseId } from "@hearth/protocol";
import type { Method } from "@hearth/protocol/operations";
import type { Context } from "hono";
import { z } from "zod";
import { answer, emptyAnswer } from "../answer.ts";
import {
  AddStreams,
  bodyOf,
  checkWakeStream,
  ClaimSubscription,
  answerControlErrors,
  ControlError,
  parseInput,
  PutSubscription,
  showSubscription,
  SubscriptionName,
  toConfig,
} from "./durable-control.ts";
import { pathInHouse, STREAM_ROOT } from "./durable-path.ts";
import { houseOf, addRoute } from "./durable-route.ts";
import type { Env } from "../env.ts";
import type { DurableOptions } from "./durable-route.ts";
import type { App } from "../routes/route.ts";

export const subscriptionRoutes = (app: App, options: DurableOptions): void => {
  for (const scope of ["house {house}", "own house"] as const) {
    const routes = scopedRoutes(app, options, scope);
    putSubscription(routes);
    getSubscription(routes);
    removeSubscription(routes);
    linkStreams(routes);
    unlinkStream(routes);
    claimWake(routes);
  }
};

/** The routes for the caller's own house or for one that the path names, and what they share. */
interface ScopedRoutes {
  readonly options: DurableOptions;
  readonly subscriptions: Subscriptions;
  /**
   * Adds a route below the subscription's path. Its operation has the verb as id, or `verbOfHouse`
   * when the path names the house.
   */
  add(route: {
    readonly method: Method;
    readonly below?: "/streams" | "/streams/{path}" | "/claim";
    readonly verb: string;
    readonly about: Omit<Parameters<typeof addRoute>[4]["about"], "id" | "needs">;
    readonly handle: (c: Context<Env>) => Promise<Response>;
  }): void;
  idOf(c: Context<Env>): string;
  /** Returns the subscription in the path, if the caller may change it. */
  requireSubscription(c: Context<Env>): Promise<Subscription>;
  /**
   * Throws unless the caller may change a subscription of this type. Only administrators choose
   * webhook targets, because a webhook sends data out of the house.
   */
  requireChange(c: Context<Env>, house: HouseId, type: SubscriptionConfig["type"]): Promise<void>;
}

const scopedRoutes = (app: App, options: DurableOptions, scope: "house {house}" | "own house"): ScopedRoutes => {
  const { access, durable } = options;
  const { subscriptions } = durable;
  const isNamed = scope !== "own house";
  const root = `${STREAM_ROOT}/${isNamed ? "houses/{house}/" : ""}__ds/subscriptions/{id}` as const;
  const params = z.object({ ...(isNamed ? { house: z.string() } : {}), id: SubscriptionName });
  const idOf: ScopedRoutes["idOf"] = (c) => parseInput(SubscriptionName, c.req.param("id"));

  const requireChange: ScopedRoutes["requireChange"] = async (c, house, type) => {
    if (type === "webhook") await access.require(c.env.principal, "x", house);
  };

  return {
    options,
    subscriptions,
    idOf,
    requireChange,

    add({ method, below = "", verb, about, handle }) {
      addRoute(app, options, method, `${root}${below}`, {
        about: { ...about, id: `${verb}${isNamed ? "OfHouse" : ""}`, needs: `w on ${scope}` },
        params: below === "/streams/{path}" ? params.extend({ path: z.string() }) : params,
        handle: (c) => answerControlErrors(() => handle(c)),
      });
    },

    async requireSubscription(c) {
      const house = await houseOf(options, c);
      const subscription = await subscriptions.get(house, idOf(c));
      if (subscription === undefined) throw subscriptionNotFoundError();
      await requireChange(c, house, subscription.config.type);
      return subscription;
    },
  };
};

const putSubscription = ({ options, subscriptions, add, idOf, requireChange }: ScopedRoutes): void =>
  add({
    method: "PUT",
    verb: "putSubscription",
    about: {
      summary: "Subscribes to streams",
      description: "`webhook` needs `x` on the house. Repeating the request changes nothing.",
      answers: { status: 201, text: "JSON, as the protocol specifies." },
      otherwise: { status: 200, text: "The subscription exists with this configuration." },
      errors: ["grant.exceeds", "stream.differs", "stream.limit"],
    },
    async handle(c) {
      requireNoExpiry(c.env.principal);
      const house = await houseOf(options, c);
      const body = parseInput(PutSubscription, await bodyOf(c, options));
      await requireChange(c, house, body.type);
      const config = toConfig(body, house, options.durable.allowsLoopback);
      const result = await subscriptions.put(house, idOf(c), c.env.principal.agent, config);
      switch (result.kind) {
        case "created":
          return answer(await showSubscription(options, result.subscription), 201);
        case "known":
          return answer(await showSubscription(options, result.subscription));
        case "differs":
          throw new ControlError(
            409,
            "CONFIG_MISMATCH",
            "A subscription with this id exists with another configuration.",
          );
        case "full":
          throw new ControlError(429, "TOO_MANY", `A house has at most ${MAX_SUBSCRIPTIONS} subscriptions.`);
      }
    },
  });

const getSubscription = ({ options, add, requireSubscription }: ScopedRoutes): void =>
  add({
    method: "GET",
    verb: "getSubscription",
    about: {
      summary: "Shows a subscription",
      answers: { status: 200, text: "JSON, as the protocol specifies." },
    },
    handle: async (c) => answer(await showSubscription(options, await requireSubscription(c))),
  });

const removeSubscription = ({ subscriptions, add, requireSubscription }: ScopedRoutes): void =>
  add({
    method: "DELETE",
    verb: "removeSubscription",
    about: { summary: "Ends a subscription", answers: { status: 204 } },
    async handle(c) {
      const { house, id } = await requireSubscription(c);
      await subscriptions.remove(house, id);
      return emptyAnswer(204);
    },
  });

const linkStreams = ({ options, subscriptions, add, requireSubscription }: ScopedRoutes): void =>
  add({
    method: "POST",
    below: "/streams",
    verb: "linkStreams",
    about: { summary: "Adds streams to a subscription", answers: { status: 204 } },
    async handle(c) {
      requireNoExpiry(c.env.principal);
      const { house, id, config } = await requireSubscription(c);
      const { streams } = parseInput(AddStreams, await bodyOf(c, options));
      const paths = streams.map((path) => pathInHouse(path, house));
      checkWakeStream(config, paths);
      if ((await subscriptions.link(house, id, paths)) === "full")
        throw new ControlError(429, "TOO_MANY", `A subscription names at most ${MAX_EXPLICIT_LINKS} streams.`);
      return emptyAnswer(204);
    },
  });

const unlinkStream = ({ subscriptions, add, requireSubscription }: ScopedRoutes): void =>
  add({
    method: "DELETE",
    below: "/streams/{path}",
    verb: "unlinkStream",
    about: { summary: "Removes a stream from a subscription", answers: { status: 204 } },
    async handle(c) {
      const { house, id } = await requireSubscription(c);
      await subscriptions.unlink(house, id, pathInHouse(c.req.param("path") ?? "", house));
      return emptyAnswer(204);
    },
  });

const claimWake = ({ options, subscriptions, add, requireSubscription }: ScopedRoutes): void =>
  add({
    method: "POST",
    below: "/claim",
    verb: "claimWake",
    about: {
      summary: "Claims a wake for one worker",
      answers: { status: 200, text: "JSON, as the protocol specifies." },
    },
    async handle(c) {
      const { house, id } = await requireSubscription(c);
      const { worker } = parseInput(ClaimSubscription, await bodyOf(c, options));
      const result = await subscriptions.claim(house, id, worker);
      switch (result.kind) {
        case "claimed": {
          const { wake } = result;
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
            current_holder: result.holder,
            generation: result.generation,
          });
        case "idle":
          throw new ControlError(409, "NOTHING_PENDING", "There is nothing to process.");
        case "not-claimed":
          throw new ControlError(400, "NOT_PULL_WAKE", "This subscription calls its webhook, so it cannot be claimed.");
        case "absent":
          throw subscriptionNotFoundError();
      }
    },
  });

const subscriptionNotFoundError = (): ControlError =>
  new ControlError(404, "NOT_FOUND", "There is no such subscription.");
