import { defineFeature } from '../../kernel/feature.ts';
import { upcomingSection } from './boot-section.ts';
import {
  createScheduleItem,
  deleteScheduleItem,
  getScheduleItem,
  updateScheduleItem,
} from './change-schedule.ts';
import { createWipItem, deleteWipItem, getWipItem, updateWipItem } from './change-wip.ts';
import { listSchedule } from './list-schedule.ts';
import { listWip } from './list-wip.ts';
import { scheduleRoutes } from './schedule-contract.ts';
import { scheduleItems } from './schedule-schema.ts';
import { wipRoutes } from './wip-contract.ts';
import { wipItems } from './wip-schema.ts';

export const agendaFeature = defineFeature({
  name: 'agenda',
  routes: { ...scheduleRoutes, ...wipRoutes },
  operations: {
    scheduleItems: listSchedule,
    createScheduleItem,
    scheduleItem: getScheduleItem,
    updateScheduleItem,
    deleteScheduleItem,
    wipItems: listWip,
    createWipItem,
    wipItem: getWipItem,
    updateWipItem,
    deleteWipItem,
  },
  tables: [scheduleItems, wipItems],
  bootSections: [upcomingSection],
});
