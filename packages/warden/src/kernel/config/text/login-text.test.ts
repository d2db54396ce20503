import { describe, expect, test } from "bun:test";
import { isHearthError } from "@hearth/protocol";
import { parseConfig } from "../read.ts";
import { referencesIn } from "../references.ts";

const read = (...lines: readonly string[]) =>
  parseConfig(`version = 1\n[login.oidc.acme]\n${lines.join("\n")}\n`, "hearth.toml");
const BASE = ['issuer = "https://id.example"', 'client_id = "hearth"'];

/** The message and the hint. */
const refusal = (...lines: readonly string[]): string => {
  try {
    read(...lines);
  } catch (error) {
    if (isHearthError(error, "config.invalid")) return `${error.message} ${error.hint}`;
    throw error;
  }
  throw new Error("the config was accepted");
};

test("a provider has its defaults, and creates no accounts", () => {
  expect(read(...BASE).config.login.oidc.get("acme")).toEqual({
    issuer: "https://id.example",
    clientId: "hearth",
    label: "acme",
    scopes: ["openid", "profile", "email"],
    hosts: [],
    privateNetwork: false,
    levels: new Map(),
  });
  expect(parseConfig("version = 1\n", "hearth.toml").config.login.oidc.size).toBe(0);
});

test("every setting is read, and the secret is a reference", () => {
  const { config } = read(
    ...BASE,
    'client_secret = "env:OIDC"',
    'label = "Example"',
    'scopes = ["openid", "groups"]',
    'hosts = ["keys.id.example", "id.example:8443"]',
    "private_network = true",
    'groups_claim = "groups"',
    'groups = { "Staff" = "w", "/admins" = "x" }',
    "create_accounts = true",
    'level = "r"',
    'rooms = ["kitchen"]',
  );
  expect(config.login.oidc.get("acme")).toEqual({
    issuer: "https://id.example",
    clientId: "hearth",
    clientSecret: { kind: "env", name: "OIDC" },
    label: "Example",
    scopes: ["openid", "groups"],
    hosts: ["keys.id.example", "id.example:8443"],
    privateNetwork: true,
    groupsClaim: "groups",
    levels: new Map([
      ["Staff", "w"],
      ["/admins", "x"],
    ]),
    newAccounts: { level: "r", rooms: ["kitchen"] },
  });
  expect(referencesIn(config)).toContainEqual({ table: "login.oidc.acme", reference: { kind: "env", name: "OIDC" } });
});

describe("an error names its line", () => {
  test.each([
    ["an issuer without https", 3, ['issuer = "http://id.example"', 'client_id = "h"'], 'Write "https://id.example"'],
    ["an issuer with a query", 3, ['issuer = "https://id.example/?a=1"', 'client_id = "h"'], "without a password"],
    ["a secret itself", 5, [...BASE, 'client_secret = "s3cret-of-mine"'], "env:"],
    ["scopes without openid", 5, [...BASE, 'scopes = ["profile"]'], 'must contain "openid"'],
    ["a host with a path", 5, [...BASE, 'hosts = ["https://x.example/"]'], "must be a host name"],
    ["groups without their claim", 5, [...BASE, 'groups = { a = "w" }'], "needs groups_claim"],
    ["a claim without groups", 5, [...BASE, 'groups_claim = "groups"'], "needs groups"],
    ["an unknown level", 6, [...BASE, 'groups_claim = "groups"', 'groups = { a = "admin" }'], "groups"],
    ["a level without new accounts", 5, [...BASE, 'level = "w"'], "create_accounts = true"],
    ["an unknown key", 5, [...BASE, "create_acounts = true"], "create_accounts"],
  ])("%s", (_name, line, lines, text) => {
    const said = refusal(...lines);
    expect(said).toContain(`hearth.toml line ${line}`);
    expect(said).toContain(text);
    expect(said).not.toContain("s3cret");
  });

  test("a missing issuer, and a name that no address can have", () => {
    expect(refusal('client_id = "h"')).toContain("issuer");
    expect(() =>
      parseConfig('version = 1\n[login.oidc."My work"]\nissuer = "https://id.example"\n', "hearth.toml"),
    ).toThrow(/login\.oidc/);
  });
});

test("sessions last for the days and minutes of the table", () => {
  const login = (text: string) => parseConfig(`version = 1\n[login]\n${text}`, "hearth.toml").config.login;
  expect(login("session_days = 2\nidle_minutes = 15")).toEqual({
    sessionMs: 172_800_000,
    idleMs: 900_000,
    oidc: new Map(),
  });
  for (const text of ["session_days = 0", "session_days = 366", "idle_minutes = 14", "idle_minutes = 525601"])
    expect(() => login(text)).toThrow(/must be a whole number of .* line 3$/);
});
