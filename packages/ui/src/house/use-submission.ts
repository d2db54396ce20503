/**
 * Submits a form, one attempt at a time. Holds the busy state, and the error until the next
 * attempt.
 */
import { useCallback, useRef, useState } from "react";

export interface Submission {
  readonly isBusy: boolean;
  readonly error: unknown;
  /** Resolves to true on success. Does nothing and resolves to false while another submission runs. */
  readonly run: (work: () => Promise<unknown>) => Promise<boolean>;
  readonly clear: () => void;
}

export const useSubmission = (): Submission => {
  const [state, setState] = useState<{ readonly isBusy: boolean; readonly error: unknown }>(IDLE);
  const isRunning = useRef(false);
  const run = useCallback(async (work: () => Promise<unknown>): Promise<boolean> => {
    if (isRunning.current) return false;
    isRunning.current = true;
    setState({ isBusy: true, error: undefined });
    try {
      await work();
      setState(IDLE);
      return true;
    } catch (error) {
      setState({ isBusy: false, error });
      return false;
    } finally {
      isRunning.current = false;
    }
  }, []);
  const clear = useCallback(() => setState((state) => (state.isBusy ? state : IDLE)), []);
  return { ...state, run, clear };
};

const IDLE = { isBusy: false, error: undefined };
