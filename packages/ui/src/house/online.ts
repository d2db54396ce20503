/** Whether the browser reports a network connection. */
import { useSyncExternalStore } from "react";
import { useUi } from "./ui.tsx";

export const useOnline = (): boolean => {
  const { page } = useUi();
  return useSyncExternalStore(page.onNetwork, page.isOnline, page.isOnline);
};
