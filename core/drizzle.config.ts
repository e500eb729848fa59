import { defineConfig } from 'drizzle-kit';

/** `npx drizzle-kit generate --name <what>` in this folder writes the next forward migration. */
export default defineConfig({
  dialect: 'postgresql',
  schema: './src/**/*schema.ts',
  out: './migrations',
});
