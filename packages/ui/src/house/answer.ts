/** One request and its result. Ignores responses to older requests. */
import { useCallback, useEffect, useState } from "react";
import { useWaiting } from "./settled.tsx";

export interface Answer<Value> {
  /** The last result. It stays during a refresh, and if the refresh fails. */
  readonly value: Value | undefined;
  /** Why the last attempt failed. */
  readonly error: unknown;
  readonly isAsking: boolean;
  readonly again: () => void;
}

interface Heard<Value> {
  readonly question: () => Promise<Value>;
  readonly round: number;
  readonly value?: Value;
  readonly error?: unknown;
}

/**
 * Sends a request, and again for each new `question`. Wrap the function in `useCallback`, so that
 * each render has the same one. `undefined` sends nothing.
 */
export const useAnswer = <Value>(question: (() => Promise<Value>) | undefined): Answer<Value> => {
  const [round, setRound] = useState(0);
  const [heard, setHeard] = useState<Heard<Value>>();
  useEffect(() => {
    if (question === undefined) return;
    let isCurrent = true;
    const hear = (outcome: { readonly value: Value } | { readonly error: unknown }): void => {
      if (!isCurrent) return;
      setHeard((last) => ({
        ...(last?.question === question && last.value !== undefined ? { value: last.value } : {}),
        question,
        round,
        ...outcome,
      }));
    };
    question().then(
      (value) => hear({ value }),
      (error: unknown) => hear({ error }),
    );
    return () => {
      isCurrent = false;
    };
  }, [question, round]);
  const again = useCallback(() => setRound((last) => last + 1), []);
  const known = heard !== undefined && heard.question === question ? heard : undefined;
  useWaiting(question !== undefined && known === undefined);
  return {
    value: known?.value,
    error: known?.error,
    isAsking: question !== undefined && known?.round !== round,
    again,
  };
};
