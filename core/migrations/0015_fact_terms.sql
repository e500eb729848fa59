DROP INDEX "memories_outdated";--> statement-breakpoint
ALTER TABLE "memory_terms" ADD COLUMN "fact_type" text;--> statement-breakpoint
CREATE INDEX "memory_terms_facts" ON "memory_terms" USING btree ("tenant_id","fact_type","term","memory_id") WHERE "memory_terms"."fact_type" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "memories_outdated" ON "memories" USING btree ("tenant_id","id") WHERE analysis < 2 AND archived_at IS NULL;