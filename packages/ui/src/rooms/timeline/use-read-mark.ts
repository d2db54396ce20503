/** Marks a room as read up to the last message while its end is visible in the foreground. */
import { type RefObject, useEffect, useState } from "react";
import { useUi } from "../../house/ui.tsx";
import { useRoomView } from "../room-view.tsx";

export const useReadMark = (element: RefObject<HTMLElement | null>, isAtEnd: boolean, offset: number): void => {
  const { house } = useUi();
  const { room } = useRoomView();
  const isVisible = usePageVisible(element);
  useEffect(() => {
    if (isVisible && isAtEnd && offset > 0) house.markRead(room.id, offset);
  }, [house, room.id, isVisible, isAtEnd, offset]);
};

const usePageVisible = (element: RefObject<HTMLElement | null>): boolean => {
  const [isVisible, setVisible] = useState(false);
  useEffect(() => {
    const page = element.current?.ownerDocument;
    if (page === undefined) return undefined;
    const updateVisibility = (): void => setVisible(page.visibilityState === "visible");
    updateVisibility();
    page.addEventListener("visibilitychange", updateVisibility);
    return () => page.removeEventListener("visibilitychange", updateVisibility);
  }, [element]);
  return isVisible;
};
