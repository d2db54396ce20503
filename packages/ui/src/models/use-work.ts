/** An asynchronous action: busy state, one at a time, with its error until the next attempt. */
import { useCallback, useRef, useState } from "react";

export interface Work {
  readonly isBusy: boolean;
  readonly error: unknown;
  /** Resolves to true on success. Does nothing and resolves to false while another action runs. */
  readonly run: (work: () => Promise<unknown>) => Promise<boolean>;
  readonly clear: () => void;
}

export const useWork = (): Work => {
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
