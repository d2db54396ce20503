/** A row that links to another page. */
import { Link } from "wouter";
import { Icon } from "../../design/icon.tsx";
import styles from "../settings.module.css";

export interface MoreLinkProps {
  readonly to: string;
  readonly title: string;
  readonly text: string;
}

export const MoreLink = ({ to, title, text }: MoreLinkProps) => (
  <Link href={to} className={styles.row}>
    <span className={styles.about}>
      <span className={styles.name}>{title}</span>
      <span className={styles.quiet}>{text}</span>
    </span>
    <Icon name="chevron" />
  </Link>
);
