/** All tables, for migrations. Each concept owns its own; nothing else imports this file. */
export * from '../accounts/schema.ts';
export * from '../background/schema.ts';
export * from '../boot/schema.ts';
export * from '../distress/schema.ts';
export * from '../embedding/schema.ts';
export * from '../engine/schema.ts';
export * from '../events/schema.ts';
export * from '../guardian/schema.ts';
export * from '../jobs/schema.ts';
export * from '../memory/schema.ts';
export * from '../moments/schema.ts';
export * from '../recall/schema.ts';
export * from '../schedule/schema.ts';
export * from '../stability/schema.ts';
export * from '../tenants/schema.ts';
export * from '../visibility/schema.ts';
export * from '../wip/schema.ts';
