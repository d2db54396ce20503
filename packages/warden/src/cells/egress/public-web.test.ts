/** The grant of the public web: what it reaches, and what it never sends. */
import { describe, expect, test } from "bun:test";
import { EgressGrant, isHearthError, PUBLIC_WEB } from "@hearth/protocol";
import { AGENT, createTestEgress, OK, PUBLIC, TURN } from "../../fixtures/egress.ts";
import type { EgressRequest } from "./fetch.ts";
import type { EgressSecrets } from "./secrets.ts";

const WEB: EgressGrant = { host: PUBLIC_WEB };
const caller = { agent: AGENT, activation: TURN, signal: new AbortController().signal };
const codeOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => "done",
    (error: unknown) => (isHearthError(error) ? error.code : error),
  );
const body = new TextEncoder().encode("all of its notes");

test("takes a limit of bytes, and no port, methods or path", () => {
  const valid = (grant: object) => EgressGrant.safeParse(grant).success;
  expect(valid({ ...WEB, maxBytes: 1000 })).toBe(true);
  for (const more of [{ port: 80 }, { methods: ["POST"] }, { path: "/a" }])
    expect(valid({ ...WEB, ...more })).toBe(false);
});

describe("a tool's request through the public web", () => {
  test("reads a page by GET and HEAD over HTTPS, and nothing else", async () => {
    const { egress, upstream, network } = createTestEgress({ grants: [WEB] });
    const ask = (request: EgressRequest) => codeOf(egress.fetch(request, caller));
    expect(await ask({ url: "https://news.example/today?page=2" })).toBe("done");
    expect(await ask({ url: "https://news.example/today", method: "HEAD" })).toBe("done");
    expect(upstream.requests.map(({ head }) => head.split(" ")[0])).toEqual(["GET", "HEAD"]);
    for (const url of [
      "http://news.example/",
      "https://news.example:8443/",
      "https://93.184.216.34/",
      "https://[2606:2800::1]/",
      "https://model.hearth/v1/models",
    ])
      expect([url, await ask({ url })]).toEqual([url, "egress.refused"]);
    expect(network.dialRequests.map(({ address, tlsHost }) => [address, tlsHost])).toEqual([
      [PUBLIC, "news.example"],
      [PUBLIC, "news.example"],
    ]);
  });

  test("A70: is refused with another method or with a body, before a byte is sent", async () => {
    const { egress, upstream, lines } = createTestEgress({ grants: [WEB] });
    for (const method of ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"])
      expect(await codeOf(egress.fetch({ url: "https://news.example/", method, body }, caller))).toBe("egress.refused");
    expect(await codeOf(egress.fetch({ url: "https://news.example/", body }, caller))).toBe("egress.refused");
    expect(upstream.receivedBytes()).toBe(0);
    expect((await lines()).map(({ outcome }) => outcome)).toEqual(Array(6).fill("refused"));
  });

  test("A68: never reaches a private address by a name, also where the config allows loopback", async () => {
    for (const address of ["127.0.0.1", "::1", "10.0.0.1", "192.168.1.1", "169.254.169.254", "fd00::1"]) {
      const { egress, network } = createTestEgress({
        grants: [WEB],
        names: { "inner.example": [[address]], "mixed.example": [[PUBLIC, address]] },
        allowsLoopback: true,
      });
      for (const host of ["inner.example", "mixed.example"])
        expect([address, await codeOf(egress.fetch({ url: `https://${host}/` }, caller))]).toEqual([
          address,
          "egress.refused",
        ]);
      expect(network.dialRequests).toEqual([]);
    }
  });

  test("A69: follows redirects to public pages only, never to a private address or a granted host", async () => {
    const targets = [
      ["https://inner.example/", "egress.refused"],
      ["https://127.0.0.1/", "egress.refused"],
      ["http://plain.example/", "egress.refused"],
      ["https://bank.example:8443/", "egress.refused"],
      ["https://other.example/", "done"],
    ] as const;
    for (const [to, expected] of targets) {
      const { egress, network } = createTestEgress({
        grants: [WEB, { host: "bank.example", port: 8443 }, { host: "127.0.0.1" }, { host: "plain.example" }],
        names: { "inner.example": [["10.0.0.1"]] },
        allowsLoopback: true,
        answer: ({ head }) =>
          head.includes("Host: news.example")
            ? `HTTP/1.1 302 Found\r\nLocation: ${to}\r\nContent-Length: 0\r\n\r\n`
            : OK,
      });
      expect([to, await codeOf(egress.fetch({ url: "https://news.example/" }, caller))]).toEqual([to, expected]);
      expect(network.dialRequests.map(({ address }) => address)).toEqual(
        expected === "done" ? [PUBLIC, PUBLIC] : [PUBLIC],
      );
    }
  });

  test("A69: still follows redirects to public pages only after several public pages", async () => {
    const { egress, network } = createTestEgress({
      grants: [WEB, { host: "bank.example", port: 8443 }],
      answer: ({ head }) => {
        const next = head.includes("Host: news.example") ? "https://other.example/" : "https://bank.example:8443/";
        return `HTTP/1.1 302 Found\r\nLocation: ${next}\r\nContent-Length: 0\r\n\r\n`;
      },
    });
    expect(await codeOf(egress.fetch({ url: "https://news.example/" }, caller))).toBe("egress.refused");
    expect(network.dialRequests).toHaveLength(2);
  });

  test("A71: carries no secret, cookie or header of the caller, also after a redirect to a host with a secret", async () => {
    const secrets: EgressSecrets = {
      injectionsFor: async () => [{ secret: "token", header: "Authorization", value: "Bearer canary" }],
      redactorFor: async () => undefined,
    };
    const { egress, upstream, lines } = createTestEgress({
      grants: [WEB, { host: "bank.example" }],
      secrets,
      answer: ({ head }) =>
        head.includes("Host: news.example")
          ? "HTTP/1.1 302 Found\r\nLocation: https://bank.example/pay\r\nContent-Length: 0\r\n\r\n"
          : OK,
    });
    const headers = [
      ["Authorization", "canary"],
      ["Cookie", "canary"],
      ["X-Data", "canary"],
      ["Accept", "text/html"],
    ] as const;
    await egress.fetch({ url: "https://news.example/", headers }, caller);
    expect(upstream.requests.map(({ head }) => [head.includes("canary"), head.includes("Accept: text/html")])).toEqual([
      [false, true],
      [false, true],
    ]);
    expect((await lines()).map(({ host, secrets: sent }) => [host, sent])).toEqual([
      ["news.example", []],
      ["bank.example", []],
    ]);
    // The grant of the host itself carries its secret, as before.
    await egress.fetch({ url: "https://bank.example/pay" }, caller);
    expect(upstream.requests.at(-1)?.head).toContain("Authorization: Bearer canary");
  });

  test("does not extend the limits of a grant that names the host", async () => {
    const { egress } = createTestEgress({ grants: [{ host: "small.example", maxBytes: 300 }, WEB] });
    const ask = () => codeOf(egress.fetch({ url: "https://small.example/" }, caller));
    const outcomes = [await ask(), await ask(), await ask(), await ask(), await ask(), await ask()];
    expect(outcomes.at(0)).toBe("done");
    expect(outcomes.at(-1)).toBe("egress.refused");
  });
});

describe("a program in a cell", () => {
  test("A72: does not use the public web, by any method", async () => {
    const { connect, upstream } = createTestEgress({ grants: [WEB] });
    for (const method of ["GET", "HEAD", "POST"]) {
      const cell = await connect("news.example:443");
      const answer = await cell.ask(`${method} / HTTP/1.1\r\nHost: news.example\r\n\r\n`);
      expect(answer?.status).toBe(403);
    }
    expect(upstream.receivedBytes()).toBe(0);
  });

  test("A72: nor does another agent's tool", async () => {
    const { egress, grant } = createTestEgress({ grants: [WEB] });
    expect(await codeOf(egress.fetch({ url: "https://news.example/" }, caller))).toBe("done");
    // The record of the calling agent decides at each request.
    grant([]);
    expect(await codeOf(egress.fetch({ url: "https://news.example/" }, caller))).toBe("egress.refused");
  });
});
