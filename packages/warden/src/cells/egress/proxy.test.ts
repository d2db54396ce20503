import { describe, expect, test } from "bun:test";
import type { AgentId } from "@hearth/protocol";
import { ambiguousRequests } from "../../fixtures/ambiguous-requests.ts";
import { createTestEgress, OK, TURN } from "../../fixtures/egress.ts";

const GRANTS = [{ host: "allowed.com" }, { host: "other.com" }, { host: "allowed.com", port: 8080 }];
const GET = "GET http://allowed.com/ HTTP/1.1\r\nHost: allowed.com\r\n\r\n";
const chunked = (...pieces: readonly string[]): string =>
  `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${[...pieces, ""].map((piece) => `${piece.length.toString(16)}\r\n${piece}\r\n`).join("")}`;

describe("a connection of a cell", () => {
  test("carries several requests, each to its own host, and reuses the upstream connection for the same host", async () => {
    const { open, upstream, network, lines } = createTestEgress({
      grants: GRANTS,
      answer: ({ head }) => (head.startsWith("GET /b") ? chunked("one ", "two") : OK),
    });
    const cell = open();
    expect((await cell.ask(GET))?.body).toBe("hi");
    expect((await cell.ask("GET http://allowed.com/b?c=d HTTP/1.1\r\nHost: allowed.com\r\nX-A: b\r\n\r\n"))?.body).toBe(
      "one two",
    );
    expect((await cell.ask("GET http://other.com HTTP/1.1\r\nHost: other.com\r\n\r\n"))?.body).toBe("hi");
    expect((await cell.ask("GET http://allowed.com:8080/ HTTP/1.1\r\nHost: allowed.com:8080\r\n\r\n"))?.status).toBe(
      200,
    );
    expect(upstream.requests.map(({ head }) => head)).toEqual([
      "GET / HTTP/1.1\r\nHost: allowed.com",
      "GET /b?c=d HTTP/1.1\r\nHost: allowed.com\r\nX-A: b",
      "GET / HTTP/1.1\r\nHost: other.com",
      "GET / HTTP/1.1\r\nHost: allowed.com:8080",
    ]);
    expect(network.dialRequests.map(({ port }) => port)).toEqual([80, 80, 8080]);
    expect((await lines()).map(({ path }) => path)).toEqual(["/", "/b", "/", "/"]);
    cell.end();
    await cell.over;
  });

  test("carries bodies with a length and in chunks, and drops headers for the proxy", async () => {
    const { open, upstream } = createTestEgress({ grants: GRANTS });
    const cell = open();
    const more = "Proxy-Connection: keep-alive\r\nConnection: keep-alive, X-Hop\r\nX-Hop: 1\r\nTE: trailers\r\n";
    await cell.ask(`POST http://allowed.com/ HTTP/1.1\r\nHost: allowed.com\r\n${more}Content-Length: 3\r\n\r\nabc`);
    await cell.ask(
      "POST http://allowed.com/ HTTP/1.1\r\nHost: allowed.com\r\nTransfer-Encoding: chunked\r\n\r\n2;x=y\r\nab\r\n1\r\nc\r\n0\r\nX-T: 1\r\n\r\n",
    );
    expect(upstream.requests).toMatchObject([
      { head: "POST / HTTP/1.1\r\nHost: allowed.com\r\nContent-Length: 3", body: "abc" },
      {
        head: "POST / HTTP/1.1\r\nHost: allowed.com\r\nTransfer-Encoding: chunked",
        body: "2\r\nab\r\n1\r\nc\r\n0\r\n\r\n",
      },
    ]);
  });

  test("gets `100 Continue` before it sends a body with `Expect`", async () => {
    const { open, upstream, token } = createTestEgress({ grants: GRANTS });
    const cell = open();
    await cell.send(
      `POST http://allowed.com/ HTTP/1.1\r\nHost: allowed.com\r\n${await token()}Expect: 100-continue\r\nContent-Length: 3\r\n\r\n`,
    );
    expect((await cell.answer("HEAD"))?.status).toBe(100);
    await cell.send("abc");
    expect((await cell.answer())?.status).toBe(200);
    expect(upstream.requests[0]?.head).not.toContain("Expect");
  });

  test("gets a response without a body, or with one until the connection ends", async () => {
    const answers: Record<string, string> = {
      "/head": "HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n",
      "/unsized": "HTTP/1.1 200 OK\r\n\r\n",
      "/missized": "HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n",
      "/none": "HTTP/1.1 204 No Content\r\n\r\n",
      "/empty": "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
      "/early": "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx",
      "/204-sized": "HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\n",
      "/304-sized": "HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n",
      "/alt":
        'HTTP/1.1 200 OK\r\nAlt-Svc: h3=":443"\r\nConnection: X-Hop\r\nX-Hop: 1\r\nX-Stays: 1\r\nContent-Length: 1\r\n\r\nx',
    };
    const { open } = createTestEgress({ grants: GRANTS, answer: ({ head }) => answers[head.split(" ")[1] ?? ""] });
    const cell = open();
    const ask = (method: string, path: string) =>
      cell.ask(`${method} http://allowed.com${path} HTTP/1.1\r\nHost: allowed.com\r\n\r\n`);
    expect((await ask("HEAD", "/head"))?.header("content-length")).toBe("900");
    expect((await ask("HEAD", "/unsized"))?.header("content-length")).toBeUndefined();
    expect((await ask("HEAD", "/missized"))?.header("content-length")).toBeUndefined();
    expect(await ask("GET", "/none")).toMatchObject({ status: 204, body: "" });
    for (const path of ["/none", "/204-sized", "/304-sized"])
      expect((await ask("GET", path))?.header("content-length")).toBeUndefined();
    expect((await ask("GET", "/empty"))?.header("content-length")).toBe("0");
    expect(await ask("GET", "/early")).toMatchObject({ status: 200, body: "x" });
    const alt = await ask("GET", "/alt");
    expect(["alt-svc", "x-hop", "x-stays"].map((name) => alt?.header(name))).toEqual([undefined, undefined, "1"]);
  });

  test("gets a response that came before the request was complete, and then the connection ends", async () => {
    const { open, token } = createTestEgress({ grants: GRANTS, hasHeard: "head" });
    const cell = open();
    await cell.send(
      `POST http://allowed.com/ HTTP/1.1\r\nHost: allowed.com\r\n${await token()}Content-Length: 10\r\n\r\nabc`,
    );
    expect((await cell.answer())?.body).toBe("hi");
    expect(await cell.answer()).toBeUndefined();
    await cell.over;
  });

  test.each(["Connection", "Proxy-Connection"])(
    "closes after the answer to a request with `%s: close`, also the upstream connection",
    async (name) => {
      const { open, upstream, world } = createTestEgress({ grants: GRANTS });
      const cell = open();
      expect((await cell.ask(GET))?.header("connection")).toBeUndefined();
      const last = await cell.ask(GET.replace("\r\n", `\r\n${name}: close\r\n`));
      expect(last).toMatchObject({ status: 200, body: "hi" });
      expect(last?.header("connection")).toBe("close");
      expect(await cell.answer()).toBeUndefined();
      await cell.over;
      await world.clock.turn();
      expect(upstream.open()).toBe(0);
    },
  );

  test("uses a new upstream connection after a response that failed", async () => {
    const { open, network } = createTestEgress({
      grants: GRANTS,
      answer: ({ head }) => (head.startsWith("GET /b") ? "HTTP/1.1 101 Switching\r\nUpgrade: x\r\n\r\n" : OK),
    });
    const cell = open();
    expect((await cell.ask(GET))?.status).toBe(200);
    expect((await cell.ask(GET.replace(".com/", ".com/b")))?.status).toBe(502);
    expect((await cell.ask(GET))?.status).toBe(200);
    expect(network.dialRequests.length).toBe(2);
  });

  test("ends after a refused request with a body, and says so", async () => {
    const cell = createTestEgress({ grants: GRANTS }).open();
    const away = "http://elsewhere.com/ HTTP/1.1\r\nHost: elsewhere.com\r\n";
    const refused = await cell.ask(`GET ${away}\r\n`);
    expect([refused?.status, refused?.header("connection")]).toEqual([403, undefined]);
    const last = await cell.ask(`POST ${away}Content-Length: 3\r\n\r\nabc`);
    expect([last?.status, last?.header("connection")]).toEqual([403, "close"]);
    expect(await cell.answer()).toBeUndefined();
    await cell.over;
  });

  test("gets no `100 Continue` for a request without a body", async () => {
    const cell = createTestEgress({ grants: GRANTS }).open();
    expect((await cell.ask(GET.replace("\r\n", "\r\nExpect: 100-continue\r\n")))?.status).toBe(200);
  });

  test("gets a refused HEAD without a body, and continues", async () => {
    const cell = createTestEgress({ grants: GRANTS }).open();
    expect(await cell.ask("HEAD http://elsewhere.com/ HTTP/1.1\r\nHost: elsewhere.com\r\n\r\n")).toMatchObject({
      status: 403,
      body: "",
    });
    expect((await cell.ask(GET))?.body).toBe("hi");
  });

  test("that does not read ends with its turn", async () => {
    for (const inside of [false, true]) {
      const { open, connect, egress, upstream, token } = createTestEgress({
        grants: GRANTS,
        answer: () => [
          "HTTP/1.1 200 OK\r\nContent-Length: 9000000\r\n\r\n",
          ...Array<string>(30).fill("x".repeat(100_000)),
        ],
      });
      const cell = inside ? await connect("allowed.com:443") : open();
      await cell.send(
        inside ? "GET / HTTP/1.1\r\nHost: allowed.com\r\n\r\n" : GET.replace("\r\n", `\r\n${await token()}`),
      );
      while (upstream.sentBytes() < 300_000) await Promise.resolve();
      for (let turn = 0; turn < 1000; turn += 1) await Promise.resolve();
      expect(upstream.sentBytes()).toBeLessThan(1_000_000);
      egress.revoke(TURN);
      await cell.over;
    }
  });

  test("is refused without its turn's token, or with one of another agent or turn", async () => {
    const { open, token, network, egress, lines } = createTestEgress({ grants: GRANTS });
    const good = await token();
    const cell = open();
    await cell.send(GET);
    const answer = await cell.answer();
    expect([answer?.status, answer?.header("proxy-authenticate")]).toEqual([407, 'Basic realm="hearth"']);
    for (const wrong of ["hearth:", "hearth:00", "other:00", "x", "hearth"]) {
      await cell.send(GET.replace("\r\n", `\r\nProxy-Authorization: Basic ${btoa(wrong)}\r\n`));
      expect([wrong, (await cell.answer())?.status]).toEqual([wrong, 407]);
    }
    const [, secret] = atob(good.trim().split(" ").at(-1) ?? "").split(":");
    await cell.send(GET.replace("\r\n", `\r\nProxy-Authorization: Basic ${btoa(`other:${secret}`)}\r\n`));
    expect((await cell.answer())?.status).toBe(407);
    const twice = open();
    await twice.send(GET.replace("\r\n", `\r\n${good}${good}`));
    expect((await twice.answer())?.status).toBe(407);
    const stranger = open(`agent_${"1".repeat(26)}` as AgentId);
    await stranger.send(GET.replace("\r\n", `\r\n${good}`));
    expect((await stranger.answer())?.status).toBe(407);
    egress.revoke(TURN);
    await cell.send(GET.replace("\r\n", `\r\n${good}`));
    expect((await cell.answer())?.status).toBe(407);
    expect([network.dialRequests, await lines()]).toEqual([[], []]);
  });

  test("ends with its turn, even in the middle of a response", async () => {
    const { open, egress, upstream, token, lines } = createTestEgress({
      grants: GRANTS,
      answer: () => "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf",
    });
    const cell = open();
    await cell.send(GET.replace("\r\n", `\r\n${await token()}`));
    const answer = cell.answer().catch(() => undefined);
    while (upstream.sentBytes() === 0) await Promise.resolve();
    egress.revoke(TURN);
    expect(await answer).toBeUndefined();
    await cell.over;
    expect(await lines()).toMatchObject([{ outcome: "failed" }]);
  });

  test("breaks off when the upstream does, so a truncated response is visible", async () => {
    for (const half of [
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n",
      "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf",
    ]) {
      const { open, lines } = createTestEgress({ grants: GRANTS, answer: () => [half, undefined] });
      const cell = open();
      expect(await cell.ask(GET).catch(() => "broken off")).toBe("broken off");
      await cell.over;
      expect(await lines()).toMatchObject([
        { outcome: "failed", status: 200, why: expect.stringContaining("breaks off") },
      ]);
    }
    const open = createTestEgress({
      grants: GRANTS,
      answer: () => ["HTTP/1.1 200 OK\r\n\r\nall of it", undefined],
    }).open();
    expect((await open.ask(GET))?.body).toBe("all of it");
  });

  test("gets a readable refusal and may send other requests", async () => {
    const { open, network } = createTestEgress({ grants: [{ host: "allowed.com", methods: ["GET"], path: "/v1" }] });
    const cell = open();
    const ask = async (line: string, host = "allowed.com") =>
      (await cell.ask(`${line} HTTP/1.1\r\nHost: ${host}\r\n\r\n`))?.body;
    expect(await ask("GET http://elsewhere.com/", "elsewhere.com")).toBe(
      "Hearth: This agent has no grant for elsewhere.com:80. To allow it: hearth egress allow main elsewhere.com\n",
    );
    expect(await ask("DELETE http://allowed.com/v1")).toBe(
      "Hearth: This agent's grants for allowed.com:80 do not allow DELETE /v1. To allow it: hearth egress allow main allowed.com\n",
    );
    expect(await ask("GET http://allowed.com/v10")).toContain("do not allow GET /v10");
    expect(await ask("GET http://allowed.com/v1/../v2")).toContain("do not allow GET /v2");
    expect(await ask("GET http://allowed.com/v1/%2e%2e/v2")).toContain("do not allow GET /v2");
    expect(network.dialRequests).toEqual([]);
    expect(await ask("GET http://allowed.com/v1/x")).toBe("hi");
    const none = createTestEgress({ grants: [] }).open();
    expect((await none.ask(GET))?.body).toStartWith("Hearth: This agent has no grant for the network. ");
  });

  test("stays below the granted path, however a server may decode it", async () => {
    const { open, network } = createTestEgress({ grants: [{ host: "allowed.com", path: "/v1/" }] });
    const cell = open();
    for (const path of [
      "/v1%2f..%2fv2",
      "/v1/..%2fv2",
      "/v1/%2e%2e%2fv2",
      "/v1/..;/v2",
      "/v1/a%5c..%5cv2",
      "/v1//v2",
      "/v1/%252e%252e/v2",
      "/v1/a%00",
    ]) {
      const answer = await cell.ask(`GET http://allowed.com${path} HTTP/1.1\r\nHost: allowed.com\r\n\r\n`);
      expect([path, answer?.status]).toEqual([path, 403]);
    }
    expect(network.dialRequests).toEqual([]);
    for (const path of ["/v1", "/v1/", "/v1/a%20b", "/v1/a/./b", "/v1?a=/../b"]) {
      const answer = await cell.ask(`GET http://allowed.com${path} HTTP/1.1\r\nHost: allowed.com\r\n\r\n`);
      expect([path, answer?.status]).toEqual([path, 200]);
    }
  });
});

describe("ambiguous HTTP/1.1", () => {
  for (const [what, request] of Object.entries(ambiguousRequests)) {
    test(`is refused: ${what}`, async () => {
      const { open, upstream } = createTestEgress({ grants: GRANTS });
      const status = (await open().ask(request))?.status;
      expect([400, 403]).toContain(status ?? 0);
      expect(upstream.requests).toEqual([]);
    });
  }

  test("is limited in size and time", async () => {
    const { open, world } = createTestEgress({ grants: GRANTS });
    const long = open();
    await long.send(`GET http://allowed.com/${"a".repeat(40_000)}`);
    await long.over;
    const slow = open();
    await slow.send("GET http://allowed.com/ HT");
    await world.advance(61_000);
    await slow.over;
  });

  test("is refused from an upstream, too: two responses to one request, two lengths, another protocol", async () => {
    const answers: Record<string, string> = {
      "/two": `${OK}${OK}`,
      "/twice": "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      "/other": "HTTP/1.1 101 Switching\r\nUpgrade: x\r\n\r\n",
      "/split": "HTTP/1.1 200 OK\r\nX: a\nContent-Length: 0\r\n\r\n",
      "/spaced": "HTTP/1.1 200 OK\r\nTransfer-Encoding: \xa0chunked\r\n\r\n0\r\n\r\n",
      "/long": `HTTP/1.1 200 OK\r\nX: ${"a".repeat(40_000)}\r\n\r\n`,
    };
    const { open, network } = createTestEgress({
      grants: GRANTS,
      answer: ({ head }) => answers[head.split(" ")[1] ?? ""],
    });
    const cell = open();
    const ask = async (path: string) =>
      (await cell.ask(`GET http://allowed.com${path} HTTP/1.1\r\nHost: allowed.com\r\n\r\n`))?.status;
    // The extra response is never used.
    expect([await ask("/two"), await ask("/two"), network.dialRequests.length]).toEqual([200, 200, 2]);
    for (const path of ["/twice", "/split", "/spaced", "/long"]) {
      const other = createTestEgress({ grants: GRANTS, answer: () => answers[path] }).open();
      expect([path, (await other.ask(GET))?.status]).toEqual([path, 400]);
    }
    const other = createTestEgress({ grants: GRANTS, answer: () => answers["/other"] }).open();
    expect((await other.ask(GET))?.status).toBe(502);
  });
});

describe("a CONNECT", () => {
  const inside = (line: string, host = "allowed.com") => `${line} HTTP/1.1\r\nHost: ${host}\r\n\r\n`;

  test("starts TLS with the house, and each request inside goes by TLS to that host only", async () => {
    const { connect, upstream, network, lines } = createTestEgress({
      grants: [{ host: "allowed.com", methods: ["GET"] }],
    });
    const cell = await connect("allowed.com:443");
    expect((await cell.ask(inside("GET /a")))?.body).toBe("hi");
    expect((await cell.ask(inside("DELETE /a")))?.status).toBe(403);
    expect((await cell.ask(inside("GET /b", "allowed.com:443")))?.body).toBe("hi");
    expect((await cell.ask(inside("GET /a", "other.com")))?.status).toBe(403);
    expect((await cell.ask(inside("CONNECT other.com:443", "other.com:443")))?.status).toBe(403);
    expect(upstream.requests.map(({ head }) => head.split("\r\n")[0])).toEqual(["GET /a HTTP/1.1", "GET /b HTTP/1.1"]);
    expect(network.dialRequests).toEqual([{ address: "93.184.216.34", port: 443, tlsHost: "allowed.com" }]);
    expect((await lines()).map(({ method, outcome, port }) => [method, outcome, port])).toEqual([
      ["GET", "allowed", 443],
      ["DELETE", "refused", 443],
      ["GET", "allowed", 443],
    ]);
  });

  test("D6: is refused when its TLS names another host", async () => {
    const { connect, network } = createTestEgress({ grants: [{ host: "allowed.com" }, { host: "other.com" }] });
    const cell = await connect("allowed.com:443", "other.com");
    await cell.send(inside("GET /", "other.com"));
    expect(await cell.answer()).toBeUndefined();
    await cell.over;
    expect(network.dialRequests).toEqual([]);
  });

  test("to a host without a grant gets a readable refusal", async () => {
    const { connect, network } = createTestEgress({ grants: [{ host: "allowed.com" }] });
    const cell = await connect("elsewhere.com:443");
    expect((await cell.ask(inside("GET /", "elsewhere.com")))?.body).toStartWith(
      "Hearth: This agent has no grant for elsewhere.com:443. ",
    );
    expect(network.dialRequests).toEqual([]);
  });

  test("without TLS inside is plain HTTP to that host", async () => {
    const { connect, network, upstream } = createTestEgress({ grants: [{ host: "allowed.com" }] });
    const cell = await connect("allowed.com:80", "");
    expect((await cell.ask(inside("GET /plain")))?.body).toBe("hi");
    expect([network.dialRequests[0]?.tlsHost, upstream.requests[0]?.head]).toEqual([
      undefined,
      "GET /plain HTTP/1.1\r\nHost: allowed.com",
    ]);
    const secure = await connect("allowed.com:443", "");
    // Plain bytes to a TLS port: the grant there is for TLS.
    expect((await secure.ask(inside("GET /plain", "allowed.com:443")))?.status).toBe(403);
  });

  test("with HTTP/1.0 is accepted", async () => {
    const { open, token } = createTestEgress({ grants: [{ host: "allowed.com" }] });
    const cell = open();
    await cell.send(`CONNECT allowed.com:443 HTTP/1.0\r\n${await token()}\r\n`);
    expect((await cell.answer("CONNECT"))?.status).toBe(200);
  });
});
