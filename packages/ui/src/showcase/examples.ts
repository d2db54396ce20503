/** What the page of the design shows. */
import type { ComponentType } from "react";

export interface Example {
  /** Shows the component in every state. */
  readonly Example: ComponentType;
  /** Other components that only occur within this one. */
  readonly also?: readonly string[];
}

/** By the name of the component. */
export type Examples = Readonly<Record<string, Example>>;
