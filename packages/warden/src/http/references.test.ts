/**
 * References (`file:`, `env:`, `secret:`) that a key sends in any field of any operation stay plain
 * text and are never resolved.
 */
import { expect, test } from "bun:test";
import { createBunWorld } from "../adapter/bun/world.ts";
import { createTestDisk, openTestHouse } from "../fixtures/house.ts";
import type { JsonSchema, OpenApiDocument, OperationObject } from "./docs/open-api.ts";

/** The name in every reference, and the secret it would resolve to. */
const NAME = "REFERRED";
const SECRET = "sk-referred-0123456789";
const REFERENCES = [`file:${NAME}`, `env:${NAME}`, `secret:${NAME}`] as const;

const setUp = async () => {
  const disk = createTestDisk();
  const resolved: string[] = [];
  const sent: string[] = [];
  const world = createBunWorld();
  const house = await openTestHouse({
    disk,
    script: () => ({ text: "" }),
    world: {
      ...world,
      async fetch(input, init) {
        const request = new Request(input, init);
        sent.push(`${request.url} ${JSON.stringify([...request.headers])} ${await request.text()}`);
        return Response.json({ object: "list", data: [] });
      },
    },
    references: {
      environment(name) {
        if (name === NAME) resolved.push(`env:${name}`);
        return name === NAME ? SECRET : undefined;
      },
      async readFile(path) {
        // A typed key is kept in a file and read from it.
        if (path !== NAME) return undefined;
        resolved.push(`file:${path}`);
        return SECRET;
      },
    },
  });
  const { json } = await house.ask("GET", "/api/houses/home");
  await house.ask("POST", "/api/houses/home/secrets", { name: NAME, value: SECRET });
  const { json: made } = await house.ask("POST", "/api/keys", { name: "k", scope: { level: "x", on: [json.id] } });
  return {
    ...{ house, resolved, sent, key: made.key as string },
    async [Symbol.asyncDispose]() {
      await house[Symbol.asyncDispose]();
      disk[Symbol.dispose]();
    },
  };
};

type Path = readonly string[];

const resolve = (document: OpenApiDocument, schema: JsonSchema): JsonSchema => {
  const reference = schema["$ref"];
  if (typeof reference !== "string") return schema;
  return resolve(document, document.components.schemas[reference.split("/").at(-1) ?? ""] ?? {});
};

const choicesOf = (schema: JsonSchema): readonly JsonSchema[] =>
  (schema["anyOf"] ?? schema["oneOf"] ?? schema["allOf"] ?? []) as readonly JsonSchema[];

const propertiesOf = (schema: JsonSchema): readonly (readonly [string, JsonSchema])[] =>
  Object.entries((schema["properties"] ?? {}) as Readonly<Record<string, JsonSchema>>);

const MAX_DEPTH = 6;

/** Paths in a body of this schema that take a string or any value. */
const stringsIn = (document: OpenApiDocument, given: JsonSchema, at: Path = []): readonly Path[] => {
  const schema = resolve(document, given);
  if (at.length > MAX_DEPTH) return [];
  if (schema["type"] === "object" || schema["properties"] !== undefined) {
    const own = propertiesOf(schema).flatMap(([name, value]) => stringsIn(document, value, [...at, name]));
    const more = schema["additionalProperties"];
    return typeof more === "object" && more !== null ? [...own, [...at, "apiKey"]] : own;
  }
  if (schema["type"] === "array") return stringsIn(document, (schema["items"] ?? {}) as JsonSchema, [...at, "[]"]);
  const choices = choicesOf(schema);
  if (choices.length > 0) return choices.flatMap((choice) => stringsIn(document, choice, at));
  const isText = schema["type"] === undefined || schema["type"] === "string";
  return isText && schema["const"] === undefined && schema["enum"] === undefined ? [at] : [];
};

/** A body with the required fields, and the reference at this path. */
const sample = (document: OpenApiDocument, given: JsonSchema, path: Path | undefined, reference: string): unknown => {
  const schema = resolve(document, given);
  if (path?.length === 0) return reference;
  const [next, ...rest] = path ?? [];
  const choices = choicesOf(schema);
  const [choice] = choices;
  if (choice !== undefined) {
    const fitting = choices.find(
      (choice) => path !== undefined && stringsIn(document, choice).some((own) => own.join() === path.join()),
    );
    return sample(document, fitting ?? choice, path, reference);
  }
  if (schema["type"] === "array")
    return next === "[]" ? [sample(document, (schema["items"] ?? {}) as JsonSchema, rest, reference)] : [];
  if (schema["type"] === "object" || schema["properties"] !== undefined) {
    const required = (schema["required"] ?? []) as readonly string[];
    const fields = propertiesOf(schema)
      .filter(([name]) => name === next || required.includes(name))
      .map(([name, value]) => [name, sample(document, value, name === next ? rest : undefined, reference)]);
    const isMore = next !== undefined && !propertiesOf(schema).some(([name]) => name === next);
    return Object.fromEntries(isMore ? [...fields, [next, reference]] : fields);
  }
  if (schema["const"] !== undefined) return schema["const"];
  if (Array.isArray(schema["enum"])) return schema["enum"][0];
  if (schema["type"] === "integer" || schema["type"] === "number") return schema["minimum"] ?? 1;
  if (schema["type"] === "boolean") return false;
  return schema["format"] === "uri" ? "https://elsewhere.example/v1" : "openai";
};

const bodyOf = ({ requestBody }: OperationObject): JsonSchema | undefined =>
  requestBody?.content["application/json"]?.schema;

/**
 * Every operation that changes something, with the reference in one field of its body or in its
 * path.
 */
const requestsOf = (document: OpenApiDocument, reference: string) =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method]) => method !== "get")
      .flatMap(([method, operation]) => {
        const to = path
          .replace(/^\/api\/agents\/\{\w+\}/, "/api/agents/main")
          .replace(/^\/api\/rooms\/\{\w+\}/, "/api/rooms/main")
          .replace(/\/houses\/\{\w+\}/, "/houses/home")
          .replace(/\{\w+\}/g, encodeURIComponent(reference));
        const schema = bodyOf(operation);
        const bodies =
          schema === undefined
            ? [undefined]
            : stringsIn(document, schema).map((field) => sample(document, schema, field, reference));
        return bodies.map((body) => ({ method: method.toUpperCase(), path: to, body, id: operation.operationId }));
      }),
  );

/** Operations that end what later requests need. */
const ENDING: ReadonlySet<string> = new Set([
  "removeAgent",
  "removeRoom",
  "removeHouse",
  "stopAll",
  "stopAgent",
  "stop",
]);

/** Every read of the configuration. */
const READS = ["/api/providers", "/api/doctor", "/api/channels", "/api/security", "/api/agents/main/memory/status"];

test.each(REFERENCES)("%s in any field is not resolved for a scoped key", async (reference) => {
  await using open = await setUp();
  const { house, resolved, sent, key } = open;
  const { json: document }: { json: OpenApiDocument } = await house.ask("GET", "/openapi.json");
  const requests = requestsOf(document, reference).filter(({ id }) => !ENDING.has(id));
  expect(requests.length).toBeGreaterThan(120);
  expect(requests.map(({ body }) => JSON.stringify(body))).toContain(
    JSON.stringify({ name: "openai", kind: "openai", apiKey: reference }),
  );
  let accepted = 0;
  for (const { method, path, body } of requests) {
    const { status } = await house.ask(method, path, body, key);
    expect([method, path, status < 500 || status === 503]).toEqual([method, path, true]);
    if (status < 300) accepted += 1;
  }
  expect(accepted).toBeGreaterThan(10);
  for (const path of READS) await house.ask("GET", path, undefined, key);
  for (const { name } of (await house.ask("GET", "/api/providers")).json)
    await house.ask("GET", `/api/providers/${name}/models`, undefined, key);
  expect(resolved).toEqual([]);
  expect(sent.filter((text) => text.includes(SECRET))).toEqual([]);
});

test("the run token's reference is resolved, so the tests above would notice one", async () => {
  await using open = await setUp();
  const { house, resolved } = open;
  for (const [index, reference] of REFERENCES.entries())
    await house.ask("POST", "/api/providers", { name: `p${index}`, kind: "openai", apiKey: reference });
  expect(new Set(resolved)).toEqual(new Set([`file:${NAME}`, `env:${NAME}`]));
});
