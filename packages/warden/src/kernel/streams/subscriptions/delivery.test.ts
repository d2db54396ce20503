import { expect, test } from "bun:test";
import type { AgentId, HouseId } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createDelivery, showLinks } from "./delivery.ts";
import type { LinkState, Subscription, Wake } from "./subscriptions.ts";

const subscription: Subscription = {
  ...{ house: "house_1" as HouseId, id: "a/b", owner: "agent_1" as AgentId, links: [], createdAt: 0, isFailing: false },
  config: { type: "webhook", url: "https://far.example/hook", streams: [], leaseMs: 1000 } as Subscription["config"],
};
const wake: Wake = { id: "w_1", generation: 2, token: "token", links: [], leaseMs: 1000 };

const deliverWith = (answer: (signal: AbortSignal | undefined) => Promise<Response>) => {
  const calls: { readonly url: string; readonly init: RequestInit }[] = [];
  const world = createFakeWorld({
    hash: () => "",
    async fetch(input, init = {}) {
      if (typeof input !== "string") throw new TypeError("a webhook is called by its URL");
      calls.push({ url: input, init });
      return answer(init.signal ?? undefined);
    },
  });
  const deliver = createDelivery({
    ...{ world, root: () => "https://house.example/v1/stream" },
    bytes: { append: () => Promise.reject(new Error("never")) },
    signing: { sign: async (body: string) => `signed ${body.length}` } as never,
  });
  return { calls, world, deliver };
};
const outcomeOf = (answer: () => Response): Promise<string> =>
  deliverWith(async () => answer()).deliver(subscription, wake, new AbortController().signal);

test.each([
  ['{"done":true}', 200, "done"],
  ['{"done":true}', 500, "failed"],
  ['{"done":true}', 302, "failed"],
  ['{"done":false}', 200, "notified"],
  ['{"done":1}', 200, "notified"],
  ["{}", 200, "notified"],
  ["null", 200, "notified"],
  ["[]", 200, "notified"],
  ["true", 200, "notified"],
  ["not JSON", 200, "notified"],
  ["", 200, "notified"],
])("an answer %s with status %p counts as %p", async (body, status, expected) => {
  expect(await outcomeOf(() => new Response(body, { status }))).toBe(expected);
});

test("an answer of more than 4 KiB is not read", async () => {
  const sized = (size: number) => '{"done":true}'.padEnd(size, " ");
  expect(await outcomeOf(() => new Response(sized(4096)))).toBe("done");
  expect(await outcomeOf(() => new Response(sized(4097)))).toBe("notified");
});

test("a notification is one signed request with the place to report to", async () => {
  const { calls, deliver } = deliverWith(async () => new Response("{}"));
  expect(await deliver(subscription, wake, new AbortController().signal)).toBe("notified");
  const [call] = calls;
  const body = call?.init.body;
  if (typeof body !== "string") throw new TypeError("a notification is text");
  expect(JSON.parse(body)).toEqual({
    ...{ subscription_id: "a/b", wake_id: "w_1", generation: 2, streams: [], callback_token: "token" },
    callback_url: "https://house.example/v1/stream/__ds/subscriptions/a%2Fb/callback",
  });
  expect([calls.length, call?.url, call?.init.redirect]).toEqual([1, "https://far.example/hook", "manual"]);
  expect(call?.init.headers).toMatchObject({ "webhook-signature": `signed ${body.length}` });
});

test("a receiver that does not answer within 10 s failed, and its request is aborted", async () => {
  const signals: AbortSignal[] = [];
  const { world, deliver } = deliverWith((signal) => {
    if (signal !== undefined) signals.push(signal);
    return new Promise(() => {});
  });
  let outcome: string | undefined;
  const delivered = deliver(subscription, wake, new AbortController().signal).then((said) => (outcome = said));
  await world.clock.turn();
  await world.advance(9999);
  expect([outcome, signals.map(({ aborted }) => aborted)]).toEqual([undefined, [false]]);
  await world.advance(1);
  await delivered;
  expect([outcome, signals.map(({ aborted }) => aborted)]).toEqual(["failed", [true]]);
});

test("a link has unprocessed content while its end is behind the stream's", () => {
  const link = (acked: number, tail: number): LinkState => ({ path: "a", kind: "glob", acked, tail });
  const shown = showLinks([link(0, 0), link(1, 2), link(2, 2)]);
  expect(shown.map((row) => row.has_pending)).toEqual([false, true, false]);
  expect(shown[1]).toMatchObject({ path: "a", link_type: "glob", acked_offset: expect.stringMatching(/^0{15}1_/) });
});
