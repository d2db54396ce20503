/** The types of an operation's input and output, derived from its declaration. */
import type { z } from "zod";

/** The names of a path's parameters, in order. */
export type ParameterNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? readonly [Name, ...ParameterNames<Rest>]
  : readonly [];

/** A value that the schema has checked. */
export type Checked<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

/** The JSON of a success response. `Empty` for a response without a body, `Other` for other types. */
export type Json<Success, Empty, Other> = Success extends { readonly type: string }
  ? Other
  : Success extends { readonly schema: infer Schema extends z.ZodType }
    ? z.output<Schema>
    : Success extends { readonly status: 204 }
      ? Empty
      : Other;

/** The body and the query as arguments of a call. */
export type BodyArgument<Schema> = Schema extends z.ZodType ? readonly [body: z.input<Schema>] : readonly [];
export type QueryArgument<Schema> = Schema extends z.ZodObject
  ? Partial<Query<Schema>> extends Query<Schema>
    ? readonly [query?: Query<Schema>]
    : readonly [query: Query<Schema>]
  : readonly [];

/** A query before it is encoded as text. A field with a default may be absent. */
type Query<Schema extends z.ZodObject> = {
  readonly [Name in Fields<Schema> as IsOptional<Schema, Name> extends true ? never : Name]: Field<Schema, Name>;
} & {
  readonly [Name in Fields<Schema> as IsOptional<Schema, Name> extends true ? Name : never]?:
    | Field<Schema, Name>
    | undefined;
};

type Fields<Schema extends z.ZodObject> = keyof z.output<Schema>;

/**
 * The type of one field. It is the output of the schema, because the input of a coerced number is
 * `unknown`. An id may be any text.
 */
type Field<Schema extends z.ZodObject, Name extends Fields<Schema>> = Plain<z.output<Schema>[Name]>;
type Plain<Value> = Value extends z.core.$brand<infer _Name> ? string : Value;

type IsOptional<Schema extends z.ZodObject, Name> = undefined extends z.input<Schema>[Name & keyof z.input<Schema>]
  ? true
  : false;
