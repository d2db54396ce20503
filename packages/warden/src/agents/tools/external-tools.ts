/**
 * External tools are declared at run time with a name, a JSON Schema and traits, and run elsewhere.
 * They are offered, validated, judged, journaled and labelled like built-in tools of the host.
 */
import { HearthError } from "@hearth/protocol";
import { type ToolDeclaration, tools, type ToolTable } from "@hearth/protocol/tools";
import { z } from "zod";
import type { ExternalTools } from "./tool.ts";

/** The declaration of an external tool. `schema` is the JSON Schema of an object. */
export type ExternalDeclaration = Omit<ToolDeclaration, "input" | "runs" | BuiltInOnly> & { readonly schema: object };

/** The fields of a declaration that only built-in tools have. */
type BuiltInOnly =
  | "workspace"
  | "leavesRunning"
  | "quotesBrain"
  | "revealsTools"
  | "staysInRoom"
  | "maxArgumentBytes"
  | "part";

/**
 * Converts a declaration. Throws `tool.invalid` for a schema that is not of an object, or a sink
 * that the schema does not have.
 */
export const declareExternal = ({
  schema,
  ...declaration
}: ExternalDeclaration): ToolDeclaration<z.ZodObject, "host"> => {
  const input = toInput(declaration.name, schema);
  const unknownSink = declaration.sinks.find((sink) => !Object.hasOwn(input.shape, sink));
  if (unknownSink !== undefined)
    throw invalidToolError(declaration.name, `It has no field "${unknownSink}", which is declared as a sink`);
  return { ...declaration, input, runs: "host", workspace: "none" };
};

/**
 * Returns the table of all tools. Throws `tool.invalid` for a name that is taken or that vendors do
 * not accept.
 */
export const withExternalTools = (externalTools: ExternalTools): ToolTable => {
  for (const [name, { declaration }] of Object.entries(externalTools)) {
    if (name !== declaration.name || !NAME.test(name))
      throw invalidToolError(name, "Its name is not one that models can call");
    if (Object.hasOwn(tools, name)) throw invalidToolError(name, "A built-in tool has its name");
  }
  const declarations = Object.entries(externalTools).map(([name, { declaration }]) => [name, declaration] as const);
  return { ...tools, ...Object.fromEntries(declarations) };
};

/** Matches names that every vendor accepts. */
const NAME = /^[a-zA-Z][a-zA-Z0-9_-]{0,63}$/;

const toInput = (name: string, schema: object): z.ZodObject => {
  try {
    const input = z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);
    if (input instanceof z.ZodObject) return input.strict();
  } catch (cause) {
    throw invalidToolError(name, "Its schema cannot be read", cause);
  }
  throw invalidToolError(name, "Its schema does not describe an object");
};

const invalidToolError = (name: string, why: string, cause?: unknown): HearthError =>
  new HearthError("tool.invalid", `${why}: the tool ${JSON.stringify(name)} was not added.`, {
    hint: "Correct its declaration where the tool comes from, or remove it.",
    ...(cause === undefined ? {} : { cause }),
  });
