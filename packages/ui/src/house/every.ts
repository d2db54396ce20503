/** Does something again and again while a page is shown. */
import { useEffect } from "react";
import { useUi } from "./ui.tsx";

export const useEvery = (everyMs: number, run: () => void): void => {
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
