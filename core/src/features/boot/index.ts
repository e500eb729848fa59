import { defineFeature } from '../../kernel/feature.ts';
import { acceptSections } from './accept-sections.ts';
import { boot, previewBoot } from './boot.ts';
import { bootConfig, setBootConfig } from './config.ts';
import { bootRoutes } from './contract.ts';
import { bootConfigs } from './schema.ts';

export const bootFeature = defineFeature({
  name: 'boot',
  routes: bootRoutes,
  operations: {
    boot,
    bootConfig,
    previewBoot,
    setBootConfig,
  },
  acts: { 'boot_config.changed': 'account' },
  tables: [bootConfigs],
  hooks: { 'boot:sections': { accept: acceptSections, onFailure: 'skip' } },
});
