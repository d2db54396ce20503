/** The tab title: the page, preceded by the number of unread rooms. */
import { useEffect } from "react";
import { useHouse, useUi } from "./ui.tsx";

export const useTitle = (pageTitle: string): void => {
  const { page } = useUi();
  const { rooms } = useHouse();
  const unreadCount = rooms.filter(({ isUnread }) => isUnread).length;
  useEffect(() => page.setTitle(titleOf(pageTitle, unreadCount)), [page, pageTitle, unreadCount]);
};

export const titleOf = (pageTitle: string, unreadCount: number): string =>
  unreadCount === 0 ? pageTitle : `(${unreadCount}) ${pageTitle}`;
