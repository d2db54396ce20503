/** Whether the browser believes that there is a network. */
import { useSyncExternalStore } from "react";
import { useUi } from "./ui.tsx";

export const useOnline = (): boolean => {
  const { page } = useUi();
  return useSyncExternalStore(page.onNetwork, page.isOnline, page.isOnline);
};
