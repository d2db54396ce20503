import { expect, test } from "bun:test";
import { SecretGrant, SecretGrantId } from "@hearth/protocol";
import { createFakeAgent, fakeMain } from "../../house/fake-ui.tsx";
import { isReachable } from "./allow-use.tsx";
import { describeHost, describeLimits, describeSecretGrant } from "./grant-words.ts";
import { toEgressGrant } from "./web-access.tsx";

const draft = { host: "api.example.org", path: "", isReadOnly: true };

test("a host may be pasted as a URL, and an invalid grant names its wrong field", () => {
  expect(toEgressGrant(draft)).toEqual({ host: "api.example.org", methods: ["GET", "HEAD"] });
  expect(toEgressGrant({ ...draft, host: " https://API.example.org/x?y ", isReadOnly: false })).toEqual({
    host: "api.example.org",
  });
  expect(toEgressGrant({ ...draft, path: "/v1" })).toMatchObject({ path: "/v1" });
  expect(toEgressGrant({ ...draft, host: "*.org" })).toBe("host");
  expect(toEgressGrant({ ...draft, host: "localhost" })).toBe("host");
  expect(toEgressGrant({ ...draft, path: "v1" })).toBe("path");
});

test("a host is shown with its port, path and limits", () => {
  const grant = { host: "api.example.org", port: 8443, path: "/v1", maxBytes: 5000 };
  expect(describeHost(grant)).toBe("api.example.org:8443/v1");
  expect(describeLimits(grant)).toBe("Any method · at most 5,000 bytes in each run");
  expect(describeLimits({ host: "model.hearth" })).toContain("own model");
});

test("a secret's grant is described by its agent, host and form", () => {
  const grant = (agent: string, as: string) =>
    SecretGrant.parse({
      id: SecretGrantId.parse(`sgr_${"0".repeat(26)}`),
      by: fakeMain.id,
      at: 1,
      agent,
      host: "api.example.org",
      as,
    });
  expect(describeSecretGrant(grant(fakeMain.id, "bearer"), [fakeMain])).toBe(
    "Main at api.example.org, as bearer token",
  );
  expect(describeSecretGrant(grant("providers", "basic:ana"), [])).toBe(
    "Model providers at api.example.org, as password of ana",
  );
  expect(describeSecretGrant(grant(fakeMain.id, "header:X-Key"), [])).toBe(
    "A former agent at api.example.org, as header X-Key",
  );
});

test("a host is reachable by its name or by a wildcard above it, and by nothing else", () => {
  const agent = (host: string) => createFakeAgent(1, "Main", { egress: [{ host }] });
  expect(isReachable(agent("api.example.org"), "api.example.org")).toBe(true);
  expect(isReachable(agent("*.example.org"), "api.example.org")).toBe(true);
  expect(isReachable(agent("*.example.org"), "example.org")).toBe(false);
  expect(isReachable(agent("*.example.org"), "badexample.org")).toBe(false);
  expect(isReachable(createFakeAgent(1, "Main"), "api.example.org")).toBe(false);
});
