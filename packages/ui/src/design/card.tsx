/** A framed part of a page that needs a decision, such as a proposal. */
import type { ComponentProps } from "react";
import styles from "./card.module.css";
import { classes } from "./classes.ts";

export const Card = ({ className, ...props }: ComponentProps<"article">) => (
  <article {...props} className={classes(styles.card, className)} />
);
