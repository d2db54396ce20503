/**
 * The declaration of an API operation. The warden's routes, the client's methods, the OpenAPI
 * document and the list of permissions derive from it.
 */
import type { z } from "zod";
import type { ErrorCode } from "../base/error.ts";
import type { Needs } from "./needs.ts";
import type { ParameterNames } from "./types.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export interface Operation {
  readonly id: string;
  readonly method: Method;
  /** A name in braces is a parameter: one segment of the path. */
  readonly path: string;
  /** The section of the documentation. */
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly needs: Needs;
  /**
   * The keys that may call this, if it creates rights or credentials. `whole`: only keys without a
   * scope and without an expiry. `lasting`: only keys without an expiry.
   */
  readonly requiresKey?: "whole" | "lasting";
  /**
   * Requires the run token or a session whose person logged in or confirmed it in the last
   * 15 minutes. A key is refused.
   */
  readonly freshLogin?: true;
  /** The schema of each parameter of the path. */
  readonly params?: { readonly [name: string]: z.ZodType<string> };
  readonly query?: z.ZodObject;
  /** The schema of the JSON body. */
  readonly body?: z.ZodType;
  /** Refuses a body, because its sender expected an effect. */
  readonly refusesBody?: true;
  /** The success response. */
  readonly answers: Success;
  /** Another response that is not an error. */
  readonly otherwise?: Success;
  /** Errors besides those that any operation may return. */
  readonly errors?: readonly ErrorCode[];
}

/** A response without `schema` has no body; one without `type` is JSON. */
export interface Success {
  readonly status: number;
  readonly schema?: z.ZodType;
  readonly text?: string;
  readonly type?: string;
}

/** The operations of one feature, by the names of the client's methods. */
export interface Operations {
  readonly [name: string]: Operation;
}

type OperationDeclaration = Omit<Operation, "tag">;

/** Requires a schema for each parameter of the path. */
type WithParameters<Path extends string> =
  ParameterNames<Path> extends readonly []
    ? { readonly params?: never }
    : { readonly params: { readonly [Name in ParameterNames<Path>[number]]: z.ZodType<string> } };

/** Declares the operations of one feature, with their section of the documentation. */
export const declareOperations = <
  const Tag extends string,
  const Group extends { readonly [name: string]: OperationDeclaration },
>(
  tag: Tag,
  group: Group & { readonly [Name in keyof Group]: WithParameters<Group[Name]["path"]> },
) =>
  Object.fromEntries<unknown>(
    Object.entries<OperationDeclaration>(group).map(([name, declaration]) => [name, { ...declaration, tag }]),
  ) as { readonly [Name in keyof Group]: Group[Name] & { readonly tag: Tag } };
