ALTER TABLE "memories" ADD COLUMN IF NOT EXISTS "superseded_basis" text;--> statement-breakpoint
ALTER TABLE "memory_versions" ADD COLUMN IF NOT EXISTS "superseded_basis" text;
