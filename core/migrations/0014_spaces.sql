CREATE TABLE "space_members" (
	"tenant_id" uuid NOT NULL,
	"agent_id" uuid NOT NULL,
	"space_right" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "space_members_tenant_id_agent_id_pk" PRIMARY KEY("tenant_id","agent_id")
);
--> statement-breakpoint
CREATE TABLE "spaces" (
	"tenant_id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"created_by" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"deleted_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "guardian_entries" ADD COLUMN "agent_id" uuid;--> statement-breakpoint
ALTER TABLE "memories" ADD COLUMN "agent_id" uuid;--> statement-breakpoint
ALTER TABLE "memory_versions" ADD COLUMN "agent_id" uuid;--> statement-breakpoint
CREATE INDEX "space_members_agent" ON "space_members" USING btree ("agent_id");