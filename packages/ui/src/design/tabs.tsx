/** Tabs that are links, so that each has an address. On wide screens they can be a list beside the page. */
import { Link } from "wouter";
import { classes } from "./classes.ts";
import styles from "./tabs.module.css";

export interface Tab {
  readonly title: string;
  readonly path: string;
  readonly isCurrent: boolean;
  /** The accessible name, if another link of the page has the same title. */
  readonly label?: string;
}

export interface TabsProps {
  readonly label: string;
  readonly tabs: readonly Tab[];
  readonly className?: string | undefined;
}

export const Tabs = ({ label, tabs, className }: TabsProps) => (
  <nav className={classes(styles.tabs, className)} aria-label={label}>
    {tabs.map(({ title, path, isCurrent, label: name }) => (
      <Link key={path} href={path} aria-current={isCurrent ? "page" : undefined} aria-label={name}>
        {title}
      </Link>
    ))}
  </nav>
);
