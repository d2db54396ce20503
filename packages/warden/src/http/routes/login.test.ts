import { expect, test } from "bun:test";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createBunWorld } from "../../adapter/bun/world.ts";
import { createFakeHouse, HOST } from "../fakes/fake-house.ts";
import { MAX_PUBLIC_BODIES } from "../public-body-reader.ts";

const { hash } = createBunWorld();
const PASSWORD = "correct horse battery";
const setUp = async () => {
  const world = createFakeWorld({ hash });
  const house = await createFakeHouse(world);
  const form = { authorization: "", origin: `http://${HOST}`, "content-type": "application/x-www-form-urlencoded" };
  const redeem = (code: string, headers: Record<string, string> = form) =>
    house.call("/login", { method: "POST", headers, body: new URLSearchParams({ code }).toString() });
  const json = { ...form, "content-type": "application/json" };
  const post = (body: unknown, headers: Record<string, string> = json) =>
    house.call("/login", { method: "POST", headers, body: JSON.stringify(body) });
  await house.options.people.passwords.set(house.owner.id, PASSWORD);
  return { world, house, form, json, redeem, post, code: house.options.people.logins.offer(house.owner.id).code };
};

test("viewing a login link does not use it up", async () => {
  const { house, redeem, code } = await setUp();
  for (const method of ["GET", "HEAD", "GET"]) {
    expect((await house.call(`/login?code=${code}`, { method, headers: { authorization: "" } })).status).toBe(200);
  }
  expect((await redeem(code)).status).toBe(303);
});

test("the button logs in once, with a cookie that scripts and other sites cannot use", async () => {
  const { house, redeem, code } = await setUp();
  const response = await redeem(code);
  expect([response.status, response.headers.get("location")]).toEqual([303, "/ui/"]);
  const cookie = response.headers.get("set-cookie") ?? "";
  expect(cookie).toMatch(/^hearth_session=[\w-]{43}; Max-Age=2592000; HttpOnly; SameSite=Strict; Path=\/$/);
  expect((await house.call("/docs", { headers: { cookie: cookie.split(";")[0] ?? "" } })).status).toBe(200);
  const again = await redeem(code);
  expect([again.status, again.headers.get("set-cookie"), (await again.json()).error.code]).toEqual([
    401,
    null,
    "auth.invalid",
  ]);
});

test("another site's page cannot log a browser in", async () => {
  const { redeem, form, code } = await setUp();
  for (const headers of [
    { ...form, origin: "http://evil.example" },
    { ...form, origin: "null" },
    { ...form, "sec-fetch-site": "cross-site" },
  ]) {
    expect((await redeem(code, headers)).status).toBe(403);
  }
  expect((await redeem(code)).status).toBe(303);
});

test("the page escapes its code, runs nothing and loads nothing", async () => {
  const { house } = await setUp();
  const response = await house.call(`/login?code=${encodeURIComponent(`"><script>alert(1)</script>`)}`, {
    headers: { authorization: "" },
  });
  const html = await response.text();
  expect(html).not.toContain("<script");
  expect(html).toContain("&#34;&#62;&#60;script");
  const style = /<style>([\s\S]*)<\/style>/.exec(html)?.[1] ?? "";
  const allowed = Buffer.from(hash(style), "hex").toString("base64");
  expect(response.headers.get("content-security-policy")).toContain(`style-src 'sha256-${allowed}'`);
});

test("without a code the page asks for name and password, and says where to find the link", async () => {
  const { house } = await setUp();
  const html = await (await house.call("/login", { headers: { authorization: "" } })).text();
  expect(html).toContain("login link");
  expect(html).toMatch(/<input name="person" autocomplete="username"/);
  expect(html).toMatch(/<input type="password" name="password" autocomplete="current-password"/);
  expect(html).not.toContain("<script");
});

test("a login form that is too large or of another type is refused", async () => {
  const { house, form, redeem } = await setUp();
  expect((await redeem("x".repeat(10_000))).status).toBe(413);
  for (const type of ["text/plain", "multipart/form-data", "application/xml", ""]) {
    const headers = { ...form, "content-type": type };
    expect((await house.call("/login", { method: "POST", headers, body: "code=x" })).status).toBe(415);
  }
});

test("logging out ends the session and deletes the cookie", async () => {
  const { house, redeem, code } = await setUp();
  const cookie = (await redeem(code)).headers.get("set-cookie")?.split(";")[0] ?? "";
  const out = () => house.call("/logout", { method: "POST", headers: { cookie, origin: `http://${HOST}` } });
  const response = await out();
  expect([response.status, response.headers.get("location"), response.headers.get("set-cookie")]).toEqual([
    303,
    "/ui/",
    expect.stringContaining("hearth_session=; Max-Age=0"),
  ]);
  expect((await out()).status).toBe(401);
});

test("a used link gives a browser a page with an instruction, and a program JSON", async () => {
  const { redeem, form, code } = await setUp();
  await redeem(code);
  const shown = await redeem(code, { ...form, accept: "text/html,application/xhtml+xml,*/*;q=0.8" });
  expect([shown.status, shown.headers.get("content-type")]).toEqual([401, "text/html; charset=utf-8"]);
  expect(shown.headers.has("set-cookie")).toBe(false);
  const html = await shown.text();
  for (const part of ["already used or has expired", "<code>hearth login</code>", 'href="/ui/"', "auth.invalid"])
    expect(html).toContain(part);
  expect(html).not.toContain("<script");
  const told = await redeem(code, { ...form, accept: "application/json" });
  expect((await told.json()).error).toMatchObject({
    code: "auth.invalid",
    hint: expect.stringContaining("hearth login"),
  });
});

test("a link from another site shows the button and uses nothing up; no other site can frame it", async () => {
  const { house, redeem, code } = await setUp();
  const headers = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };
  const response = await house.call(`/login?code=${code}`, { headers: { authorization: "", ...headers } });
  expect(await response.text()).toContain("<button>Log in</button>");
  expect(response.headers.get("x-frame-options")).toBe("DENY");
  expect(response.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
  expect((await redeem(code)).status).toBe(303);
});

test("name and password log in by form and by JSON, which is answered with the session", async () => {
  const { world, house, form, post } = await setUp();
  const byForm = await house.call("/login", {
    ...{ method: "POST", headers: { ...form, "user-agent": "Netscape/1.0" } },
    body: new URLSearchParams({ person: "owner", password: PASSWORD, deviceToken: "x" }).toString(),
  });
  expect([byForm.status, byForm.headers.get("location")]).toEqual([303, "/ui/"]);
  const cookie = byForm.headers.get("set-cookie")?.split(";")[0] ?? "";
  expect((await house.call("/api/me", { headers: { cookie } })).status).toBe(200);

  const byJson = await post({ person: house.owner.id, password: PASSWORD, scopes: ["admin"] });
  expect([byJson.status, byJson.headers.get("set-cookie")]).toEqual([200, expect.stringContaining("HttpOnly")]);
  const session = await byJson.json();
  expect(session).toEqual({
    ...{ id: expect.stringMatching(/^ses_/), agent: house.owner.id, about: "", isThis: true },
    method: "password",
    usedAt: world.clock.now(),
    ...{ createdAt: world.clock.now(), expiresAt: world.clock.now() + 30 * 24 * 60 * 60_000 },
  });
  expect(await house.options.people.logins.list(house.owner.id)).toMatchObject([
    { id: session.id },
    { about: "Netscape/1.0" },
  ]);
});

test("a login in progress fails if the password changes meanwhile", async () => {
  const { house, post } = await setUp();
  const { passwords } = house.options.people;
  const { check } = passwords;
  Object.assign(passwords, {
    async check(attempt: Parameters<typeof check>[0]) {
      const proved = await check(attempt);
      await passwords.set(house.owner.id, "another password");
      return proved;
    },
  });
  const response = await post({ person: "owner", password: PASSWORD });
  expect([response.status, response.headers.get("set-cookie")]).toEqual([401, null]);
  expect(await house.options.people.logins.list(house.owner.id)).toEqual([]);
});

test("a code logs in by JSON too", async () => {
  const { post, code } = await setUp();
  expect((await post({ code })).status).toBe(200);
  expect((await post({ code })).status).toBe(401);
});

test("a wrong password and an unknown name give the same answer", async () => {
  const { post } = await setUp();
  const answers = await Promise.all(
    ["owner", "nobody", "main"].map(async (person) => {
      const response = await post({ person, password: "wrong password" });
      return [response.status, [...response.headers], await response.text()];
    }),
  );
  expect(answers[0]?.[0]).toBe(401);
  expect(answers[1]).toEqual(answers[0]);
  expect(answers[2]).toEqual(answers[0]);
});

test("a malformed login is refused and does not count as an attempt", async () => {
  const { post, house, json } = await setUp();
  for (const body of [
    {},
    [],
    null,
    1,
    { person: "owner" },
    { password: PASSWORD },
    { person: "", password: "x" },
    { code: 1 },
  ])
    expect([body, (await post(body)).status]).toEqual([body, 400]);
  const raw = await house.call("/login", { method: "POST", headers: json, body: "{" });
  expect([raw.status, (await raw.json()).error.code]).toEqual([400, "request.invalid"]);
  expect((await post({ person: "owner", password: PASSWORD })).status).toBe(200);
});

test("wrong passwords lead to 429 with a waiting time; headers and fields do not change that; links and sessions still work", async () => {
  const { world, house, json, post, redeem, code } = await setUp();
  const cookie =
    (await redeem(house.options.people.logins.offer(house.owner.id).code)).headers.get("set-cookie")?.split(";")[0] ??
    "";
  const tell = async (index: number): Promise<number> => {
    const headers = {
      ...json,
      "x-forwarded-for": `10.0.0.${index}`,
      "x-real-ip": `10.1.0.${index}`,
      forwarded: `for=10.2.0.${index}`,
    };
    return (
      await post(
        { person: "owner", password: "wrong password", deviceToken: `${index}`, peer: `10.3.0.${index}` },
        headers,
      )
    ).status;
  };
  const statuses: number[] = [];
  for (let index = 0; index < 50; index += 1) statuses.push(await tell(index));
  expect(statuses).toEqual([...Array(10).fill(401), ...Array(40).fill(429)]);

  const limited = await post({ person: "owner", password: PASSWORD });
  expect([limited.status, limited.headers.get("retry-after"), (await limited.json()).error.code]).toEqual([
    429,
    "60",
    "auth.limited",
  ]);
  expect((await house.call("/api/me", { headers: { cookie } })).status).toBe(200);
  expect((await house.call("/api/me")).status).toBe(200);
  expect((await redeem(code)).status).toBe(303);
  const page = await post({ person: "owner", password: PASSWORD }, { ...json, accept: "text/html" });
  expect([page.status, page.headers.get("retry-after"), page.headers.get("content-type")]).toEqual([
    429,
    "60",
    "text/html; charset=utf-8",
  ]);

  await world.advance(60_000);
  expect((await post({ person: "owner", password: PASSWORD })).status).toBe(200);
});

test("attempts count for the connection's address only", async () => {
  const { house, json } = await setUp();
  const from = async (address: string, password: string): Promise<number> => {
    const body = JSON.stringify({ person: "owner", password });
    const request = house.request("/login", { method: "POST", headers: json, body });
    const { status } = await house.http.handle(request, { address });
    return status;
  };
  for (let count = 0; count < 10; count += 1) await from("10.0.0.1", "wrong password");
  expect([
    await from("10.0.0.1", PASSWORD),
    await from("::ffff:10.0.0.1", PASSWORD),
    await from("10.0.0.2", PASSWORD),
  ]).toEqual([429, 429, 200]);
});

test("wrong codes and keys lead to 429, while valid ones are still accepted", async () => {
  const { house, redeem, code } = await setUp();
  const wrongCodes: number[] = [];
  for (let count = 0; count < 60; count += 1) wrongCodes.push((await redeem(`wrong-${count}`)).status);
  expect(wrongCodes).toEqual([...Array(50).fill(401), ...Array(10).fill(429)]);
  for (const headers of [{ authorization: "Bearer hearth_wrong" }, { cookie: "hearth_session=wrong" }]) {
    const limited = await house.call("/api/me", { headers: headers as Record<string, string> });
    expect([limited.status, limited.headers.get("retry-after")]).toEqual([429, "1"]);
  }
  const socket = await house.http.admit(
    house.request("/ws", { headers: { authorization: "Bearer hearth_wrong", upgrade: "websocket" } }),
  );
  expect(socket).toHaveProperty("refusal.status", 429);
  expect((await house.call("/api/me")).status).toBe(200);
  expect((await redeem(code)).status).toBe(303);
});

test("unauthenticated bodies are limited in number and time", async () => {
  const { world, house, form, post } = await setUp();
  const slow = Array.from({ length: MAX_PUBLIC_BODIES }, () =>
    house.call("/login", {
      ...{ method: "POST", headers: form, duplex: "half" },
      body: new ReadableStream(),
    } as RequestInit),
  );
  const turnedAway = await post({ person: "owner", password: PASSWORD });
  expect([turnedAway.status, turnedAway.headers.get("retry-after")]).toEqual([429, "1"]);
  await world.advance(5_000);
  expect((await Promise.all(slow)).map(({ status, headers }) => [status, headers.get("connection")])).toEqual(
    Array(MAX_PUBLIC_BODIES).fill([408, "close"]),
  );
  expect((await post({ person: "owner", password: PASSWORD })).status).toBe(200);
});
