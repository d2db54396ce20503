/** Answers the questions of onboarding from a list, and records what was asked and shown. */
import type { Asker } from "../onboard/asker.ts";

export interface FakeAsker extends Asker {
  /** The questions, in order, with the options of a choice. */
  readonly questions: readonly string[];
  readonly shownTexts: readonly string[];
}

/**
 * Creates the asker. An empty answer leaves a text field empty. Throws for a question after the
 * last answer.
 */
export const createFakeAsker = (answers: readonly string[]): FakeAsker => {
  const questions: string[] = [];
  const shownTexts: string[] = [];
  const remainingAnswers = [...answers];
  const answer = (question: string): string => {
    questions.push(question);
    const nextAnswer = remainingAnswers.shift();
    if (nextAnswer === undefined) throw new Error(`There is no answer to: ${question}`);
    return nextAnswer;
  };
  return {
    questions,
    shownTexts,
    async text({ message, initial, check }) {
      const answerText = answer(initial === undefined ? message : `${message} [${initial}]`);
      const refusal = answerText === "" ? undefined : check?.(answerText);
      if (refusal !== undefined) throw new Error(`"${answerText}" was refused: ${refusal}`);
      return answerText === "" ? undefined : answerText;
    },
    async secret(message) {
      const answerText = answer(message);
      return answerText === "" ? undefined : answerText;
    },
    async choose(message, options) {
      const answerText = answer(`${message} (${options.map(({ value }) => value).join(", ")})`);
      const option = options.find(({ value }) => value === answerText);
      if (option === undefined) throw new Error(`"${answerText}" is not an option of: ${message}`);
      return option.value;
    },
    wait: (_message, work) => work,
    section: (title, detail) => {
      shownTexts.push(detail === undefined ? title : `${title}: ${detail}`);
    },
    done: (text) => {
      shownTexts.push(text);
    },
    failed: (text) => {
      shownTexts.push(`FAILED ${text}`);
    },
  };
};
