/** `/rooms/:room`: the room with this handle. */
import type { RoomEntry } from "@hearth/client";
import { isHearthError, type RoomId } from "@hearth/protocol";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useLocation } from "wouter";
import { Button } from "../design/button.tsx";
import { ErrorNotice } from "../design/notice.tsx";
import { roomPath } from "../house/paths.ts";
import { roomTitle } from "../house/room-title.ts";
import { useTitle } from "../house/title.ts";
import { useHouse, useUi } from "../house/ui.tsx";
import { useRequest } from "../house/request.ts";
import { RoomPage } from "../rooms/room-page.tsx";
import { Loading } from "./loading.tsx";
import { MessagePage } from "./message-page.tsx";
import { NotFound } from "./not-found.tsx";
import { rememberRoom } from "./places.ts";
import * as texts from "./text.ts";

export const RoomRoute = ({ handle }: { readonly handle: string }) => {
  const { client, house, storage } = useUi();
  const { rooms, house: shownHouse } = useHouse();
  const [, navigate] = useLocation();
  const [shownRoom, setShownRoom] = useState<ShownRoom>();
  const roomByHandle = rooms.find(({ room }) => room.handle === handle);
  // A rename changes the path: the shown room stays open, even if the list is older.
  const isRenamed = ({ room }: RoomEntry): boolean =>
    shownRoom?.handle === handle && room.id === shownRoom.room && room.version >= shownRoom.version;
  const listedEntry = roomByHandle ?? rooms.find(isRenamed);
  // A new room may be missing in the list.
  const fetchRoom = useCallback(() => client.rooms.get(handle), [client, handle]);
  // The room was listed before and is missing now.
  const isGone = listedEntry === undefined && shownRoom?.handle === handle && shownRoom.wasListed;
  const { value, error, reload } = useRequest(listedEntry === undefined && !isGone ? fetchRoom : undefined);
  const unlistedEntry = useMemo(() => (value === undefined ? undefined : createEntry(value)), [value]);
  const entry = listedEntry ?? (isGone ? undefined : unlistedEntry);
  useTitle(entry === undefined ? "Hearth" : roomTitle(entry.room));
  useUnarchive(entry);
  const id = entry?.room.id;
  const path = entry?.room.handle;
  const version = entry?.room.version;
  const isListed = listedEntry !== undefined;
  const houseId = entry?.room.house;
  useEffect(() => {
    // A link may name a room of another house.
    if (houseId !== undefined && houseId !== shownHouse?.id) house.choose(houseId);
  }, [house, houseId, shownHouse?.id]);
  useEffect(() => {
    if (id === undefined || path === undefined || version === undefined) return;
    rememberRoom(storage, id);
    setShownRoom({ handle: path, room: id, version, wasListed: isListed });
    if (path !== handle) navigate(roomPath(path), { replace: true });
  }, [storage, id, path, version, isListed, handle, navigate]);
  if (entry !== undefined) return <RoomPage key={entry.room.id} entry={entry} />;
  if (isGone) return <RoomGone />;
  if (error === undefined) return <Loading />;
  if (isHearthError(error, "record.not-found") || isHearthError(error, "request.invalid")) return <NotFound />;
  return (
    <MessagePage>
      <ErrorNotice error={error} button={<Button onClick={reload}>{texts.tryAgain}</Button>} />
    </MessagePage>
  );
};

/** Unarchives a room when it is opened. A room that is archived while it is open stays open. */
const useUnarchive = (entry: RoomEntry | undefined): void => {
  const { client } = useUi();
  const openedRoom = useRef<RoomId>(undefined);
  const id = entry?.room.id;
  const isArchived = entry?.isArchived === true;
  useEffect(() => {
    if (id === undefined || openedRoom.current === id) return;
    openedRoom.current = id;
    // If the request fails, the room stays archived until it is opened again or a message arrives.
    if (isArchived) client.rooms.setView(id, { archived: false }).catch(() => undefined);
  }, [client, id, isArchived]);
};

/** The room of the last render, and its path. */
interface ShownRoom {
  readonly handle: string;
  readonly room: RoomId;
  readonly version: number;
  readonly wasListed: boolean;
}

/** Shown when an open room becomes inaccessible. */
export const RoomGone = () => (
  <MessagePage title={texts.noLongerInRoom}>
    <p>{texts.noLongerInRoomDetail}</p>
  </MessagePage>
);

const createEntry = (room: RoomEntry["room"]): RoomEntry => ({
  room,
  head: 0,
  lastEventAt: undefined,
  isUnread: false,
  isPinned: false,
  isArchived: false,
});
