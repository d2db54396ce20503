/** How one exchange ends: its connection, its line in the ledger, and its failures. */
import { describe, expect, test } from "bun:test";
import { type AgentRecord, type EgressEntry, HearthError, isHearthError } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { AGENT, TURN } from "../../fixtures/egress.ts";
import { createByteReader } from "./byte-reader.ts";
import { createExchange, type OutgoingRequest } from "./exchange.ts";
import { fromLatin1, toLatin1 } from "./head.ts";
import { createInFlightCalls } from "./in-flight.ts";
import { type EgressSecrets, noSecrets, type Redactor } from "./secrets.ts";
import { createGrantUsage } from "./grant-usage.ts";

const caller = { agent: AGENT, activation: TURN, signal: new AbortController().signal };
const agent = { id: AGENT, handle: "main", content: { egress: [{ host: "a.example" }] } } as unknown as AgentRecord;
const GET: OutgoingRequest = {
  ...{ origin: { scheme: "http", host: "a.example", port: 80 }, method: "GET", path: { path: "/", query: "" } },
  headers: [],
};
const OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi";

/** An exchange over one line whose upstream sends `answer`. */
const start = (
  answer: string | readonly string[],
  over: { readonly secrets?: EgressSecrets; readonly ends?: Promise<void> } = {},
) => {
  const world = createFakeWorld({ hash: () => "" });
  const entries: EgressEntry[] = [];
  let dropped = 0;
  const exchange = createExchange({
    ...{ world, secrets: over.secrets ?? noSecrets, ownHosts: new Map(), inFlight: createInFlightCalls() },
    ledger: {
      begin: async () => {},
      async end(entry) {
        await over.ends;
        entries.push(entry);
      },
      refuse: async (entry) => void entries.push(entry),
      readUsage: () => Promise.reject(new Error("never")),
      list: async () => [],
    },
    grantUsage: createGrantUsage({ list: async () => [] }),
    agentOf: async () => agent,
    async pass(_effect, begin) {
      await begin();
      return "allowed";
    },
  });
  const line = {
    connect: async () => ({
      reader: createByteReader(
        (async function* () {
          for (const piece of [answer].flat()) yield fromLatin1(piece);
        })(),
      ),
      write: async () => {},
    }),
    drop: () => void (dropped += 1),
  };
  return {
    exchange: (outgoing: OutgoingRequest) => exchange(outgoing, caller, line),
    entries,
    dropped: () => dropped,
    world,
  };
};
const readAll = async (pieces: AsyncIterable<Uint8Array>): Promise<string> =>
  (await Array.fromAsync(pieces)).map(toLatin1).join("");

describe("the connection of an exchange", () => {
  test("is kept after a response that was read to its end", async () => {
    const { exchange, dropped, entries } = start(OK);
    const answer = await exchange(GET);
    expect(await readAll(answer.body)).toBe("hi");
    await answer.close();
    await answer.close();
    expect([dropped(), entries.map(({ outcome, why }) => [outcome, why])]).toEqual([0, [["allowed", undefined]]]);
  });

  test("is dropped after a response that was not read to its end, or that is the last one", async () => {
    const unread = start(OK);
    await (await unread.exchange(GET)).close();
    expect(unread.dropped()).toBe(1);
    // The body has not even arrived.
    const early = start(OK.split("hi"));
    await (await early.exchange(GET)).close();
    expect(early.dropped()).toBe(1);
    const empty = start("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
    await (await empty.exchange(GET)).close();
    expect(empty.dropped()).toBe(1);
  });

  test("is dropped after a failure, but not after a refusal before it was used", async () => {
    const failed = start("HTTP/1.1 101 Switching\r\n\r\n");
    await expect(failed.exchange(GET)).rejects.toThrow("switched to another protocol");
    expect(failed.dropped()).toBe(1);
    const refused = start(OK);
    const elsewhere = { ...GET, origin: { ...GET.origin, host: "b.example" } };
    await expect(refused.exchange(elsewhere)).rejects.toThrow("no grant for b.example");
    expect(refused.dropped()).toBe(0);
  });
});

describe("the ledger's line of an exchange", () => {
  test.each([
    ["a failure", "HTTP/1.1 101 Switching\r\n\r\n"],
    ["a response", OK],
  ])("is durable when the caller learns of the end: %s", async (_what, answer) => {
    const gate = Promise.withResolvers<void>();
    const { exchange, entries, world } = start(answer, { ends: gate.promise });
    let isOver = false;
    const ended = exchange(GET)
      .then(({ close }) => close())
      .catch(() => {})
      .then(() => (isOver = true));
    for (let turn = 0; turn < 5; turn += 1) await world.clock.turn();
    expect([isOver, entries.length]).toEqual([false, 0]);
    gate.resolve();
    await ended;
    expect(entries.length).toBe(1);
  });

  test("has the path without more than 1000 characters", async () => {
    const { exchange, entries } = start(OK);
    await (await exchange({ ...GET, path: { path: `/${"a".repeat(2000)}`, query: "" } })).close();
    expect(entries[0]?.path?.length).toBe(1000);
  });
});

describe("a failure of an exchange", () => {
  const failing = (error: unknown) => ({ ...noSecrets, injectionsFor: () => Promise.reject(error) });
  const failureOf = async (error: unknown) => {
    const { exchange, entries } = start(OK, { secrets: failing(error) });
    const failure: unknown = await exchange(GET).catch((thrown: unknown) => thrown);
    if (!isHearthError(failure)) throw failure;
    expect(entries).toMatchObject([{ outcome: "failed", why: failure.message }]);
    return [failure.code, failure.message];
  };

  test("is one of egress, with a message that says what failed", async () => {
    expect(await failureOf(new HearthError("egress.malformed", "Two lengths."))).toEqual([
      ...["egress.malformed", "Two lengths."],
    ]);
    expect(await failureOf(new HearthError("cell.lost", "The cell is gone."))).toEqual([
      ...["egress.failed", "The client closed the connection."],
    ]);
    expect(await failureOf(new HearthError("store.damaged", "A row is damaged."))).toEqual([
      ...["egress.failed", "A row is damaged."],
    ]);
    expect(await failureOf(new TypeError("no such thing"))).toEqual(["egress.failed", "The connection broke."]);
  });
});

describe("a response to an agent with secrets", () => {
  const redactor: Redactor = { push: (bytes) => bytes, end: () => new Uint8Array() };
  const secrets: EgressSecrets = { ...noSecrets, redactorFor: async () => () => redactor };

  test("with a body is sent in chunks, because removing secrets changes its length", async () => {
    expect((await start(OK, { secrets }).exchange(GET)).framing).toEqual({ kind: "chunked" });
    expect((await start(OK).exchange(GET)).framing).toEqual({ kind: "length", size: 2 });
    const none = "HTTP/1.1 204 No Content\r\n\r\n";
    for (const over of [{ secrets }, {}]) expect((await start(none, over).exchange(GET)).framing.kind).toBe("none");
  });

  test("may name a coding if it has no body", async () => {
    const packed = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\n";
    expect((await start(packed, { secrets }).exchange({ ...GET, method: "HEAD" })).status).toBe(200);
    await expect(start(`${packed}hi`, { secrets }).exchange(GET)).rejects.toThrow("The response is compressed");
  });
});
