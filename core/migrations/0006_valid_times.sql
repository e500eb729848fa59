ALTER TABLE "memories" ADD COLUMN "valid_from" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "memories" ADD COLUMN "valid_to" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "memories" ADD COLUMN "expires_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "memories" ADD COLUMN "metadata" jsonb;--> statement-breakpoint
ALTER TABLE "memories" ADD COLUMN "confirmations" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "memories" ADD COLUMN "last_confirmed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "memory_versions" ADD COLUMN "valid_from" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "memory_versions" ADD COLUMN "valid_to" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "memory_versions" ADD COLUMN "expires_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "memory_versions" ADD COLUMN "metadata" jsonb;--> statement-breakpoint
CREATE INDEX "memories_expiring" ON "memories" USING btree ("tenant_id","expires_at") WHERE expires_at IS NOT NULL AND archived_at IS NULL;--> statement-breakpoint
CREATE INDEX "memories_superseded" ON "memories" USING btree ("tenant_id","superseded_by") WHERE superseded_by IS NOT NULL;