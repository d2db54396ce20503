import { expect, test } from "bun:test";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createBunWorld } from "../../adapter/bun/world.ts";
import { createFakeHouse } from "../fakes/fake-house.ts";
import type { OpenApiDocument } from "./open-api.ts";

const { hash } = createBunWorld();
const house = await createFakeHouse(createFakeWorld({ hash }));
const document = (await (await house.call("/openapi.json")).json()) as OpenApiDocument;
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation, name: `${method} ${path}` })),
);
const html = await (await house.call("/docs")).text();

/** Every value under a key of this name, anywhere. */
const all = (value: unknown, name: string): unknown[] => {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === name ? [inner, ...all(inner, name)] : all(inner, name),
  );
};

test("every reference resolves, and nothing of another document is left", () => {
  const references = all(document, "$ref") as string[];
  expect(references.length).toBeGreaterThan(50);
  for (const reference of references) {
    expect(reference).toStartWith("#/components/schemas/");
    expect(document.components.schemas).toHaveProperty([reference.slice("#/components/schemas/".length)]);
  }
  for (const foreign of ["$schema", "$id", "$defs"]) expect(all(document, foreign)).toEqual([]);
});

test("names of components are what OpenAPI allows", () => {
  for (const name of Object.keys(document.components.schemas)) expect(name).toMatch(/^[a-zA-Z0-9._-]+$/);
});

/** Open operations that authenticate their callers themselves. */
const KNOWS_ITS_CALLERS: ReadonlySet<string> = new Set([
  "post /login",
  "get /api/login/oidc/{provider}/callback",
  "post /hooks/{channel}",
  "post /hooks/jobs/{id}",
]);

test("every operation has a unique name, a summary, a tag, its security and its errors", () => {
  const ids = operations.map(({ operation }) => operation.operationId);
  expect(new Set(ids).size).toBe(ids.length);
  const schemes = Object.keys(document.components.securitySchemes);
  for (const { name, operation } of operations) {
    expect([name, operation.summary]).toEqual([name, expect.stringMatching(/\w/)]);
    expect(document.tags).toContainEqual({ name: operation.tags[0] ?? "" });
    expect([name, operation.security.length === 0]).toEqual([name, operation["x-needs"] === "nothing"]);
    for (const scheme of operation.security.flatMap((need) => Object.keys(need))) expect(schemes).toContain(scheme);
    const { responses } = operation;
    expect([name, responses["400"]?.content?.["application/json"]?.schema]).toEqual([
      name,
      { $ref: "#/components/schemas/ErrorAnswer" },
    ]);
    expect([name, "401" in responses]).toEqual([
      name,
      operation["x-needs"] !== "nothing" || KNOWS_ITS_CALLERS.has(name),
    ]);
    expect(Object.keys(responses).some((status) => status < "400")).toBe(true);
  }
});

test("exactly the parameters of a path are described", () => {
  for (const { path, name, operation } of operations) {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? "");
    const described = operation.parameters.filter((parameter) => parameter.in === "path");
    expect([name, described.map((parameter) => parameter.name)]).toEqual([name, inPath]);
    expect(described.every(({ required }) => required)).toBe(true);
  }
});

test("a field that a request may omit is optional there and present in answers", () => {
  const { schemas } = document.components;
  expect(schemas).toHaveProperty("CreateRoom.properties.content.required", ["name"]);
  expect(schemas).toHaveProperty("Room.properties.content.required", ["name", "kind"]);
});

test("the page shows every operation and schema, runs nothing and loads only the icon", () => {
  for (const { operation } of operations) expect(html).toContain(`id="${operation.operationId.toLowerCase()}"`);
  for (const name of Object.keys(document.components.schemas))
    expect(html).toContain(`id="schema-${name.toLowerCase()}"`);
  expect(html).not.toMatch(/<script|javascript:|\son\w+=|@import|url\(/i);
  const links = [...html.matchAll(/(?:src|href)="([^"]*)"/g)].map((match) => match[1] ?? "");
  for (const link of links) expect(link).toMatch(/^(#|\/openapi\.json$|\/ui\/icon\.svg$)/);
  const anchors = new Set([...html.matchAll(/\sid="([^"]*)"/g)].map((match) => `#${match[1] ?? ""}`));
  for (const link of links.filter((link) => link.startsWith("#"))) expect(anchors).toContain(link);
});

test("the page's style matches its policy", async () => {
  const policy = (await house.call("/docs")).headers.get("content-security-policy") ?? "";
  const style = /<style>([\s\S]*)<\/style>/.exec(html)?.[1] ?? "";
  expect(policy).toContain(`'sha256-${Buffer.from(hash(style), "hex").toString("base64")}'`);
});
