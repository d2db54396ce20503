/** One request and its result. Ignores responses to older requests. */
import { useCallback, useEffect, useState } from "react";
import { useWaiting } from "./settled.tsx";

export interface RequestState<Value> {
  /** The last result. It stays during a refresh, and if the refresh fails. */
  readonly value: Value | undefined;
  /** Why the last attempt failed. */
  readonly error: unknown;
  readonly isLoading: boolean;
  readonly reload: () => void;
}

interface RequestOutcome<Value> {
  readonly send: () => Promise<Value>;
  readonly attempt: number;
  readonly value?: Value;
  readonly error?: unknown;
}

/**
 * Calls `send` to make a request, and calls it again when the function changes, so wrap it in
 * `useCallback`. Without `send`, makes no request.
 */
export const useRequest = <Value>(send: (() => Promise<Value>) | undefined): RequestState<Value> => {
  const [attempt, setAttempt] = useState(0);
  const [lastOutcome, setLastOutcome] = useState<RequestOutcome<Value>>();
  useEffect(() => {
    if (send === undefined) return;
    let isCurrent = true;
    const receive = (outcome: { readonly value: Value } | { readonly error: unknown }): void => {
      if (!isCurrent) return;
      setLastOutcome((previousOutcome) => ({
        ...(previousOutcome?.send === send && previousOutcome.value !== undefined
          ? { value: previousOutcome.value }
          : {}),
        send,
        attempt,
        ...outcome,
      }));
    };
    send().then(
      (value) => receive({ value }),
      (error: unknown) => receive({ error }),
    );
    return () => {
      isCurrent = false;
    };
  }, [send, attempt]);
  const reload = useCallback(() => setAttempt((previousAttempt) => previousAttempt + 1), []);
  const currentOutcome = lastOutcome !== undefined && lastOutcome.send === send ? lastOutcome : undefined;
  useWaiting(send !== undefined && currentOutcome === undefined);
  return {
    value: currentOutcome?.value,
    error: currentOutcome?.error,
    isLoading: send !== undefined && currentOutcome?.attempt !== attempt,
    reload,
  };
};
