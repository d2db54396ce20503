/** The side bar on narrow screens: a modal dialog. */
import { type ReactNode, useEffect, useRef } from "react";
import styles from "./drawer.module.css";

export interface DrawerProps {
  readonly label: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** From this width on the side bar is always visible; shell.module.css has the same value. */
const WIDE_QUERY = "(min-width: 48rem)";

export const Drawer = ({ label, isOpen, onClose, children }: DrawerProps) => {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    if (element === null || element.open === isOpen) return;
    if (isOpen) element.showModal();
    else element.close();
  }, [isOpen]);
  useEffect(() => {
    const wideQuery = dialog.current?.ownerDocument.defaultView?.matchMedia(WIDE_QUERY);
    if (!isOpen || wideQuery === undefined) return;
    wideQuery.addEventListener("change", onClose);
    return () => wideQuery.removeEventListener("change", onClose);
  }, [isOpen, onClose]);
  return (
    <dialog
      ref={dialog}
      aria-label={label}
      className={styles.drawer}
      onClose={() => {
        if (isOpen) onClose();
      }}
      onClick={(event) => {
        const isLink = event.target instanceof Element && event.target.closest("a[href]") !== null;
        if (isLink || event.target === dialog.current) dialog.current?.close();
      }}
    >
      {isOpen ? children : undefined}
    </dialog>
  );
};
