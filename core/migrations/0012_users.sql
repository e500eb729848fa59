CREATE TABLE "erasures" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"erased_at" timestamp (3) with time zone NOT NULL,
	"erased" jsonb NOT NULL,
	"hash" text NOT NULL,
	CONSTRAINT "erasures_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "agent_users" (
	"tenant_id" uuid NOT NULL,
	"user_id" text NOT NULL,
	"user_tenant_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_seen_at" timestamp (3) with time zone NOT NULL,
	"forgotten_at" timestamp (3) with time zone,
	"forgotten_id" text,
	CONSTRAINT "agent_users_tenant_id_user_id_pk" PRIMARY KEY("tenant_id","user_id")
);
--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "user_id" text;--> statement-breakpoint
ALTER TABLE "tenants" ADD COLUMN "agent_id" uuid;--> statement-breakpoint
CREATE UNIQUE INDEX "agent_users_tenant" ON "agent_users" USING btree ("user_tenant_id");--> statement-breakpoint
CREATE INDEX "agent_users_seen" ON "agent_users" USING btree ("tenant_id","last_seen_at","user_tenant_id");--> statement-breakpoint
CREATE INDEX "agent_users_forgotten" ON "agent_users" USING btree ("user_tenant_id") WHERE forgotten_at IS NOT NULL;