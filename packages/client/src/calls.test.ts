import { expect, test } from "bun:test";
import { type Fetch, isHearthError } from "@hearth/protocol";
import { allOperations, type Operation } from "@hearth/protocol/operations";
import { createClient } from "./client.ts";

/** Pages, checks of monitors, webhooks and the upgrade to a socket are not calls of a client. */
const NOT_CALLED = [
  ...["openapi", "docs", "health", "metrics", "readiness", "home", "showLogin", "logOut", "socket"],
  ...["receiveWebhook", "callJobHook", "startOidc", "finishOidc"],
  // `send` adds parts once its upload has begun.
  "appendToUpload",
  // A page names its address.
  "readSmallPicture",
];

/** Matches the operation's paths with arguments of this test. */
const patternOf = ({ method, path }: Operation): RegExp =>
  new RegExp(`^${method} ${path.replaceAll(".", "\\.").replace(/\{\w+\}/g, "(?:house|room)_x")}$`);

/** Calls every method of an object, and of the objects that methods return. */
const callAll = async (object: object): Promise<void> => {
  for (const [method, member] of Object.entries(object)) {
    // Followers read the streams that the methods for pages read.
    if (method.startsWith("follow")) continue;
    if (typeof member !== "function") {
      await callAll(member);
      continue;
    }
    for (const name of ["house_x", "room_x"]) {
      try {
        const result: unknown = await member(name, name, name, name);
        if (typeof result === "object" && result !== null && Symbol.asyncIterator in result) {
          for await (const _ of result as AsyncIterable<unknown>) break;
        } else if (typeof result === "object" && result !== null) await callAll(result);
      } catch (error) {
        if (!isHearthError(error, "record.not-found")) throw error;
      }
    }
  }
};

test("the client has a method for every operation that it can call", async () => {
  const seen = new Set<string>();
  const refuse: Fetch = async (url, init) => {
    seen.add(`${init?.method} ${new URL(url instanceof Request ? url.url : url).pathname}`);
    return Response.json({ error: { code: "record.not-found", message: "It does not exist." } }, { status: 404 });
  };
  await callAll(createClient({ baseUrl: "http://127.0.0.1:1", fetch: refuse, sleep: () => Promise.resolve() }));
  const called = (operation: Operation): boolean => [...seen].some((request) => patternOf(operation).test(request));
  const missing = allOperations.filter((operation) => !called(operation)).map(({ id }) => id);
  expect(missing.toSorted()).toEqual(NOT_CALLED.toSorted());
  const isDeclared = (request: string): boolean =>
    allOperations.some((operation) => patternOf(operation).test(request));
  expect([...seen].filter((request) => !isDeclared(request))).toEqual([]);
});
