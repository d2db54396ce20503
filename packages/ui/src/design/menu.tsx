/** A menu behind a button: opens above everything else, and is operated with arrow keys. */
import { type KeyboardEvent, type ReactNode, useId, useLayoutEffect, useRef, useState } from "react";
import { Link } from "wouter";
import { classes } from "./classes.ts";
import { Icon, type IconName } from "./icon.tsx";
import styles from "./menu.module.css";
import { placeBelow } from "./placement.ts";

export interface MenuProps {
  /** The accessible name of the button and of the menu. */
  readonly label: string;
  readonly icon: IconName;
  /** Shown beside the icon. */
  readonly text?: string;
  /** Whether the button has the frame of a button beside which it stands. */
  readonly isFramed?: boolean;
  readonly className?: string | undefined;
  /** The items, which exist while the menu is open. */
  readonly children: ReactNode;
}

export const Menu = ({ label, icon, text, isFramed = false, className, children }: MenuProps) => {
  const button = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  useLayoutEffect(() => {
    const [list, opener] = [menu.current, button.current];
    if (!isOpen || list === null || opener === null) return undefined;
    positionMenu(list, opener);
    const Observer = list.ownerDocument.defaultView?.MutationObserver;
    if (itemsOf(list).length > 0 || Observer === undefined) return undefined;
    // The items are still being loaded.
    const observer = new Observer(() => {
      positionMenu(list, opener);
      if (itemsOf(list).length > 0) observer.disconnect();
    });
    observer.observe(list, { childList: true, subtree: true });
    return () => observer.disconnect();
  }, [isOpen]);
  return (
    <>
      <button
        ref={button}
        type="button"
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-label={text === undefined ? label : undefined}
        title={text === undefined ? label : undefined}
        popoverTarget={id}
        className={classes(isFramed ? styles.framed : styles.button, className)}
        onKeyDown={(event) => {
          if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
          event.preventDefault();
          menu.current?.showPopover();
        }}
      >
        <Icon name={icon} />
        {text}
      </button>
      <div
        ref={menu}
        id={id}
        popover="auto"
        role="menu"
        aria-label={label}
        className={styles.menu}
        onToggle={(event) => setOpen(event.newState === "open")}
        onKeyDown={moveFocus}
        onClick={(event) => {
          // A press of an item closes the menu and returns the focus to its button.
          if ((event.target as Element).closest("[role=menuitem]") === null) return;
          menu.current?.hidePopover();
        }}
      >
        {isOpen ? children : undefined}
      </div>
    </>
  );
};

export interface MenuItemProps {
  readonly icon: IconName;
  readonly isDanger?: boolean;
  readonly onChoose: () => void;
  readonly children: ReactNode;
}

export const MenuItem = ({ icon, isDanger = false, onChoose, children }: MenuItemProps) => (
  <button
    type="button"
    role="menuitem"
    tabIndex={-1}
    className={classes(styles.item, isDanger && styles.danger)}
    onClick={onChoose}
  >
    <Icon name={icon} />
    {children}
  </button>
);

export interface MenuLinkProps {
  readonly icon: IconName;
  readonly to: string;
  readonly children: ReactNode;
}

export const MenuLink = ({ icon, to, children }: MenuLinkProps) => (
  <Link href={to} role="menuitem" tabIndex={-1} className={styles.item}>
    <Icon name={icon} />
    {children}
  </Link>
);

const itemsOf = (menu: HTMLElement): readonly HTMLElement[] => [
  ...menu.querySelectorAll<HTMLElement>("[role=menuitem]"),
];

/** Places the menu beside its button, and focuses the first item. */
const positionMenu = (menu: HTMLElement, button: HTMLElement): void => {
  placeBelow(menu, button);
  itemsOf(menu)[0]?.focus();
};

/** Moves the focus on arrow keys, Home and End. Tab leaves the menu. */
const moveFocus = (event: KeyboardEvent<HTMLElement>): void => {
  const menu = event.currentTarget;
  if (event.key === "Tab") return menu.hidePopover();
  const items = itemsOf(menu);
  const focusedIndex = items.indexOf(menu.ownerDocument.activeElement as HTMLElement);
  const nextIndex = NEXT_INDEX[event.key]?.(focusedIndex, items.length);
  if (nextIndex === undefined) return;
  event.preventDefault();
  items.at(nextIndex)?.focus();
};

const NEXT_INDEX: Readonly<Record<string, (focusedIndex: number, count: number) => number>> = {
  ArrowDown: (focusedIndex, count) => (focusedIndex + 1) % count,
  ArrowUp: (focusedIndex) => focusedIndex - 1,
  ArrowRight: (focusedIndex, count) => (focusedIndex + 1) % count,
  ArrowLeft: (focusedIndex) => focusedIndex - 1,
  Home: () => 0,
  End: () => -1,
};
