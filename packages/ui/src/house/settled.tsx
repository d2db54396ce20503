/**
 * Shows a page when the first answers of its parts are there, so that later parts do not move
 * earlier ones. A slow part delays the page for at most `MAX_WAIT_MS`.
 */
import { createContext, type ReactNode, useCallback, useContext, useLayoutEffect, useState } from "react";
import { Spinner } from "../design/spinner.tsx";
import { useLasting } from "./lasting.ts";
import styles from "./settled.module.css";
import * as texts from "./text.ts";

const MAX_WAIT_MS = 1500;

/** Counts the requests without an answer. Returns a function that ends the wait for one. */
const Waiting = createContext<(() => () => void) | undefined>(undefined);

/** Holds back the page around this component while `isWaiting`. */
export const useWaiting = (isWaiting: boolean): void => {
  const begin = useContext(Waiting);
  useLayoutEffect(() => (isWaiting ? begin?.() : undefined), [begin, isWaiting]);
};

/** Needs a `key` per page: a page that was shown once stays visible. */
export const Settled = ({ children }: { readonly children: ReactNode }) => {
  const [count, setCount] = useState(0);
  const [isShown, setShown] = useState(false);
  const begin = useCallback(() => {
    setCount((before) => before + 1);
    return () => setCount((before) => before - 1);
  }, []);
  const isLate = useLasting(!isShown, MAX_WAIT_MS);
  // The layout effects of the children have already counted their requests.
  const [isMounted, setMounted] = useState(false);
  useLayoutEffect(() => setMounted(true), []);
  const isReady = isLate || (isMounted && count === 0);
  useLayoutEffect(() => {
    if (isReady) setShown(true);
  }, [isReady]);
  const isHidden = !isShown && !isReady;
  return (
    <Waiting value={begin}>
      {isHidden ? <Spinner label={texts.loading} /> : undefined}
      <div className={isHidden ? styles.hidden : styles.shown}>{children}</div>
    </Waiting>
  );
};
