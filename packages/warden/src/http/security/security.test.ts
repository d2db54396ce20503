import { describe, expect, test } from "bun:test";
import type { AgentContent, Level, Right, SecurityFinding } from "@hearth/protocol";
import { house, makeAgent, createSecureView } from "./fixture.conformance.ts";
import { examineSecurity } from "./security.ts";
import type { HomeFile, SecurityView } from "./view.ts";

const find = (view: SecurityView): readonly SecurityFinding[] => examineSecurity(view).findings;
const gravity = (view: SecurityView): readonly string[] => find(view).map(({ id, severity }) => `${severity} ${id}`);

test("a house with safe settings has no finding", () => {
  expect(examineSecurity(createSecureView(makeAgent("main")))).toEqual({ findings: [], unseen: [] });
});

test("parts that could not be examined are listed, and are not findings", () => {
  const { walls: _, files: __, ...rest } = createSecureView(makeAgent("main", { tools: ["shell"] }));
  const { findings, unseen } = examineSecurity(rest, ["One more."]);
  expect([findings, unseen.length, unseen[0]]).toEqual([[], 3, "One more."]);
});

describe("an agent that reads untrusted text, reaches private data and acts", () => {
  const all = ["http_fetch", "house_query", "send_message"];
  const triangleOf = (content: Partial<AgentContent>, more: Partial<SecurityView> = {}) =>
    find(createSecureView(makeAgent("main", { tools: all, ...content }), more)).find(
      ({ id }) => id === "agent.trifecta",
    );

  test("is reported with the tools of each corner, the mode, and remedies", () => {
    expect(triangleOf({})).toEqual({
      ...{ id: "agent.trifecta", severity: "medium", where: "agent main" },
      what: "@main reads untrusted text (http_fetch), reads private data (house_query) and acts outside its cell (http_fetch and send_message), in mode default. It asks for approval before it acts on untrusted text.",
      fix: { kind: "command", command: 'hearth agent edit main --mode ask --trusted ""' },
      change: { kind: "edit-agent", agent: expect.any(String), content: { mode: "ask", trusted: [] } },
      agent: expect.any(String),
      instead: expect.stringContaining("hearth agent edit main --tools -http_fetch,-send_message"),
    });
  });

  test("is not reported without one of the corners, or in a mode that asks or only plans", () => {
    for (const tools of [["http_fetch", "send_message"], ["house_query", "send_message"], ["time"]])
      expect([tools, triangleOf({ tools })]).toEqual([tools, undefined]);
    for (const mode of ["ask", "plan"] as const) expect([mode, triangleOf({ mode })]).toEqual([mode, undefined]);
    expect(triangleOf({ mode: "unattended" })?.severity).toBe("low");
  });

  test("is not reported if only isolated commands complete it, and is reported again with egress", () => {
    const commands = { tools: ["shell"] };
    expect(triangleOf(commands, { walls: new Map() })?.instead).toContain("--cell strongest");
    expect(triangleOf(commands)).toBeUndefined();
    const out = triangleOf({ tools: ["shell", "house_query"], egress: [{ host: "api.example.org" }] });
    expect([out?.severity, out?.what]).toEqual(["high", expect.stringContaining("network access to api.example.org")]);
  });

  test("is high if a standing approval lets one of its calls pass", () => {
    const bot = makeAgent("main", { tools: all });
    const rule = {
      id: "rule_1" as never,
      agent: bot.id,
      tool: "send_message",
      bound: ["room"],
      text: "any text in lobby",
    };
    const ruled = (isForSession: boolean) =>
      gravity(createSecureView(bot, { rules: [{ ...rule, isForSession }] })).filter(
        (line) => !line.endsWith("rule.wide"),
      );
    expect([ruled(false), ruled(true)]).toEqual([["high agent.trifecta"], ["medium agent.trifecta"]]);
  });
});

test("commands without isolation are high; no isolation without commands is low, if isolation is available", () => {
  const open = (tools: string[], hasWalledKind: boolean) =>
    find(createSecureView(makeAgent("main", { tools, mode: "plan" }), { walls: new Map(), hasWalledKind })).map(
      ({ severity, id, fix }) => [severity, id, fix.kind === "command" && fix.command],
    );
  expect(open(["shell", "read"], true)).toEqual([
    ["high", "agent.open-hands", "hearth agent edit main --cell strongest"],
  ]);
  expect(open(["shell", "read"], false)).toEqual([
    ["high", "agent.open-hands", "hearth agent edit main --tools -shell"],
  ]);
  expect(open(["read"], true)).toEqual([["low", "agent.no-walls", "hearth agent edit main --cell strongest"]]);
  expect(open(["read"], false)).toEqual([]);
});

test("a network grant is wide with two open parts of host, methods, path and bytes, and graver with three", () => {
  const of = (grant: object) =>
    gravity(createSecureView(makeAgent("main", { tools: ["read"], egress: [{ host: "a.example.org", ...grant }] })));
  const path = "/v1";
  const methods = ["GET"];
  const maxBytes = 1000;
  expect(of({})).toEqual(["medium egress.wide"]);
  expect(of({ path: "/", maxBytes })).toEqual(["low egress.wide"]);
  expect(of({ path, methods })).toEqual([]);
  expect(of({ methods, maxBytes })).toEqual([]);
  expect(of({ host: "*.example.org", path, methods })).toEqual(["low egress.wide"]);
  expect(of({ host: "model.hearth" })).toEqual(["low egress.wide"]);
  expect(of({ host: "model.hearth", maxBytes })).toEqual([]);
  expect(of({ host: "*" })).toEqual(["low egress.web"]);
});

test("the severity of readable files depends on their content, and is low inside a closed folder", () => {
  const at = (path: string, mode: number, isOurs = true): HomeFile => ({ path, kind: "file", mode, isOurs });
  const of = (...files: readonly HomeFile[]) => gravity(createSecureView(makeAgent("main"), { files }));
  const open = at(".", 0o755);
  expect(of(open, at("keys/audit.key", 0o644))).toEqual(["high file.mode", "high file.mode"]);
  expect(of(open, at("logs/hearth.log", 0o644))).toEqual(["high file.mode", "low file.mode"]);
  expect(of(open, at("logs/hearth.log", 0o622))).toEqual(["high file.mode", "high file.mode"]);
  expect(of(at(".", 0o700), at("vault/one.key", 0o644))).toEqual(["low file.mode"]);
  expect(of(at(".", 0o700, false), at("vault/one.key", 0o600))).toEqual(["high file.mode"]);
  const [odd] = find(createSecureView(makeAgent("main"), { home: "/srv/ana's", files: [at("vault/a b", 0o644)] }));
  expect(odd?.fix).toEqual({ kind: "command", command: "chmod go-rwx '/srv/ana'\\''s/vault/a b'" });
});

test("a secret is unused if it has no grant, or no request used it for a month; a secret in the config counts as used", () => {
  const bot = makeAgent("main");
  const grant = { id: "sgr_1" as never, agent: bot.id, host: "a.example", as: "bearer", by: bot.id, at: 0 };
  const month = 31 * 24 * 60 * 60_000;
  const of = (more: Partial<SecurityView>, grants = [grant]) =>
    gravity(createSecureView(bot, { secrets: [{ house, name: "KEY", setAt: 0, grants }], ...more }));
  expect(of({}, [])).toEqual(["low secret.unused"]);
  expect(of({ referencedSecrets: new Set(["KEY"]) }, [])).toEqual([]);
  expect([of({}), of({ now: month })]).toEqual([[], ["low secret.unused"]]);
  expect(of({ now: month, usedSecrets: new Set([`${bot.id} KEY`]) })).toEqual([]);
});

test("the vault, the audit log and the config are reported with their place", () => {
  const text =
    'version = 1\n[store]\ndurability = "process"\n[channels.tg]\nkind = "telegram"\ntoken = "env:T"\nadmission = { mode = "open" }\n';
  const view = createSecureView(
    makeAgent("main"),
    {
      vault: { state: "locked", source: "file", why: "its key is missing", fix: "Put it back." },
      audit: [{ house, faults: ["Row 3 was changed."], isAnchorLost: false }],
    },
    text,
  );
  expect(find(view).map(({ severity, id, where }) => [severity, id, where])).toEqual([
    ["high", "channel.open", "hearth.toml line 7"],
    ["high", "audit.broken", "audit log of house home"],
    ["medium", "vault.locked", "the vault's key"],
    ["low", "store.durability", "hearth.toml line 3"],
  ]);
});

test("a trusted folder is low, the whole workspace medium, and only if the agent asks at all", () => {
  const of = (content: Partial<AgentContent>) =>
    gravity(createSecureView(makeAgent("main", { tools: ["write"], ...content })));
  expect(of({ mode: "ask", trusted: ["notes"] })).toEqual(["low agent.trusted"]);
  for (const all of [".", "./"]) expect(of({ mode: "ask", trusted: [all] })).toEqual(["medium agent.trusted"]);
  expect(of({ trusted: ["."] })).toEqual([]);
});

test("a key is worse for each of a missing end and a missing scope, and fine with both", () => {
  const bot = makeAgent("main");
  const of = (more: object) =>
    gravity(
      createSecureView(bot, { keys: [{ id: "key_1" as never, name: "k", agent: bot.id, createdAt: 0, ...more }] }),
    );
  const scope = { level: "w" };
  expect([of({}), of({ scope }), of({ expiresAt: 9 }), of({ scope, expiresAt: 9 })]).toEqual([
    ["medium key.wide"],
    ["low key.wide"],
    ["low key.wide"],
    [],
  ]);
  expect(of({ scope: { level: "x" }, expiresAt: 9 })).toEqual(["low key.wide"]);
});

test("a narrow key is reported for the rights of secrets and providers if it does not expire", () => {
  const bot = makeAgent("main");
  const of = (rights: Right[], more: object = {}) =>
    find(
      createSecureView(bot, {
        keys: [
          { id: "key_1" as never, name: "k", agent: bot.id, createdAt: 0, scope: { level: "r", rights }, ...more },
        ],
      }),
    ).map(({ severity, what }) => [severity, what]);
  expect(of(["secrets", "audit"])).toEqual([
    ["medium", expect.stringContaining("does not expire and manages secrets.")],
  ]);
  expect(of(["audit"])).toEqual([["low", expect.stringContaining("does not expire.")]]);
  expect(of(["secrets", "providers"], { expiresAt: 9 })).toEqual([]);
});

test("an open invite link is medium with the admin role, low with the rights of secrets or providers, and fine otherwise", () => {
  const of = (level: Level, ...rights: readonly Right[]) =>
    gravity(
      createSecureView(makeAgent("main"), {
        invites: [{ id: "inv_1" as never, house, level, rights, expiresAt: Date.UTC(2026, 1, 3) }],
      }),
    );
  expect([of("x"), of("w"), of("r")]).toEqual([["medium invite.admin"], [], []]);
  expect([of("w", "secrets"), of("r", "providers")]).toEqual([["low invite.rights"], ["low invite.rights"]]);
  expect(of("w", "audit", "approve")).toEqual([]);
});

describe("rights of a person who has not logged in for 90 days", () => {
  const day = 24 * 60 * 60_000;
  const ada = makeAgent("ada", { kind: "human" });
  const find90 = (last: number | undefined, rights: Right[] | undefined, at = 0) =>
    find(
      createSecureView(ada, {
        now: 200 * day,
        grants: [{ agent: ada.id, on: house, level: "r", by: ada.id, at, ...(rights === undefined ? {} : { rights }) }],
        lastLogins: last === undefined ? new Map() : new Map([[ada.id, last]]),
      }),
    );

  test("are reported, with the change that removes them and keeps the level", () => {
    expect(find90(110 * day, ["secrets", "audit"])).toEqual([
      expect.objectContaining({
        id: "rights.idle",
        severity: "medium",
        where: "person ada in house home",
        what: expect.stringContaining("may manage secrets and audit and last logged in on 1970-04-21."),
        change: { kind: "remove-rights", house, agent: ada.id, level: "r" },
        fix: {
          kind: "command",
          command: "hearth grant remove ada secrets --on home && hearth grant remove ada audit --on home",
        },
      }),
    ]);
    expect(find90(undefined, ["approve"])[0]?.what).toContain("has never logged in");
  });

  test("are not reported after a newer login, for a newer grant, or without rights", () => {
    expect(find90(111 * day, ["secrets"])).toEqual([]);
    expect(find90(undefined, ["secrets"], 111 * day)).toEqual([]);
    expect(find90(0, undefined)).toEqual([]);
  });
});

test("a finding names the change that fixes it, if the fix needs neither a choice nor the machine", () => {
  const bot = makeAgent("main", { tools: ["write"], mode: "ask", trusted: ["."] });
  const changes = (view: SecurityView) => find(view).map(({ id, change }) => [id, change]);
  expect(changes(createSecureView(bot))).toEqual([
    ["agent.trusted", { kind: "edit-agent", agent: bot.id, content: { trusted: [] } }],
  ]);
  const open = makeAgent("open", { tools: ["shell", "read"], mode: "plan" });
  const openHands = (hasWalledKind: boolean) => changes(createSecureView(open, { walls: new Map(), hasWalledKind }));
  expect(openHands(true)).toEqual([
    ["agent.open-hands", { kind: "edit-agent", agent: open.id, content: { cell: "strongest" } }],
  ]);
  expect(openHands(false)).toEqual([
    ["agent.open-hands", { kind: "edit-agent", agent: open.id, content: { tools: ["read"] } }],
  ]);
});

test("a room is reported if someone without a level in the house may wake an agent with tools", () => {
  const bot = makeAgent("main", { tools: ["send_message"] });
  const guest = makeAgent("gast", { kind: "human" });
  const hall = (content: object) =>
    ({
      ...{ type: "room", id: "room_1", handle: "hall", house, version: 1, createdAt: 0, updatedAt: 0 },
      content: { name: "Hall", kind: "group", ...content },
    }) as never;
  const grant = (agent: string, on: string, level: string) => ({ agent, on, level, by: agent, at: 0 }) as never;
  const of = (content: object, level = "w", tools = ["send_message"]) =>
    gravity(
      createSecureView(
        { ...bot, content: { ...bot.content, tools } },
        {
          agents: [{ ...bot, content: { ...bot.content, tools } }, guest],
          rooms: [hall(content)],
          grants: [grant(bot.id, house, "w"), grant(guest.id, "room_1", level)],
        },
      ),
    );
  expect(of({})).toEqual(["medium room.guests"]);
  expect([of({}, "r"), of({}, "w", ["time"])]).toEqual([[], []]);
  expect(of({ admission: { block: [guest.id] } })).toEqual([]);
  expect(of({ admission: { mode: "allow", allow: [bot.id] } })).toEqual([]);
});

describe("the public address", () => {
  const findings = (...lines: readonly string[]) =>
    find(createSecureView(makeAgent("main"), {}, ["version = 1", "[server]", ...lines].join("\n"))).map(
      ({ id, severity, where }) => `${severity} ${id}, ${where}`,
    );
  const PUBLIC = 'public_url = "https://house.example"';

  test("is reported if it is not encrypted, or the path to its proxy is not", () => {
    expect(findings('public_url = "http://house.example"')).toEqual(["high server.http, hearth.toml line 3"]);
    expect(findings(PUBLIC, 'host = "10.0.0.5"', 'trusted_proxies = ["10.0.0.2"]')).toEqual([
      "medium server.open, hearth.toml line 4",
    ]);
  });

  test("is not reported with TLS, with a proxy on this machine, or with a tunnel to it", () => {
    const tls = ['tls_cert = "a.pem"', 'tls_key = "a.key"'];
    expect(findings(PUBLIC, 'host = "0.0.0.0"', ...tls)).toEqual([]);
    expect(findings(PUBLIC, 'trusted_proxies = ["127.0.0.1"]')).toEqual([]);
    expect(findings('public_url = "http://localhost:9000"')).toEqual([]);
  });

  test("is reported if a whole network may name its clients", () => {
    for (const [network, isReported] of [
      ["10.0.0.0/8", true],
      ["10.0.0.0/23", true],
      ["10.0.0.0/24", false],
      ["fd00::/63", true],
      ["fd00::/64", false],
      ["10.0.0.2", false],
    ] as const)
      expect([network, findings(PUBLIC, `trusted_proxies = ["${network}"]`)]).toEqual([
        network,
        isReported ? ["medium server.proxies, hearth.toml line 4"] : [],
      ]);
  });
});
