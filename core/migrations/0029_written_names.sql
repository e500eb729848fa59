DROP INDEX IF EXISTS "memories_outdated";--> statement-breakpoint
CREATE INDEX "memories_outdated" ON "memories" USING btree ("tenant_id","id") WHERE analysis < 9 AND archived_at IS NULL;