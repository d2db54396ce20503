/** Chooses between unified and split diffs. Narrow screens have unified diffs only. */
import { useCallback, useState, useSyncExternalStore } from "react";
import { Button } from "../../design/button.tsx";
import { remember } from "../../house/remember.ts";
import { useUi } from "../../house/ui.tsx";
import styles from "../brain.module.css";
import * as texts from "../text.ts";

/** The width from which two columns of code are legible. */
const WIDE_QUERY = "(min-width: 900px)";
const STORAGE_KEY = "diff-layout";

export interface DiffLayout {
  readonly isSplit: boolean;
  /** Undefined on a narrow screen. */
  readonly choose: ((isSplit: boolean) => void) | undefined;
}

/** The browser keeps the choice. */
export const useDiffLayout = (): DiffLayout => {
  const { storage } = useUi();
  const [isChosen, setChosen] = useState(() => storage.get(STORAGE_KEY) === "split");
  const isWide = useSyncExternalStore(
    useCallback((onChange: () => void) => {
      const query = matchMedia(WIDE_QUERY);
      query.addEventListener("change", onChange);
      return () => query.removeEventListener("change", onChange);
    }, []),
    () => matchMedia(WIDE_QUERY).matches,
    () => false,
  );
  const choose = (isSplit: boolean): void => {
    setChosen(isSplit);
    remember(storage, STORAGE_KEY, isSplit ? "split" : "unified");
  };
  return { isSplit: isWide && isChosen, choose: isWide ? choose : undefined };
};

export const LayoutChoice = ({ layout: { isSplit, choose } }: { readonly layout: DiffLayout }) =>
  choose === undefined ? undefined : (
    <div role="group" aria-label={texts.diffLayout} className={styles.layout}>
      <Button kind="quiet" size="small" aria-pressed={!isSplit} onClick={() => choose(false)}>
        {texts.unified}
      </Button>
      <Button kind="quiet" size="small" aria-pressed={isSplit} onClick={() => choose(true)}>
        {texts.split}
      </Button>
    </div>
  );
