/** The list of models that a server gives. It is another program's answer: bounded, checked, and never trusted. */
import { ModelName } from "@hearth/protocol";
import { malformed } from "../resilience/failure.ts";
import { asArray, asObject, asText, parseJson } from "../wires/json.ts";

/** In bytes. The longest list that a vendor gives has about one megabyte: hundreds of models, each with a description. */
const MAX_LIST_SIZE = 8 * 1024 * 1024;

/** What a server said, parsed; nothing when it is not JSON. Throws `provider.malformed` when it has no end; whoever asked closes it. */
export const readAnswer = async (response: Response): Promise<unknown> => {
  if (response.body === null) return undefined;
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let size = 0;
  let text = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return parseJson(text + decoder.decode());
    size += value.length;
    if (size > MAX_LIST_SIZE) throw malformed("The list of models has no end.");
    text += decoder.decode(value, { stream: true });
  }
};

/** The names in an answer, as they are and in its order; nothing when it is no list of models. */
export const namesIn = (answer: unknown): readonly string[] | undefined => {
  // Most write an object; some the bare list; and one writes null where it has no models.
  const list = Array.isArray(answer) ? answer : asObject(answer)?.["data"];
  if (!Array.isArray(list) && !(list === null && asObject(answer)?.["object"] === "list")) return undefined;
  return asArray(list).flatMap((model) => asText(asObject(model)?.["id"]) ?? []);
};

/** Those that an agent of this house can name, each once, in their order. What only makes embeddings comes last. */
export const toModelNames = (provider: string, names: readonly string[], max: number): readonly string[] => {
  const fit = [...new Set(names)].filter(
    (name) => /^[^\s\p{C}]+$/u.test(name) && ModelName.safeParse(`${provider}/${name}`).success,
  );
  const embeds = (name: string): boolean => /embed/i.test(name);
  return [...fit.filter((name) => !embeds(name)), ...fit.filter(embeds)].slice(0, max);
};
