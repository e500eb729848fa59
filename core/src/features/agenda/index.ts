import { defineFeature } from '../../kernel/feature.ts';
import { upcomingSection } from './boot-section.ts';
import { scheduleRoutes, wipRoutes } from './contract.ts';
import {
  createScheduleItem,
  deleteScheduleItem,
  getScheduleItem,
  listSchedule,
  updateScheduleItem,
} from './schedule.ts';
import { scheduleItems, wipItems } from './schema.ts';
import { createWipItem, deleteWipItem, getWipItem, listWip, updateWipItem } from './wip.ts';

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
