import { expect, test } from "bun:test";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createBunWorld } from "../../adapter/bun/world.ts";
import { createFakeHouse, HOST } from "../fake-house.ts";

const { hash } = createBunWorld();
const setUp = async () => {
  const house = await createFakeHouse(createFakeWorld({ hash }));
  const form = { authorization: "", origin: `http://${HOST}`, "content-type": "application/x-www-form-urlencoded" };
  const redeem = (code: string, headers: Record<string, string> = form) =>
    house.call("/login", { method: "POST", headers, body: new URLSearchParams({ code }).toString() });
  return { house, form, redeem, code: house.options.logins.offer(house.owner.id).code };
};

test("looking at a login link uses nothing up", async () => {
  const { house, redeem, code } = await setUp();
  for (const method of ["GET", "HEAD", "GET"]) {
    expect((await house.call(`/login?code=${code}`, { method, headers: { authorization: "" } })).status).toBe(200);
  }
  expect((await redeem(code)).status).toBe(303);
});

test("the button logs in once: a cookie that no script and no other site gets to use", async () => {
  const { house, redeem, code } = await setUp();
  const response = await redeem(code);
  expect([response.status, response.headers.get("location")]).toEqual([303, "/"]);
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

test("the page escapes the code it was given, runs nothing and loads nothing", async () => {
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

test("without a code the page says where to find the link", async () => {
  const { house } = await setUp();
  const html = await (await house.call("/login", { headers: { authorization: "" } })).text();
  expect(html).toContain("login link");
  expect(html).not.toContain("<form");
});

test("a login form that is too large or of another type is refused", async () => {
  const { house, form, redeem, code } = await setUp();
  expect((await redeem("x".repeat(2_000_000))).status).toBe(413);
  const json = { ...form, "content-type": "application/json" };
  expect((await house.call("/login", { method: "POST", headers: json, body: JSON.stringify({ code }) })).status).toBe(
    415,
  );
});

test("logging out ends the session and takes the cookie away", async () => {
  const { house, redeem, code } = await setUp();
  const cookie = (await redeem(code)).headers.get("set-cookie")?.split(";")[0] ?? "";
  const out = () => house.call("/logout", { method: "POST", headers: { cookie, origin: `http://${HOST}` } });
  const response = await out();
  expect([response.status, response.headers.get("set-cookie")]).toEqual([
    303,
    expect.stringContaining("hearth_session=; Max-Age=0"),
  ]);
  expect((await out()).status).toBe(401);
});
