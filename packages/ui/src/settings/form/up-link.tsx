/** A link to the parent page. */
import { Link } from "wouter";
import { Icon } from "../../design/icon.tsx";
import { toVisible } from "../../text/visible.tsx";
import styles from "../settings.module.css";

export const UpLink = ({ to, children }: { readonly to: string; readonly children: string }) => (
  <Link href={to} className={styles.up}>
    <Icon name="back" />
    {toVisible(children)}
  </Link>
);
