/** A room: opened while it is shown, with header, messages and composer. */
import { levelIn, type RoomEntry, type RoomReader, type RoomSnapshot } from "@hearth/client";
import {
  type ActivationId,
  type AgentId,
  type ActivationPart,
  EventId,
  includesLevel,
  type RoomId,
} from "@hearth/protocol";
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { useAnnounce } from "../design/announcer.tsx";
import { Button } from "../design/button.tsx";
import { Dialog } from "../design/dialog.tsx";
import { ErrorNotice } from "../design/notice.tsx";
import { Spinner } from "../design/spinner.tsx";
import { createLazyPart } from "../house/lazy-part.tsx";
import { roomTitle } from "../house/room-title.ts";
import { useHouse, useRoom, useUi } from "../house/ui.tsx";
import { announcementsOf } from "./timeline/announcements.ts";
import { findNewSpokenReply } from "./timeline/new-messages.ts";
import { Composer, type ComposerHandle } from "./composer/composer.tsx";
import { replyDraftOf } from "./composer/draft.ts";
import type { RoomDialogsProps } from "./dialogs/room-dialogs.tsx";
import { EmptyRoom } from "./timeline/empty-room.tsx";
import { createReconnectingReader, type ReconnectingReader } from "./timeline/reconnecting-reader.ts";
import { OpenDocument } from "./files/open-document.tsx";
import { ReadOnly } from "./composer/read-only.tsx";
import { RoomHeader } from "./room-header.tsx";
import styles from "./room-page.module.css";
import { nameAgent, type RoomDialog, type RoomView, RoomViewProvider, useRoomView } from "./room-view.tsx";
import { placeUnstored, startOfDay } from "./timeline/rows.ts";
import { RowView } from "./timeline/row-view.tsx";
import { StopBanners } from "./runs/stop-lines.tsx";
import { Timeline } from "./timeline/timeline.tsx";
import * as texts from "./text.ts";

const RoomDialogs = createLazyPart<RoomDialogsProps>({
  load: async () => (await import("./dialogs/room-dialogs.tsx")).RoomDialogs,
  Wrapper: ({ children, entry, onClose }) => (
    <Dialog title={roomTitle(entry.room)} isOpen onClose={onClose}>
      {children}
    </Dialog>
  ),
});

export interface RoomPageProps {
  readonly entry: RoomEntry;
}

export const RoomPage = ({ entry }: RoomPageProps) => {
  const reconnectingReader = useReconnectingReader(entry.room.id);
  return reconnectingReader === undefined ? undefined : (
    <ReconnectingRoom key={entry.room.id} entry={entry} reconnectingReader={reconnectingReader} />
  );
};

/** Opens the room, and closes it when another one is shown. */
const useReconnectingReader = (room: RoomId): ReconnectingReader | undefined => {
  const { openRoom, clock } = useUi();
  const [open, setOpen] = useState<{ readonly room: RoomId; readonly reconnectingReader: ReconnectingReader }>();
  useEffect(() => {
    const reconnectingReader = createReconnectingReader({ open: () => openRoom(room), clock });
    setOpen({ room, reconnectingReader });
    return () => reconnectingReader[Symbol.dispose]();
  }, [openRoom, clock, room]);
  return open?.room === room ? open.reconnectingReader : undefined;
};

const ReconnectingRoom = ({
  entry,
  reconnectingReader,
}: RoomPageProps & { readonly reconnectingReader: ReconnectingReader }) => {
  const { reader, isTrying } = useSyncExternalStore(reconnectingReader.onChange, reconnectingReader.snapshot);
  return <OpenRoom entry={entry} reader={reader} isTrying={isTrying} onTry={reconnectingReader.tryNow} />;
};

export interface OpenRoomProps extends RoomPageProps {
  readonly reader: RoomReader;
  /** Whether the reader failed and a new one is being opened. */
  readonly isTrying: boolean;
  readonly onTry: () => void;
}

export const OpenRoom = ({ entry, reader, isTrying, onTry }: OpenRoomProps) => {
  const { me, agents } = useHouse();
  const snapshot = useRoom(reader);
  const composer = useRef<ComposerHandle>(null);
  const [editedMessage, edit] = useState<EventId>();
  const [dialog, openDialog] = useState<RoomDialog>();
  const focusComposer = useCallback(() => composer.current?.focus(), []);
  const [replyingTo, reply] = useReply(entry.room.id, focusComposer);
  const [openedKeys, toggle] = useToggled();
  const [receivedParts] = useState(() => new Map<ActivationId, readonly ActivationPart[]>());
  const { room } = entry;
  const myId = me?.agent.id;
  const level = me === undefined ? undefined : levelIn(me, room);
  const [spokenReply, onSpeaking] = useSpokenReply(snapshot, myId);
  const view = useMemo<RoomView>(
    () => ({
      reader,
      room,
      me: myId,
      level,
      agents,
      compose: (text) => composer.current?.add(text),
      focusComposer,
      openDialog,
      replyingTo,
      reply,
      editedMessage,
      edit,
      openedKeys,
      toggle,
      spokenReply,
      onSpeaking,
      receivedParts,
    }),
    [
      reader,
      room,
      myId,
      level,
      agents,
      focusComposer,
      replyingTo,
      reply,
      editedMessage,
      openedKeys,
      toggle,
      spokenReply,
      onSpeaking,
      receivedParts,
    ],
  );
  useAnnouncements(snapshot, view);
  return (
    <RoomViewProvider value={view}>
      <div className={styles.page}>
        <RoomHeader entry={entry} />
        <Body snapshot={snapshot} head={entry.head} isTrying={isTrying} onTry={onTry} />
        <StopBanners live={snapshot.live} />
        {includesLevel(level, "w") ? <Composer ref={composer} snapshot={snapshot} /> : <ReadOnly />}
        <OpenDocument messages={snapshot.messages} />
        {dialog === undefined ? undefined : (
          <RoomDialogs dialog={dialog} entry={entry} onClose={() => openDialog(undefined)} />
        )}
      </div>
    </RoomViewProvider>
  );
};

interface BodyProps {
  readonly snapshot: RoomSnapshot;
  readonly head: number;
  readonly isTrying: boolean;
  readonly onTry: () => void;
}

const Body = ({ snapshot, head, isTrying, onTry }: BodyProps) => {
  switch (snapshot.state.kind) {
    case "loading":
      return (
        <NotLoaded snapshot={snapshot}>
          <Spinner label={texts.openingTheRoom} />
        </NotLoaded>
      );
    case "failed":
      return (
        <NotLoaded snapshot={snapshot}>
          <ErrorNotice
            error={snapshot.state.error}
            button={
              <Button icon="retry" isBusy={isTrying} onClick={onTry}>
                {texts.tryAgain}
              </Button>
            }
          />
          <p className={styles.again}>{texts.retriesAutomatically}</p>
        </NotLoaded>
      );
    case "ready":
      return isEmpty(snapshot) ? (
        <div className={styles.scroll}>
          <EmptyRoom />
        </div>
      ) : (
        <Timeline snapshot={snapshot} head={head} />
      );
  }
};

/** Shown while the room has no loaded messages. It lists pending messages, so that they do not seem lost. */
const NotLoaded = ({
  snapshot: { pending },
  children,
}: {
  readonly snapshot: RoomSnapshot;
  readonly children: ReactNode;
}) => {
  const { me } = useRoomView();
  const { clock } = useUi();
  const today = startOfDay(clock.now());
  return (
    <div className={styles.closed}>
      <div className={styles.middle}>{children}</div>
      {pending.length === 0 ? undefined : (
        <div role="log" aria-label={texts.messages} aria-live="off">
          {placeUnstored({ messages: [], pending, live: [] }, me).map((row) => (
            <RowView key={row.key} row={row} today={today} />
          ))}
        </div>
      )}
    </div>
  );
};

const isEmpty = ({ messages, pending, live, hasOlder }: RoomSnapshot): boolean =>
  messages.length === 0 && pending.length === 0 && live.length === 0 && !hasOlder;

/** Returns the message that the composer answers, which is stored on this device with the typed text. */
const useReply = (
  room: RoomId,
  focusComposer: () => void,
): readonly [EventId | undefined, (message: EventId | undefined) => void] => {
  const { storage } = useUi();
  const draft = useMemo(() => replyDraftOf(storage, room), [storage, room]);
  const [replyingTo, setReplyingTo] = useState(() => EventId.safeParse(draft.read()).data);
  const reply = useCallback(
    (message: EventId | undefined) => {
      draft.write(message ?? "");
      setReplyingTo(message);
      focusComposer();
    },
    [draft, focusComposer],
  );
  return [replyingTo, reply];
};

const useToggled = (): readonly [ReadonlySet<string>, (key: string) => void] => {
  const [openedKeys, setOpenedKeys] = useState<ReadonlySet<string>>(new Set());
  const toggle = useCallback(
    (key: string) =>
      setOpenedKeys((keys) => (keys.has(key) ? keys.difference(new Set([key])) : new Set([...keys, key]))),
    [],
  );
  return [openedKeys, toggle];
};

/** Returns the new reply that the user hears, and a function that forgets it once its message plays it. */
const useSpokenReply = (
  snapshot: RoomSnapshot,
  me: AgentId | undefined,
): readonly [EventId | undefined, () => void] => {
  const [spokenReply, setSpokenReply] = useState<EventId>();
  const lastSnapshot = useRef(snapshot);
  useEffect(() => {
    const previousSnapshot = lastSnapshot.current;
    lastSnapshot.current = snapshot;
    const reply = previousSnapshot === snapshot ? undefined : findNewSpokenReply(previousSnapshot, snapshot, me);
    if (reply !== undefined) setSpokenReply(reply);
  }, [snapshot, me]);
  return [spokenReply, useCallback(() => setSpokenReply(undefined), [])];
};

/** Announces new events to screen readers, once each. */
const useAnnouncements = (snapshot: RoomSnapshot, { me, agents }: RoomView): void => {
  const announce = useAnnounce();
  const lastSnapshot = useRef(snapshot);
  useEffect(() => {
    const previousSnapshot = lastSnapshot.current;
    lastSnapshot.current = snapshot;
    if (previousSnapshot === snapshot) return;
    for (const text of announcementsOf(previousSnapshot, snapshot, me, (id) => nameAgent(agents, id)))
      announce(text, "unseen");
  }, [snapshot, me, agents, announce]);
};
