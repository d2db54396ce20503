/**
 * Tools that do not ship: declared at run time, by a name, a JSON Schema and what the house has to know of them, and run at a far side. They
 * are tools of the host like any other: offered, checked, judged, journaled and labelled as those that ship.
 */
import { HearthError } from "@hearth/protocol";
import { type ToolDeclaration, tools, type ToolTable } from "@hearth/protocol/tools";
import { z } from "zod";
import type { FurtherTools } from "./tool.ts";

/** What a far side says of a tool: `schema` is the JSON Schema of an object. */
export type FarDeclaration = Omit<ToolDeclaration, "input" | "runs"> & { readonly schema: object };

/** Throws `tool.invalid` for a schema that is none of an object, or names a sink that it does not have. */
export const declareExternal = ({ schema, ...rest }: FarDeclaration): ToolDeclaration<z.ZodObject, "host"> => {
  const input = toInput(rest.name, schema);
  const stray = rest.sinks.find((sink) => !Object.hasOwn(input.shape, sink));
  if (stray !== undefined) throw invalid(rest.name, `It has no field "${stray}", which is said to be a sink`);
  return { ...rest, input, runs: "host" };
};

/** Throws `tool.invalid` when one has a name that is taken, or that no model may be told. */
export const tableWith = (further: FurtherTools): ToolTable => {
  for (const [name, { declaration }] of Object.entries(further)) {
    if (name !== declaration.name || !NAME.test(name)) throw invalid(name, "Its name is not one that models can call");
    if (Object.hasOwn(tools, name)) throw invalid(name, "A tool that ships has its name");
  }
  const declared = Object.entries(further).map(([name, { declaration }]) => [name, declaration] as const);
  return { ...tools, ...Object.fromEntries(declared) };
};

/** What every vendor takes. */
const NAME = /^[a-zA-Z][a-zA-Z0-9_-]{0,63}$/;

const toInput = (name: string, schema: object): z.ZodObject => {
  try {
    const read = z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);
    if (read instanceof z.ZodObject) return read.strict();
  } catch (cause) {
    throw invalid(name, "Its schema cannot be read", cause);
  }
  throw invalid(name, "Its schema is none of an object");
};

const invalid = (name: string, why: string, cause?: unknown): HearthError =>
  new HearthError("tool.invalid", `${why}: the tool ${JSON.stringify(name)} was not taken.`, {
    hint: "Mend its declaration where the tool comes from, or leave it out.",
    ...(cause === undefined ? {} : { cause }),
  });
