/** Egress grants at the command line, against a fake house. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { openFakeHouse, runAt } from "../fakes/fake-command-line.ts";
import type { FakeHouse } from "../fakes/fake-house.ts";

let house: FakeHouse;
beforeEach(async () => {
  house = await openFakeHouse();
});
afterEach(() => house.close());

const hearth = (...words: string[]) => runAt(house, words);
const grants = async () => JSON.parse((await hearth("egress", "list", "main", "--json")).out);

test("an agent has no network access until a grant allows a host, and a grant is removed by its host", async () => {
  expect(await hearth("egress", "list", "main")).toMatchObject({
    code: 0,
    err: "The agent cannot reach any host. To allow one: hearth egress allow main HOST\n",
  });
  expect((await hearth("egress", "allow", "@main", "a.example.org")).out).toBe("@main may reach a.example.org\n");
  expect(house.requests.at(-1)).toContain('"version":1');
  await hearth(
    "egress",
    "allow",
    "main",
    "*.example.com",
    "--port",
    "8443",
    "--method",
    "get, head",
    "--path",
    "/v1",
    "--max-bytes",
    "1000",
  );
  expect(await grants()).toEqual([
    { host: "a.example.org" },
    { host: "*.example.com", port: 8443, methods: ["GET", "HEAD"], path: "/v1", maxBytes: 1000 },
  ]);
  const { out } = await hearth("egress", "list", "main");
  expect(out).toMatch(/a\.example\.org +443, 80 +any +any +any/);
  expect(out).toMatch(/\*\.example\.com +8443 +GET,HEAD +\/v1 +1000/);
  expect((await hearth("egress", "deny", "main", "a.example.org")).out).toBe("@main may reach *.example.com\n");
  expect((await hearth("egress", "deny", "main", "*.example.com")).out).toBe("@main cannot reach any host\n");
  expect(await grants()).toEqual([]);
});

test("allowing the same place again changes its limits; another port or path is a separate grant", async () => {
  await hearth("egress", "allow", "main", "a.example.org", "--method", "GET");
  await hearth("egress", "allow", "main", "a.example.org", "--method", "POST");
  await hearth("egress", "allow", "main", "a.example.org", "--port", "8443");
  await hearth("egress", "allow", "main", "a.example.org", "--path", "/v1");
  expect(await grants()).toEqual([
    { host: "a.example.org", methods: ["POST"] },
    { host: "a.example.org", port: 8443 },
    { host: "a.example.org", path: "/v1" },
  ]);
});

test("grants that are too broad or empty are refused without a request to the house", async () => {
  for (const [host, ...flags] of [
    ["*"],
    ["*.com"],
    ["https://a.example.org"],
    ["A.example.org"],
    ["localhost"],
    ["a.example.org", "--method", "BREW"],
    ["a.example.org", "--path", "v1"],
    ["a.example.org", "--port", "0"],
    ["web", "--method", "POST"],
    ["web", "--port", "8443"],
  ] as const) {
    const { code, err } = await hearth("egress", "allow", "main", host, ...flags);
    expect([host, flags, code]).toEqual([host, flags, 2]);
    expect(err).not.toBe("");
  }
  expect(house.requests.filter((line) => line.startsWith("PATCH"))).toEqual([]);
});

test("`web` is the public web, which is stored as one grant without limits of methods and paths", async () => {
  expect((await hearth("egress", "allow", "main", "web")).out).toBe("@main may reach web\n");
  expect(await grants()).toEqual([{ host: "*" }]);
  expect((await hearth("egress", "list", "main")).out).toMatch(/web +443 +GET,HEAD +any +any/);
  expect((await hearth("egress", "allow", "main", "web", "--max-bytes", "5000")).out).toBe("@main may reach web\n");
  expect(await grants()).toEqual([{ host: "*", maxBytes: 5000 }]);
  expect((await hearth("egress", "deny", "main", "web")).out).toBe("@main cannot reach any host\n");
});
