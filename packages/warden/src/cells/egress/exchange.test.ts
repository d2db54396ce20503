import { describe, expect, test } from "bun:test";
import { type AgentRecord, type EgressGrant, isHearthError } from "@hearth/protocol";
import { AGENT, createTestEgress, TURN } from "../../fixtures/egress.ts";
import { createExchange, type EgressEffect } from "./exchange.ts";
import { MAX_REFUSALS } from "./ledger.ts";
import { createGrantUsage, MAX_REQUESTS } from "./grant-usage.ts";
import { type EgressSecrets, noSecrets, type Redactor } from "./secrets.ts";
import { createInFlightCalls } from "./in-flight.ts";

const GRANTS: readonly EgressGrant[] = [{ host: "allowed.com" }];
const caller = { agent: AGENT, activation: TURN, signal: new AbortController().signal };
const codeOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => "done",
    (error: unknown) => (isHearthError(error) ? error.code : error),
  );
const sized = (text: string): string => `HTTP/1.1 200 OK\r\nContent-Length: ${text.length}\r\n\r\n${text}`;

describe("the ledger", () => {
  test("has a line for each request, with the same byte counts as the upstream", async () => {
    const { open, lines, upstream } = createTestEgress({
      grants: GRANTS,
      answer: ({ head }) =>
        head.startsWith("GET /c")
          ? "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"
          : sized("x".repeat(100_000)),
    });
    const cell = open();
    await cell.ask("GET http://allowed.com/a?secret=of-the-query HTTP/1.1\r\nHost: allowed.com\r\n\r\n");
    await cell.ask(
      `POST http://allowed.com/b HTTP/1.1\r\nHost: allowed.com\r\nContent-Length: 70000\r\n\r\n${"y".repeat(70_000)}`,
    );
    await cell.ask("GET http://allowed.com/c HTTP/1.1\r\nHost: allowed.com\r\n\r\n");
    const all = await lines();
    expect(all).toMatchObject([
      {
        agent: AGENT,
        activation: TURN,
        host: "allowed.com",
        port: 80,
        method: "GET",
        path: "/a",
        outcome: "allowed",
        status: 200,
      },
      { method: "POST", path: "/b", outcome: "allowed", secrets: [] },
      { method: "GET", path: "/c", outcome: "allowed" },
    ]);
    expect(all.map(({ sentBytes }) => sentBytes).reduce((a, b) => a + b)).toBe(upstream.receivedBytes());
    expect(all.map(({ receivedBytes }) => receivedBytes).reduce((a, b) => a + b)).toBe(upstream.sentBytes());
    expect(all[1]?.sentBytes).toBeGreaterThan(70_000);
  });

  test("records a request without a response as failed, with the reason", async () => {
    const { egress, lines } = createTestEgress({ grants: GRANTS, answer: () => undefined });
    expect(await codeOf(egress.fetch({ url: "http://allowed.com/" }, caller))).toBe("egress.failed");
    expect(await lines()).toMatchObject([
      { outcome: "failed", why: "The upstream closed the connection without a response." },
    ]);
  });

  test("keeps a limited number of refusals per turn, and every allowed request", async () => {
    const { open, lines } = createTestEgress({ grants: GRANTS });
    const cell = open();
    for (let count = 0; count < MAX_REFUSALS + 20; count += 1)
      await cell.ask("GET http://elsewhere.com/ HTTP/1.1\r\nHost: elsewhere.com\r\n\r\n");
    await cell.ask("GET http://allowed.com/ HTTP/1.1\r\nHost: allowed.com\r\n\r\n");
    const all = await lines();
    expect(all.filter(({ outcome }) => outcome === "refused").length).toBe(MAX_REFUSALS);
    expect(all.at(-1)).toMatchObject({ outcome: "allowed", host: "allowed.com" });
  });
});

describe("the choke point", () => {
  test("is called for each request that a grant allows, before any byte is sent", async () => {
    const asked: EgressEffect[] = [];
    const seen: unknown[] = [];
    const { open, network, lines } = createTestEgress({
      grants: GRANTS,
      async pass(effect, begin) {
        asked.push(effect);
        seen.push([network.dialRequests.length, await lines()]);
        await begin();
        seen.push([network.dialRequests.length, (await lines()).slice(1)]);
        return "allowed";
      },
    });
    const cell = open();
    await cell.ask("GET http://elsewhere.com/ HTTP/1.1\r\nHost: elsewhere.com\r\n\r\n");
    expect(asked).toEqual([]);
    await cell.ask("GET http://allowed.com/ HTTP/1.1\r\nHost: allowed.com\r\n\r\n");
    expect(asked.length).toBe(1);
    expect(seen).toMatchObject([
      [0, [{ outcome: "refused", host: "elsewhere.com" }]],
      [0, [{ outcome: "failed", why: "The request was interrupted." }]],
    ]);
    const other = createTestEgress({ grants: GRANTS, pass: async () => ({ why: "It was stopped." }) });
    expect((await other.open().ask("GET http://allowed.com/ HTTP/1.1\r\nHost: allowed.com\r\n\r\n"))?.body).toBe(
      "Hearth: It was stopped.\n",
    );
    expect([other.network.dialRequests, await other.lines()]).toMatchObject([
      [],
      [{ outcome: "refused", why: "It was stopped." }],
    ]);
  });

  test("receives the destination with its query, and the caller", async () => {
    const asked: EgressEffect[] = [];
    const { egress } = createTestEgress({
      grants: GRANTS,
      async pass(effect, begin) {
        asked.push(effect);
        await begin();
        return "allowed";
      },
    });
    await egress.fetch({ url: "https://allowed.com/a/../b?c=d", method: "POST", body: new Uint8Array(3) }, caller);
    expect(asked).toMatchObject([
      { scheme: "https", host: "allowed.com", port: 443, method: "POST", path: "/b?c=d", caller, agent: { id: AGENT } },
    ]);
  });
});

describe("a grant", () => {
  test("shares its bytes among all concurrent requests of a turn", async () => {
    const { open, lines } = createTestEgress({
      grants: [{ host: "allowed.com", maxBytes: 1000 }],
      answer: () => ["HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n", "x".repeat(600)],
    });
    const request = "GET http://allowed.com/ HTTP/1.1\r\nHost: allowed.com\r\n\r\n";
    const ended = [open(), open()].map((cell) => cell.ask(request).catch(() => "broken off"));
    expect(await Promise.race(ended)).toBe("broken off");
    expect((await lines()).map(({ outcome }) => outcome)).toContain("refused");
  });

  test("counts from the ledger again for a turn that resumes", async () => {
    const { egress, ledger, world } = createTestEgress({ grants: [{ host: "allowed.com", maxBytes: 1000 }] });
    const fetch = () => codeOf(egress.fetch({ url: "http://allowed.com/" }, caller));
    expect(await fetch()).toBe("done");
    const used = { id: world.ids.fresh("egr"), agent: AGENT, activation: TURN, at: 1, host: "allowed.com", port: 80 };
    await ledger.end({
      ...used,
      method: "GET",
      path: "/",
      outcome: "allowed",
      sentBytes: 999,
      receivedBytes: 0,
      secrets: [],
    });
    expect(await fetch()).toBe("done");
    egress.revoke(TURN);
    expect(await fetch()).toBe("egress.refused");
  });

  test("limits the number of requests per turn, even when grants allow them", async () => {
    const { world, ledger, lines } = createTestEgress({ grants: [] });
    const exchange = createExchange({
      ...{ world, ledger, secrets: noSecrets },
      grantUsage: { ...createGrantUsage(ledger), countRequest: () => false },
      agentOf: async () => ({ id: AGENT, content: { egress: GRANTS } }) as unknown as AgentRecord,
      pass: () => Promise.reject(new Error("never asked")),
      ownHosts: new Map(),
      inFlight: createInFlightCalls(),
    });
    const origin = { scheme: "http", host: "allowed.com", port: 80 } as const;
    const line = { connect: () => Promise.reject(new Error("never dialled")), drop: () => {} };
    const asked = exchange({ origin, method: "GET", path: { path: "/", query: "" }, headers: [] }, caller, line);
    expect(await codeOf(asked)).toBe("egress.refused");
    expect(await lines()).toMatchObject([
      { outcome: "refused", why: expect.stringContaining("the limit of requests") },
    ]);
  });

  test("limits the number of requests per turn, whatever their size", () => {
    const spending = createGrantUsage({ list: async () => [] });
    for (let made = 0; made < MAX_REQUESTS; made += 1) expect(spending.countRequest(TURN)).toBe(true);
    expect(spending.countRequest(TURN)).toBe(false);
    spending.forget(TURN);
    expect(spending.countRequest(TURN)).toBe(true);
  });

  test("is read again for each request", async () => {
    const { open, grant } = createTestEgress({ grants: GRANTS });
    const cell = open();
    const ask = async () => (await cell.ask("GET http://allowed.com/ HTTP/1.1\r\nHost: allowed.com\r\n\r\n"))?.status;
    expect(await ask()).toBe(200);
    grant([]);
    expect(await ask()).toBe(403);
    grant(GRANTS);
    expect(await ask()).toBe(200);
  });

  test("C2: limits the bytes of a turn in both directions together, and ends a request that exceeds them", async () => {
    const { open, lines, upstream, network } = createTestEgress({
      grants: [{ host: "allowed.com", maxBytes: 1000 }],
      answer: () => [
        "HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n",
        "x".repeat(900),
        "x".repeat(900),
        "x".repeat(3200),
      ],
    });
    const cell = open();
    expect(
      await cell.ask("GET http://allowed.com/ HTTP/1.1\r\nHost: allowed.com\r\n\r\n").catch(() => "broken off"),
    ).toBe("broken off");
    expect(await lines()).toMatchObject([{ outcome: "refused", why: "This turn has used up the bytes of its grant." }]);
    expect(
      upstream.receivedBytes() + (await lines()).reduce((sum, { receivedBytes }) => sum + receivedBytes, 0),
    ).toBeLessThan(2000);
    const next = open();
    expect((await next.ask("GET http://allowed.com/ HTTP/1.1\r\nHost: allowed.com\r\n\r\n"))?.status).toBe(403);
    expect(network.dialRequests.length).toBe(1);
  });

  test("that is used up allows no further bytes, not even a part of a request", async () => {
    const { open, upstream, lines } = createTestEgress({ grants: [{ host: "allowed.com", maxBytes: 200 }] });
    const answer = await open().ask(
      `POST http://allowed.com/ HTTP/1.1\r\nHost: allowed.com\r\nContent-Length: 500\r\n\r\n${"x".repeat(500)}`,
    );
    expect(answer?.status).toBe(403);
    expect(upstream.receivedBytes()).toBeLessThan(200);
    expect((await lines())[0]?.sentBytes).toBe(upstream.receivedBytes());
  });

  test("counts the bytes that the turn used before a restart, and each turn separately", async () => {
    const grants = [{ host: "allowed.com", port: 8080, maxBytes: 1000 }];
    const { egress, ledger, lines, world } = createTestEgress({ grants });
    const used = {
      id: world.ids.fresh("egr"),
      agent: AGENT,
      activation: TURN,
      at: 1,
      host: "allowed.com",
      port: 8080,
      method: "GET",
      path: "/",
    };
    await ledger.end({ ...used, outcome: "allowed", sentBytes: 500, receivedBytes: 500, secrets: [] });
    const url = "http://allowed.com:8080/";
    expect(await codeOf(egress.fetch({ url }, caller))).toBe("egress.refused");
    const other = `act_${"1".repeat(26)}` as typeof TURN;
    expect(await codeOf(egress.fetch({ url }, { ...caller, activation: other }))).toBe("done");
    expect((await lines()).length).toBe(2);
  });

  test("whose bytes are exactly used up is skipped for the next grant", async () => {
    const grants = [
      { host: "allowed.com", maxBytes: 1000 },
      { host: "*.com", port: 80 },
    ];
    const { egress, ledger, world, grant } = createTestEgress({ grants });
    const used = { id: world.ids.fresh("egr"), agent: AGENT, activation: TURN, at: 1, host: "allowed.com", port: 80 };
    const line = { ...used, method: "GET", path: "/", outcome: "allowed" as const, secrets: [] };
    await ledger.end({ ...line, sentBytes: 400, receivedBytes: 600 });
    // Bytes to other hosts count for other grants.
    await ledger.end({ ...line, id: world.ids.fresh("egr"), host: "b.net", sentBytes: 900, receivedBytes: 0 });
    const fetch = () => codeOf(egress.fetch({ url: "http://allowed.com/" }, caller));
    expect(await fetch()).toBe("done");
    grant([{ host: "allowed.com", port: 80, maxBytes: 2000 }]);
    expect(await fetch()).toBe("done");
  });

  test("without bytes left is skipped for the next grant", async () => {
    const grants = [{ host: "allowed.com", maxBytes: 10 }, { host: "*.com", maxBytes: 5 }, { host: "allowed.com" }];
    const { egress } = createTestEgress({ grants });
    expect(await codeOf(egress.fetch({ url: "http://allowed.com/" }, caller))).toBe("egress.refused");
  });
});

describe("a secret", () => {
  const CANARY = "canary-of-the-test";
  const secrets = (over: Partial<EgressSecrets> = {}): EgressSecrets => ({
    injectionsFor: async (_agent, to) =>
      to.host === "allowed.com" ? [{ secret: "token", header: "Authorization", value: `Bearer ${CANARY}` }] : [],
    redactorFor: async () => () => createTestRedactor(CANARY),
    ...over,
  });

  test("replaces the cell's header in requests to its host, and the ledger has its name", async () => {
    const { connect, upstream, lines } = createTestEgress({
      grants: [...GRANTS, { host: "other.com" }],
      secrets: secrets(),
    });
    const cell = await connect("allowed.com:443");
    await cell.ask("GET / HTTP/1.1\r\nHost: allowed.com\r\nAUTHORIZATION: Basic made-up\r\nX-A: b\r\n\r\n");
    const other = await connect("other.com:443");
    await other.ask("GET / HTTP/1.1\r\nHost: other.com\r\nAuthorization: Basic own\r\n\r\n");
    expect(upstream.requests.map(({ head }) => head.split("\r\n").slice(1).toSorted())).toEqual([
      ["Accept-Encoding: identity", `Authorization: Bearer ${CANARY}`, "Host: allowed.com", "X-A: b"],
      ["Accept-Encoding: identity", "Authorization: Basic own", "Host: other.com"],
    ]);
    expect((await lines()).map((line) => line.secrets)).toEqual([["token"], []]);
    expect(JSON.stringify(await lines())).not.toContain(CANARY);
  });

  test("E3: that the upstream sends back does not reach the cell: not in a header, not in a body, not across pieces", async () => {
    for (const [how, answer] of Object.entries({
      length: [
        `HTTP/1.1 200 ${CANARY}\r\nX-Echo: a ${CANARY} b\r\nContent-Length: ${CANARY.length * 2 + 4}\r\n\r\n`,
        `${CANARY} an`,
        `d ${CANARY}`.slice(0, 9),
        `d ${CANARY}`.slice(9),
      ],
      chunked: [
        `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\n${CANARY.slice(0, 9)}\r\n`,
        `9\r\n${CANARY.slice(9)}\r\n0\r\n\r\n`,
      ],
    })) {
      const { connect } = createTestEgress({ grants: GRANTS, secrets: secrets(), answer: () => answer });
      const cell = await connect("allowed.com:443");
      const got = await cell.ask("GET / HTTP/1.1\r\nHost: allowed.com\r\n\r\n");
      expect([how, got?.status, got?.body.includes("[secret token]"), JSON.stringify(got).includes(CANARY)]).toEqual([
        how,
        200,
        true,
        false,
      ]);
      expect(got?.header("x-echo")).toBe(how === "length" ? "a [secret token] b" : undefined);
    }
  });

  test("prevents compressed and partial responses, and a compressed response is not passed on", async () => {
    const packed = createTestEgress({
      grants: GRANTS,
      secrets: secrets(),
      answer: () => "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc",
    });
    const cell = await packed.connect("allowed.com:443");
    const answer = await cell.ask(
      "GET / HTTP/1.1\r\nHost: allowed.com\r\nAccept-Encoding: gzip\r\nRange: bytes=0-1\r\nIf-Range: x\r\n\r\n",
    );
    expect([answer?.status, answer?.body.includes("compressed")]).toEqual([502, true]);
    expect(packed.upstream.requests[0]?.head).toBe(
      `GET / HTTP/1.1\r\nHost: allowed.com\r\nAuthorization: Bearer ${CANARY}\r\nAccept-Encoding: identity`,
    );
    // A caller without secrets may use both.
    const plain = createTestEgress({
      grants: GRANTS,
      answer: () => "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc",
    });
    expect(
      (await plain.open().ask("GET http://allowed.com/ HTTP/1.1\r\nHost: allowed.com\r\nAccept-Encoding: gzip\r\n\r\n"))
        ?.body,
    ).toBe("abc");
    expect(plain.upstream.requests[0]?.head).toContain("Accept-Encoding: gzip");
  });

  test("that is unavailable stops the request instead of sending it without the credential", async () => {
    const { open, network, lines } = createTestEgress({
      grants: GRANTS,
      secrets: secrets({ injectionsFor: () => Promise.reject(new Error("locked")) }),
    });
    expect((await open().ask("GET http://allowed.com/ HTTP/1.1\r\nHost: allowed.com\r\n\r\n"))?.status).toBe(502);
    expect(network.dialRequests).toEqual([]);
    expect(await lines()).toMatchObject([{ outcome: "failed", secrets: [] }]);
  });

  const createTestRedactor = (secret: string): Redactor => {
    let text = "";
    const encode = (said: string) => Uint8Array.from(said, (character) => character.charCodeAt(0));
    return {
      push(bytes) {
        for (const byte of bytes) text += String.fromCharCode(byte);
        return new Uint8Array();
      },
      end: () => encode(text.replaceAll(secret, "[secret token]")),
    };
  };
});
