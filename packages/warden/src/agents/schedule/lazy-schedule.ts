/** Loads the schedule right after the start, so that the start does not wait for calendar code. */
import { lazy } from "@hearth/protocol";
import type { Schedule } from "./house-schedule.ts";

export const createLazySchedule = (load: () => Promise<Schedule>): Schedule => {
  const schedule = lazy(load);
  return {
    run: async (signal) => (await schedule()).run(signal),
    skipDue: async (...asked) => (await schedule()).skipDue(...asked),
    list: async (...asked) => (await schedule()).list(...asked),
    get: async (...asked) => (await schedule()).get(...asked),
    add: async (...asked) => (await schedule()).add(...asked),
    edit: async (...asked) => (await schedule()).edit(...asked),
    cancel: async (...asked) => (await schedule()).cancel(...asked),
    fire: async (...asked) => (await schedule()).fire(...asked),
    preview: async (...asked) => (await schedule()).preview(...asked),
    openHook: async (...asked) => (await schedule()).openHook(...asked),
    rotateHook: async (...asked) => (await schedule()).rotateHook(...asked),
    closeHook: async (...asked) => (await schedule()).closeHook(...asked),
    deliver: async (...asked) => (await schedule()).deliver(...asked),
    own: {
      list: async (...asked) => (await schedule()).own.list(...asked),
      add: async (...asked) => (await schedule()).own.add(...asked),
      pause: async (...asked) => (await schedule()).own.pause(...asked),
      resume: async (...asked) => (await schedule()).own.resume(...asked),
      cancel: async (...asked) => (await schedule()).own.cancel(...asked),
    },
    slots: async (...asked) => (await schedule()).slots(...asked),
  };
};
