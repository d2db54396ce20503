/**
 * The user's confirmation of who they are, which the house asks for before some changes. Requests
 * that are refused at the same time share one confirmation.
 */
export interface LoginConfirmation {
  /** Asks the user. Resolves to whether they confirmed. */
  ask(): Promise<boolean>;
  isOpen(): boolean;
  /** Ends the question. Without one it does nothing. */
  resolve(isConfirmed: boolean): void;
  onChange(listener: () => void): () => void;
}

interface Question {
  readonly answer: Promise<boolean>;
  readonly resolve: (isConfirmed: boolean) => void;
}

const createQuestion = (): Question => {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  return { answer: promise, resolve };
};

export const createLoginConfirmation = (): LoginConfirmation => {
  const listeners = new Set<() => void>();
  let openQuestion: Question | undefined;
  const setQuestion = (question: typeof openQuestion): void => {
    openQuestion = question;
    for (const listener of listeners) listener();
  };
  return {
    ask() {
      const question = openQuestion ?? createQuestion();
      if (openQuestion === undefined) setQuestion(question);
      return question.answer;
    },
    isOpen: () => openQuestion !== undefined,
    resolve(isConfirmed) {
      const question = openQuestion;
      if (question === undefined) return;
      setQuestion(undefined);
      question.resolve(isConfirmed);
    },
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
};
