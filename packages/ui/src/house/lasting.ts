/** Whether a condition has lasted for a given time. */
import { observe } from "@hearth/client";
import { useEffect, useState } from "react";
import { useUi } from "./ui.tsx";

export const useHasLasted = (condition: boolean, ms: number): boolean => {
  const { clock } = useUi();
  const [hasLasted, setLasted] = useState(false);
  useEffect(() => {
    if (!condition) return;
    const stop = new AbortController();
    observe(
      clock.sleep(ms, stop.signal).then(() => {
        if (!stop.signal.aborted) setLasted(true);
      }),
    );
    return () => {
      stop.abort();
      setLasted(false);
    };
  }, [clock, condition, ms]);
  return condition && hasLasted;
};
