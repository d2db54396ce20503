/** The model spending of a room in its header. The tokens are shown on hover and focus. */
import { type Amount, type RoomId, tokensOf, type UsageReport } from "@hearth/protocol";
import { useCallback, useEffect, useId, useRef } from "react";
import { useRequest } from "../house/request.ts";
import { useRoom, useUi } from "../house/ui.tsx";
import { formatNumber } from "../language/locale.ts";
import { showMoney } from "../language/text.ts";
import { useRoomView } from "./room-view.tsx";
import styles from "./room-cost.module.css";
import * as texts from "./text.ts";

/** Number of days, including today, whose cost the tooltip shows. */
const DAYS = 30;

export const RoomCost = ({ room }: { readonly room: RoomId }) => {
  const { client } = useUi();
  const { reader } = useRoomView();
  const id = useId();
  const isRunning = useRoom(reader).live.length > 0;
  // A failure is not shown, because the cost is less important than the conversation.
  const { value, reload } = useRequest(useCallback(() => client.usage({ room, days: DAYS }), [client, room]));
  const wasRunning = useRef(isRunning);
  useEffect(() => {
    if (wasRunning.current && !isRunning) reload();
    wasRunning.current = isRunning;
  }, [isRunning, reload]);
  if (value === undefined || value.total.calls === 0) return undefined;
  const { today, total } = toAmounts(value);
  const show = total.money > 0 ? showCost : showTokens;
  return (
    <button
      type="button"
      aria-describedby={id}
      className={styles.cost}
      onKeyDown={({ key, currentTarget }) => {
        if (key === "Escape") currentTarget.blur();
      }}
    >
      {texts.costToday(show(today))}
      <span id={id} role="tooltip" className={styles.tip}>
        <span>{texts.costToday(describeAmount(today))}</span>
        <span>{texts.costInDays(describeAmount(total), DAYS)}</span>
      </span>
    </button>
  );
};

/** The report has a group for each day with calls. */
const toAmounts = ({ total, groups, to }: UsageReport): { readonly today: Amount; readonly total: Amount } => {
  const today = groups.find(({ of }) => of === to)?.total;
  return { today: today === undefined ? { tokens: 0, money: 0 } : toAmount(today), total: toAmount(total) };
};

const toAmount = (sum: UsageReport["total"]): Amount => ({ tokens: tokensOf(sum), money: sum.money });

const showCost = ({ money }: Amount): string => showMoney(money);
const showTokens = ({ tokens }: Amount): string => texts.tokenCount(formatNumber(tokens));
const describeAmount = (amount: Amount): string => `${showCost(amount)}, ${showTokens(amount)}`;
