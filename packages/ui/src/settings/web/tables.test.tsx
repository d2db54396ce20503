import { expect, test } from "bun:test";
import { type EgressGrant, SecretGrantId, type SecretInfo } from "@hearth/protocol";
import { fakeHouse, fakeMain } from "../../house/fake-ui.tsx";
import { renderUi, textOf } from "../../rooms/fake-view.tsx";
import { SecretTable } from "./secret-table.tsx";
import { SecretUses } from "./secret-uses.tsx";
import { SecretsSection } from "./secrets-section.tsx";
import { HostTable } from "./web-access.tsx";

const nothing = (): void => {};
const secret = (name: string, hosts: readonly string[] = []): SecretInfo =>
  ({
    name,
    version: 1,
    setAt: Date.UTC(2026, 2, 4, 11),
    grants: hosts.map((host, index) => ({
      id: SecretGrantId.parse(`sgr_${String(index + 1).padStart(26, "0")}`),
      agent: fakeMain.id,
      host,
      as: "bearer",
    })),
  }) as unknown as SecretInfo;
const secrets = (...listed: readonly SecretInfo[]): string =>
  renderUi(<SecretTable secrets={listed} house={fakeHouse} bots={[fakeMain]} onChange={nothing} />);

test("the table of secrets shows who uses each one, and where", () => {
  const text = textOf(secrets(secret("GITHUB", ["api.github.com", "*.example.org"]), secret("MAIL")));
  expect(text).toContain(
    "GITHUB Main at api.github.com, as bearer token Main at *.example.org, as bearer token 1 hr. ago",
  );
  expect(text).toContain("MAIL No agent can use it.");
  expect(textOf(secrets())).toContain("No secrets");
});

test("four secrets have a search and a filter, and fewer have none", () => {
  const four = ["A", "B", "C", "D"].map((name) => secret(name));
  expect(secrets(...four)).toContain("Filters of Secrets");
  expect(secrets(...four.slice(1))).not.toContain("Filters of");
});

test("each use of a secret can be revoked, and another allowed", () => {
  const uses = (one: SecretInfo): string =>
    textOf(
      renderUi(<SecretUses secret={one} house={fakeHouse} bots={[fakeMain]} onAllow={nothing} onChange={nothing} />),
    );
  expect(uses(secret("GITHUB", ["api.github.com"]))).toBe("Main at api.github.com, as bearer token Revoke Allow use");
  expect(uses(secret("MAIL"))).toBe("Allow use");
});

test("the secrets show that they are loading, and can be added meanwhile", () => {
  const markup = renderUi(<SecretsSection house={fakeHouse} bots={[fakeMain]} />);
  expect(markup).toContain("Loading");
  expect(markup).toContain("Add secret");
});

test("the hosts show their requests, and an agent without hosts has no network", () => {
  const grants = [{ host: "api.github.com", methods: ["GET", "HEAD"] }, { host: "example.org" }] as EgressGrant[];
  const hosts = (listed: readonly EgressGrant[]): string =>
    renderUi(<HostTable grants={listed} onRemove={() => Promise.resolve()} />);
  expect(textOf(hosts(grants))).toContain("api.github.com GET, HEAD");
  expect(hosts(grants)).toContain("Actions of example.org");
  expect(textOf(hosts([]))).toBe("No hosts. The agent has no network.");
});
