/** Tells whether a condition has lasted for a given time. */
import { useEffect, useState } from "react";
import { useUi } from "./ui.tsx";

export const useLasting = (isSo: boolean, ms: number): boolean => {
  const { clock } = useUi();
  const [hasLasted, setLasted] = useState(false);
  useEffect(() => {
    if (!isSo) return;
    const stop = new AbortController();
    void clock.sleep(ms, stop.signal).then(() => {
      if (!stop.signal.aborted) setLasted(true);
    });
    return () => {
      stop.abort();
      setLasted(false);
    };
  }, [clock, isSo, ms]);
  return isSo && hasLasted;
};
