/** Separated values as a table. The first row is its header. */
import { useMemo } from "react";
import { formatNumber } from "../../language/locale.ts";
import { Scroller } from "../../text/scroller.tsx";
import { VisibleText } from "../../text/visible.tsx";
import * as texts from "../text.ts";
import { readSeparated } from "./separated.ts";
import styles from "./workspace.module.css";

export interface SeparatedTableProps {
  readonly label: string;
  readonly text: string;
}

export const SeparatedTable = ({ label, text }: SeparatedTableProps) => {
  const { rows, count } = useMemo(() => readSeparated(text), [text]);
  const [headerCells = [], ...bodyRows] = rows;
  const shownCount = bodyRows.length;
  const rowCount = Math.max(count - 1, 0);
  return (
    <>
      <Scroller label={label} className={styles.sheet}>
        <table>
          <thead>
            <tr>
              {headerCells.map((cell, column) => (
                <th key={column} scope="col">
                  <VisibleText text={cell} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {bodyRows.map((row, index) => (
              <tr key={index}>
                {row.map((cell, column) => (
                  <td key={column}>
                    <VisibleText text={cell} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroller>
      <p className={styles.quiet}>
        {shownCount < rowCount
          ? texts.firstRowsOnly(formatNumber(shownCount), formatNumber(rowCount))
          : texts.rows(formatNumber(rowCount))}
      </p>
    </>
  );
};
