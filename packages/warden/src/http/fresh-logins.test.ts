/**
 * Operations that give power to a person, a key, an agent or another machine need a fresh login.
 * The list is the contract: a declaration that is added or removed changes it.
 */
import { expect, test } from "bun:test";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { TOTP } from "otpauth";
import { createBunWorld } from "../adapter/bun/world.ts";
import { PROOF_MS } from "../people/credentials/house-logins.ts";
import type { OpenApiDocument } from "./docs/open-api.ts";
import { createFakeHouse, HOST } from "./fakes/fake-house.ts";

const { hash } = createBunWorld();
const PASSWORD = "correct horse battery";

const open = async () => {
  const world = createFakeWorld({ hash });
  const house = await createFakeHouse(world);
  const send = async (method: string, path: string, headers: Record<string, string>, body?: unknown) => {
    const response = await house.call(path, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const json = await response.json().catch(() => undefined);
    return { status: response.status, code: json?.error?.code, json };
  };
  const makeKey = (headers: Record<string, string>) => send("POST", "/api/keys", headers, { name: "k" });
  return { world, house, send, makeKey, people: house.options.people };
};

const FRESH = [
  "addProvider",
  "beginImport",
  "changeVaultKey",
  "createInvite",
  "createKey",
  "editProvider",
  "grantHouse",
  "grantRoom",
  "grantSecret",
  "previewImport",
  "removeBackupTarget",
  "removeMediaProvider",
  "removeProvider",
  "replaceProviderKey",
  "restoreBackup",
  "rotateAuditKey",
  "rotateSecret",
  "setBackupTarget",
  "setMediaProvider",
  "setSecret",
  "setTunnel",
];

const declared = async () => {
  const { house } = await open();
  const { paths } = (await (await house.call("/openapi.json")).json()) as OpenApiDocument;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
};

test("A74: these operations declare that they need a fresh login", async () => {
  const fresh = (await declared()).filter(({ operation }) => operation["x-fresh-login"] === true);
  expect(fresh.map(({ operation }) => operation.operationId).toSorted()).toEqual(FRESH);
});

test("A74: each of them refuses an old session and a key, and passes a fresh one on", async () => {
  const { house, send } = await open();
  const old = await house.logIn(undefined, { isOld: true });
  const fresh = await house.logIn();
  const key = { authorization: `Bearer ${house.key}` };
  for (const { method, path, operation } of await declared()) {
    if (operation["x-fresh-login"] !== true) continue;
    const to = path
      .replace(/\/houses\/\{\w+\}/, `/houses/${house.house}`)
      .replace(/\/rooms\/\{\w+\}/, `/rooms/${house.room.id}`)
      .replace(/\{\w+\}/g, "x");
    const takesBody = operation.requestBody !== undefined;
    const codes: unknown[] = [];
    for (const headers of [old, key, fresh])
      codes.push((await send(method, to, headers, takesBody ? {} : undefined)).code);
    expect([operation.operationId, codes[0], codes[1]]).toEqual([operation.operationId, "auth.stale", "auth.denied"]);
    expect([operation.operationId, codes[2]]).not.toEqual([operation.operationId, "auth.stale"]);
  }
});

test("a login by password counts as fresh for 15 minutes, and no longer", async () => {
  const { world, house, send, makeKey, people } = await open();
  await people.passwords.set(house.owner.id, PASSWORD);
  const origin = `http://${HOST}`;
  const response = await house.call("/login", {
    method: "POST",
    headers: { authorization: "", origin },
    body: JSON.stringify({ person: "owner", password: PASSWORD }),
  });
  const headers = { cookie: response.headers.get("set-cookie")?.split(";")[0] ?? "", origin };
  expect((await makeKey(headers)).status).toBe(201);
  // It does not replace the present password, as a passkey or a link does.
  const next = { password: "another horse battery" };
  expect((await send("POST", "/api/agents/owner/password", headers, next)).code).toBe("auth.password");
  await world.advance(PROOF_MS);
  expect(await makeKey(headers)).toMatchObject({ status: 403, code: "auth.stale" });
  expect((await send("GET", "/api/me", headers)).status).toBe(200);
});

test("a session is confirmed by its person's password, and the refused request then works", async () => {
  const { world, house, send, makeKey, people } = await open();
  await people.passwords.set(house.owner.id, PASSWORD);
  const session = await house.logIn(undefined, { isOld: true });
  expect((await makeKey(session)).code).toBe("auth.stale");
  expect(await send("POST", "/api/sessions/confirm", session, { password: "wrong" })).toMatchObject({
    status: 400,
    code: "auth.password",
  });
  expect((await makeKey(session)).code).toBe("auth.stale");
  expect((await send("POST", "/api/sessions/confirm", session, { password: PASSWORD })).json).toEqual({
    freshUntil: world.clock.now() + PROOF_MS,
  });
  expect((await makeKey(session)).status).toBe(201);
  const next = { password: "another horse battery" };
  expect((await send("POST", "/api/agents/owner/password", session, next)).code).toBe("auth.password");
  // No session was added.
  expect(await people.logins.list(house.owner.id)).toHaveLength(1);
});

test("with a second factor, the password gets a ticket, and the code of another person confirms nothing", async () => {
  const { world, house, send, makeKey, people } = await open();
  await people.passwords.set(house.owner.id, PASSWORD);
  const { setup, secret } = await people.secondFactors.begin(house.owner);
  const codeNow = () => TOTP.generate({ secret: new TOTP({ secret }).secret, timestamp: world.clock.now() });
  await people.secondFactors.confirm(house.owner, { setup, code: codeNow() }, undefined);
  await world.advance(60_000);
  const session = await house.logIn(undefined, { isOld: true });
  const first = await send("POST", "/api/sessions/confirm", session, { password: PASSWORD });
  expect([first.status, Object.keys(first.json).toSorted(), (await makeKey(session)).code]).toEqual([
    200,
    ["expiresAt", "ticket"],
    "auth.stale",
  ]);
  const step = { ticket: first.json.ticket, code: codeNow() };
  const bob = await people.records.mutate(
    { kind: "create", type: "agent", content: { name: "Bob", kind: "human" } },
    house.owner.id,
  );
  const bobs = await house.logIn(bob.id as never, { isOld: true });
  expect(await send("POST", "/api/sessions/confirm", bobs, step)).toMatchObject({ code: "auth.password" });
  expect((await makeKey(bobs)).code).toBe("auth.stale");
  await world.advance(60_000);
  const again = await send("POST", "/api/sessions/confirm", session, { password: PASSWORD });
  const code = { ticket: again.json.ticket, code: codeNow() };
  expect((await send("POST", "/api/sessions/confirm", session, code)).status).toBe(200);
  expect((await makeKey(session)).status).toBe(201);
});

test("a login link of the machine confirms a session, and one that a session created does not", async () => {
  const { house, send, makeKey, people } = await open();
  const session = await house.logIn(undefined, { isOld: true });
  const confirm = (link: string) => send("POST", "/api/sessions/confirm", session, { link });
  expect((await confirm("wrong")).code).toBe("auth.link");
  expect((await confirm(people.logins.offer(house.owner.id).code)).code).toBe("auth.password");
  expect((await confirm(people.logins.offer(house.bot.id, { proves: true }).code)).code).toBe("auth.password");
  expect((await makeKey(session)).code).toBe("auth.stale");
  expect((await confirm(people.logins.offer(house.owner.id, { proves: true }).code)).status).toBe(200);
  expect((await makeKey(session)).status).toBe(201);
});

test("only sessions are confirmed", async () => {
  const { house, send } = await open();
  const key = { authorization: `Bearer ${house.key}` };
  expect(await send("POST", "/api/sessions/confirm", key, { password: PASSWORD })).toMatchObject({
    code: "auth.denied",
  });
});
