ALTER TABLE "memories" ADD COLUMN "sketch" text;--> statement-breakpoint
CREATE INDEX "memories_unsketched" ON "memories" USING btree ("tenant_id","id") WHERE sketch IS NULL AND archived_at IS NULL;