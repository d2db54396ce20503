/** Icons: 20 by 20, in the colour of the text, hidden from screen readers. */
import styles from "./icon.module.css";

const paths = {
  send: "M10 16V4M5 9l5-5 5 5",
  attach: "M15.5 9.5l-5.7 5.7a3.2 3.2 0 0 1-4.5-4.5L11.4 4.6a2.1 2.1 0 0 1 3 3l-6 6a1 1 0 0 1-1.5-1.5l5.4-5.3",
  stop: "M6 6h8v8H6z",
  edit: "M4 16h3l9-9-3-3-9 9v3zM11 6l3 3",
  delete: "M4 6h12M8 6V4h4v2M6 6l.7 10h6.6L14 6M8.5 9v4M11.5 9v4",
  copy: "M8 8V5.5C8 4.7 8.7 4 9.5 4h5c.8 0 1.5.7 1.5 1.5v5c0 .8-.7 1.5-1.5 1.5H12M5.5 8h5c.8 0 1.5.7 1.5 1.5v5c0 .8-.7 1.5-1.5 1.5h-5c-.8 0-1.5-.7-1.5-1.5v-5C4 8.7 4.7 8 5.5 8z",
  check: "M4.5 10.5 8 14l7.5-8",
  close: "M5 5l10 10M15 5 5 15",
  menu: "M3.5 6h13M3.5 10h13M3.5 14h13",
  plus: "M10 4v12M4 10h12",
  settings:
    "M3.5 6.5h6M13.5 6.5h3M3.5 13.5h3M10.5 13.5h6M11.5 8.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM8.5 15.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4z",
  smile: "M10 16.5a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM7 11.5c.6 1.2 1.7 1.8 3 1.8s2.4-.6 3-1.8M7.8 8v.1M12.2 8v.1",
  branch:
    "M6 7.5v5M6 7.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM6 16.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM14 7.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM14 7.5c0 3-2 3.500-8 5",
  reply: "M8 5 4 9l4 4M4 9h7a5 5 0 0 1 5 5v1",
  retry: "M15.5 10a5.5 5.5 0 1 1-1.7-4M15.5 3.5v3h-3",
  clock: "M10 16.5a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM10 6.5V10l2.5 1.5",
  warning: "M10 4 3 16h14L10 4zM10 8.5v3.5M10 14v.1",
  chevron: "M7.5 5l5 5-5 5",
  back: "M9 5l-5 5 5 5M4 10h12",
  room: "M4 5.5C4 4.7 4.7 4 5.5 4h9c.8 0 1.5.7 1.5 1.5v6c0 .8-.7 1.5-1.5 1.5H9l-3.5 3v-3c-.8 0-1.5-.7-1.5-1.5z",
  person: "M10 10a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM4 16.5c.5-3 2.9-4.5 6-4.5s5.5 1.5 6 4.5",
  external: "M11 4h5v5M16 4l-7 7M8 5H5.5C4.7 5 4 5.7 4 6.5v8c0 .8.7 1.5 1.5 1.5h8c.8 0 1.5-.7 1.5-1.5V12",
  down: "M10 4v12M5 11l5 5 5-5",
  sun: "M10 13a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM10 2.5v1.5M10 16v1.5M2.5 10H4M16 10h1.5M4.7 4.7l1 1M14.3 14.3l1 1M15.3 4.7l-1 1M5.7 14.3l-1 1",
  moon: "M16 11.5A6.5 6.5 0 0 1 8.5 4a6.5 6.5 0 1 0 7.5 7.5z",
  system: "M4.5 4h11c.6 0 1 .4 1 1v7c0 .6-.4 1-1 1h-11c-.6 0-1-.4-1-1V5c0-.6.4-1 1-1zM7 16.5h6M10 13v3.5",
  logout: "M8 4H5.5C4.7 4 4 4.7 4 5.5v9c0 .8.7 1.5 1.5 1.5H8M12.5 6.5 16 10l-3.5 3.5M16 10H8",
  key: "M7 14a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM9.7 8.3 15 3M12.5 5.5l2.5 2.5",
  file: "M6 3.5h5l3.5 3.5v9.5H6zM11 3.5V7h3.5M8.5 10.5h3.5M8.5 13.5h3.5",
  search: "M9 14.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11zM13 13l3.5 3.5",
  microphone:
    "M10 12a2.5 2.5 0 0 0 2.5-2.5v-4a2.5 2.5 0 0 0-5 0v4A2.5 2.5 0 0 0 10 12zM5 9.5a5 5 0 0 0 10 0M10 14.5V17M7.5 17h5",
  sound: "M4 8v4h2.5L10 15V5L6.5 8zM12.5 7.5a3.5 3.5 0 0 1 0 5M14.5 5.5a6.4 6.4 0 0 1 0 9",
  pin: "M7.5 3.5h5l-.7 5 2.7 2.5v1.5h-9V11l2.7-2.5zM10 12.5v4",
  archive: "M3.5 4.5h13v3h-13zM5 7.5v8h10v-8M8.5 10.5h3",
  compose:
    "M10.5 4.5H5.5c-.8 0-1.5.7-1.5 1.5v8.5c0 .8.7 1.5 1.5 1.5H14c.8 0 1.5-.7 1.5-1.5v-5M9 11l.5-2.5 6-6 2 2-6 6z",
  agents:
    "M5.5 8h9c.8 0 1.5.7 1.5 1.5v5c0 .8-.7 1.5-1.5 1.5h-9c-.8 0-1.5-.7-1.5-1.5v-5C4 8.7 4.7 8 5.5 8zM10 8V4.5M8 11.5v1M12 11.5v1",
  inbox: "M4 11l2-6.5h8l2 6.5v4.5H4zM4 11h3.5l1 2h3l1-2H16",
  more: "M4.5 9.5h1v1h-1zM9.5 9.5h1v1h-1zM14.5 9.5h1v1h-1z",
} as const;

export type IconName = keyof typeof paths;
export const iconNames = Object.keys(paths) as readonly IconName[];

export const Icon = ({ name }: { readonly name: IconName }) => (
  <svg className={styles.icon} viewBox="0 0 20 20" width="20" height="20" aria-hidden="true" focusable="false">
    <path d={paths[name]} />
  </svg>
);
