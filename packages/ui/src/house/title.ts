/** The tab title: the page, preceded by the number of unread rooms. */
import { useEffect } from "react";
import { useHouse, useUi } from "./ui.tsx";

export const useTitle = (place: string): void => {
  const { page } = useUi();
  const { rooms } = useHouse();
  const unread = rooms.filter(({ isUnread }) => isUnread).length;
  useEffect(() => page.setTitle(titleOf(place, unread)), [page, place, unread]);
};

export const titleOf = (place: string, unread: number): string => (unread === 0 ? place : `(${unread}) ${place}`);
