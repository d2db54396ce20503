/** Loads the room that the path names. After a rename, the path changes and the page stays open. */
import type { RoomRecord } from "@hearth/protocol";
import { type ReactNode, useCallback, useEffect, useState } from "react";
import { useLocation } from "wouter";
import { Spinner } from "../../design/spinner.tsx";
import { useHouse, useUi } from "../../house/ui.tsx";
import { useRequest } from "../../house/request.ts";
import { pathOfRoom } from "../place.ts";
import * as texts from "./text.ts";

export interface RoomLoaderProps {
  readonly handle: string;
  readonly page?: "activity";
  /** Shown if the room does not exist or is not visible to the current user. */
  readonly notFoundView: ReactNode;
  readonly children: (room: RoomRecord) => ReactNode;
}

export const RoomLoader = ({ handle, page, notFoundView, children }: RoomLoaderProps) => {
  const { client } = useUi();
  const { rooms } = useHouse();
  const [, navigate] = useLocation();
  const [shownRoom, setShownRoom] = useState<{ readonly id: string; readonly handle: string }>();
  const listedRoom =
    rooms.find(({ room }) => room.handle === handle) ??
    rooms.find(({ room }) => shownRoom?.handle === handle && room.id === shownRoom.id);
  // A new room may not be in the list yet. A room that was in the list and is not any longer was removed.
  const load = useCallback(() => client.rooms.get(handle), [client, handle]);
  const request = useRequest(listedRoom === undefined && shownRoom?.handle !== handle ? load : undefined);
  const room = listedRoom?.room ?? request.value;
  const id = listedRoom?.room.id;
  const path = listedRoom?.room.handle;
  useEffect(() => {
    if (id === undefined || path === undefined) return;
    setShownRoom({ id, handle: path });
    if (path !== handle) navigate(pathOfRoom(path, page), { replace: true });
  }, [id, path, handle, page, navigate]);
  if (room === undefined) return request.isLoading ? <Spinner label={texts.loading} /> : notFoundView;
  return children(room);
};
