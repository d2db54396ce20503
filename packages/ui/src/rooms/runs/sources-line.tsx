/** Marks a reply that was built from untrusted content. Its numbered sources link to the run that read them. */
import { isTainted } from "@hearth/protocol";
import type { RoomMessage } from "@hearth/client";
import { Link } from "wouter";
import { classes } from "../../design/classes.ts";
import { Icon } from "../../design/icon.tsx";
import { sourcePath } from "../../house/paths.ts";
import { toVisible } from "../../text/visible.tsx";
import { useExpanded } from "../room-view.tsx";
import styles from "./tool-line.module.css";
import * as texts from "../text.ts";

export const SourcesLine = ({ message: { id, label, activation } }: { readonly message: RoomMessage }) => {
  const [isOpen, toggle] = useExpanded(`sources ${id}`);
  if (label === undefined || !isTainted(label)) return undefined;
  return (
    <div className={styles.tools}>
      <button
        type="button"
        aria-expanded={isOpen}
        className={classes(styles.line, isOpen && styles.open)}
        onClick={toggle}
      >
        <Icon name="chevron" />
        {texts.builtFromUntrustedContent}
      </button>
      {isOpen ? (
        <ol aria-label={texts.sources} className={styles.sources}>
          {label.sources.length === 0 ? <li>{texts.sourceUnknown}</li> : undefined}
          {label.sources.map((source) => (
            <li key={source} dir="auto">
              {/* The address of untrusted content is no link itself. */}
              {toVisible(source)}{" "}
              {activation === undefined ? undefined : (
                <Link href={sourcePath(activation, source)} aria-label={texts.sourceInRun(toVisible(source))}>
                  {texts.viewInRun}
                </Link>
              )}
            </li>
          ))}
        </ol>
      ) : undefined}
    </div>
  );
};
