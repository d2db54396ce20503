/** Runs a function at an interval while the page is visible. */
import { useEffect } from "react";
import { useUi } from "./ui.tsx";

export const useInterval = (everyMs: number, run: () => void): void => {
  const { clock } = useUi();
  useEffect(() => {
    const stop = new AbortController();
    const go = async (): Promise<void> => {
      for (;;) {
        await clock.sleep(everyMs, stop.signal);
        if (stop.signal.aborted) return;
        run();
      }
    };
    void go();
    return () => stop.abort();
  }, [clock, everyMs, run]);
};
