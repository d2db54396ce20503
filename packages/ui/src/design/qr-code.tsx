/** A QR code as vector graphics. Loaded on demand, with the encoder. */
import encodeQR from "qr";
import styles from "./qr-code.module.css";

export interface QrCodeProps {
  readonly text: string;
  /** Names the content of the code, for screen readers. */
  readonly label: string;
}

/** Modules of free space that cameras need around the code. */
const BORDER = 4;

export const QrCode = ({ text, label }: QrCodeProps) => {
  const rows = encodeQR(text, "raw", { border: BORDER });
  return (
    <svg
      role="img"
      aria-label={label}
      className={styles.code}
      viewBox={`0 0 ${rows.length} ${rows.length}`}
      shapeRendering="crispEdges"
    >
      <path fill="currentColor" d={toPath(rows)} />
    </svg>
  );
};

/** Returns an SVG path with a square of size 1 for each dark module. */
export const toPath = (rows: readonly (readonly boolean[])[]): string =>
  rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join("");
