/** Runs a function at an interval, and when a person returns to the page. */
import { observe } from "@hearth/client";
import { useEffect } from "react";
import { useAttention } from "./attention.ts";
import { useUi } from "./ui.tsx";

export const useInterval = (everyMs: number, run: () => void): void => {
  const { clock } = useUi();
  useAttention(run);
  useEffect(() => {
    const controller = new AbortController();
    const runRepeatedly = async (): Promise<void> => {
      for (;;) {
        await clock.sleep(everyMs, controller.signal);
        if (controller.signal.aborted) return;
        run();
      }
    };
    observe(runRepeatedly());
    return () => controller.abort();
  }, [clock, everyMs, run]);
};
