/** Answers the questions of onboarding from a list, and records what was asked and shown. */
import type { Asker } from "../onboard/asker.ts";

export interface FakeAsker extends Asker {
  /** The questions, in order, with the options of a choice. */
  readonly questions: readonly string[];
  readonly shown: readonly string[];
}

/**
 * Creates the asker. An empty answer leaves a text field empty. Throws for a question after the
 * last answer.
 */
export const createFakeAsker = (answers: readonly string[]): FakeAsker => {
  const questions: string[] = [];
  const shown: string[] = [];
  const rest = [...answers];
  const answer = (question: string): string => {
    questions.push(question);
    const next = rest.shift();
    if (next === undefined) throw new Error(`There is no answer to: ${question}`);
    return next;
  };
  return {
    questions,
    shown,
    async text({ message, initial, check }) {
      const typed = answer(initial === undefined ? message : `${message} [${initial}]`);
      const refusal = typed === "" ? undefined : check?.(typed);
      if (refusal !== undefined) throw new Error(`"${typed}" was refused: ${refusal}`);
      return typed === "" ? undefined : typed;
    },
    async secret(message) {
      const typed = answer(message);
      return typed === "" ? undefined : typed;
    },
    async choose(message, options) {
      const typed = answer(`${message} (${options.map(({ value }) => value).join(", ")})`);
      const chosen = options.find(({ value }) => value === typed);
      if (chosen === undefined) throw new Error(`"${typed}" is not an option of: ${message}`);
      return chosen.value;
    },
    wait: (_message, work) => work,
    section: (title, detail) => {
      shown.push(detail === undefined ? title : `${title}: ${detail}`);
    },
    done: (text) => {
      shown.push(text);
    },
    failed: (text) => {
      shown.push(`FAILED ${text}`);
    },
  };
};
