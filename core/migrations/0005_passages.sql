DROP INDEX "memories_unsketched";--> statement-breakpoint
ALTER TABLE "memories" ADD COLUMN "analysis" smallint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "memory_terms" ADD COLUMN "passages" smallint[];--> statement-breakpoint
CREATE INDEX "memories_outdated" ON "memories" USING btree ("tenant_id","id") WHERE analysis < 1 AND archived_at IS NULL;