/** Whether a condition has lasted for a given time. */
import { observe } from "@hearth/client";
import { useEffect, useState } from "react";
import { useUi } from "./ui.tsx";

export const useHasLasted = (condition: boolean, durationMs: number): boolean => {
  const { clock } = useUi();
  const [hasLasted, setLasted] = useState(false);
  useEffect(() => {
    if (!condition) return;
    const controller = new AbortController();
    observe(
      clock.sleep(durationMs, controller.signal).then(() => {
        if (!controller.signal.aborted) setLasted(true);
      }),
    );
    return () => {
      controller.abort();
      setLasted(false);
    };
  }, [clock, condition, durationMs]);
  return condition && hasLasted;
};
