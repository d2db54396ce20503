/** Asks with @clack/prompts. Loaded only when questions are asked. */
import { autocomplete, isCancel, log, password, select, spinner, text } from "@clack/prompts";
import { UsageError } from "../args/usage-error.ts";
import { safeLine } from "../show/safe-text.ts";
import type { Asker, Option } from "./asker.ts";

/** Maximum length of a list to select from. A longer list has a search field. */
const MAX_LISTED = 12;

export const createClackAsker = (): Asker => ({
  async text({ message, initial, example, check }) {
    const answer = await text({
      message,
      ...(initial === undefined ? {} : { initialValue: initial }),
      ...(example === undefined ? {} : { placeholder: example }),
      validate: (value) => {
        const trimmedText = value?.trim() ?? "";
        return trimmedText === "" ? undefined : check?.(trimmedText);
      },
    });
    return toText(answer);
  },
  async secret(message) {
    return toText(await password({ message }));
  },
  async choose<Value extends string>(message: string, options: readonly Option<Value>[], initial?: Value) {
    const question = {
      message,
      options: options.map(({ value, label, hint }) => ({
        value: value as string,
        label: safeLine(label),
        ...(hint === undefined ? {} : { hint: safeLine(hint) }),
      })),
      maxItems: MAX_LISTED,
      ...(initial === undefined ? {} : { initialValue: initial as string }),
    };
    const answer = await (options.length > MAX_LISTED
      ? autocomplete({ ...question, placeholder: "Type to search" })
      : select(question));
    const option = options.find(({ value }) => value === answer);
    if (isCancel(answer) || option === undefined) throw endedError();
    return option.value;
  },
  async wait(message, work) {
    const progress = spinner();
    progress.start(message);
    try {
      return await work;
    } finally {
      progress.clear();
    }
  },
  section: (title, detail) =>
    log.step(detail === undefined ? safeLine(title) : `${safeLine(title)}\n${safeLine(detail)}`),
  done: (line) => log.success(safeLine(line)),
  failed: (line) => log.error(safeLine(line)),
});

const toText = (answer: string | symbol | undefined): string | undefined => {
  if (isCancel(answer)) throw endedError();
  // For an empty field the library returns undefined, although its types do not allow that.
  const trimmedText = typeof answer === "string" ? answer.trim() : "";
  return trimmedText === "" ? undefined : trimmedText;
};

const endedError = (): UsageError =>
  new UsageError("Ended before the last question. Earlier answers are saved.", "To answer the rest: hearth onboard");
