/** Calls of declared operations. Arguments and results are typed by the declarations. */
import type {
  BodyArgument,
  Json,
  Operation,
  Operations,
  ParameterNames,
  QueryArgument,
} from "@hearth/protocol/operations";
import { type Connection, request, requestJson } from "./request.ts";

/** The JSON answer of an operation, with read-only lists. `undefined` for an operation without an answer. */
export type CallResult<Called extends Operation> = AsReadonly<Json<Called["answers"], void, void>>;

type AsReadonly<Value> = Value extends readonly (infer Item)[] ? readonly Item[] : Value;

/** A method that takes the parameters of the path in order, then the body, then the query. */
export type Call<Called extends Operation> = (
  ...input: [
    ...PathArguments<ParameterNames<Called["path"]>>,
    ...BodyArgument<Called["body"]>,
    ...QueryArgument<Called["query"]>,
  ]
) => Promise<CallResult<Called>>;

type PathArguments<Names extends readonly string[]> = { readonly [Index in keyof Names]: string };

export type Calls<Group extends Operations> = { readonly [Name in keyof Group]: Call<Group[Name]> };

/** The part of an operation that the browser's bundle contains. `build-plugins.ts` of the UI removes the rest. */
export type LeanOperation = Pick<Operation, "method" | "path" | "answers">;

/** Creates a method for each operation, under the operation's name in the group. */
export const createCalls = <const Group extends Operations>(connection: Connection, group: Group): Calls<Group> =>
  Object.fromEntries<unknown>(
    Object.entries<Operation>(group).map(([name, operation]) => [name, createCall(connection, operation)]),
  ) as Calls<Group>;

const createCall = (connection: Connection, operation: LeanOperation) => {
  const names = [...operation.path.matchAll(PARAMETER)].map(([, name = ""]) => name);
  const hasBody = operation.method !== "GET" && operation.method !== "DELETE";
  return (...input: readonly unknown[]): Promise<unknown> => {
    const params = Object.fromEntries(names.map((name, index) => [name, input[index] as string]));
    const [firstInput, secondInput] = input.slice(names.length);
    const [body, query] = hasBody ? [firstInput, secondInput] : [undefined, firstInput];
    return call(connection, operation, { params, body, query: query as CallInput["query"] });
  };
};

const PARAMETER = /\{(\w+)\}/g;

/** The input of one call, by its part of the request. */
export interface CallInput {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | undefined>> | undefined;
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
}

/** Calls one operation. Resolves with the validated answer. */
export const call = async <const Called extends LeanOperation>(
  connection: Connection,
  { method, path, answers }: Called,
  { params = {}, ...input }: CallInput = {},
): Promise<Called extends Operation ? CallResult<Called> : unknown> => {
  const requestPath = pathOf(path, params);
  if (answers.schema !== undefined) return requestJson(connection, answers.schema, method, requestPath, input) as never;
  const response = await request(connection, method, requestPath, input);
  await response.body?.cancel();
  return undefined as never;
};

/** Returns the path with its parameters. Parameters are escaped and may contain any character. */
export const pathOf = (path: string, params: Readonly<Record<string, string>>): string =>
  path.replace(PARAMETER, (_, name: string) => encodeURIComponent(params[name] ?? ""));
