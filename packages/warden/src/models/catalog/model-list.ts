/**
 * Reads the list of models from a server. The list is untrusted, so its size is limited and its
 * names are validated.
 */
import { ModelName, readBoundedText } from "@hearth/protocol";
import { malformedError } from "../resilience/failure.ts";
import { asArray, asObject, asText, parseJson } from "../wires/json.ts";

/**
 * Maximum size in bytes. The longest lists of vendors have about one megabyte: hundreds of models with
 * descriptions.
 */
const MAX_LIST_SIZE = 8 * 1024 * 1024;

/**
 * Returns the parsed response, or undefined if it is not JSON. Throws `provider.malformed` if it is
 * too long. The caller closes the response.
 */
export const readModelList = async (response: Response): Promise<unknown> => {
  const text = await readBoundedText(response.body, MAX_LIST_SIZE);
  if (text === undefined) throw malformedError("The list of models is longer than 8 MiB.");
  return parseJson(text);
};

/**
 * Returns the names in a response, unchanged and in order, or undefined if it is not a list of
 * models.
 */
export const modelNamesIn = (answer: unknown): readonly string[] | undefined => {
  // Most servers return an object and some a bare list. One server writes null if it has no models.
  const list = Array.isArray(answer) ? answer : asObject(answer)?.["data"];
  if (!Array.isArray(list) && !(list === null && asObject(answer)?.["object"] === "list")) return undefined;
  return asArray(list).flatMap((model) => asText(asObject(model)?.["id"]) ?? []);
};

/**
 * Returns the names that an agent can use, without duplicates and in order. Embedding models come
 * last.
 */
export const toModelNames = (provider: string, names: readonly string[], max: number): readonly string[] => {
  const validNames = [...new Set(names)].filter(
    (name) => /^[^\s\p{C}]+$/u.test(name) && ModelName.safeParse(`${provider}/${name}`).success,
  );
  const isEmbeddingModel = (name: string): boolean => /embed/i.test(name);
  return [...validNames.filter((name) => !isEmbeddingModel(name)), ...validNames.filter(isEmbeddingModel)].slice(
    0,
    max,
  );
};
