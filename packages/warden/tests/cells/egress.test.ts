/**
 * Network access of agents: commands in a cell of the machine, grants in a record, a ledger for
 * people.
 */
import { expect, test } from "bun:test";
import { createLinkPair, type InmateFrame, type WardenFrame } from "@hearth/protocol";
import { createFakeNetwork, createFakeTls } from "../../src/cells/egress/network/fake-network.ts";
import { createFakeResolver } from "../../src/cells/egress/network/fake-resolver.ts";
import { createFakeUpstream } from "../../src/cells/egress/network/fake-upstream.ts";
import type { Egress } from "../../src/cells/egress/egress.ts";
import { createTestDisk, openTestHouse, type TestDisk, type TestHouse } from "../../src/fixtures/house.ts";
import type { Script } from "../../src/models/scripted/scripted.ts";
import type { WardenOptions } from "../../src/warden-options.ts";

const PUBLIC = "93.184.216.34";

const open = async (disk: TestDisk, script: Script, over: Partial<Pick<WardenOptions, "stages">> = {}) => {
  const upstream = createFakeUpstream(() => "HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\nfrom afar\r\n");
  const house = await openTestHouse({
    ...{ disk, script, ...over },
    config: 'tools = ["shell"]\n',
    egress: {
      network: createFakeNetwork((far) => void upstream.serve(far)),
      resolver: createFakeResolver({ "allowed.example": [[PUBLIC]], "inner.example": [["10.0.0.1"]] }),
      tls: createFakeTls(),
    },
  });
  return { house, upstream };
};

/** A command that makes a request like any program does: with the environment's proxy settings. */
const ask = (url: string): string =>
  `${process.execPath} -e 'const answer = await fetch("${url}"); console.log(answer.status, (await answer.text()).trim())'`;
const shell = (command: string) => ({ toolCalls: [{ id: "call-1", name: "shell", input: { command } }] });
const grant = (house: TestHouse, egress: readonly object[]) =>
  house.ask("PATCH", "/api/agents/main", { content: { egress } });
const saidTo = (house: TestHouse): string => JSON.stringify(house.model.requests.at(-1)?.messages.at(-1));
const turnOf = async (house: TestHouse): Promise<string> =>
  (await house.ask("GET", "/api/agents/main/activations")).json[0].id;

test("a command reaches hosts that its agent has a grant for, and the turn's ledger shows it to people", async () => {
  using disk = createTestDisk();
  const { house, upstream } = await open(disk, [shell(ask("http://allowed.example/a?b=c")), { text: "done" }]);
  await using _ = house;
  expect((await grant(house, [{ host: "allowed.example", methods: ["GET"] }])).status).toBe(200);
  await house.post("go");
  await house.until(2);
  expect(saidTo(house)).toContain("200 from afar");
  const turn = await turnOf(house);
  const { json: lines } = await house.ask("GET", `/api/activations/${turn}/egress`);
  expect(lines).toMatchObject([
    {
      activation: turn,
      host: "allowed.example",
      port: 80,
      method: "GET",
      path: "/a",
      outcome: "allowed",
      status: 200,
      secrets: [],
    },
  ]);
  expect([lines[0].sentBytes, lines[0].receivedBytes]).toEqual([upstream.receivedBytes(), upstream.sentBytes()]);
});

test("without a grant, or if the grant leads into the house's own network, the command reads the reason", async () => {
  using disk = createTestDisk();
  const script = [
    shell(ask("http://allowed.example/")),
    { text: "one" },
    shell(ask("http://inner.example/")),
    { text: "two" },
  ];
  const { house, upstream } = await open(disk, script);
  await using _ = house;
  await house.post("go");
  await house.until(2);
  expect(saidTo(house)).toContain("403 Hearth: This agent has no grant for the network.");
  await grant(house, [{ host: "inner.example" }]);
  await house.post("go");
  await house.until(4);
  expect(saidTo(house)).toContain(
    "403 Hearth: inner.example resolves to 10.0.0.1, which is not in the public network.",
  );
  expect(upstream.receivedBytes()).toBe(0);
  const { json } = await house.ask("GET", `/api/activations/${await turnOf(house)}/egress`);
  expect(json).toMatchObject([{ host: "inner.example", outcome: "refused", sentBytes: 0 }]);
});

test("the choke point is asked about each request", async () => {
  using disk = createTestDisk();
  const asked: unknown[] = [];
  const { house, upstream } = await open(disk, [shell(ask("http://allowed.example/a?b=c")), { text: "done" }], {
    stages: {
      audit: (effect) => {
        if (effect.kind !== "egress") return { verdict: "allowed" };
        const { kind, host, port, method, path, activation, agent } = effect;
        asked.push({ kind, host, port, method, path, activation, agent: agent.handle });
        return { verdict: "refused", text: "Not today." };
      },
    },
  });
  await using _ = house;
  await grant(house, [{ host: "allowed.example" }]);
  await house.post("go");
  await house.until(2);
  expect(saidTo(house)).toContain("403 Hearth: Not today.");
  const activation = await turnOf(house);
  expect(asked).toEqual([
    { kind: "egress", host: "allowed.example", port: 80, method: "GET", path: "/a?b=c", activation, agent: "main" },
  ]);
  expect(upstream.receivedBytes()).toBe(0);
  const { json } = await house.ask("GET", `/api/activations/${activation}/egress`);
  expect(json).toMatchObject([{ outcome: "refused", why: "Not today." }]);
});

test("the token of a turn is invalid after the turn", async () => {
  using disk = createTestDisk();
  // The cell's proxy stays open as long as the cell; only the token has expired.
  const { house, upstream } = await open(disk, [
    shell("echo $http_proxy > word"),
    { text: "kept" },
    shell(`http_proxy=$(cat word) ${ask("http://allowed.example/")}`),
    { text: "done" },
  ]);
  await using _ = house;
  await grant(house, [{ host: "allowed.example" }]);
  await house.post("go");
  await house.until(2);
  await house.post("go");
  await house.until(4);
  expect(saidTo(house)).toContain("407");
  expect(upstream.receivedBytes()).toBe(0);
});

test("a house without a network refuses every request with a reason", async () => {
  using disk = createTestDisk();
  await using house = await openTestHouse({
    disk,
    script: [shell("echo [$http_proxy]"), { text: "done" }],
    config: 'tools = ["shell"]\n',
  });
  await house.post("go");
  await house.until(2);
  expect(saidTo(house)).toContain("[]");
  const { noEgress } = await import("../../src/cells/egress/no-egress.ts");
  const [warden, inmate] = createLinkPair<WardenFrame, InmateFrame>();
  warden.handleStreams(
    (stream) => void noEgress.serve(stream, { agent: "agent_1" as Parameters<Egress["serve"]>[1]["agent"] }),
  );
  const ended = (async () => {
    for await (const _ of inmate.openStream("egress").bytes) continue;
  })().catch(() => "given up");
  expect(await ended).toBe("given up");
});
