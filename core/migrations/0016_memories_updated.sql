DROP INDEX "memories_source";--> statement-breakpoint
CREATE INDEX "memories_updated" ON "memories" USING btree ("tenant_id","updated_at","id");