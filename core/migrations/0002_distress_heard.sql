ALTER TABLE "distress_signals" ADD COLUMN "heard_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "distress_signals" ADD COLUMN "heard_by" uuid;--> statement-breakpoint
CREATE INDEX "distress_unheard" ON "distress_signals" USING btree ("tenant_id","opened_at") WHERE heard_at IS NULL;--> statement-breakpoint
UPDATE "distress_signals" SET heard_at = acknowledged_at, heard_by = acknowledged_by WHERE acknowledged_source = 'human';
