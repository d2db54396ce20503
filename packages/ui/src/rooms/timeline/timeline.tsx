/** The virtual list of messages and runs: only rows near the viewport are rendered. */
import type { RoomSnapshot } from "@hearth/client";
import { type FocusEvent, memo, useLayoutEffect, useMemo, useRef, useState } from "react";
import { Virtualizer, type VirtualizerHandle } from "virtua";
import { Button } from "../../design/button.tsx";
import { classes } from "../../design/classes.ts";
import { ErrorNotice } from "../../design/notice.tsx";
import { Spinner } from "../../design/spinner.tsx";
import { useUi } from "../../house/ui.tsx";
import { useRoomView } from "../room-view.tsx";
import { countPrepended, placeMessages, placeUnstored, type Row, startOfDay } from "./rows.ts";
import { RowView } from "./row-view.tsx";
import styles from "./timeline.module.css";
import { ToEnd } from "./to-end.tsx";
import { useFoundMessage } from "./use-found-message.ts";
import { useFollowedEnd } from "./use-followed-end.ts";
import { useOlder } from "./use-older.ts";
import { useReadMark } from "./use-read-mark.ts";
import * as texts from "../text.ts";

export interface TimelineProps {
  readonly snapshot: RoomSnapshot;
  /** Offset of the last event of the room. */
  readonly head: number;
}

export const Timeline = memo(({ snapshot, head }: TimelineProps) => {
  const { me, reader, editedMessage, openedKeys } = useRoomView();
  const { clock } = useUi();
  const scroller = useRef<HTMLDivElement>(null);
  const list = useRef<VirtualizerHandle>(null);
  const [focusedKey, setFocusedKey] = useState<string>();

  const { messages, ended, pending, live } = snapshot;
  const storedRows = useMemo(() => placeMessages({ messages, ended }), [messages, ended]);
  const unstoredRows = useMemo(() => placeUnstored({ messages, pending, live }, me), [messages, pending, live, me]);
  const rows = useMemo(() => [...storedRows, ...unstoredRows], [storedRows, unstoredRows]);
  const isPrepending = usePrepending(rows);
  const today = startOfDay(clock.now());

  const end = useFollowedEnd(scroller, rows, { lastWrittenKey: pending.at(-1)?.key, expandedCount: openedKeys.size });
  const olderMessages = useOlder(reader, snapshot, end.place);
  const foundMessage = useFoundMessage({ reader, snapshot, rows, scroller, list, leaveEnd: end.leave });
  useReadMark(scroller, end.isFollowing, Math.max(head, messages.at(-1)?.offset ?? 0));
  useKeptFocus(scroller);
  const isPlaced = useStablePosition(scroller);

  useLayoutEffect(() => {
    const index = editedMessage === undefined ? -1 : rows.findIndex((row) => idOf(row) === editedMessage);
    if (index >= 0) list.current?.scrollToIndex(index, { align: "nearest" });
    // Runs only when an edit begins. From then on, the user scrolls.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [editedMessage]);

  /** Whether the row must stay rendered out of view: a focused, edited or expanded one. */
  const isKept = (row: Row): boolean =>
    row.key === focusedKey || row.key === foundMessage.key || idOf(row) === editedMessage || openedKeys.has(row.key);
  const shownIndexes = rows.flatMap((row, index) => (isKept(row) ? [index] : []));

  return (
    <div className={styles.timeline}>
      <div
        ref={scroller}
        role="log"
        aria-label={texts.messages}
        // Complete replies are announced one by one; the list itself is silent while it loads
        // and scrolls.
        aria-live="off"
        aria-busy={snapshot.isLoadingOlder}
        tabIndex={0}
        className={classes(styles.scroller, !isPlaced && styles.placing)}
        onFocus={(event: FocusEvent) => setFocusedKey(keyOf(event.target))}
      >
        <Virtualizer
          ref={list}
          scrollRef={scroller}
          data={rows}
          shift={isPrepending}
          keepMounted={shownIndexes}
          onScroll={() => {
            end.onScroll();
            olderMessages.loadIfNeeded();
          }}
          onResize={end.onResize}
        >
          {(row: Row) => <RowView key={row.key} row={row} today={today} isFound={row.key === foundMessage.key} />}
        </Virtualizer>
      </div>
      <div className={styles.older}>
        <OlderState
          isLoading={snapshot.isLoadingOlder}
          failure={foundMessage.failure ?? olderMessages.failure}
          onRetry={foundMessage.failure === undefined ? olderMessages.retry : foundMessage.retry}
        />
      </div>
      <ToEnd snapshot={snapshot} isAtEnd={end.isFollowing} onPress={end.follow} />
    </div>
  );
});

interface OlderStateProps {
  readonly isLoading: boolean;
  readonly failure: unknown;
  readonly onRetry: () => void;
}

const OlderState = ({ isLoading, failure, onRetry }: OlderStateProps) => {
  if (failure === undefined) return isLoading ? <Spinner label={texts.loadingEarlierMessages} /> : undefined;
  return (
    <ErrorNotice
      error={failure}
      button={
        <Button size="small" icon="retry" onClick={onRetry}>
          {texts.tryAgain}
        </Button>
      }
    />
  );
};

const idOf = (row: Row): string | undefined => (row.kind === "message" ? row.message.id : undefined);

/** Returns the key of the row that contains the element. */
const keyOf = (element: Element): string | undefined => element.closest<HTMLElement>("[data-row]")?.dataset["row"];

/** Whether this render adds rows before the previous first row. */
const usePrepending = (rows: readonly Row[]): boolean => {
  const previousRows = useRef(rows);
  const isPrepending = countPrepended(previousRows.current, rows) > 0;
  useLayoutEffect(() => {
    previousRows.current = rows;
  }, [rows]);
  return isPrepending;
};

/** The list is shown after this number of frames, even if its position is not final. */
const MAX_FRAMES = 12;

/**
 * Whether the list has its final position. It is hidden before that, because rows move while their
 * heights are estimates.
 */
const useStablePosition = (scroller: { readonly current: HTMLElement | null }): boolean => {
  const [isPlaced, setPlaced] = useState(false);
  useLayoutEffect(() => {
    const element = scroller.current;
    const view = element?.ownerDocument.defaultView;
    if (element === null || view === undefined || view === null) return undefined;
    let lastPosition = "";
    let remainingFrames = MAX_FRAMES;
    let frame = 0;
    const checkPosition = (): void => {
      const position = `${element.scrollTop} ${element.scrollHeight}`;
      remainingFrames -= 1;
      if (position === lastPosition || remainingFrames === 0) return setPlaced(true);
      lastPosition = position;
      frame = view.requestAnimationFrame(checkPosition);
    };
    frame = view.requestAnimationFrame(checkPosition);
    return () => view.cancelAnimationFrame(frame);
  }, [scroller]);
  return isPlaced;
};

/** Moves a lost focus to the list, so that reading does not restart at the top of the page. */
const useKeptFocus = (scroller: { readonly current: HTMLElement | null }): void => {
  const hadFocus = useRef(false);
  useLayoutEffect(() => {
    const { activeElement, body } = scroller.current?.ownerDocument ?? {};
    if (hadFocus.current && activeElement === body) scroller.current?.focus({ preventScroll: true });
  });
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return undefined;
    const onFocusIn = (): void => {
      hadFocus.current = true;
    };
    const onFocusOut = (): void => {
      hadFocus.current = false;
    };
    element.addEventListener("focusin", onFocusIn);
    element.addEventListener("focusout", onFocusOut);
    return () => {
      element.removeEventListener("focusin", onFocusIn);
      element.removeEventListener("focusout", onFocusOut);
    };
  }, [scroller]);
};
