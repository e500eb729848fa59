export { type AppOptions, createApp } from './app/app.ts';
export { type RunningServer, type ServerOptions, startServer } from './app/listen.ts';
export { DEFAULT_SERVER_SETTINGS, type ServerSettings } from './app/settings.ts';
export { createLogger } from './logs/logger.ts';
export { createApiDocument } from './openapi/document.ts';
