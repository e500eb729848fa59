-- What is important by itself goes by who said the words, not by who wrote the last version.
DROP INDEX IF EXISTS "memories_importance";--> statement-breakpoint
CREATE INDEX "memories_importance" ON "memories" USING btree ("tenant_id","type",(coalesce(content_source, source) IN ('agent', 'human')),"importance" DESC NULLS FIRST,"occurred_at" DESC NULLS FIRST) WHERE archived_at IS NULL;
