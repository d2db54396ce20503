/**
 * The user's confirmation of who they are, which the house asks for before some changes. Requests
 * that are refused at the same time share one confirmation.
 */
export interface LoginConfirmation {
  /** Asks the user. Resolves to whether they confirmed. */
  ask(): Promise<boolean>;
  isOpen(): boolean;
  /** Ends the question. Without one it does nothing. */
  settle(isConfirmed: boolean): void;
  onChange(listener: () => void): () => void;
}

interface Question {
  readonly answer: Promise<boolean>;
  readonly settle: (isConfirmed: boolean) => void;
}

const createQuestion = (): Question => {
  let settle: Question["settle"] = () => {};
  const answer = new Promise<boolean>((resolve) => {
    settle = resolve;
  });
  return { answer, settle };
};

export const createLoginConfirmation = (): LoginConfirmation => {
  const listeners = new Set<() => void>();
  let asking: Question | undefined;
  const change = (next: typeof asking): void => {
    asking = next;
    for (const listener of listeners) listener();
  };
  return {
    ask() {
      const question = asking ?? createQuestion();
      if (asking === undefined) change(question);
      return question.answer;
    },
    isOpen: () => asking !== undefined,
    settle(isConfirmed) {
      const ended = asking;
      if (ended === undefined) return;
      change(undefined);
      ended.settle(isConfirmed);
    },
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
};
