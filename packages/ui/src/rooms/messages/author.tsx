/** The name of an agent above a reply in progress or an incomplete one. */
import { Avatar } from "../../design/avatar.tsx";
import styles from "./message.module.css";

export const Author = ({ name }: { readonly name: string }) => (
  <header className={styles.header}>
    <Avatar name={name} kind="bot" size="small" />
    <bdi className={styles.name}>{name}</bdi>
  </header>
);
