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

interface RequestOutcome<Value> {
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
  const [lastOutcome, setLastOutcome] = useState<RequestOutcome<Value>>();
  useEffect(() => {
    if (question === undefined) return;
    let isCurrent = true;
    const receive = (outcome: { readonly value: Value } | { readonly error: unknown }): void => {
      if (!isCurrent) return;
      setLastOutcome((last) => ({
        ...(last?.question === question && last.value !== undefined ? { value: last.value } : {}),
        question,
        round,
        ...outcome,
      }));
    };
    question().then(
      (value) => receive({ value }),
      (error: unknown) => receive({ error }),
    );
    return () => {
      isCurrent = false;
    };
  }, [question, round]);
  const again = useCallback(() => setRound((last) => last + 1), []);
  const current = lastOutcome !== undefined && lastOutcome.question === question ? lastOutcome : undefined;
  useWaiting(question !== undefined && current === undefined);
  return {
    value: current?.value,
    error: current?.error,
    isAsking: question !== undefined && current?.round !== round,
    again,
  };
};
