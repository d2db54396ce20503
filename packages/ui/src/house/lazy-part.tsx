/**
 * A part of the UI that is loaded on first use. If loading fails, it shows the reason: the UI was
 * updated, or the house is unreachable. In the second case it retries on reconnect and every few
 * seconds.
 */
import { lazy } from "@hearth/protocol";
import { type ComponentType, type ReactNode, useCallback, useEffect, useRef } from "react";
import { Button } from "../design/button.tsx";
import { Notice } from "../design/notice.tsx";
import { useRequest } from "./request.ts";
import { useInterval } from "./interval.ts";
import * as texts from "./text.ts";
import { useHouse, useUi } from "./ui.tsx";

export interface LazyPartOptions<Props> {
  readonly load: () => Promise<ComponentType<Props>>;
  /** Placeholder while loading. */
  readonly Fallback?: ComponentType<Props>;
  /** Wraps the error notice. */
  readonly Wrapper?: ComponentType<Props & { readonly children: ReactNode }>;
}

const RETRY_INTERVAL_MS = 3000;

type Outcome<Props> =
  | { readonly kind: "loaded"; readonly Loaded: ComponentType<Props> }
  | { readonly kind: "outdated" }
  | { readonly kind: "unreachable" };

export const createLazyPart = <Props extends object>({
  load,
  Fallback = Nothing,
  Wrapper = Unwrapped,
}: LazyPartOptions<Props>): ComponentType<Props> => {
  let loadedPart: ComponentType<Props> | undefined;
  const loadOnce = lazy(load);
  return (props: Props) => {
    const { page } = useUi();
    const loadPart = useCallback(async (): Promise<Outcome<Props>> => {
      try {
        const [Loaded] = await Promise.all([loadOnce(), page.loadStyles()]);
        loadedPart = Loaded;
        return { kind: "loaded", Loaded };
      } catch {
        const isOutdated = await page.isOutdated().catch(() => false);
        return { kind: isOutdated ? "outdated" : "unreachable" };
      }
    }, [page]);
    const { value, isLoading, reload } = useRequest(loadedPart === undefined ? loadPart : undefined);
    const Loaded = loadedPart ?? (value?.kind === "loaded" ? value.Loaded : undefined);
    if (Loaded !== undefined) return <Loaded {...props} />;
    if (value === undefined) return <Fallback {...props} />;
    return (
      <Wrapper {...props}>
        {value.kind === "outdated" ? <Outdated /> : <Unreachable isTrying={isLoading} onTry={reload} />}
      </Wrapper>
    );
  };
};

const Nothing = () => undefined;
const Unwrapped = ({ children }: { readonly children: ReactNode }) => children;

/** Shown when the UI was updated, so that the files of this page no longer exist. */
export const Outdated = () => {
  const { page } = useUi();
  return (
    <Notice
      kind="info"
      title={texts.pageIsOutdated}
      button={
        <Button kind="primary" onClick={page.reload}>
          {texts.reload}
        </Button>
      }
    >
      {texts.pageIsOutdatedDetail}
    </Notice>
  );
};

export const Unreachable = ({ isTrying, onTry }: { readonly isTrying: boolean; readonly onTry: () => void }) => {
  const { page } = useUi();
  const isOpen = useHouse().connection.kind === "open";
  /** False at first, so that a part that is shown again tries at once, and not only after a reconnect. */
  const wasOpen = useRef(false);
  useEffect(() => {
    if (isOpen && !wasOpen.current) onTry();
    wasOpen.current = isOpen;
  }, [isOpen, onTry]);
  useEffect(() => page.onNetwork(onTry), [page, onTry]);
  // The first attempt after an outage may also fail, and no further event would cause another one.
  useInterval(
    RETRY_INTERVAL_MS,
    useCallback(() => {
      if (page.isOnline()) onTry();
    }, [page, onTry]),
  );
  return (
    <Notice
      kind="danger"
      title={texts.pageCouldNotBeLoaded}
      button={
        <Button isBusy={isTrying} onClick={onTry}>
          {texts.tryAgain}
        </Button>
      }
    >
      {texts.retriesWhenConnected}
    </Notice>
  );
};
