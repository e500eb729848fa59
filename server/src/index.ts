export { type AppOptions, createApp } from './app.ts';
export { type RunningServer, type ServerOptions, startServer } from './listen.ts';
export { createLogger } from './logs/logger.ts';
export { createApiDocument } from './openapi/document.ts';
export { DEFAULT_SERVER_SETTINGS, type ServerSettings } from './settings.ts';
