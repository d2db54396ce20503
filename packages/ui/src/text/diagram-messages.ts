/** The messages between the page and the frame of a diagram. */

/** Draws a text. The frame removes its previous diagram. */
export interface DiagramRequest {
  readonly kind: "draw";
  readonly text: string;
  readonly isDark: boolean;
}

export type DiagramAnswer =
  | { readonly kind: "ready" }
  /** The natural size, in CSS pixels. */
  | { readonly kind: "drawn"; readonly width: number; readonly height: number }
  | { readonly kind: "failed" };
