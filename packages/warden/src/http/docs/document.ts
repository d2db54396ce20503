/**
 * Builds the OpenAPI 3.1 document of the port from the routes' own schemas, on demand. zod converts
 * them to JSON Schema, since only zod can convert recursive ones.
 */
import type { OpenAPIHono } from "@hono/zod-openapi";
import {
  IdentityInfo,
  OidcProviders,
  AttachedDescription,
  AttachedTranscript,
  PasskeyInfo,
  AgentRecord,
  Approval,
  ApprovalRule,
  ApprovePairing,
  CellInfo,
  CellsClosed,
  ChangeVaultKey,
  ChannelInfo,
  ChannelTest,
  Compaction,
  CreatedKey,
  CreateKey,
  CreateSecret,
  DecideApproval,
  DecideDelivery,
  Delivery,
  ErrorBodySchema,
  Grant,
  HouseRecord,
  Job,
  JobHook,
  JobPreview,
  RoomView,
  RoomViews,
  JobSlot,
  KeyInfo,
  LoginLink,
  NewSecretGrant,
  OpenCell,
  Pairing,
  PasswordState,
  Proposal,
  PutGrant,
  RefusedInbound,
  RoomRecord,
  RotateSecret,
  SecretGrant,
  SecretInfo,
  VaultStatus,
  Hold,
  InboxMessage,
  Invite,
  PatchInbox,
  Resumed,
  Session,
  SessionsEnded,
  SetPassword,
  StoredDeletion,
  StoredReaction,
  StoredEdit,
  StoredEvent,
  StoredMessage,
} from "@hearth/protocol";
import {
  Activation,
  ActivationDetail,
  ActivationPart,
  AgentState,
  ChatAnswer,
  ChatRequest,
  BackupState,
  Check,
  CreateAgent,
  CreateHouse,
  CreateProvider,
  CreateRoom,
  EditMessage,
  ErrorAnswer,
  EventPage,
  Fate,
  FatePage,
  Me,
  MessageFate,
  PatchRecord,
  PostMessage,
  PushChoices,
  PushDevice,
  PushState,
  MediaInfo,
  ProviderInfo,
  ProviderTest,
  RoomHead,
  Status,
  TestProvider,
} from "@hearth/protocol/api";
import { z } from "zod";
import type { Content, JsonSchema, OpenApiDocument, OperationObject, Parameter } from "./open-api.ts";
import { SESSION_COOKIE } from "../session-cookie.ts";

export const createDocument = (definitions: OpenAPIHono["openAPIRegistry"]["definitions"]): OpenApiDocument => {
  const requests = createSchemaRegistry("input", requestSchemas);
  const answers = createSchemaRegistry("output", answerSchemas);
  const operations = definitions.flatMap((definition) => {
    if (definition.type !== "route") return [];
    // `toRouteConfig` in routes/route.ts creates it.
    const route = definition.route as unknown as RouteDefinition;
    return [{ route, body: contentOf(requests, route.request?.body?.content), answers: answersOf(answers, route) }];
  });
  // Convert after every schema has been seen: conversion names the ones that recur.
  const schemas = { ...requests.convert(), ...answers.convert() };

  const paths: { [path: string]: { [method: string]: OperationObject } } = {};
  for (const { route, body, answers: responses } of operations) {
    const { operationId, tags, summary, description, security, request } = route;
    paths[route.path] = {
      ...paths[route.path],
      [route.method]: {
        operationId,
        tags,
        summary,
        ...(description === undefined ? {} : { description }),
        "x-needs": route["x-needs"],
        ...(route["x-fresh-login"] === undefined ? {} : { "x-fresh-login": route["x-fresh-login"] }),
        security,
        parameters: [...parametersOf("path", request?.params), ...parametersOf("query", request?.query)],
        ...(body === undefined ? {} : { requestBody: { required: true, content: resolveContent(body) } }),
        responses: Object.fromEntries(
          responses.map(({ status, description: text, content }) => [
            status,
            { description: text, ...(content === undefined ? {} : { content: resolveContent(content) }) },
          ]),
        ),
      },
    };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Hearth",
      version: "1",
      description:
        "A home for agents: rooms that people and bots share. Every error is `{error: {code, message, hint?}}`.",
    },
    tags: [...new Set(operations.flatMap(({ route }) => route.tags))].map((name) => ({ name })),
    paths,
    components: {
      schemas,
      securitySchemes: {
        key: { type: "http", scheme: "bearer", description: "An API key." },
        session: {
          type: "apiKey",
          in: "cookie",
          name: SESSION_COOKIE,
          description: "A browser that logged in. Over https its name begins with `__Host-`.",
        },
      },
    },
  };
};

const requestSchemas = {
  PostMessage,
  EditMessage,
  CreateHouse,
  CreateRoom,
  CreateAgent,
  PatchRecord,
  PatchInbox,
  ChatRequest,
  CreateKey,
  SetPassword,
  PutGrant,
  CreateProvider,
  TestProvider,
  DecideDelivery,
  ApprovePairing,
  CreateSecret,
  RotateSecret,
  NewSecretGrant,
  ChangeVaultKey,
  OpenCell,
  DecideApproval,
};

const answerSchemas = {
  PasskeyInfo,
  Notifications: PushState,
  NotificationDevice: PushDevice,
  NotificationRules: PushChoices,
  IdentityInfo,
  OidcProviders,
  ErrorAnswer,
  Error: ErrorBodySchema,
  House: HouseRecord,
  Room: RoomRecord,
  Agent: AgentRecord,
  Message: StoredMessage,
  Edit: StoredEdit,
  Deletion: StoredDeletion,
  Reaction: StoredReaction,
  Event: StoredEvent,
  EventPage,
  RoomHead,
  Me,
  Activation,
  ActivationDetail,
  ActivationPart,
  AgentState,
  Key: KeyInfo,
  CreatedKey,
  Session,
  SessionsEnded,
  PasswordState,
  Provider: ProviderInfo,
  MediaProvider: MediaInfo,
  ProviderTest,
  Check,
  Backup: BackupState,
  Status,
  Cell: CellInfo,
  CellsClosed,
  Compaction,
  InboxMessage,
  Invite,
  Grant,
  Secret: SecretInfo,
  SecretGrant,
  VaultStatus,
  Hold,
  Resumed,
  LoginLink,
  ChatAnswer,
  Channel: ChannelInfo,
  ChannelTest,
  Delivery,
  RefusedInbound,
  Pairing,
  Fate,
  MessageFate,
  FatePage,
  Approval,
  ApprovalRule,
  Proposal,
  Job,
  JobSlot,
  JobHook,
  JobPreview,
  Transcript: AttachedTranscript,
  Description: AttachedDescription,
  RoomView,
  RoomViews,
};

interface RouteDefinition extends Omit<OperationObject, "parameters" | "requestBody" | "responses"> {
  readonly method: string;
  readonly path: string;
  readonly request?: {
    readonly params?: z.ZodType;
    readonly query?: z.ZodType;
    readonly body?: { readonly content: ZodContent };
  };
  readonly responses: { readonly [status: string]: { readonly description: string; readonly content?: ZodContent } };
}
type ZodContent = { readonly [type: string]: { readonly schema: z.ZodType } };
/** A schema that is written once all of them are known. */
type LazyContent = { readonly [type: string]: () => JsonSchema };

interface SchemaRegistry {
  /** Returns a reference if the schema has a name, and otherwise the schema itself. */
  register(schema: z.ZodType): () => JsonSchema;
  convert(): { readonly [name: string]: JsonSchema };
}

const PREFIX = "#/components/schemas/";

const createSchemaRegistry = (
  io: "input" | "output",
  table: { readonly [name: string]: z.ZodType },
): SchemaRegistry => {
  const names = new Map<z.ZodType, string>();
  const registry = z.registry<{ id: string }>();
  for (const [name, schema] of Object.entries(table)) {
    names.set(schema, name);
    registry.add(schema, { id: name });
  }
  const unnamed = new Map<string, JsonSchema | undefined>();
  /** Several operations may share an answer schema. */
  const inlineIds = new Map<z.ZodType, string>();
  return {
    register(schema) {
      const name = names.get(schema);
      if (name !== undefined) return () => ({ $ref: PREFIX + name });
      const id = inlineIds.get(schema) ?? `inline-${unnamed.size}`;
      if (!inlineIds.has(schema)) registry.add(schema, { id });
      inlineIds.set(schema, id);
      unnamed.set(id, undefined);
      return () => unnamed.get(id) ?? {};
    },
    convert() {
      const converted = z.toJSONSchema(registry, { io, uri: (id) => PREFIX + id });
      const schemas: { [name: string]: JsonSchema } = {};
      for (const [name, schema] of Object.entries(converted.schemas)) {
        if (name === "__shared") {
          for (const [sharedId, value] of Object.entries(schema.$defs ?? {}))
            schemas[toSharedName(io, sharedId)] = cleanSchema(io, value);
        } else if (unnamed.has(name)) unnamed.set(name, cleanSchema(io, schema));
        else schemas[name] = cleanSchema(io, schema);
      }
      return schemas;
    },
  };
};

/** Returns the name of a schema that zod shares. So far this is only "any JSON", which contains itself. */
const toSharedName = (io: string, name: string): string => `Json-${io}-${name}`;

/** Removes keywords of a standalone document, and rewrites references. */
const cleanSchema = (io: string, schema: unknown): JsonSchema =>
  JSON.parse(
    JSON.stringify(schema, (key, value: unknown) => {
      if (key === "$schema" || key === "$id") return undefined;
      if (key === "$ref" && typeof value === "string" && value.includes("__shared")) {
        return PREFIX + toSharedName(io, value.slice(value.lastIndexOf("/") + 1));
      }
      return value;
    }),
  ) as JsonSchema;

const contentOf = (schemas: SchemaRegistry, content: ZodContent | undefined): LazyContent | undefined =>
  content === undefined
    ? undefined
    : Object.fromEntries(Object.entries(content).map(([type, { schema }]) => [type, schemas.register(schema)]));

const resolveContent = (content: LazyContent): Content =>
  Object.fromEntries(Object.entries(content).map(([type, schema]) => [type, { schema: schema() }]));

const answersOf = (schemas: SchemaRegistry, route: RouteDefinition) =>
  Object.entries(route.responses).map(([status, { description, content }]) => ({
    status,
    description,
    content: contentOf(schemas, content),
  }));

const parametersOf = (place: "path" | "query", schema: z.ZodType | undefined): readonly Parameter[] => {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: "input" });
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...propertySchema } = cleanSchema("input", property);
    return {
      name,
      in: place,
      required: place === "path" || required.includes(name),
      ...(typeof description === "string" ? { description } : {}),
      schema: propertySchema,
    };
  });
};
