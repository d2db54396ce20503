/** Logins through a real OpenID Connect provider on this machine. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type CookieJar, logInAt, startProvider, type TestProvider } from "@hearth/testing/oidc";
import { TOTP } from "otpauth";
import { CHALLENGES_OF_PEER, INVALID_CREDENTIALS_OF_PEER } from "../../people/credentials/login-attempts.ts";
import { FROM_ELSEWHERE, ORIGIN, setUp, table } from "./fixtures/browsers.ts";
import { OIDC_PENDING_MS } from "../session-cookie.ts";

const PASSWORD = "correct horse battery";
const GROUPS = 'groups_claim = "groups"\ngroups = { "staff" = "w", "guests" = "r", "admins" = "x" }';

let provider: TestProvider;
beforeAll(async () => {
  provider = await startProvider({
    ada: { name: "Ada", email: "ada@example.org", groups: ["staff", "guests"] },
    bea: { name: "Bea", email: "bea@example.org", groups: ["admins"] },
    cal: { name: "Owner", email: "cal@example.org", groups: ["others"] },
    dot: { name: "Ada\u200B\u202E", email: "dot@example.org" },
    eve: {},
  });
});
afterAll(() => provider[Symbol.asyncDispose]());

/** A house with the provider `acme`. */
const open = (more = "") => setUp(table("acme", provider.issuer, more));

describe("a login", () => {
  test("by a linked account begins a session and shows the wanted page", async () => {
    const { addPerson, link, browse, house, people } = await open();
    const ana = await addPerson("Ana");
    expect(await link(ana.id, "ada")).toMatchObject({ status: 303, location: "/ui/settings/account" });
    const browser = browse();
    const answer = await browser.logIn("ada", "acme", "?to=/ui/rooms/den%3Fx=1");
    expect(answer).toMatchObject({ status: 303, location: "/ui/rooms/den?x=1" });
    expect(await browser.me()).toBe("ana");
    const [session] = await people.logins.list(ana.id as never);
    expect(session).toMatchObject({ agent: ana.id, method: "sso" });
    expect(browser.cookies.has("hearth_oidc")).toBe(false);
    const [identity] = await people.identities.list(ana.id as never);
    expect(identity).toMatchObject({ provider: "acme", issuer: provider.issuer, account: "ada@example.org" });
    expect(identity?.usedAt).toBe(house.options.kernel.world.clock.now());
  });

  test("is no fresh login: what asks for one is refused", async () => {
    const { addPerson, link, browse, people } = await open();
    const ana = await addPerson("Ana");
    await link(ana.id, "ada");
    const browser = browse();
    await browser.logIn("ada");
    for (const path of ["/api/passkeys/setup", "/api/identities/acme/link"])
      expect(await browser.send("POST", path, { body: {} })).toMatchObject({ error: { code: "auth.stale" } });
    // A first password would give the proof that such a login does not.
    const first = await browser.send("POST", `/api/agents/${ana.id}/password`, { body: { password: PASSWORD } });
    expect([first.error?.code, await people.passwords.has(ana.id as never)]).toEqual(["auth.stale", false]);
    await people.passwords.set(ana.id as never, PASSWORD);
    await browser.logIn("ada");
    expect(await browser.send("POST", "/api/identities/acme/link", { body: {} })).toMatchObject({
      error: { code: "auth.password" },
    });
    const right = await browser.send("POST", "/api/identities/acme/link", { body: { current: PASSWORD } });
    expect(right.status).toBe(201);
  });

  test("A74: is a fresh login only if the provider has asked for the person's proof again", async () => {
    const { addPerson, link, browse } = await open();
    const ana = await addPerson("Ana");
    await link(ana.id, "ada");
    const jar: CookieJar = new Map();
    const logIn = async (again: string) => {
      const browser = browse();
      const started = await browser.begin("acme", again);
      await browser.comeBack(await logInAt(started, "ada", jar));
      return { started, status: (await browser.send("POST", "/api/keys", { body: { name: "k" } })).status };
    };
    expect((await logIn("")).status).toBe(403);
    const fresh = await logIn("?again=true");
    expect([new URL(fresh.started).searchParams.get("prompt"), fresh.status]).toEqual(["login", 201]);
    // A browser that leaves the question out comes back with its old login.
    const cheat = browse();
    const asked = new URL(await cheat.begin("acme", "?again=true"));
    for (const name of ["prompt", "max_age"]) asked.searchParams.delete(name);
    const refused = await cheat.comeBack(await logInAt(asked.href, "ada", jar));
    expect([refused.status, refused.error?.code, cheat.isIn()]).toEqual([400, "auth.sso", false]);
  });

  test("of a person with a second factor still needs a code", async () => {
    const { addPerson, link, browse, people, world } = await open();
    const ana = await addPerson("Ana");
    await link(ana.id, "ada");
    const { setup, secret } = await people.secondFactors.begin(ana as never);
    const codeAt = (at: number) => TOTP.generate({ secret: new TOTP({ secret }).secret, timestamp: at });
    await people.secondFactors.confirm(ana as never, { setup, code: codeAt(world.clock.now()) }, undefined);
    await world.advance(60_000);
    const browser = browse();
    const page = await browser.logIn("ada");
    expect([page.status, browser.isIn()]).toEqual([200, false]);
    const [, ticket] = /name="ticket" value="([^"]+)"/.exec(page.text) ?? [];
    const wrong = await browser.send("POST", "/login", { body: { ticket, code: "000000" } });
    expect([wrong.error?.code, browser.isIn()]).toEqual(["auth.code", false]);
    await browser.send("POST", "/login", { body: { ticket, code: codeAt(world.clock.now()) } });
    expect(await browser.me()).toBe("ana");
    expect((await people.logins.list(ana.id as never)).map(({ method }) => method)).toContain("sso-code");
  });

  test("by an account of no person is refused, whatever its name and address are", async () => {
    const { addPerson, browse, house, people } = await open();
    await addPerson("Ada");
    const before = (await people.records.list("agent")).length;
    const browser = browse();
    const refused = await browser.logIn("ada");
    expect(refused).toMatchObject({ status: 400, error: { code: "auth.sso" } });
    expect(refused.error?.message).toBe("No person of this house is linked to this account.");
    expect([browser.isIn(), (await people.records.list("agent")).length]).toEqual([false, before]);
    expect(await house.store.select({ table: "identities" })).toEqual([]);
  });

  test("ends with the person, and their sign-out ends only the session of the house", async () => {
    const { addPerson, link, browse, people, house } = await open();
    const ana = await addPerson("Ana");
    await link(ana.id, "ada");
    const browser = browse();
    await browser.logIn("ada");
    expect((await browser.send("POST", "/logout")).status).toBe(303);
    expect(await browser.me()).toBeUndefined();
    expect((await browser.logIn("ada")).status).toBe(303);
    await people.records.mutate({ kind: "remove", id: ana.id }, house.owner.id);
    expect(await house.store.select({ table: "identities" })).toEqual([]);
    expect((await browse().logIn("ada")).error?.code).toBe("auth.sso");
  });
});

describe("linking", () => {
  test("needs a fresh login in a browser", async () => {
    const { addPerson, browse, house, people } = await open();
    const ana = await addPerson("Ana");
    const browser = browse();
    const begin = (headers = {}) => browser.send("POST", "/api/identities/acme/link", { body: {}, ...headers });
    expect((await begin()).error?.code).toBe("auth.missing");
    await browser.beAs(ana.id, false);
    expect((await begin()).error?.code).toBe("auth.stale");
    expect((await begin({ authorization: `Bearer ${house.key}` })).error?.code).toBe("auth.denied");
    const { key } = await people.keys.create({ name: "k", agent: house.bot.id }, { agent: house.owner.id });
    expect((await begin({ authorization: `Bearer ${key}` })).status).toBe(403);
    await browser.beAs(ana.id, true);
    expect((await begin()).status).toBe(201);
  });

  test("is refused for an account of another person, and when the session has ended", async () => {
    const { addPerson, link, browse, people } = await open();
    const [ana, ben] = [await addPerson("Ana"), await addPerson("Ben")];
    await link(ana.id, "ada");
    expect((await link(ben.id, "ada")).error?.code).toBe("auth.sso");
    const browser = browse();
    await browser.beAs(ben.id, true);
    const { text } = await browser.send("POST", "/api/identities/acme/link", { body: {} });
    const callback = await logInAt(JSON.parse(text).url, "bea");
    await people.logins.endAll(ben.id as never);
    expect((await browser.comeBack(callback)).error?.code).toBe("auth.sso");
    expect(await people.identities.list(ben.id as never)).toEqual([]);
  });

  test("and unlinking are events in the person's log and rows of the audit log", async () => {
    const { addPerson, link, browse, people, eventsOf, house } = await open();
    const ana = await addPerson("Ana");
    await people.passwords.set(ana.id as never, PASSWORD);
    await link(ana.id, "ada");
    const [identity] = await people.identities.list(ana.id as never);
    const browser = browse();
    await browser.beAs(ana.id, true);
    const path = `/api/agents/${ana.id}/identities`;
    expect(JSON.parse((await browser.open(path)).text)).toMatchObject({
      identities: [{ id: identity?.id, account: "ada@example.org" }],
      providers: [{ name: "acme", label: "acme" }],
    });
    expect((await browser.send("POST", `${path}/${identity?.id}/unlink`, { body: {} })).status).toBe(200);
    expect(await people.identities.list(ana.id as never)).toEqual([]);
    expect((await browse().logIn("ada")).error?.code).toBe("auth.sso");
    const changes = (await eventsOf(ana.id)).filter((event) => event.includes("identity-changed"));
    expect(changes.map((event) => /linked|unlinked/.exec(event)?.[0])).toEqual(["linked", "unlinked"]);
    expect(house.lines.join("\n")).not.toContain("ada@example.org");
  });

  test("keeps a person's last way to log in, except by an administrator", async () => {
    const { addPerson, link, browse, house, people } = await open();
    const ana = await addPerson("Ana");
    await link(ana.id, "ada");
    const [identity] = await people.identities.list(ana.id as never);
    const path = `/api/agents/${ana.id}/identities/${identity?.id}/unlink`;
    const browser = browse();
    await browser.beAs(ana.id, false);
    expect((await browser.send("POST", path, { body: {} })).error?.code).toBe("auth.stale");
    await browser.beAs(ana.id, true);
    expect(await browser.send("POST", path, { body: {} })).toMatchObject({
      error: { code: "auth.sso", message: "This account is your only way to log in." },
    });
    const ben = await addPerson("Ben");
    await browser.beAs(ben.id, true);
    expect((await browser.send("POST", path, { body: {} })).status).toBe(403);
    await browser.beAs(house.owner.id, false);
    expect((await browser.send("POST", path, { body: {} })).status).toBe(200);
  });
});

describe("new accounts", () => {
  test("are created at the first login if the config says so, with its level", async () => {
    const { browse, levelOf, people } = await open('create_accounts = true\nlevel = "r"');
    const browser = browse();
    await browser.logIn("ada");
    expect(await browser.me()).toBe("ada");
    const ada = await people.records.get("agent", "ada");
    expect([ada.content, await levelOf(ada.id)]).toMatchObject([{ name: "Ada", kind: "human" }, "r"]);
    await browse().logIn("ada");
    expect((await people.records.list("agent")).filter(({ content }) => content.name.startsWith("Ada"))).toHaveLength(
      1,
    );
  });

  test("get a free name without invisible characters, or a neutral one", async () => {
    const { browse, people } = await open("create_accounts = true");
    for (const login of ["ada", "dot", "eve"]) await browse().logIn(login);
    expect((await people.records.list("agent")).map(({ content }) => content.name)).toEqual(
      expect.arrayContaining(["Ada", "Ada 2", "Guest"]),
    );
  });

  test("of rooms have their level there and not in the house", async () => {
    const { house, browse, levelOf, people } = await open("");
    const { handle } = house.room;
    const {
      browse: enter,
      people: others,
      levelOf: level,
    } = await open(`create_accounts = true\nrooms = ["${handle}"]`);
    await enter().logIn("ada");
    const ada = await others.records.get("agent", "ada");
    const room = await others.records.get("room", handle, ada.house);
    expect(await level(ada.id)).toBeUndefined();
    expect(await others.permissions.levelOf({ agent: ada.id }, room.id)).toBe("w");
    // Without the setting, the same account is a stranger.
    expect((await browse().logIn("ada")).error?.code).toBe("auth.sso");
    expect(await levelOf(ada.id)).toBeUndefined();
    expect(await people.records.find("agent", "ada")).toBeUndefined();
  });
});

describe("groups", () => {
  test("give the highest of their levels at each login", async () => {
    const { browse, levelOf, people, addPerson, link } = await open(`${GROUPS}\ncreate_accounts = true`);
    await browse().logIn("ada");
    const ada = await people.records.get("agent", "ada");
    expect(await levelOf(ada.id)).toBe("w");
    const ben = await addPerson("Ben", "r");
    await link(ben.id, "bea");
    expect(await levelOf(ben.id)).toBe("r");
    await browse().logIn("bea");
    expect(await levelOf(ben.id)).toBe("x");
  });

  test("refuse a person in none of them, who keeps their level", async () => {
    const { browse, levelOf, addPerson, link, config, people } = await open();
    const ben = await addPerson("Ben");
    await link(ben.id, "cal");
    await config.edit((text) => `${text}${GROUPS}\ncreate_accounts = true\n`);
    const browser = browse();
    expect(await browser.logIn("cal")).toMatchObject({
      error: { code: "auth.sso", message: "Your account at acme is in no group that may use this house." },
    });
    expect([browser.isIn(), await levelOf(ben.id)]).toEqual([false, "w"]);
    // The same for an account without the claim, and for one without a person.
    expect((await browse().logIn("eve")).error?.code).toBe("auth.sso");
    expect(await people.records.find("agent", "guest")).toBeUndefined();
  });

  test("never demote the last administrator, and demote another one", async () => {
    const { house, browse, levelOf, addPerson, link, eventsOf } = await open(GROUPS);
    await link(house.owner.id, "ada");
    const browser = browse();
    await browser.logIn("ada");
    expect([await browser.me(), await levelOf(house.owner.id)]).toEqual([house.owner.handle, "x"]);
    expect((await eventsOf(house.owner.id)).some((event) => event.includes("kept-last-admin"))).toBe(true);
    await addPerson("Ben", "x");
    await browse().logIn("ada");
    expect(await levelOf(house.owner.id)).toBe("w");
  });
});

describe("attacks", () => {
  test("A46: a callback works once", async () => {
    const { addPerson, link, browse } = await open();
    await link((await addPerson("Ana")).id, "ada");
    const browser = browse();
    const callback = await logInAt(await browser.begin(), "ada");
    const [, cookie = ""] = [...browser.cookies].find(([name]) => name === "hearth_oidc") ?? [];
    expect((await browser.comeBack(callback)).status).toBe(303);
    browser.cookies.clear();
    browser.cookies.set("hearth_oidc", cookie);
    expect([(await browser.comeBack(callback)).error?.code, browser.isIn()]).toEqual(["auth.invalid", false]);
  });

  test("A46: a code that was redeemed is refused, also with a new state", async () => {
    const { addPerson, link, browse } = await open();
    await link((await addPerson("Ana")).id, "ada");
    const first = browse();
    const callback = new URL(await logInAt(await first.begin(), "ada"));
    expect((await first.comeBack(callback.href)).status).toBe(303);
    const second = browse();
    const state = new URL(await second.begin()).searchParams.get("state") ?? "";
    callback.searchParams.set("state", state);
    const refused = await second.comeBack(callback.href);
    expect([refused.error?.code, second.isIn()]).toEqual(["auth.sso", false]);
    expect(refused.error?.message).toContain("invalid_grant");
  });

  test("A46: a stolen code is worth nothing in another login, because the verifier stays in the house", async () => {
    const { addPerson, link, browse } = await open();
    await link((await addPerson("Ana")).id, "ada");
    const [victim, thief] = [browse(), browse()];
    const callback = new URL(await logInAt(await victim.begin(), "ada"));
    const state = new URL(await thief.begin()).searchParams.get("state") ?? "";
    callback.searchParams.set("state", state);
    expect([(await thief.comeBack(callback.href)).error?.code, thief.isIn()]).toEqual(["auth.sso", false]);
  });

  test("A47: a callback works in the browser that began, for five minutes (login CSRF)", async () => {
    const { addPerson, link, browse, world } = await open();
    await link((await addPerson("Mallory")).id, "ada");
    const [attacker, victim] = [browse(), browse()];
    const callback = await logInAt(await attacker.begin(), "ada");
    await victim.begin();
    expect([(await victim.comeBack(callback)).error?.code, victim.isIn()]).toEqual(["auth.invalid", false]);
    expect((await attacker.comeBack(callback)).error?.code).toBe("auth.invalid");
    const late = await logInAt(await attacker.begin(), "ada");
    await world.advance(OIDC_PENDING_MS);
    expect([(await attacker.comeBack(late)).error?.code, attacker.isIn()]).toEqual(["auth.invalid", false]);
  });

  test("A47: pages of other sites start no login and link nothing", async () => {
    const { addPerson, browse } = await open();
    const browser = browse();
    await browser.beAs((await addPerson("Ana")).id, true);
    expect((await browser.open("/api/login/oidc/acme", FROM_ELSEWHERE)).error?.code).toBe("auth.origin");
    const body = {};
    const post = (headers: object) => browser.send("POST", "/api/identities/acme/link", { body, ...headers });
    for (const headers of [{ origin: "https://evil.example" }, FROM_ELSEWHERE])
      expect((await post(headers)).error?.code).toBe("auth.origin");
    // An image or a frame of another site cannot finish a login either.
    for (const dest of ["image", "iframe"])
      expect(
        (await browser.open("/api/login/oidc/acme/callback?state=x", { ...FROM_ELSEWHERE, "sec-fetch-dest": dest }))
          .error?.code,
      ).toBe("auth.origin");
  });

  test("A48: the response of one provider is no login at another one (mix-up)", async () => {
    await using other = await startProvider({ ada: { name: "Other Ada" } });
    const { addPerson, link, browse } = await setUp(table("acme", provider.issuer) + table("home", other.issuer));
    await link((await addPerson("Ana")).id, "ada");
    const browser = browse();
    const callback = await logInAt(await browser.begin("acme"), "ada");
    const moved = callback.replace("/oidc/acme/", "/oidc/home/");
    expect([(await browser.comeBack(moved)).error?.code, browser.isIn()]).toEqual(["auth.invalid", false]);
    // The same login with the issuer of the other provider, or without an issuer.
    for (const change of [
      (url: URL) => url.searchParams.set("iss", other.issuer),
      (url: URL) => url.searchParams.delete("iss"),
    ]) {
      const url = new URL(await logInAt(await browser.begin("acme"), "ada"));
      change(url);
      expect([(await browser.comeBack(url.href)).error?.code, browser.isIn()]).toEqual(["auth.sso", false]);
    }
  });

  test("A48: the same subject at another issuer is another account", async () => {
    await using other = await startProvider({ ada: { name: "Ada", email: "ada@example.org" } });
    const { addPerson, link, browse } = await setUp(table("acme", provider.issuer) + table("home", other.issuer));
    await link((await addPerson("Ana")).id, "ada", "acme");
    const browser = browse();
    expect([(await browser.logIn("ada", "home")).error?.code, browser.isIn()]).toEqual(["auth.sso", false]);
    expect((await browser.logIn("ada", "acme")).status).toBe(303);
  });

  test("A49: a login leads to no other site", async () => {
    const { addPerson, link, browse } = await open();
    await link((await addPerson("Ana")).id, "ada");
    for (const to of [
      "https://evil.example/",
      "//evil.example/ui/",
      "/ui/../../evil",
      "/ui\\..\\evil",
      "javascript:1",
    ]) {
      const answer = await browse().logIn("ada", "acme", `?to=${encodeURIComponent(to)}`);
      expect([to, answer.location]).toEqual([to, "/ui/"]);
    }
  });

  test("A20: starts and failed callbacks are limited per address", async () => {
    const { browse } = await open();
    const [one, two] = [browse("203.0.113.7"), browse("203.0.113.8")];
    const starts = [];
    for (let count = 0; count <= CHALLENGES_OF_PEER.burst; count += 1)
      starts.push((await one.open("/api/login/oidc/acme")).status);
    expect([starts.indexOf(429), (await two.open("/api/login/oidc/acme")).status]).toEqual([
      CHALLENGES_OF_PEER.burst,
      303,
    ]);
    const failures = [];
    for (let count = 0; count <= INVALID_CREDENTIALS_OF_PEER.burst; count += 1)
      failures.push((await one.comeBack(`${ORIGIN}/api/login/oidc/acme/callback?state=x&code=y`)).status);
    expect(failures.indexOf(429)).toBe(INVALID_CREDENTIALS_OF_PEER.burst);
  });
});

describe("the provider", () => {
  test("may rotate its keys at any time", async () => {
    await using rotating = await startProvider({ ada: {} });
    const { addPerson, link, browse } = await setUp(table("acme", rotating.issuer));
    await link((await addPerson("Ana")).id, "ada");
    for (let count = 0; count < 2; count += 1) {
      await rotating.rotateKeys();
      expect((await browse().logIn("ada")).status).toBe(303);
    }
  });

  test("that is down is named, and the house works on", async () => {
    const gone = await startProvider({ ada: {} });
    const { house, browse, people } = await setUp(table("acme", gone.issuer, 'label = "Example"'));
    const browser = browse();
    const callback = await logInAt(await browser.begin(), "ada");
    await gone[Symbol.asyncDispose]();
    const refused = await browser.comeBack(callback);
    expect(refused).toMatchObject({
      status: 400,
      error: { code: "auth.sso", message: `${new URL(gone.issuer).host} could not be reached.` },
    });
    await people.passwords.set(house.owner.id, PASSWORD);
    await browser.send("POST", "/login", { body: { person: house.owner.handle, password: PASSWORD } });
    expect(await browser.me()).toBe(house.owner.handle);
    const { text } = await browser.send("POST", "/api/login/oidc/acme/test");
    expect(JSON.parse(text)).toMatchObject({ ok: false, detail: expect.stringContaining("could not be reached") });
  });

  test("is checked for an administrator alone", async () => {
    const { house, browse, addPerson } = await open();
    const browser = browse();
    await browser.beAs(house.owner.id, false);
    const { text } = await browser.send("POST", "/api/login/oidc/acme/test");
    expect(JSON.parse(text)).toEqual({
      ok: true,
      detail: `${provider.issuer} answers, and its settings are complete.`,
    });
    await browser.beAs((await addPerson("Ana")).id, true);
    expect((await browser.send("POST", "/api/login/oidc/acme/test")).status).toBe(403);
    expect((await browse().send("POST", "/api/login/oidc/acme/test")).status).toBe(401);
  });

  test("that was removed from the config during a login confirms no login", async () => {
    const { browse, config, addPerson, link } = await open();
    await link((await addPerson("Ana")).id, "ada");
    const browser = browse();
    const callback = await logInAt(await browser.begin(), "ada");
    await config.edit(() => "version = 1\n");
    expect([(await browser.comeBack(callback)).error?.code, browser.isIn()]).toEqual(["auth.sso", false]);
    expect((await browser.open("/api/login/oidc")).text).toBe("[]");
  });

  test("refuses a person who cancels, and the page says so", async () => {
    const { browse } = await open();
    const browser = browse();
    const state = new URL(await browser.begin()).searchParams.get("state") ?? "";
    const back = new URLSearchParams({ error: "access_denied", state, iss: provider.issuer });
    const answer = await browser.open(`/api/login/oidc/acme/callback?${back.toString()}`, {
      ...FROM_ELSEWHERE,
      accept: "text/html",
    });
    expect([answer.status, browser.isIn()]).toEqual([400, false]);
    expect(answer.text).toContain("access_denied");
  });
});
