CREATE TABLE "memberships" (
	"tenant_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "memberships_tenant_id_user_id_pk" PRIMARY KEY("tenant_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "user_logins" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"provider_id" text NOT NULL,
	"account_id" text NOT NULL,
	"password" text,
	"access_token" text,
	"refresh_token" text,
	"id_token" text,
	"access_token_expires_at" timestamp (3) with time zone,
	"refresh_token_expires_at" timestamp (3) with time zone,
	"scope" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "user_sessions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"token" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"ip_address" text,
	"user_agent" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "user_verifications" (
	"id" uuid PRIMARY KEY NOT NULL,
	"identifier" text NOT NULL,
	"value" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"email" text NOT NULL,
	"email_verified" boolean NOT NULL,
	"image" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "wallet_challenges" (
	"nonce" text PRIMARY KEY NOT NULL,
	"address" text NOT NULL,
	"issued_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "wallets" (
	"tenant_id" uuid NOT NULL,
	"address" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "wallets_tenant_id_address_pk" PRIMARY KEY("tenant_id","address")
);
--> statement-breakpoint
CREATE TABLE "background_jobs" (
	"name" text PRIMARY KEY NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
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
CREATE TABLE "embedding_models" (
	"model" text PRIMARY KEY NOT NULL,
	"dimensions" integer NOT NULL,
	"unrelated" double precision NOT NULL,
	"related" double precision NOT NULL,
	"trust" double precision NOT NULL,
	"measured_at" timestamp (3) with time zone NOT NULL,
	"chosen_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "idempotency_keys" (
	"tenant_id" uuid NOT NULL,
	"key" text NOT NULL,
	"request_hash" text NOT NULL,
	"response" json,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "idempotency_keys_tenant_id_key_pk" PRIMARY KEY("tenant_id","key")
);
--> statement-breakpoint
CREATE TABLE "event_deliveries" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"endpoint_id" uuid NOT NULL,
	"event_id" uuid NOT NULL,
	"type" text NOT NULL,
	"status" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"log" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	"claim" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "event_deliveries_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "event_endpoints" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"url" text NOT NULL,
	"events" text[] NOT NULL,
	"secret" text NOT NULL,
	"previous_secret" text,
	"previous_secret_until" timestamp (3) with time zone,
	"disabled_at" timestamp (3) with time zone,
	"disabled_reason" text,
	"failing_since" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "event_endpoints_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "events" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"type" text NOT NULL,
	"data" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"transaction" bigint DEFAULT pg_current_xact_id()::text::bigint NOT NULL,
	CONSTRAINT "events_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "guardian_baselines" (
	"tenant_id" uuid NOT NULL,
	"memory_id" uuid NOT NULL,
	"content" text NOT NULL,
	"since" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "guardian_baselines_tenant_id_memory_id_pk" PRIMARY KEY("tenant_id","memory_id")
);
--> statement-breakpoint
CREATE TABLE "guardian_entries" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"memory_id" uuid NOT NULL,
	"current" jsonb,
	"proposed" jsonb,
	"drift" double precision NOT NULL,
	"baseline_drift" double precision,
	"drift_limit" double precision NOT NULL,
	"status" text NOT NULL,
	"source" text NOT NULL,
	"credential_id" uuid,
	"requested_at" timestamp (3) with time zone NOT NULL,
	"cooling_until" timestamp (3) with time zone NOT NULL,
	"decided_at" timestamp (3) with time zone,
	"decided_source" text,
	"decided_by" uuid,
	"reason" text,
	CONSTRAINT "guardian_entries_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "guardian_settings" (
	"tenant_id" uuid NOT NULL,
	"categories" text[] DEFAULT '{}'::text[] NOT NULL,
	"cooling_hours" double precision,
	"drift_limit" double precision,
	CONSTRAINT "guardian_settings_tenant_id_pk" PRIMARY KEY("tenant_id")
);
--> statement-breakpoint
CREATE TABLE "import_chunks" (
	"tenant_id" uuid NOT NULL,
	"upload_id" uuid NOT NULL,
	"place" integer NOT NULL,
	"number" integer NOT NULL,
	"bytes" "bytea" NOT NULL,
	CONSTRAINT "import_chunks_tenant_id_upload_id_place_number_pk" PRIMARY KEY("tenant_id","upload_id","place","number")
);
--> statement-breakpoint
CREATE TABLE "import_files" (
	"tenant_id" uuid NOT NULL,
	"upload_id" uuid NOT NULL,
	"place" integer NOT NULL,
	"path" text NOT NULL,
	"size" bigint NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "import_files_tenant_id_upload_id_place_pk" PRIMARY KEY("tenant_id","upload_id","place")
);
--> statement-breakpoint
CREATE TABLE "import_origins" (
	"tenant_id" uuid NOT NULL,
	"origin" text NOT NULL,
	"memory_id" uuid NOT NULL,
	"last_text" text,
	"job_id" uuid NOT NULL,
	CONSTRAINT "import_origins_tenant_id_origin_pk" PRIMARY KEY("tenant_id","origin")
);
--> statement-breakpoint
CREATE TABLE "jobs" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"kind" text NOT NULL,
	"status" text NOT NULL,
	"input" jsonb NOT NULL,
	"checkpoint" jsonb,
	"done" integer DEFAULT 0 NOT NULL,
	"total" integer,
	"result" jsonb,
	"errors" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"errors_count" integer DEFAULT 0 NOT NULL,
	"error" jsonb,
	"singleton" text,
	"source" text NOT NULL,
	"credential_id" uuid,
	"attempts" integer DEFAULT 0 NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	"claim" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"started_at" timestamp (3) with time zone,
	"finished_at" timestamp (3) with time zone,
	CONSTRAINT "jobs_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
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
	"session_id" text,
	"superseded_by" uuid,
	"merged_into" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"length" integer NOT NULL,
	"fingerprint" bigint NOT NULL,
	"derived_from" uuid[] DEFAULT '{}'::uuid[] NOT NULL,
	"echoes" boolean DEFAULT false NOT NULL,
	"digest_id" uuid,
	"changed_in" "xid8" DEFAULT pg_current_xact_id() NOT NULL,
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
	"session_id" text,
	"superseded_by" uuid,
	"merged_into" uuid,
	"undone" boolean DEFAULT false NOT NULL,
	CONSTRAINT "memory_versions_tenant_id_memory_id_version_pk" PRIMARY KEY("tenant_id","memory_id","version")
);
--> statement-breakpoint
CREATE TABLE "session_moments" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"kind" text NOT NULL,
	"outcome" text NOT NULL,
	"framework" text,
	"session_id" text,
	"stored_turns" integer,
	"characters" integer,
	"estimated_tokens" integer,
	"detail" text,
	CONSTRAINT "session_moments_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "corpus_sizes" (
	"tenant_id" uuid NOT NULL,
	"documents" bigint NOT NULL,
	"words" bigint NOT NULL,
	CONSTRAINT "corpus_sizes_tenant_id_pk" PRIMARY KEY("tenant_id")
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
CREATE TABLE "reflections" (
	"tenant_id" uuid NOT NULL,
	"enabled" boolean NOT NULL,
	"every_hours" integer NOT NULL,
	"older_than_days" integer NOT NULL,
	"archive_sources" boolean NOT NULL,
	"scheduled_at" timestamp (3) with time zone,
	"compared_until" timestamp (3) with time zone,
	CONSTRAINT "reflections_tenant_id_pk" PRIMARY KEY("tenant_id")
);
--> statement-breakpoint
CREATE TABLE "schedule_items" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"title" text NOT NULL,
	"note" text,
	"due_at" timestamp (3) with time zone NOT NULL,
	"status" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"source" text NOT NULL,
	"credential_id" uuid,
	CONSTRAINT "schedule_items_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "drift_checks" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"cause" text NOT NULL,
	"similarity" double precision,
	"opened_at" timestamp (3) with time zone NOT NULL,
	"dismissed_at" timestamp (3) with time zone,
	"dismissed_source" text,
	"dismissed_by" uuid,
	"reason" text,
	CONSTRAINT "drift_checks_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "injections" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"phase" text NOT NULL,
	"coverage" double precision,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "injections_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
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
	"last_used_address" text,
	"replaced_by" uuid,
	CONSTRAINT "api_keys_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "session_keys" (
	"tenant_id" uuid NOT NULL,
	"hash" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"first_boot_at" timestamp (3) with time zone,
	CONSTRAINT "session_keys_tenant_id_pk" PRIMARY KEY("tenant_id")
);
--> statement-breakpoint
CREATE TABLE "tenants" (
	"tenant_id" uuid NOT NULL,
	"display_name" text NOT NULL,
	"plan" text NOT NULL,
	"trial_expires_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"embedding_model" text NOT NULL,
	"embedding_since" timestamp (3) with time zone NOT NULL,
	"deletions" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "tenants_tenant_id_pk" PRIMARY KEY("tenant_id")
);
--> statement-breakpoint
CREATE TABLE "usage_counts" (
	"tenant_id" uuid NOT NULL,
	"month" text NOT NULL,
	"operations" bigint NOT NULL,
	"most" bigint DEFAULT 9223372036854775807 NOT NULL,
	CONSTRAINT "usage_counts_tenant_id_month_pk" PRIMARY KEY("tenant_id","month"),
	CONSTRAINT "usage_counts_within_plan" CHECK (operations <= most)
);
--> statement-breakpoint
CREATE TABLE "visibility_settings" (
	"tenant_id" uuid NOT NULL,
	"settings" jsonb NOT NULL,
	CONSTRAINT "visibility_settings_tenant_id_pk" PRIMARY KEY("tenant_id")
);
--> statement-breakpoint
CREATE TABLE "wip_items" (
	"tenant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"title" text NOT NULL,
	"note" text,
	"status" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"source" text NOT NULL,
	"credential_id" uuid,
	CONSTRAINT "wip_items_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_logins" ADD CONSTRAINT "user_logins_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_sessions" ADD CONSTRAINT "user_sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "memberships_user" ON "memberships" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "user_logins_account" ON "user_logins" USING btree ("provider_id","account_id");--> statement-breakpoint
CREATE INDEX "user_logins_user" ON "user_logins" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "user_sessions_token" ON "user_sessions" USING btree ("token");--> statement-breakpoint
CREATE INDEX "user_sessions_user" ON "user_sessions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "user_verifications_identifier" ON "user_verifications" USING btree ("identifier");--> statement-breakpoint
CREATE UNIQUE INDEX "users_email" ON "users" USING btree ("email");--> statement-breakpoint
CREATE INDEX "wallet_challenges_age" ON "wallet_challenges" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "wallets_address" ON "wallets" USING btree ("address");--> statement-breakpoint
CREATE UNIQUE INDEX "distress_open" ON "distress_signals" USING btree ("tenant_id") WHERE acknowledged_at IS NULL;--> statement-breakpoint
CREATE INDEX "distress_time" ON "distress_signals" USING btree ("tenant_id","opened_at");--> statement-breakpoint
CREATE INDEX "idempotency_keys_age" ON "idempotency_keys" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "event_deliveries_event" ON "event_deliveries" USING btree ("tenant_id","event_id","endpoint_id");--> statement-breakpoint
CREATE INDEX "event_deliveries_due" ON "event_deliveries" USING btree ("tenant_id","endpoint_id","due_at") WHERE status = 'pending';--> statement-breakpoint
CREATE INDEX "event_deliveries_log" ON "event_deliveries" USING btree ("tenant_id","endpoint_id","created_at","id");--> statement-breakpoint
CREATE INDEX "event_deliveries_age" ON "event_deliveries" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "events_time" ON "events" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "events_order" ON "events" USING btree ("tenant_id","transaction","id");--> statement-breakpoint
CREATE UNIQUE INDEX "guardian_pending" ON "guardian_entries" USING btree ("tenant_id","memory_id") WHERE status IN ('cooling', 'waiting');--> statement-breakpoint
CREATE INDEX "guardian_due" ON "guardian_entries" USING btree ("cooling_until") WHERE status = 'cooling';--> statement-breakpoint
CREATE INDEX "guardian_time" ON "guardian_entries" USING btree ("tenant_id","requested_at","id");--> statement-breakpoint
CREATE INDEX "guardian_decided" ON "guardian_entries" USING btree ("tenant_id","decided_at");--> statement-breakpoint
CREATE INDEX "guardian_memory" ON "guardian_entries" USING btree ("tenant_id","memory_id");--> statement-breakpoint
CREATE INDEX "import_files_age" ON "import_files" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "import_origins_memory" ON "import_origins" USING btree ("tenant_id","memory_id");--> statement-breakpoint
CREATE INDEX "jobs_created" ON "jobs" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "jobs_singleton" ON "jobs" USING btree ("tenant_id","singleton") WHERE finished_at IS NULL;--> statement-breakpoint
CREATE INDEX "jobs_due" ON "jobs" USING btree ("due_at") WHERE finished_at IS NULL;--> statement-breakpoint
CREATE INDEX "jobs_finished" ON "jobs" USING btree ("finished_at") WHERE finished_at IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "memories_key" ON "memories" USING btree ("tenant_id","key") WHERE key IS NOT NULL AND archived_at IS NULL;--> statement-breakpoint
CREATE INDEX "memories_time" ON "memories" USING btree ("tenant_id","occurred_at","id") WHERE archived_at IS NULL;--> statement-breakpoint
CREATE INDEX "memories_type_time" ON "memories" USING btree ("tenant_id","type","occurred_at","id") WHERE archived_at IS NULL;--> statement-breakpoint
CREATE INDEX "memories_session" ON "memories" USING btree ("tenant_id","session_id","occurred_at","id") WHERE session_id IS NOT NULL AND archived_at IS NULL;--> statement-breakpoint
CREATE INDEX "memories_undigested" ON "memories" USING btree ("tenant_id","occurred_at") WHERE type = 'episodic' AND digest_id IS NULL AND archived_at IS NULL;--> statement-breakpoint
CREATE INDEX "memories_echoes" ON "memories" USING btree ("tenant_id","id") WHERE echoes AND archived_at IS NULL;--> statement-breakpoint
CREATE INDEX "memories_digest" ON "memories" USING btree ("tenant_id","digest_id") WHERE digest_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX "memories_archived" ON "memories" USING btree ("tenant_id","archived_at") WHERE archived_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX "memories_source" ON "memories" USING btree ("tenant_id","source","updated_at");--> statement-breakpoint
CREATE INDEX "memories_changed" ON "memories" USING btree ("tenant_id","changed_in");--> statement-breakpoint
CREATE INDEX "memory_versions_source" ON "memory_versions" USING btree ("tenant_id","source","updated_at");--> statement-breakpoint
CREATE INDEX "session_moments_time" ON "session_moments" USING btree ("tenant_id","at");--> statement-breakpoint
CREATE INDEX "session_moments_session" ON "session_moments" USING btree ("tenant_id","session_id","kind","at");--> statement-breakpoint
CREATE INDEX "embedding_queue_due" ON "embedding_queue" USING btree ("due_at");--> statement-breakpoint
CREATE INDEX "memory_terms_memory" ON "memory_terms" USING btree ("tenant_id","memory_id");--> statement-breakpoint
CREATE INDEX "schedule_items_due" ON "schedule_items" USING btree ("tenant_id","status","due_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "drift_check_open" ON "drift_checks" USING btree ("tenant_id") WHERE dismissed_at IS NULL;--> statement-breakpoint
CREATE INDEX "injections_time" ON "injections" USING btree ("tenant_id","at");--> statement-breakpoint
CREATE UNIQUE INDEX "api_keys_hash" ON "api_keys" USING btree ("hash");--> statement-breakpoint
CREATE INDEX "tenants_embedding_model" ON "tenants" USING btree ("embedding_model");--> statement-breakpoint
CREATE INDEX "wip_items_changed" ON "wip_items" USING btree ("tenant_id","status","updated_at","id");