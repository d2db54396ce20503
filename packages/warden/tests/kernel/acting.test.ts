/** Rows of the audit log name the credential of the request that caused them. */
import { expect, test } from "bun:test";
import { AuditFacts, type AuditRow } from "@hearth/protocol";
import { until } from "@hearth/protocol/until";
import { HOST } from "../../src/fixtures/daemon-parts.ts";
import { createTestDisk, openTestHouse, type TestHouse } from "../../src/fixtures/house.ts";

type Facts = AuditFacts & { readonly type: string };

const factsOf = async (house: TestHouse): Promise<readonly Facts[]> => {
  const { json } = await house.ask("GET", "/api/houses/home/audit?limit=1000");
  return (json.rows as readonly AuditRow[]).map(({ type, body }) => ({
    ...AuditFacts.parse(JSON.parse(body ?? "")),
    type,
  }));
};

/** Logs a browser in, and returns how it calls the house. */
const logIn = async (house: TestHouse) => {
  const link = (await house.ask("POST", "/api/login-links", {})).json.url;
  const send = (path: string, method: string, body: unknown, cookie = "") =>
    house.warden.http.handle(
      new Request(`http://${HOST}${path}`, {
        method,
        headers: { host: HOST, origin: `http://${HOST}`, cookie, "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    );
  const answer = await send("/login", "POST", { code: new URL(link).searchParams.get("code") });
  const { id } = await answer.json();
  const cookie = answer.headers.get("set-cookie")?.split(";")[0] ?? "";
  return { id, send: (path: string, method: string, body?: unknown) => send(path, method, body, cookie) };
};

test("an act names the key, the session or the machine with which a person made it", async () => {
  using disk = createTestDisk();
  await using house = await openTestHouse({ disk, script: () => ({ text: "done" }) });
  const made = (await house.ask("POST", "/api/keys", { name: "laptop" })).json;
  const create = (name: string, key?: string) =>
    house.ask("POST", "/api/rooms", { content: { name, kind: "group" } }, key);
  expect((await create("By machine")).status).toBe(201);
  expect((await create("By key", made.key)).status).toBe(201);
  const browser = await logIn(house);
  expect((await browser.send("/api/rooms", "POST", { content: { name: "By browser", kind: "group" } })).status).toBe(
    201,
  );
  const other = await logIn(house);
  expect((await browser.send(`/api/sessions/${other.id}`, "DELETE")).status).toBe(200);

  const facts = await factsOf(house);
  const credential = ({ via, by_key, by_session }: Facts) => ({ via, by_key, by_session });
  const room = (handle: string) => credential(facts.find((row) => row.type === "record" && row["handle"] === handle)!);
  expect(room("by-machine")).toEqual({ via: "run-token", by_key: undefined, by_session: undefined });
  expect(room("by-key")).toEqual({ via: "key", by_key: made.id, by_session: undefined });
  expect(room("by-browser")).toEqual({ via: "login", by_key: undefined, by_session: browser.id });
  // The commit that ends a session names no actor.
  const owner = facts.find((row) => row["handle"] === "by-key")?.["by"];
  expect(facts.find((row) => row.type === "login" && row["change"] === "removed")).toMatchObject({
    ...{ id: other.id, by: owner, via: "login", by_session: browser.id },
  });
  // A change by several commits names it in each.
  const ofKey = facts.filter(({ by_key }) => by_key === made.id);
  expect(ofKey.length).toBeGreaterThan(0);
  expect(ofKey.every(({ by }) => by === owner)).toBe(true);
  expect(JSON.stringify(facts)).not.toContain(made.key);
});

test("a turn that a person's message wakes is no act of the person, but their stop of it is", async () => {
  using disk = createTestDisk();
  await using house = await openTestHouse({ disk, script: () => ({ hang: true }) });
  const { key, id: keyId } = (await house.ask("POST", "/api/keys", { name: "phone" })).json;
  await house.ask("POST", "/api/rooms/main/messages", { text: "go" }, key);
  const running = async () => (await house.ask("GET", "/api/agents/main/activations")).json[0];
  await until(async () => (await running())?.state === "running");
  const { id } = await running();
  expect((await house.ask("POST", `/api/activations/${id}/stop`, undefined, key)).status).toBe(200);
  const facts = await factsOf(house);
  const end = facts.find((row) => row.type === "activation" && row["id"] === id);
  expect(end).toMatchObject({ state: "stopped", via: "key", by_key: keyId });
  for (const row of facts.filter(({ type }) => type === "step"))
    expect([row["by"], row["via"], row["by_key"]]).toEqual([undefined, undefined, undefined]);
});
