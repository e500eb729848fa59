export { createMcpServer, type McpServerOptions } from './create-server.ts';
