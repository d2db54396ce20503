/** Runs a function when a person returns to the page: it gets the focus, becomes visible, or is online again. */
import { useEffect } from "react";
import { useUi } from "./ui.tsx";

/** A focus and a change of visibility often come together. */
const MIN_PAUSE_MS = 1000;

export const useAttention = (run: () => void): void => {
  const { page, clock } = useUi();
  useEffect(() => {
    let lastRunAt = clock.monotonic();
    return page.onAttention(() => {
      const now = clock.monotonic();
      if (now - lastRunAt < MIN_PAUSE_MS) return;
      lastRunAt = now;
      run();
    });
  }, [page, clock, run]);
};
