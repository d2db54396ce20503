/** Initials of a name, hidden from screen readers because the name follows. */
import { classes } from "./classes.ts";
import styles from "./avatar.module.css";

export interface AvatarProps {
  readonly name: string;
  readonly kind: "human" | "bot";
  readonly size?: "small";
}

export const Avatar = ({ name, kind, size }: AvatarProps) => (
  <span aria-hidden="true" className={classes(styles.avatar, styles[kind], size === "small" && styles.small)}>
    {createInitials(name)}
  </span>
);

/**
 * Returns the initials of the first and last word that start with a letter or digit; at most two
 * characters of any script.
 */
export const createInitials = (name: string): string => {
  const letters = name.split(/\s+/u).flatMap((word) => /[\p{L}\p{N}]/u.exec(word)?.[0] ?? []);
  const firstLetter = letters[0] ?? "?";
  const lastLetter = letters.length > 1 ? (letters.at(-1) ?? "") : "";
  return `${firstLetter}${lastLetter}`.toUpperCase();
};
