import { describe, expect, test } from "bun:test";
import { type AgentId, MODEL_HOST, type Usage } from "@hearth/protocol";
import { createTestEgress, TURN } from "../../fixtures/egress.ts";
import type { OwnAnswer, OwnHost, OwnRequest } from "./own-host.ts";

const GRANTS = [{ host: MODEL_HOST }];
const USAGE: Usage = { inputTokens: 3, outputTokens: 4, cacheReadTokens: 0, cacheWriteTokens: 0 };
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const POST = (text: string): string =>
  `POST http://${MODEL_HOST}/v1/a?b=c HTTP/1.1\r\nHost: ${MODEL_HOST}\r\nAuthorization: Bearer of-the-cell\r\nContent-Length: ${text.length}\r\n\r\n${text}`;
const GET = `GET http://${MODEL_HOST}/v1/a HTTP/1.1\r\nHost: ${MODEL_HOST}\r\n\r\n`;

/** Echoes each request, and counts the answers that were closed. */
const createHost = (over: Partial<Pick<OwnAnswer, "body">> = {}) => {
  const asked: OwnRequest[] = [];
  let closed = 0;
  const host: OwnHost = async (request) => {
    asked.push(request);
    let text = "";
    for await (const piece of request.body) text += new TextDecoder().decode(piece);
    return {
      ...{ status: 200, headers: [["X-A", "b"]], body: bytes(`got ${text}`), ...over },
      async close() {
        closed += 1;
        return USAGE;
      },
    };
  };
  return { host, asked, closed: () => closed };
};

describe("a host that the house itself serves", () => {
  test("is reached by a grant without a network, and the ledger has body sizes and model usage", async () => {
    const { host, asked, closed } = createHost();
    const { open, lines, network, resolver } = createTestEgress({ grants: GRANTS, model: host });
    const answer = await open().ask(POST("twelve bytes"));
    expect([answer?.status, answer?.body, answer?.header("x-a")]).toEqual([200, "got twelve bytes", "b"]);
    expect(asked).toMatchObject([{ method: "POST", path: "/v1/a", agent: { handle: "main" } }]);
    expect(await lines()).toMatchObject([
      {
        ...{ host: MODEL_HOST, port: 80, method: "POST", path: "/v1/a", outcome: "allowed", status: 200 },
        ...{ sentBytes: 12, receivedBytes: 16, secrets: [], usage: USAGE },
      },
    ]);
    expect([network.dialRequests, resolver.requestedNames, closed()]).toEqual([[], [], 1]);
  });

  test("is also reached by TLS with the house, for several requests on one connection", async () => {
    const { host, asked } = createHost();
    const { connect } = createTestEgress({ grants: GRANTS, model: host });
    const cell = await connect(`${MODEL_HOST}:443`);
    for (const text of ["one", "other"]) {
      const request = `POST /v1/a HTTP/1.1\r\nHost: ${MODEL_HOST}\r\nContent-Length: ${text.length}\r\n\r\n${text}`;
      expect((await cell.ask(request))?.body).toBe(`got ${text}`);
    }
    expect(asked.length).toBe(2);
  });

  test("leaves the connection to an upstream open for the next request", async () => {
    const { open, network } = createTestEgress({
      grants: [...GRANTS, { host: "allowed.com" }],
      model: createHost().host,
    });
    const cell = open();
    const other = "GET http://allowed.com/ HTTP/1.1\r\nHost: allowed.com\r\n\r\n";
    expect([(await cell.ask(other))?.status, (await cell.ask(GET))?.status, (await cell.ask(other))?.status]).toEqual([
      ...[200, 200, 200],
    ]);
    expect(network.dialRequests.length).toBe(1);
  });

  test("answers with a length if the body is whole, otherwise in chunks", async () => {
    const lengthOf = async (body: OwnAnswer["body"]) => {
      const answer = await createTestEgress({ grants: GRANTS, model: createHost({ body }).host })
        .open()
        .ask(GET);
      return [answer?.body, answer?.header("content-length"), answer?.header("transfer-encoding")];
    };
    const streamed = (async function* () {
      yield bytes("a");
      yield bytes("b");
    })();
    expect(await lengthOf(bytes("ab"))).toEqual(["ab", "2", undefined]);
    expect(await lengthOf(streamed)).toEqual(["ab", undefined, "chunked"]);
  });

  test("is not called without a grant, with a token of another agent, or after the turn", async () => {
    const { host, asked } = createHost();
    const { open, grant, egress, token, lines } = createTestEgress({ grants: [], model: host });
    const refused = await open().ask(GET);
    expect([refused?.status, refused?.body]).toEqual([
      403,
      "Hearth: This agent has no grant for the network. To allow it: hearth egress allow main model.hearth\n",
    ]);
    grant([{ host: MODEL_HOST, methods: ["POST"] }]);
    expect((await open().ask(GET))?.body).toContain("do not allow GET /v1/a.");
    grant(GRANTS);
    const word = await token();
    const other = open(`agent_${"1".repeat(26)}` as AgentId);
    await other.send(GET.replace("\r\n", `\r\n${word}`));
    expect((await other.answer())?.status).toBe(407);
    egress.revoke(TURN);
    const late = open();
    await late.send(GET.replace("\r\n", `\r\n${word}`));
    expect((await late.answer())?.status).toBe(407);
    expect(asked).toEqual([]);
    expect((await lines()).map(({ outcome }) => outcome)).toEqual(["refused", "refused"]);
  });

  test("receives no secret, whatever is granted for its name", async () => {
    const { host } = createHost();
    const { open, lines } = createTestEgress({
      ...{ grants: GRANTS, model: host },
      secrets: {
        injectionsFor: async () => [{ secret: "token", header: "X-Key", value: "canary" }],
        redactorFor: async () => undefined,
      },
    });
    expect((await open().ask(GET))?.status).toBe(200);
    expect((await lines())[0]?.secrets).toEqual([]);
  });

  test("uses the bytes of its grant, and a request that exceeds them ends", async () => {
    const { host, closed } = createHost();
    const { open, lines } = createTestEgress({ grants: [{ host: MODEL_HOST, maxBytes: 20 }], model: host });
    expect((await open().ask(POST("x".repeat(30))))?.status).toBe(403);
    expect((await open().ask(POST("1234")))?.body).toBe("got 1234");
    expect(
      await open()
        .ask(POST("12345"))
        .catch(() => "broken off"),
    ).toBe("broken off");
    expect((await open().ask(POST("1")))?.status).toBe(403);
    expect((await lines()).map(({ outcome }) => outcome)).toEqual(["refused", "allowed", "refused", "refused"]);
    expect(closed()).toBe(2);
  });

  test("streams its answer, and is closed when the client does not read the rest", async () => {
    const [begun, turn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const body = async function* (): AsyncGenerator<Uint8Array> {
      yield bytes("one ");
      begun.resolve();
      await turn.promise;
      yield bytes("never seen");
    };
    const { host, closed } = createHost({ body: body() });
    const { open, egress, lines, token } = createTestEgress({ grants: GRANTS, model: host });
    const cell = open();
    await cell.send(GET.replace("\r\n", `\r\n${await token()}`));
    const answer = cell.answer();
    await begun.promise;
    egress.revoke(TURN);
    // Its usage is not known before it is recorded.
    const took = egress.readUsage(TURN);
    turn.resolve();
    expect(await took).toEqual(USAGE);
    await cell.over;
    expect(await answer.then(undefined, () => "broken off")).toBe("broken off");
    expect([closed(), (await lines())[0]?.usage]).toEqual([1, USAGE]);
  });

  test("answers a HEAD without a body", async () => {
    const { host, closed } = createHost();
    const cell = createTestEgress({ grants: GRANTS, model: host }).open();
    expect(await cell.ask(GET.replace("GET", "HEAD"))).toMatchObject({ status: 200, body: "" });
    expect((await cell.ask(GET))?.body).toBe("got ");
    expect(closed()).toBe(2);
  });
});

test("a step gets the address of the model only when its agent has a grant for it", async () => {
  const { egress, grant } = createTestEgress({ grants: [{ host: "allowed.com" }] });
  const agent = `agent_${"0".repeat(26)}` as AgentId;
  const model = async () => (await egress.offer(TURN, agent))?.model;
  expect(await model()).toBeUndefined();
  grant([{ host: MODEL_HOST, port: 443 }]);
  expect(await model()).toBeUndefined();
  grant(GRANTS);
  expect(await model()).toBe("http://model.hearth");
});
