import { describe, expect, test } from "bun:test";
import { isHearthError } from "@hearth/protocol";
import { AGENT, createTestEgress, OK, PUBLIC, TURN } from "../../fixtures/egress.ts";

const GRANTS = [{ host: "allowed.com" }];
const caller = { agent: AGENT, activation: TURN, signal: new AbortController().signal };
const codeOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => "done",
    (error: unknown) => (isHearthError(error) ? error.code : error),
  );

describe("a request of a host tool", () => {
  const answers: Record<string, string> = {
    "/": OK,
    "/long": `HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n${"x".repeat(5000)}`,
    "/loop": "HTTP/1.1 302 Found\r\nLocation: /loop\r\nContent-Length: 0\r\n\r\n",
    "/303": "HTTP/1.1 303 See Other\r\nLocation: /\r\nContent-Length: 0\r\n\r\n",
    "/307": "HTTP/1.1 307 Temporary\r\nLocation: /#part\r\nContent-Length: 0\r\n\r\n",
    "/empty": "HTTP/1.1 302 Found\r\nContent-Length: 2\r\n\r\nhi",
    "/nowhere": "HTTP/1.1 302 Found\r\nLocation: http://[\r\nContent-Length: 0\r\n\r\n",
  };
  const create = () => createTestEgress({ grants: GRANTS, answer: ({ head }) => answers[head.split(" ")[1] ?? ""] });
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

  test("returns its response with the final URL", async () => {
    const { egress } = create();
    const { url, status, headers, body, isCut } = await egress.fetch({ url: "https://allowed.com/307#x" }, caller);
    expect([url, status, headers, text(body), isCut]).toEqual([
      "https://allowed.com/",
      200,
      [["Content-Length", "2"]],
      "hi",
      false,
    ]);
  });

  test("is one request, whatever its headers and method contain", async () => {
    const { egress, upstream } = create();
    for (const header of [
      ["X-A", "b\r\nX-C: d"],
      ["X-A: b\r\nX-C", "d"],
      ["X-A", "\0"],
    ] as const)
      expect(await codeOf(egress.fetch({ url: "http://allowed.com/", headers: [header] }, caller))).toBe(
        "egress.malformed",
      );
    for (const method of ["CONNECT", "GET / HTTP/1.1\r\nX: y", "get", ""])
      expect(await codeOf(egress.fetch({ url: "http://allowed.com/", method }, caller))).toBe("egress.refused");
    expect(upstream.receivedBytes()).toBe(0);
  });

  test("returns at most the requested bytes", async () => {
    const { egress, lines } = create();
    const { body, isCut } = await egress.fetch({ url: "http://allowed.com/long", maxBytes: 1000 }, caller);
    expect([body.length, isCut]).toEqual([1000, true]);
    expect(await lines()).toMatchObject([{ outcome: "allowed", why: "The response was not read to its end." }]);
  });

  test("follows a limited number of redirects, and changes to GET where the status says so", async () => {
    const { egress, upstream } = create();
    expect(await codeOf(egress.fetch({ url: "http://allowed.com/loop" }, caller))).toBe("egress.failed");
    expect(upstream.requests.length).toBe(6);
    await egress.fetch(
      { url: "http://allowed.com/303", method: "POST", body: new TextEncoder().encode("abc") },
      caller,
    );
    await egress.fetch(
      { url: "http://allowed.com/307", method: "POST", body: new TextEncoder().encode("abc") },
      caller,
    );
    expect(upstream.requests.slice(6).map(({ head, body }) => [head.split(" ").slice(0, 2).join(" "), body])).toEqual([
      ["POST /303", "abc"],
      ["GET /", ""],
      ["POST /307", "abc"],
      ["POST /", "abc"],
    ]);
  });

  test.each([
    ["POST", 301, "GET"],
    ["POST", 302, "GET"],
    ["POST", 303, "GET"],
    ["POST", 307, "POST"],
    ["POST", 308, "POST"],
    ["PUT", 301, "PUT"],
    ["PUT", 302, "PUT"],
    ["PUT", 303, "GET"],
    ["HEAD", 301, "HEAD"],
    ["HEAD", 303, "HEAD"],
  ])("follows a %s with status %p as %s, with its body only where the method stays", async (method, status, next) => {
    const { egress, upstream } = createTestEgress({
      grants: GRANTS,
      answer: ({ head }) =>
        head.includes(" /old ")
          ? `HTTP/1.1 ${status} Moved\r\nLocation: /new\r\nContent-Length: 0\r\n\r\n`
          : "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
    });
    const body = method === "HEAD" ? undefined : new TextEncoder().encode("abc");
    await egress.fetch({ url: "http://allowed.com/old", method, ...(body === undefined ? {} : { body }) }, caller);
    const [, second] = upstream.requests;
    expect([second?.head.split(" ")[0], second?.body]).toEqual([next, next === "GET" || next === "HEAD" ? "" : "abc"]);
  });

  test("sends credentials and cookies to no other host", async () => {
    const { egress, upstream } = createTestEgress({
      grants: [...GRANTS, { host: "other.com" }],
      answer: ({ head }) => {
        const to = head.includes(" /one ") ? "/two" : head.includes(" /two ") ? "http://other.com/three" : undefined;
        return to === undefined ? OK : `HTTP/1.1 302 Found\r\nLocation: ${to}\r\nContent-Length: 0\r\n\r\n`;
      },
    });
    const names = ["Authorization", "COOKIE", "Proxy-Authorization", "X-Own"];
    const headers = names.map((name) => [name, "1"] as const);
    await egress.fetch({ url: "http://allowed.com/one", headers }, caller);
    const sent = upstream.requests.map(({ head }) => names.filter((name) => head.includes(`\r\n${name}: 1`)));
    expect(sent).toEqual([["Authorization", "COOKIE", "X-Own"], ["Authorization", "COOKIE", "X-Own"], ["X-Own"]]);
  });

  test("refuses a URL that has no host on the network or no valid path", async () => {
    const { egress, upstream } = create();
    for (const url of [
      "ftp://allowed.com/",
      "http:///x",
      "allowed.com",
      "http://allowed.com/a\\b",
      "http://allowed.com/\0",
    ])
      expect([url, await codeOf(egress.fetch({ url }, caller))]).toEqual([url, "egress.refused"]);
    expect(upstream.receivedBytes()).toBe(0);
  });

  test("sends no length for an empty body", async () => {
    const { egress, upstream } = create();
    await egress.fetch({ url: "http://allowed.com/", method: "POST", body: new Uint8Array() }, caller);
    expect(upstream.requests[0]?.head.toLowerCase()).not.toMatch(/content-length|transfer-encoding/);
  });

  test("leaves no connection open, and follows no redirect to another protocol", async () => {
    const { egress, upstream, world } = createTestEgress({
      grants: GRANTS,
      answer: ({ head }) =>
        head.includes(" /ftp ")
          ? "HTTP/1.1 302 Found\r\nLocation: ftp://allowed.com/\r\nContent-Length: 0\r\n\r\n"
          : OK,
    });
    await egress.fetch({ url: "http://allowed.com/" }, caller);
    const to = egress.fetch({ url: "http://allowed.com/ftp" }, caller);
    await expect(to).rejects.toThrow("The redirect from http: to ftp: is not followed.");
    await world.clock.turn();
    expect([upstream.requests.length, upstream.open()]).toEqual([2, 0]);
  });

  test.each([
    ["https", "http", "egress.refused"],
    ["https", "https", "done"],
    ["http", "https", "done"],
    ["http", "http", "done"],
  ])("a redirect from %s to %s is %s", async (from, to, expected) => {
    const { egress, upstream } = createTestEgress({
      grants: GRANTS,
      answer: ({ head }) =>
        head.includes(" /old ")
          ? `HTTP/1.1 301 Moved\r\nLocation: ${to}://allowed.com/new\r\nContent-Length: 0\r\n\r\n`
          : OK,
    });
    expect(await codeOf(egress.fetch({ url: `${from}://allowed.com/old` }, caller))).toBe(expected);
    expect(upstream.requests).toHaveLength(expected === "done" ? 2 : 1);
  });

  test("does not follow a redirect to an invalid address or without a location", async () => {
    const { egress } = create();
    expect(await codeOf(egress.fetch({ url: "http://allowed.com/nowhere" }, caller))).toBe("egress.refused");
    expect((await egress.fetch({ url: "http://allowed.com/empty" }, caller)).status).toBe(302);
  });

  test("ends with its turn", async () => {
    const { egress, network } = create();
    const over = AbortSignal.abort();
    expect(await codeOf(egress.fetch({ url: "http://allowed.com/" }, { ...caller, signal: over }))).toBe(
      "egress.refused",
    );
    expect(network.dialRequests).toEqual([]);
  });

  test("tries the next address when the first does not answer, and fails when none does", async () => {
    const names = { "allowed.com": [[PUBLIC, "1.1.1.1"]] };
    const { egress, network } = createTestEgress({ grants: GRANTS, names, unreachable: [PUBLIC] });
    expect((await egress.fetch({ url: "http://allowed.com/" }, caller)).status).toBe(200);
    expect(network.dialRequests.map(({ address }) => address)).toEqual([PUBLIC, "1.1.1.1"]);
    const none = createTestEgress({ grants: GRANTS, names, unreachable: [PUBLIC, "1.1.1.1"] });
    expect(await codeOf(none.egress.fetch({ url: "http://allowed.com/" }, caller))).toBe("egress.failed");
    expect(await none.lines()).toMatchObject([{ outcome: "failed", sentBytes: 0, why: "Connection refused." }]);
  });
});
