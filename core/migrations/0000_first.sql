CREATE TABLE "boot_configs" (
	"tenant_id" uuid NOT NULL,
	"token_budget" integer NOT NULL,
	"episodic_limit" integer NOT NULL,
	"truncate_at" integer NOT NULL,
	CONSTRAINT "boot_configs_tenant_id_pk" PRIMARY KEY("tenant_id")
);
--> statement-breakpoint
CREATE TABLE "distress_signals" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"opened_at" timestamp (3) with time zone NOT NULL,
	"messages" jsonb NOT NULL,
	"acknowledged_at" timestamp (3) with time zone,
	"acknowledged_source" text,
	"acknowledged_by" uuid,
	CONSTRAINT "distress_signals_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "idempotency_keys" (
	"tenant_id" uuid NOT NULL,
	"key" text NOT NULL,
	"request_hash" text NOT NULL,
	"response" jsonb,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "idempotency_keys_tenant_id_key_pk" PRIMARY KEY("tenant_id","key")
);
--> statement-breakpoint
CREATE TABLE "events" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"type" text NOT NULL,
	"data" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "events_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "guardian_entries" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"memory_id" uuid NOT NULL,
	"current" jsonb NOT NULL,
	"proposed" jsonb NOT NULL,
	"drift" double precision NOT NULL,
	"status" text NOT NULL,
	"source" text NOT NULL,
	"credential_id" uuid,
	"requested_at" timestamp (3) with time zone NOT NULL,
	"cooling_until" timestamp (3) with time zone NOT NULL,
	"decided_at" timestamp (3) with time zone,
	"decided_by" uuid,
	"reason" text,
	CONSTRAINT "guardian_entries_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "memories" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"type" text NOT NULL,
	"category" text,
	"content" text NOT NULL,
	"key" text,
	"tags" text[] DEFAULT '{}'::text[] NOT NULL,
	"importance" double precision NOT NULL,
	"occurred_at" timestamp (3) with time zone NOT NULL,
	"version" integer NOT NULL,
	"change" text NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"source" text NOT NULL,
	"credential_id" uuid,
	"archived_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"session_id" text,
	"length" integer NOT NULL,
	CONSTRAINT "memories_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "memory_versions" (
	"tenant_id" uuid NOT NULL,
	"memory_id" uuid NOT NULL,
	"type" text NOT NULL,
	"category" text,
	"content" text NOT NULL,
	"key" text,
	"tags" text[] DEFAULT '{}'::text[] NOT NULL,
	"importance" double precision NOT NULL,
	"occurred_at" timestamp (3) with time zone NOT NULL,
	"version" integer NOT NULL,
	"change" text NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"source" text NOT NULL,
	"credential_id" uuid,
	"archived_at" timestamp (3) with time zone,
	CONSTRAINT "memory_versions_tenant_id_memory_id_version_pk" PRIMARY KEY("tenant_id","memory_id","version")
);
--> statement-breakpoint
CREATE TABLE "embedding_queue" (
	"tenant_id" uuid NOT NULL,
	"memory_id" uuid NOT NULL,
	"model" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "embedding_queue_tenant_id_memory_id_model_pk" PRIMARY KEY("tenant_id","memory_id","model")
);
--> statement-breakpoint
CREATE TABLE "memory_terms" (
	"tenant_id" uuid NOT NULL,
	"term" text NOT NULL,
	"memory_id" uuid NOT NULL,
	"frequency" integer NOT NULL,
	"length" integer NOT NULL,
	CONSTRAINT "memory_terms_tenant_id_term_memory_id_pk" PRIMARY KEY("tenant_id","term","memory_id")
);
--> statement-breakpoint
CREATE TABLE "memory_vectors" (
	"tenant_id" uuid NOT NULL,
	"model" text NOT NULL,
	"memory_id" uuid NOT NULL,
	"embedding" vector NOT NULL,
	CONSTRAINT "memory_vectors_tenant_id_model_memory_id_pk" PRIMARY KEY("tenant_id","model","memory_id")
);
--> statement-breakpoint
CREATE TABLE "api_keys" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"hash" text NOT NULL,
	"scope" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
	"last_used_at" timestamp (3) with time zone,
	CONSTRAINT "api_keys_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "session_keys" (
	"tenant_id" uuid NOT NULL,
	"hash" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "session_keys_tenant_id_pk" PRIMARY KEY("tenant_id")
);
--> statement-breakpoint
CREATE TABLE "tenants" (
	"tenant_id" uuid NOT NULL,
	"display_name" text NOT NULL,
	"plan" text NOT NULL,
	"trial_expires_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "tenants_tenant_id_pk" PRIMARY KEY("tenant_id")
);
--> statement-breakpoint
CREATE TABLE "usage_counts" (
	"tenant_id" uuid NOT NULL,
	"month" text NOT NULL,
	"operations" bigint NOT NULL,
	CONSTRAINT "usage_counts_tenant_id_month_pk" PRIMARY KEY("tenant_id","month")
);
--> statement-breakpoint
CREATE TABLE "visibility_settings" (
	"tenant_id" uuid NOT NULL,
	"settings" jsonb NOT NULL,
	CONSTRAINT "visibility_settings_tenant_id_pk" PRIMARY KEY("tenant_id")
);
--> statement-breakpoint
CREATE UNIQUE INDEX "distress_open" ON "distress_signals" USING btree ("tenant_id") WHERE acknowledged_at IS NULL;--> statement-breakpoint
CREATE INDEX "distress_time" ON "distress_signals" USING btree ("tenant_id","opened_at");--> statement-breakpoint
CREATE INDEX "idempotency_keys_age" ON "idempotency_keys" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "events_time" ON "events" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "guardian_pending" ON "guardian_entries" USING btree ("tenant_id","memory_id") WHERE status IN ('cooling', 'waiting');--> statement-breakpoint
CREATE INDEX "guardian_due" ON "guardian_entries" USING btree ("cooling_until") WHERE status = 'cooling';--> statement-breakpoint
CREATE UNIQUE INDEX "memories_key" ON "memories" USING btree ("tenant_id","key") WHERE key IS NOT NULL AND archived_at IS NULL;--> statement-breakpoint
CREATE INDEX "memories_time" ON "memories" USING btree ("tenant_id","occurred_at","id") WHERE archived_at IS NULL;--> statement-breakpoint
CREATE INDEX "memories_type_time" ON "memories" USING btree ("tenant_id","type","occurred_at","id") WHERE archived_at IS NULL;--> statement-breakpoint
CREATE INDEX "memories_session" ON "memories" USING btree ("tenant_id","session_id","occurred_at","id") WHERE session_id IS NOT NULL AND archived_at IS NULL;--> statement-breakpoint
CREATE INDEX "memories_archived" ON "memories" USING btree ("tenant_id","archived_at") WHERE archived_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX "memories_source" ON "memories" USING btree ("tenant_id","source","updated_at");--> statement-breakpoint
CREATE INDEX "embedding_queue_due" ON "embedding_queue" USING btree ("due_at");--> statement-breakpoint
CREATE INDEX "memory_terms_memory" ON "memory_terms" USING btree ("tenant_id","memory_id");--> statement-breakpoint
CREATE UNIQUE INDEX "api_keys_hash" ON "api_keys" USING btree ("hash");