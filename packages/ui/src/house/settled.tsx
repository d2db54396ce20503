/**
 * Shows a page after its parts have their first answers, so that a late part does not move the
 * others. A slow part delays the page for at most `MAX_WAIT_MS`.
 */
import { createContext, type ReactNode, useCallback, useContext, useLayoutEffect, useState } from "react";
import { Spinner } from "../design/spinner.tsx";
import { useHasLasted } from "./lasting.ts";
import styles from "./settled.module.css";
import * as texts from "./text.ts";

const MAX_WAIT_MS = 1500;

/** Registers a pending request with the enclosing `Settled`. Returns a function that unregisters it. */
const RegisterContext = createContext<(() => () => void) | undefined>(undefined);

const ShownContext = createContext(true);

/** Whether the page around this component is shown. A hidden element cannot get the focus. */
export const useIsShown = (): boolean => useContext(ShownContext);

/** Holds back the page around this component while `isWaiting`. */
export const useWaiting = (isWaiting: boolean): void => {
  const registerRequest = useContext(RegisterContext);
  useLayoutEffect(() => (isWaiting ? registerRequest?.() : undefined), [registerRequest, isWaiting]);
};

/**
 * Hides its children until they have their first answers. A page that was shown is never hidden
 * again, so each page needs its own `key`.
 */
export const Settled = ({ children }: { readonly children: ReactNode }) => {
  const [count, setCount] = useState(0);
  const [isShown, setShown] = useState(false);
  const registerRequest = useCallback(() => {
    setCount((previousCount) => previousCount + 1);
    return () => setCount((previousCount) => previousCount - 1);
  }, []);
  const isLate = useHasLasted(!isShown, MAX_WAIT_MS);
  // The layout effects of the children have already counted their requests.
  const [isMounted, setMounted] = useState(false);
  useLayoutEffect(() => setMounted(true), []);
  const isReady = isLate || (isMounted && count === 0);
  useLayoutEffect(() => {
    if (isReady) setShown(true);
  }, [isReady]);
  const isHidden = !isShown && !isReady;
  return (
    <RegisterContext value={registerRequest}>
      {isHidden ? <Spinner label={texts.loading} /> : undefined}
      <ShownContext value={!isHidden}>
        <div className={isHidden ? styles.hidden : styles.shown}>{children}</div>
      </ShownContext>
    </RegisterContext>
  );
};
