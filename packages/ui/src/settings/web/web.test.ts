import { expect, test } from "bun:test";
import { SecretGrant, SecretGrantId } from "@hearth/protocol";
import { createFakeAgent, fakeMain } from "../../house/fake-ui.tsx";
import { isReachable } from "./allow-use.tsx";
import { describeHost, describeLimits, describeSecretGrant } from "./grant-words.ts";
import { planEngine, toEngineDraft } from "./engine-draft.ts";
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
  expect(describeHost({ host: "*" })).toBe("Public web");
  expect(describeLimits({ host: "*" })).toContain("by GET and HEAD over HTTPS");
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

test("the search engine is written with a reference to its key, and Brave needs a key", () => {
  const draft = { kind: "brave", address: "", keySource: "new", key: "a-key-of-brave" };
  expect(planEngine(draft)).toEqual({
    values: { "search.kind": "brave", "search.base_url": null, "search.api_key": "secret:SEARCH_ENGINE_KEY" },
    key: "a-key-of-brave",
  });
  expect(planEngine({ ...draft, key: "short" })).toMatchObject({ problem: { field: "key" } });
  expect(planEngine({ ...draft, keySource: "" })).toMatchObject({ problem: { field: "key" } });
  expect(planEngine({ ...draft, kind: "searxng", keySource: "", address: "127.0.0.1:8080/" })).toEqual({
    values: { "search.kind": "searxng", "search.base_url": "http://127.0.0.1:8080", "search.api_key": null },
  });
  expect(planEngine({ ...draft, kind: "searxng", address: "ftp://x" })).toMatchObject({
    problem: { field: "address" },
  });
  expect(planEngine({ ...draft, kind: "" })).toMatchObject({ values: { "search.kind": null } });
  const setting = { appliesNow: true, needsProof: true };
  expect(toEngineDraft([{ key: "search.kind", value: "searxng", ...setting }])).toEqual({
    kind: "searxng",
    address: "",
    keySource: "",
    key: "",
  });
});
