/** Watches the rooms while the app is open. Shows nothing. Loaded after the page. */
import { useEffect } from "react";
import { useUi } from "../../house/ui.tsx";
import { watchRooms } from "./room-notices.ts";

export const RoomNotices = () => {
  const ui = useUi();
  useEffect(() => watchRooms(ui), [ui]);
  return undefined;
};
