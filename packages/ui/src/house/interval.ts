/** Runs a function at an interval, and when a person returns to the page. */
import { observe } from "@hearth/client";
import { useEffect } from "react";
import { useAttention } from "./attention.ts";
import { useUi } from "./ui.tsx";

export const useInterval = (everyMs: number, run: () => void): void => {
  const { clock } = useUi();
  useAttention(run);
  useEffect(() => {
    const stop = new AbortController();
    const go = async (): Promise<void> => {
      for (;;) {
        await clock.sleep(everyMs, stop.signal);
        if (stop.signal.aborted) return;
        run();
      }
    };
    observe(go());
    return () => stop.abort();
  }, [clock, everyMs, run]);
};
