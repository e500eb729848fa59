DROP INDEX IF EXISTS "erasures_time";--> statement-breakpoint
ALTER TABLE "erasures" ADD COLUMN IF NOT EXISTS "transaction" bigint DEFAULT pg_current_xact_id()::text::bigint NOT NULL;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "erasures_order" ON "erasures" USING btree ("tenant_id","transaction");