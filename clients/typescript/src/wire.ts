// Generated from docs/openapi.json by `node clients/typescript/generate.ts`. Do not edit.
export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description The items were accepted as a bulk job */
        AcceptedLoad: {
            job_id: string;
            status_url: string;
            accepted_items: number;
        };
        /** @description A party of documents: a supplier, customer, carrier or site */
        AddressItem: {
            source_id: string;
            /** @description Must increase per source_id; epoch milliseconds are a good choice. At most 2^53 - 1. */
            source_version?: number;
            attributes?: components["schemas"]["ItemAttributes"];
            name: string;
            /** @enum {string} */
            kind?: "SUPPLIER" | "CUSTOMER" | "CARRIER" | "SITE" | "OTHER";
            lines?: string[];
            city?: string;
            region?: string;
            postal_code?: string;
            country?: string;
            email?: string;
            phone?: string;
        };
        /** @description Conventions, events, and the operations that the key may call */
        ApiCapabilities: {
            /** @constant */
            version: "v1";
            workspace: {
                id: string;
                name: string;
            };
            authentication: {
                type: string;
                workspace_scoped: boolean;
                scopes_supported: string[];
                supported_credential_types: string[];
            };
            credential: {
                type: string;
                id: string;
                status: string;
                scopes: string[];
            };
            discovery: {
                documentation_url: string;
                openapi_url: string;
                capabilities_url: string;
                webhook_subscriptions_url: string;
            };
            conventions: {
                pagination_type: string;
                pagination_limit_param: string;
                pagination_cursor_param: string;
                idempotency_header: string;
                request_id_header: string;
            };
            capability_mode: string;
            limitations: string[];
            events: {
                subscriptions_url: string;
                supported_events: string[];
                supported_event_patterns: string[];
                signing: {
                    [key: string]: string;
                };
            };
            resources: {
                key: string;
                name: string;
                operations: {
                    operation_id: string;
                    method: string;
                    path: string;
                    summary: string;
                    required_scopes: string[];
                }[];
            }[];
        };
        /** @description Name, version and addresses */
        ApiMeta: {
            name: string;
            /** @constant */
            version: "v1";
            documentation_url: string;
            openapi_url: string;
            capabilities_url: string;
            webhook_subscriptions_url: string;
        };
        /** @description A bill of materials */
        BomItem: {
            source_id: string;
            /** @description Must increase per source_id; epoch milliseconds are a good choice. At most 2^53 - 1. */
            source_version?: number;
            attributes?: components["schemas"]["ItemAttributes"];
            parent_sku_source_id: string;
            components: {
                sku_source_id: string;
                quantity: number;
                uom?: string;
            }[];
        };
        /** @description An error of Bulk Fill */
        BulkFillError: {
            code: components["schemas"]["BulkFillErrorCode"];
            /** @description What went wrong and what to do, for people */
            message: string;
            /** @description Only with a cooldown: whole seconds until it ends */
            retry_after_seconds?: number;
            /** @description Only with IDEMPOTENCY_KEY_PAYLOAD_MISMATCH: the fields that differ from the first request */
            differs_in?: string[];
        };
        /**
         * @description What went wrong. The responses list the codes of each status.
         * @enum {string}
         */
        BulkFillErrorCode: "BF_EXPORT_API_KEY_REQUIRED" | "BF_EXPORT_API_KEY_INVALID" | "BF_EXPORT_API_KEY_REVOKED" | "BF_EXPORT_API_KEY_EXPIRED" | "BF_EXPORT_API_KEY_INACTIVE" | "EXPORT_QUOTA_EXCEEDED" | "SEAL_NOT_ALLOWED" | "ROWS_FROM_NOT_ALLOWED" | "INVALID_IDEMPOTENCY_KEY" | "INVALID_JSON" | "INVALID_MULTIPART" | "MISSING_FIELD" | "UNKNOWN_FIELD" | "DUPLICATE_FIELD" | "INVALID_FIELD" | "SOURCE_CONFLICT" | "ROW_INPUT_CONFLICT" | "INVALID_ROWS_JSON" | "INVALID_ASSETS" | "INVALID_CSV" | "INVALID_FILENAME_COLUMNS" | "TOO_MANY_FILENAME_COLUMNS" | "INVALID_WEBHOOK_URL" | "INVALID_JOB_ID" | "PROJECT_NOT_FOUND" | "EXPORT_JOB_NOT_FOUND" | "EXPORT_DELIVERY_NOT_FOUND" | "EXPORT_INPUT_GONE" | "VERIFY_ID_NOT_FOUND" | "ROUTE_NOT_FOUND" | "METHOD_NOT_ALLOWED" | "REQUEST_TIMEOUT" | "IDEMPOTENCY_KEY_PAYLOAD_MISMATCH" | "PROJECT_NAME_TAKEN" | "EXPORT_JOB_SETTLED" | "EXPORT_JOB_OPEN" | "PRECONDITION_FAILED" | "PDF_TOO_LARGE" | "PACKAGE_TOO_LARGE" | "ROWS_TOO_LARGE" | "OUTPUT_TOO_LARGE" | "RANGE_NOT_SATISFIABLE" | "PDF_INVALID" | "PDF_ENCRYPTED" | "PDF_TOO_MANY_PAGES" | "PACKAGE_MALFORMED" | "PACKAGE_TAMPERED" | "PACKAGE_UNSUPPORTED" | "PACKAGE_INVALID" | "COLUMNS_MISSING" | "COLUMNS_AMBIGUOUS" | "NO_ROWS" | "TOO_MANY_ROWS" | "TOO_MANY_COLUMNS" | "GROUP_TOO_LARGE" | "RATE_LIMITED" | "REPEATED_FAILED_JOBS_COOLDOWN" | "HIGH_FAIL_RATIO_COOLDOWN" | "HEADERS_TOO_LARGE" | "INTERNAL_ERROR" | "EXPORT_DELIVERY_FAILED" | "FAILED_ROW_THRESHOLD_EXCEEDED" | "EXPORT_FAILED" | "EXPORT_CANCELLED" | "STORED_DATA_DAMAGED" | "SERVICE_UNAVAILABLE" | "STORAGE_FULL";
        /** @description Only ids: read the rest from the address in `self` */
        ChangedSubscriber: {
            subscriber: {
                id: string;
                status?: components["schemas"]["SubscriberStatus"];
                /** @description Relative path of this resource */
                self: string;
            };
        };
        /** @description A client certificate that can be used instead of a key */
        ClientCertificate: {
            thumbprint: string;
            warehouses: string[] | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            revoked_at: string | null;
        };
        /** @description All client certificates of the partner */
        ClientCertificates: {
            data: components["schemas"]["ClientCertificate"][];
            next_cursor: null;
        };
        CreateCustomField: {
            label: string;
            type: components["schemas"]["CustomFieldType"];
            /** @description The options of a select field */
            settings?: {
                options?: string[];
            };
        };
        /** @description A project, its rows and the options of an export job. Exactly one of rows and rows_from is required. */
        CreateExportJobBody: {
            /** @description Id or name of a stored project, instead of pdf and doqlo_file; Certificate@3 is its version 3 */
            project: string;
            /** @description Rows as objects keyed by the labels of the columns, or column_0, column_1, … */
            rows?: {
                [key: string]: unknown;
            }[];
            /** @description Stored rows of another surface, such as subscribers:status=Active or ingest:PARTNER/master/skus. The key needs the scope read:subscribers or read:ingest. */
            rows_from?: string;
            /** @description The job fails once more rows than this have failed */
            max_failed_row_percent: number;
            /**
             * @description label: the keys of the rows are matched to the labels of the columns of the package
             * @default label
             * @enum {string}
             */
            match_columns: "position" | "label";
            /**
             * @description Whether sticker overlays are drawn
             * @default false
             */
            include_stickers: boolean;
            /**
             * @description Whether form fields become page content below the overlays
             * @default false
             */
            flatten_forms: boolean;
            /** @description Columns whose values are used in file names */
            filename_columns?: string[];
            /**
             * @description webhook: the outcome is sent to webhook_url, and the job contains no result
             * @default response
             * @enum {string}
             */
            delivery_mode: "response" | "webhook";
            /**
             * Format: uri
             * @description Public https URL of the receiver; only with delivery_mode=webhook
             */
            webhook_url?: string;
            /** @description Secret that signs the webhooks; only with delivery_mode=webhook */
            webhook_secret?: string;
            /**
             * @description Whether to produce only manifest.json
             * @default false
             */
            dry_run: boolean;
            /**
             * @description zip: one PDF per row; merged: one PDF of all rows, merged.pdf, with a bookmark per row; both: all of them. merged and both turn form fields into page content.
             * @default zip
             * @enum {string}
             */
            output: "zip" | "merged" | "both";
            sheet?: components["schemas"]["Sheet"];
            /**
             * @description With output=merged or both, without sheet: whether a document with an odd number of pages is followed by a blank page of the same size, so that the next one starts on a new sheet of paper
             * @default false
             */
            duplex: boolean;
            /** @description Key or label of a column. Each row's PDF is encrypted (AES-256) with the row's value as its password; a row without a value fails with ROW_PASSWORD_BLANK. Only with output=zip. */
            password_column?: string;
            /** @description Key or label of a column. The server writes the address of each document into it, PUBLIC_URL/v/ID, at which anyone can see when and by which project the document was issued; a row with its own value fails with ROW_VERIFY_NOT_BLANK. Only if the server has ROWPRESS_VERIFY=true. */
            verify_column?: string;
            /**
             * @description Whether the ZIP also has manifest.sig, a signature of manifest.json with the installation's seal key
             * @default false
             */
            sign_manifest: boolean;
            /** @description Keys or labels of at most 3 columns. Rows with equal values in them become one document, whose tables show all of these rows; every other overlay shows the first one. */
            group_by?: string[];
            /**
             * @description Has no effect on JSON rows
             * @default false
             */
            csv_header: boolean;
            /** @description Has no effect on JSON rows */
            csv_encoding?: string;
            /**
             * @description Has no effect on JSON rows
             * @default shown
             * @enum {string}
             */
            cell_values: "shown" | "raw";
        } & (unknown | unknown);
        /** @description The inputs and options of an export job. The PDF and the package, or a project, and exactly one row input are required. */
        CreateExportJobForm: {
            /**
             * Format: binary
             * @description The source PDF
             */
            pdf?: string;
            /**
             * Format: binary
             * @description The sealed layout package
             */
            doqlo_file?: string;
            /** @description Id or name of a stored project, instead of pdf and doqlo_file; Certificate@3 is its version 3 */
            project?: string;
            /** @description The job fails once more rows than this have failed */
            max_failed_row_percent: string;
            /** @description Rows as a JSON array of objects keyed column_0, column_1, … */
            rows_json?: string;
            /**
             * Format: binary
             * @description Rows as CSV, positional, without a header unless csv_header says so
             */
            csv_file?: string;
            /**
             * Format: binary
             * @description Rows as an XLSX workbook: the first visible sheet
             */
            rows_file?: string;
            /**
             * Format: binary
             * @description A ZIP of pictures (PNG, JPEG) that image and signature cells name by their base name
             */
            assets_file?: string;
            /** @description Stored rows of another surface, such as subscribers:status=Active or ingest:PARTNER/master/skus. The key needs the scope read:subscribers or read:ingest. */
            rows_from?: string;
            /**
             * @description Whether line 1 of the CSV is skipped
             * @default false
             * @enum {string}
             */
            csv_header: "true" | "false";
            /**
             * @description label: the first line of the CSV or sheet, or the keys of the JSON rows, are matched to the labels of the columns of the package
             * @default position
             * @enum {string}
             */
            match_columns: "position" | "label";
            /** @description The encoding of the CSV, a label of the WHATWG Encoding standard; by default that of the byte order mark, else UTF-8 */
            csv_encoding?: string;
            /**
             * @description shown: workbook cells as the spreadsheet displays them; raw: plain numbers, ISO 8601 dates, true and false
             * @default shown
             * @enum {string}
             */
            cell_values: "shown" | "raw";
            /**
             * @description Whether sticker overlays are drawn
             * @default false
             * @enum {string}
             */
            include_stickers: "true" | "false";
            /**
             * @description Whether form fields become page content below the overlays
             * @default false
             * @enum {string}
             */
            flatten_forms: "true" | "false";
            /** @description JSON array of at most 3 column names whose values are used in file names */
            filename_columns?: string;
            /**
             * @description webhook: the outcome is sent to webhook_url, and the job contains no result
             * @default response
             * @enum {string}
             */
            delivery_mode: "response" | "webhook";
            /**
             * Format: uri
             * @description Public https URL of the receiver; only with delivery_mode=webhook
             */
            webhook_url?: string;
            /** @description Secret that signs the webhooks; only with delivery_mode=webhook */
            webhook_secret?: string;
            /**
             * @description Whether to produce only manifest.json
             * @default false
             * @enum {string}
             */
            dry_run: "true" | "false";
            /**
             * @description zip: one PDF per row; merged: one PDF of all rows, merged.pdf, with a bookmark per row; both: all of them. merged and both turn form fields into page content.
             * @default zip
             * @enum {string}
             */
            output: "zip" | "merged" | "both";
            /** @description With output=merged or both: a sheet of labels as JSON, {"preset":"avery-l7160"} or a geometry in points; page 1 of each row is placed once per label */
            sheet?: string;
            /**
             * @description With output=merged or both, without sheet: whether a document with an odd number of pages is followed by a blank page of the same size, so that the next one starts on a new sheet of paper
             * @default false
             * @enum {string}
             */
            duplex: "true" | "false";
            /** @description Key or label of a column. Each row's PDF is encrypted (AES-256) with the row's value as its password; a row without a value fails with ROW_PASSWORD_BLANK. Only with output=zip. */
            password_column?: string;
            /** @description Key or label of a column. The server writes the address of each document into it, PUBLIC_URL/v/ID, at which anyone can see when and by which project the document was issued; a row with its own value fails with ROW_VERIFY_NOT_BLANK. Only if the server has ROWPRESS_VERIFY=true. */
            verify_column?: string;
            /**
             * @description Whether the ZIP also has manifest.sig, a signature of manifest.json with the installation's seal key
             * @default false
             * @enum {string}
             */
            sign_manifest: "true" | "false";
            /** @description JSON array. Keys or labels of at most 3 columns. Rows with equal values in them become one document, whose tables show all of these rows; every other overlay shows the first one. */
            group_by?: string;
        } & ((unknown | unknown) & (unknown | unknown | unknown | unknown));
        CreateImportJob: {
            /** @description The CSV itself; exactly one of csv_text and upload_id is required */
            csv_text?: string | null;
            /** @description Id of an upload whose file has arrived */
            upload_id?: string | null;
            mappings: components["schemas"]["ImportMapping"][];
            /** @description A tag to create and to add to every imported subscriber */
            new_tag_name?: string | null;
            /** @description Tags to add to every imported subscriber */
            existing_tag_ids?: string[] | null;
            sequence_ids?: string[] | null;
            /** @description true: count and report without storing anything */
            dry_run?: boolean | null;
        };
        CreateIngestWebhook: {
            /** @description Public https address of the receiver */
            url: string;
            /** @description Absent: every event except ingest.credential.expiring */
            events?: ("master.normalization-conflict" | "ingest.job.completed" | "ingest.job.failed" | "ingest.credential.expiring")[];
        };
        /** @description The name and the files of a project */
        CreateProjectForm: {
            /** @description Unique in the account */
            name: string;
            /**
             * Format: binary
             * @description The source PDF
             */
            pdf: string;
            /**
             * Format: binary
             * @description The sealed layout package
             */
            doqlo_file?: string;
            /** @description A layout as JSON that the server seals, instead of doqlo_file. The key needs the scope seal. */
            layout?: string;
        } & (unknown | unknown);
        CreateSubscriberExport: {
            /** @description Part of an email or a name */
            query?: string | null;
            status?: components["schemas"]["SubscriberStatus"] | null;
            /** @description true: only subscribers who have not opened a message lately */
            cold_only?: boolean | null;
            /**
             * @description csv if absent
             * @enum {string|null}
             */
            format?: "csv" | "ndjson" | null;
        };
        CreateTag: {
            name: string;
            description?: string | null;
        };
        CreateWebhookSubscription: {
            name?: string;
            /** @description Public https address of the receiver */
            url: string;
            /** @description Event types, or patterns such as subscriber.* */
            event_patterns: string[];
            /** @enum {string} */
            status?: "active" | "disabled";
        };
        CredentialExpiringEvent: {
            /** @description The same on every attempt */
            event_id: string;
            /** @constant */
            type: "ingest.credential.expiring";
            /** Format: date-time */
            occurred_at: string;
            partner_id: string;
            data: {
                key_id: string;
                warehouses: string[] | null;
                /** Format: date-time */
                expires_at: string;
                /** @description The threshold that was reached */
                within_days: number;
            };
        };
        /** @description A custom field */
        CustomField: {
            id: string;
            label: string;
            type: components["schemas"]["CustomFieldType"];
            settings: {
                options: string[];
            };
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            created_at: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            updated_at: string;
            /** @description Relative path of this resource */
            self: string;
        };
        /** @enum {string} */
        CustomFieldType: "Text" | "Number" | "Date" | "Select (Dropdown)" | "Single Select" | "Multi Select" | "Text Area" | "Checkbox";
        /** @description The subscription was deleted */
        DeletedWebhookSubscription: {
            id: string;
            /** @constant */
            deleted: true;
        };
        /** @description A line of a document */
        DocumentLine: {
            line_no?: number;
            sku_source_id: string;
            quantity: number;
            uom?: string;
            lot_source_id?: string;
            attributes?: components["schemas"]["ItemAttributes"];
        };
        /** @description A party of a document */
        DocumentParty: {
            role: string;
            address_source_id: string;
        };
        EndedExport: {
            id: string;
            status: components["schemas"]["JobStatus"];
            exported_count: number | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            started_at: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            completed_at: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            created_at: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            updated_at: string;
            /** @description Relative path of this resource */
            self: string;
            error_message: string | null;
        };
        EndedImport: {
            id: string;
            status: components["schemas"]["JobStatus"];
            imported_count: number | null;
            row_count: number;
            created_count: number;
            updated_count: number;
            unchanged_count: number;
            failed_count: number;
            progress: number;
            dry_run: boolean;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            started_at: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            completed_at: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            created_at: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            updated_at: string;
            /** @description Relative path of this resource */
            self: string;
            error_message: string | null;
        };
        /** @description Current state of one export job */
        ExportJob: {
            /** Format: uuid */
            job_id: string;
            status: components["schemas"]["ExportJobStatus"];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            started_at?: string;
            /** Format: date-time */
            completed_at?: string;
            result?: components["schemas"]["ExportJobResult"];
            error?: components["schemas"]["ExportJobError"];
        };
        ExportJobCompletedEvent: {
            /** @constant */
            event: "bulkfill.export_job.completed";
            /** @constant */
            status: "completed";
            /** @description The same on every attempt */
            event_id: string;
            /** Format: date-time */
            occurred_at: string;
            /** Format: uuid */
            job_id: string;
            idempotency_key: string;
            /** @description Request id of the create that made the job */
            request_id: string;
            reused_result: boolean;
            /** Format: uuid */
            delivery_id: string;
            download_url: string;
            /** Format: date-time */
            download_expires_at: string;
        };
        /** @description Why a job failed */
        ExportJobError: {
            code: string;
            message: string;
            details?: components["schemas"]["ThresholdDetails"];
        };
        ExportJobFailedEvent: {
            /** @constant */
            event: "bulkfill.export_job.failed";
            /** @constant */
            status: "failed";
            /** @description The same on every attempt */
            event_id: string;
            /** Format: date-time */
            occurred_at: string;
            /** Format: uuid */
            job_id: string;
            idempotency_key: string;
            /** @description Request id of the create that made the job */
            request_id: string;
            reused_result: boolean;
            error_code: string;
            error_message: string;
            error_details?: components["schemas"]["ThresholdDetails"];
        };
        /** @description One page of export jobs, newest first */
        ExportJobList: {
            data: components["schemas"]["ExportJob"][];
            /** @description `cursor` of the next page; null on the last page */
            next_cursor: string | null;
        };
        /** @description Where to download the ZIP of a completed job */
        ExportJobResult: {
            /**
             * @description direct: this server sends the ZIP; cloud: the download redirects to an object store
             * @enum {string}
             */
            delivery_mode: "direct" | "cloud";
            /** @description Relative path; null once the delivery has expired */
            download_url: string | null;
            /** Format: date-time */
            expires_at: string;
            file_size_bytes: number;
        };
        /**
         * @description completed and failed are final
         * @enum {string}
         */
        ExportJobStatus: "queued" | "processing" | "completed" | "failed";
        /** @description manifest.json: what was requested, and the outcome of every row */
        ExportManifest: {
            /** @constant */
            version: 2;
            engine: string;
            /** @description Number of requested rows; with group_by, of groups */
            rows: number;
            /** @description With group_by: number of requested rows */
            input_rows?: number;
            timestamp: string;
            source: {
                pdf_sha256: string;
                page_count: number;
                package_sha256: string;
            };
            options: {
                [key: string]: unknown;
            };
            summary: {
                produced_rows: number;
                success_rows: number;
                partial_rows: number;
                failed_rows: number;
                applied_overlay_count: number;
                skipped_overlay_count: number;
            };
            /** @description How the PDF differs from the PDF of the layout */
            warnings: ({
                code: string;
                message: string;
            } & {
                [key: string]: unknown;
            })[];
            /** @description With output=merged or both: the PDF of all rows in the ZIP */
            merged?: {
                file_name: string;
                page_count: number;
                sha256: string;
            };
            /** @description With match_columns=label: the name of the input that filled each column */
            columns?: {
                key: string;
                label: string;
                input: string | null;
            }[];
            row_results: components["schemas"]["RowResult"][];
        };
        /** @description The request that used an Idempotency-Key */
        IdempotencyKey: {
            key: string;
            /** Format: uuid */
            job_id: string;
            /** Format: date-time */
            claimed_at: string;
            /**
             * Format: date-time
             * @description A later request with this key creates a new job
             */
            expires_at: string;
            status: components["schemas"]["ExportJobStatus"];
        };
        /** @description An import of subscribers */
        ImportJob: {
            id: string;
            status: components["schemas"]["JobStatus"];
            imported_count: number | null;
            row_count: number;
            created_count: number;
            updated_count: number;
            unchanged_count: number;
            failed_count: number;
            progress: number;
            dry_run: boolean;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            started_at: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            completed_at: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            created_at: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            updated_at: string;
            /** @description Relative path of this resource */
            self: string;
            error_message: string | null;
            /** @description Where to read the failed rows as CSV, if there are any */
            failed_rows_url: string | null;
        };
        ImportJobCompletedEvent: {
            /** @description The same on every attempt */
            id: string;
            /** @constant */
            type: "import_job.completed";
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            timestamp: string;
            data: components["schemas"]["EndedImport"];
        };
        ImportJobFailedEvent: {
            /** @description The same on every attempt */
            id: string;
            /** @constant */
            type: "import_job.failed";
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            timestamp: string;
            data: components["schemas"]["EndedImport"];
        };
        /** @description An import without its errors */
        ImportJobSummary: {
            id: string;
            status: components["schemas"]["JobStatus"];
            imported_count: number | null;
            row_count: number;
            created_count: number;
            updated_count: number;
            unchanged_count: number;
            failed_count: number;
            progress: number;
            dry_run: boolean;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            started_at: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            completed_at: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            created_at: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            updated_at: string;
            /** @description Relative path of this resource */
            self: string;
        };
        /** @description The field that a column is imported into */
        ImportMapping: {
            /** @description Name of a column in the first line of the CSV */
            csv_column: string;
            field: {
                /** @enum {string} */
                type: "email" | "name" | "custom-field" | "country" | "subscriber-status";
                /** @description Only with custom-field */
                custom_field_id?: string | null;
            };
        };
        /** @description An upload for an import */
        ImportUpload: {
            id: string;
            /** @enum {string} */
            status: "Pending" | "Ready" | "Queued";
            /** @description Only in the response to the create. PUT the file to this URL, or open it in a browser; no key is required. */
            upload_url: string | null;
            file_name: string | null;
            size_bytes: number | null;
            headers: string[];
            row_count: number | null;
            import_job_id: string | null;
            proposed_mappings: components["schemas"]["ImportMapping"][];
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            expires_at: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            uploaded_at: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            queued_at: string | null;
            /** @description Relative path of this resource */
            self: string;
        };
        /** @description Collections, modes and limits of this installation */
        IngestCapabilities: {
            version: string;
            collections: string[];
            modes: string[];
            content_types: string[];
            bulk_async_threshold: number;
            limits: {
                sync_body_bytes: number;
                bulk_body_bytes: number;
                item_bytes: number;
                source_id_characters: number;
                page_size: number;
            };
            retention: {
                correlation_seconds: number;
                audit_seconds: number;
                job_seconds: number;
            };
            auto_redrive: boolean;
            validate_only: boolean;
            webhook_events: string[];
        };
        /** @description Current state of a bulk job */
        IngestJob: {
            job_id: string;
            /**
             * @description COMPLETED and FAILED are final
             * @enum {string}
             */
            status: "QUEUED" | "RUNNING" | "COMPLETED" | "FAILED";
            collection: string;
            mode: components["schemas"]["IngestMode"];
            correlation_id: string;
            summary: components["schemas"]["IngestSummary"];
            tombstoned: number | null;
            progress: {
                processed: number;
                total: number | null;
            };
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            started_at: string | null;
            /** Format: date-time */
            completed_at: string | null;
            results_url: string;
            error: {
                code: string;
                detail: string;
            } | null;
        };
        IngestJobCompletedEvent: {
            /** @description The same on every attempt */
            event_id: string;
            /** @constant */
            type: "ingest.job.completed";
            /** Format: date-time */
            occurred_at: string;
            partner_id: string;
            data: {
                job_id: string;
                collection: string;
                mode: components["schemas"]["IngestMode"];
                correlation_id: string;
                summary: components["schemas"]["IngestSummary"];
            };
        };
        IngestJobFailedEvent: {
            /** @description The same on every attempt */
            event_id: string;
            /** @constant */
            type: "ingest.job.failed";
            /** Format: date-time */
            occurred_at: string;
            partner_id: string;
            data: {
                job_id: string;
                collection: string;
                mode: components["schemas"]["IngestMode"];
                correlation_id: string;
                summary: components["schemas"]["IngestSummary"];
                error: {
                    code: string;
                    detail: string;
                };
            };
        };
        /**
         * @description upsert: results at once; bulk: a job; full-refresh: a job after which items that were not sent are inactive
         * @enum {string}
         */
        IngestMode: "upsert" | "bulk" | "full-refresh";
        /** @description An error of Ingest (RFC 9457) */
        IngestProblem: {
            /**
             * Format: uri
             * @description Address of an explanation. Its fragment is the code; the responses list the codes of each status.
             */
            type: string;
            /** @description The same for every problem with this code */
            title: string;
            status: number;
            /** @description What went wrong and what to do, for people */
            detail: string;
            /** @description The path of the request */
            instance: string;
            /** @description The W3C trace id of the request. Quote it in a report. */
            trace_id: string;
            /** @description The invalid members, if one member of the input is invalid */
            errors?: {
                field: string;
                reason: string;
            }[];
        };
        /** @description The first request with a correlation id, and its response */
        IngestRequest: {
            correlation_id: string;
            /** Format: date-time */
            received_at: string;
            /**
             * Format: date-time
             * @description Until then, the correlation id replays the response
             */
            expires_at: string;
            job_id: string | null;
            status: number;
            /** @description The body of the first response */
            response: unknown;
        };
        /** @description Number of items by outcome */
        IngestSummary: {
            accepted: number;
            replay: number;
            quarantined: number;
            rejected: number;
        };
        /** @description A receiver of events */
        IngestWebhook: {
            webhook_id: string;
            url: string;
            events: string[];
            /** Format: date-time */
            old_secret_valid_until: string | null;
            /** Format: date-time */
            created_at: string;
        };
        /** @description The secret that signs the events of a webhook */
        IngestWebhookSecret: {
            webhook_id: string;
            secret: string;
        };
        /** @description All webhooks of the partner */
        IngestWebhooks: {
            data: components["schemas"]["IngestWebhook"][];
            next_cursor: null;
        };
        /** @description ISO 8601: a date, or a date and time with or without an offset */
        Instant: string;
        /** @description Data that the partner stores and this service does not interpret */
        ItemAttributes: {
            [key: string]: unknown;
        };
        /** @description One change of an item */
        ItemChange: {
            /** @enum {string} */
            change: "CREATED" | "UPDATED" | "TOMBSTONED" | "REACTIVATED";
            number: number;
            correlation_id: string;
            warehouse_id: string | null;
            source_version: number | null;
            state: components["schemas"]["ItemState"];
            /** Format: date-time */
            changed_at: string;
            before: {
                [key: string]: unknown;
            } | null;
            after: {
                [key: string]: unknown;
            } | null;
            archived: boolean;
        };
        /** @description One page of the changes of an item, newest first */
        ItemHistory: {
            data: components["schemas"]["ItemChange"][];
            /** @description `cursor` of the next page; null on the last page */
            next_cursor: string | null;
        };
        /** @description The ids of an item in the source system and in this one */
        ItemMapping: {
            collection: string;
            source_id: string;
            internal_id: string;
            source_version: number | null;
            state: components["schemas"]["ItemState"];
        };
        /** @description The outcome of one item */
        ItemResult: {
            /** @description null if the item has no readable source_id */
            source_id: string | null;
            /** @enum {string} */
            status: "ACCEPTED" | "REPLAY" | "QUARANTINED" | "REJECTED";
            internal_id?: string;
            quarantine_id?: string;
            reason?: string;
        };
        /** @description One page of results, in the order of the items */
        ItemResults: {
            data: components["schemas"]["ItemResult"][];
            /** @description `cursor` of the next page; null on the last page */
            next_cursor: string | null;
        };
        /** @enum {string} */
        ItemState: "ACTIVE" | "INACTIVE";
        /**
         * @description Completed and Failed are final
         * @enum {string}
         */
        JobStatus: "Queued" | "Processing" | "Completed" | "Failed";
        /** @description A warehouse, a zone or a bin */
        LocationItem: {
            source_id: string;
            /** @description Must increase per source_id; epoch milliseconds are a good choice. At most 2^53 - 1. */
            source_version?: number;
            attributes?: components["schemas"]["ItemAttributes"];
            /** @enum {string} */
            kind: "WAREHOUSE" | "ZONE" | "BIN";
            name: string;
            parent_source_id?: string;
            temperature_class?: string;
        };
        /** @description A lot of a SKU */
        LotItem: {
            source_id: string;
            /** @description Must increase per source_id; epoch milliseconds are a good choice. At most 2^53 - 1. */
            source_version?: number;
            attributes?: components["schemas"]["ItemAttributes"];
            sku_source_id: string;
            lot_no?: string;
            produced_at?: components["schemas"]["Instant"];
            expires_at?: components["schemas"]["Instant"];
            status?: string;
        };
        /** @description A movement of stock between locations */
        MovementItem: {
            source_id: string;
            /** @description Must increase per source_id; epoch milliseconds are a good choice. At most 2^53 - 1. */
            source_version?: number;
            attributes?: components["schemas"]["ItemAttributes"];
            sku_source_id: string;
            from_location: string;
            to_location: string;
            quantity: number;
            uom?: string;
            lot_source_id?: string;
            lot?: string;
            serial_source_id?: string;
            moved_at?: components["schemas"]["Instant"];
        };
        NormalizationConflictEvent: {
            /** @description The same on every attempt */
            event_id: string;
            /** @constant */
            type: "master.normalization-conflict";
            /** Format: date-time */
            occurred_at: string;
            partner_id: string;
            data: {
                collection: string;
                correlation_id: string;
                job_id: string | null;
                count: number;
                /** @description The first 100 records */
                quarantined: {
                    quarantine_id: string;
                    source_id: string;
                    source_version: number | null;
                    reason: string;
                }[];
            };
        };
        Pagination: {
            has_more: boolean;
            /** @description `starting_after` of the next page; null on the last page */
            next_cursor: string | null;
        };
        /** @description A row to use instead of a failed one */
        PatchedRow: {
            /** @description A failed row of the original job. With `group_by`, any row of a failed group. */
            row_number: number;
            /** @description All cells of the row, by column key */
            cells: {
                [key: string]: string | null;
            };
        };
        /** @description One problem of one row */
        ProblemRow: {
            row_number: number;
            /** @description With group_by: the row at which the problem is, or the first row of the group */
            input_row_number?: number;
            /**
             * @description noted: the row is a success, but its PDF may not show all of its data
             * @enum {string}
             */
            status: "failed" | "partial" | "noted";
            code: string;
            message: string;
            overlay_id: string | null;
            /** @description The native form field, if the overlay is a form mapping */
            field: string | null;
            column: string | null;
            column_label: string | null;
        };
        /** @description One page of problems in row order; a row may have several */
        ProblemRows: {
            data: components["schemas"]["ProblemRow"][];
            /** @description `cursor` of the next page; null on the last page */
            next_cursor: string | null;
        };
        /** @description One version of a project, by default the latest */
        Project: {
            /** Format: uuid */
            project_id: string;
            /** @description The current name, even if an earlier version is requested */
            name: string;
            version: number;
            page_count: number;
            /** @description The columns of the layout */
            columns: {
                key: string;
                label: string;
            }[];
            /**
             * Format: date-time
             * @description When the project was created
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When this version was saved
             */
            updated_at: string;
        };
        /** @description One page of projects or of versions, newest first */
        ProjectList: {
            data: components["schemas"]["Project"][];
            /** @description `cursor` of the next page; null on the last page */
            next_cursor: string | null;
        };
        /** @description A purchase order */
        PurchaseOrderItem: {
            source_id: string;
            /** @description Must increase per source_id; epoch milliseconds are a good choice. At most 2^53 - 1. */
            source_version?: number;
            attributes?: components["schemas"]["ItemAttributes"];
            status?: string;
            parties?: components["schemas"]["DocumentParty"][];
            lines?: components["schemas"]["DocumentLine"][];
            ordered_at?: components["schemas"]["Instant"];
            due_at?: components["schemas"]["Instant"];
        };
        /** @description An item with a missing reference, or its end */
        QuarantineRecord: {
            quarantine_id: string;
            collection: string;
            source_id: string;
            source_version: number | null;
            reason: string;
            status: components["schemas"]["QuarantineStatus"];
            /** @description The item as it was sent */
            item: unknown;
            internal_id: string | null;
            correlation_id: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        /** @description One page of quarantine records, newest first */
        QuarantineRecords: {
            data: components["schemas"]["QuarantineRecord"][];
            /** @description `cursor` of the next page; null on the last page */
            next_cursor: string | null;
        };
        /** @enum {string} */
        QuarantineStatus: "OPEN" | "RELEASED" | "DISCARDED" | "ACCEPTED" | "SUPERSEDED";
        /** @description A receipt of goods for a purchase order */
        ReceiverItem: {
            source_id: string;
            /** @description Must increase per source_id; epoch milliseconds are a good choice. At most 2^53 - 1. */
            source_version?: number;
            attributes?: components["schemas"]["ItemAttributes"];
            status?: string;
            parties?: components["schemas"]["DocumentParty"][];
            lines?: components["schemas"]["DocumentLine"][];
            ordered_at?: components["schemas"]["Instant"];
            due_at?: components["schemas"]["Instant"];
            po_source_id: string;
            received_at?: components["schemas"]["Instant"];
        };
        /** @description The results of the evaluation, record by record */
        RedrivenItems: {
            evaluated: number;
            accepted: number;
            superseded: number;
            quarantined: number;
            results: {
                quarantine_id: string;
                collection: string;
                source_id: string;
                status: components["schemas"]["QuarantineStatus"];
                internal_id?: string;
                reason?: string;
            }[];
        };
        RegisterCertificate: {
            /** @description SHA-256 thumbprint of the certificate that this connection presents */
            thumbprint: string;
            /** @description Absent: the certificate is valid for the whole partner */
            warehouses?: string[];
        };
        /** @description Optional changes for the retry */
        RetryExportJob: {
            /** @description Rows to use instead of the failed ones */
            rows?: components["schemas"]["PatchedRow"][];
            /** @description Absent: as in the original job */
            max_failed_row_percent?: number;
        };
        /** @description The outcome of one row */
        RowResult: {
            row_number: number;
            /** @description Row number in the original job; only in a retry */
            source_row_number?: number;
            /** @description With group_by: the numbers of the rows of the group; row_number is the number of the group */
            row_numbers?: number[];
            /** @enum {string} */
            status: "success" | "partial" | "failed";
            file_name: string | null;
            applied_overlay_count: number;
            skipped_overlay_count: number;
            warnings: {
                code: string;
                message: string;
                overlay_id: string | null;
                /** @description With group_by: the row that the warning is about */
                input_row_number?: number;
            }[];
            error: {
                code: string;
                message: string;
            } | null;
            /** @description With output=merged or both: the first page of the row in merged.pdf, from 1 */
            first_page?: number | null;
            /** @description SHA-256 of the row's PDF */
            sha256: string | null;
        };
        /** @description A sales order */
        SalesOrderItem: {
            source_id: string;
            /** @description Must increase per source_id; epoch milliseconds are a good choice. At most 2^53 - 1. */
            source_version?: number;
            attributes?: components["schemas"]["ItemAttributes"];
            status?: string;
            parties?: components["schemas"]["DocumentParty"][];
            lines?: components["schemas"]["DocumentLine"][];
            ordered_at?: components["schemas"]["Instant"];
            due_at?: components["schemas"]["Instant"];
        };
        /** @description A serial number of a SKU */
        SerialItem: {
            source_id: string;
            /** @description Must increase per source_id; epoch milliseconds are a good choice. At most 2^53 - 1. */
            source_version?: number;
            attributes?: components["schemas"]["ItemAttributes"];
            sku_source_id: string;
            serial_no?: string;
            lot_source_id?: string;
            status?: string;
        };
        /** @description With output=merged or both: places page 1 of each row on sheets of labels. Sizes are in points. */
        Sheet: {
            /** @description A name that GET /v1/bulkfill/sheets lists */
            preset: string;
            /** @description Labels left free on the first sheet */
            skip?: number;
            /**
             * @description across: row by row (default); down: column by column
             * @enum {string}
             */
            order?: "across" | "down";
            /** @description Whether crop marks are drawn in the margins */
            marks?: boolean;
        } | {
            /** @description Width of the sheet */
            width: number;
            /** @description Height of the sheet */
            height: number;
            columns: number;
            rows: number;
            /** @description From the left edge of the sheet to the first label */
            margin_left: number;
            /** @description From the top edge of the sheet to the first label */
            margin_top: number;
            /** @description From one label to the next one in its row */
            pitch_x: number;
            /** @description From one label to the next one in its column */
            pitch_y: number;
            /** @description Width of a label, pitch_x by default */
            label_width?: number;
            /** @description Height of a label, pitch_y by default */
            label_height?: number;
            /** @description Labels left free on the first sheet */
            skip?: number;
            /**
             * @description across: row by row (default); down: column by column
             * @enum {string}
             */
            order?: "across" | "down";
            /** @description Whether crop marks are drawn in the margins */
            marks?: boolean;
        };
        /** @description A sheet of labels with a name */
        SheetPreset: {
            /** @description The name, for `sheet` of a create request */
            preset: string;
            /** @enum {string} */
            paper: "A4" | "Letter";
            /** @description Width of the sheet, in points */
            width: number;
            /** @description Height of the sheet, in points */
            height: number;
            columns: number;
            rows: number;
            /** @description From the left edge of the sheet to the first label, in points */
            margin_left: number;
            /** @description From the top edge of the sheet to the first label, in points */
            margin_top: number;
            /** @description From one label to the next one in its row, in points */
            pitch_x: number;
            /** @description From one label to the next one in its column, in points */
            pitch_y: number;
            /** @description Width of a label, in points */
            label_width: number;
            /** @description Height of a label, in points */
            label_height: number;
        };
        /** @description All sheets with a name */
        SheetPresetList: {
            data: components["schemas"]["SheetPreset"][];
        };
        /** @description A shipment of goods */
        ShipperItem: {
            source_id: string;
            /** @description Must increase per source_id; epoch milliseconds are a good choice. At most 2^53 - 1. */
            source_version?: number;
            attributes?: components["schemas"]["ItemAttributes"];
            status?: string;
            parties?: components["schemas"]["DocumentParty"][];
            lines?: components["schemas"]["DocumentLine"][];
            ordered_at?: components["schemas"]["Instant"];
            due_at?: components["schemas"]["Instant"];
            so_source_id?: string;
            carrier_source_id?: string;
            shipped_at?: components["schemas"]["Instant"];
        };
        /** @description A stock keeping unit */
        SkuItem: {
            source_id: string;
            /** @description Must increase per source_id; epoch milliseconds are a good choice. At most 2^53 - 1. */
            source_version?: number;
            attributes?: components["schemas"]["ItemAttributes"];
            name: string;
            base_uom: string;
            description?: string;
            barcode?: string;
            /** @default false */
            lot_tracked: boolean;
            /** @default false */
            serial_tracked: boolean;
            hazmat_class?: string;
            temperature_class?: string;
            weight_kg?: number;
            volume_m3?: number;
        };
        /** @description The quantity of a SKU at a location */
        SnapshotItem: {
            source_id: string;
            /** @description Must increase per source_id; epoch milliseconds are a good choice. At most 2^53 - 1. */
            source_version?: number;
            attributes?: components["schemas"]["ItemAttributes"];
            sku_source_id: string;
            location: string;
            quantity: number;
            uom?: string;
            lot_source_id?: string;
            lot?: string;
            counted_at?: components["schemas"]["Instant"];
        };
        StartImportUpload: {
            file_name?: string | null;
        };
        /** @description An item as it is stored */
        StoredItem: {
            source_id: string;
            internal_id: string;
            source_version: number | null;
            state: components["schemas"]["ItemState"];
            /** @description The members of the item, as its collection describes them */
            item: {
                [key: string]: unknown;
            };
            /** Format: date-time */
            updated_at: string;
        };
        /** @description A subscriber */
        Subscriber: {
            id: string;
            email: string;
            name: string;
            status: components["schemas"]["SubscriberStatus"];
            country: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            subscribed_at: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            last_opened_at: string | null;
            tags: {
                id: string;
                name: string;
            }[];
            sequence_ids: string[];
            /** @description Values by the id of the custom field */
            custom_fields: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            created_at: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            updated_at: string;
            /** @description Relative path of this resource */
            self: string;
        };
        SubscriberCreatedEvent: {
            /** @description The same on every attempt */
            id: string;
            /** @constant */
            type: "subscriber.created";
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            timestamp: string;
            data: components["schemas"]["ChangedSubscriber"];
        };
        SubscriberDeletedEvent: {
            /** @description The same on every attempt */
            id: string;
            /** @constant */
            type: "subscriber.deleted";
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            timestamp: string;
            data: components["schemas"]["ChangedSubscriber"];
        };
        /** @description An export of subscribers */
        SubscriberExport: {
            id: string;
            status: components["schemas"]["JobStatus"];
            exported_count: number | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            started_at: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            completed_at: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            created_at: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            updated_at: string;
            /** @description Relative path of this resource */
            self: string;
            selection: {
                query: string | null;
                status: components["schemas"]["SubscriberStatus"] | null;
                cold_only: boolean;
            };
            /** @enum {string} */
            format: "csv" | "ndjson";
            file_name: string | null;
            /** @description A link that needs no key; null before the end and after expiry */
            download_url: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            expires_at: string | null;
            error_message: string | null;
        };
        SubscriberExportCompletedEvent: {
            /** @description The same on every attempt */
            id: string;
            /** @constant */
            type: "export_job.completed";
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            timestamp: string;
            data: components["schemas"]["EndedExport"];
        };
        SubscriberExportFailedEvent: {
            /** @description The same on every attempt */
            id: string;
            /** @constant */
            type: "export_job.failed";
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            timestamp: string;
            data: components["schemas"]["EndedExport"];
        };
        /** @description An export of subscribers without its file */
        SubscriberExportSummary: {
            id: string;
            status: components["schemas"]["JobStatus"];
            exported_count: number | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            started_at: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            completed_at: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            created_at: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            updated_at: string;
            /** @description Relative path of this resource */
            self: string;
        };
        /** @enum {string} */
        SubscriberStatus: "Active" | "Unconfirmed" | "Unsubscribed" | "Complained" | "Bounced" | "Blocked";
        SubscriberStatusChangedEvent: {
            /** @description The same on every attempt */
            id: string;
            /** @constant */
            type: "subscriber.status_changed";
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            timestamp: string;
            data: components["schemas"]["ChangedSubscriber"];
        };
        SubscriberUpdatedEvent: {
            /** @description The same on every attempt */
            id: string;
            /** @constant */
            type: "subscriber.updated";
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            timestamp: string;
            data: components["schemas"]["ChangedSubscriber"];
        };
        /** @description An error of Subscribers */
        SubscribersError: {
            error: {
                /**
                 * @description Class of the error; the status determines it
                 * @enum {string}
                 */
                type: "authentication_error" | "permission_error" | "not_found" | "conflict" | "api_error" | "invalid_request";
                code: components["schemas"]["SubscribersErrorCode"];
                /** @description What went wrong and what to do, for people */
                message: string;
                details?: {
                    /** @description The invalid member, or the one whose value is taken */
                    field?: string;
                    reason?: string;
                    /** @description Only with 409: the resource that is in use or already exists */
                    resource?: {
                        type: string;
                        id: string;
                    };
                };
                /** @description Only with insufficient_scope: all scopes that the route requires */
                required_scopes?: string[];
                /** @description Only with insufficient_scope: the scopes that the key lacks */
                missing_scopes?: string[];
            };
        };
        /**
         * @description What went wrong. The responses list the codes of each status.
         * @enum {string}
         */
        SubscribersErrorCode: "invalid_body" | "invalid_json" | "invalid_mapping" | "unknown_csv_column" | "duplicate_mapping" | "email_mapping_required" | "invalid_csv" | "upload_expired" | "invalid_idempotency_key" | "invalid_api_key" | "insufficient_scope" | "account_inactive" | "resource_not_found" | "method_not_allowed" | "request_timeout" | "idempotency_key_reused" | "resource_conflict" | "upload_not_ready" | "webhook_subscription_limit_exceeded" | "csv_too_large" | "payload_too_large" | "rate_limited" | "headers_too_large" | "internal_error" | "stored_data_damaged" | "service_unavailable" | "storage_full";
        /** @description A tag */
        Tag: {
            id: string;
            name: string;
            description: string | null;
            gdpr_consent_purpose: null;
            subscriber_count: number;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            created_at: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            updated_at: string;
            /** @description Relative path of this resource */
            self: string;
        };
        /** @description Why a job failed: more rows failed than the request allows */
        ThresholdDetails: {
            /** @constant */
            failure_class: "threshold_failed";
            input_row_count: number;
            produced_row_count: number;
            failed_row_count: number;
            failed_row_percent: number;
            max_failed_row_percent: number;
        };
        /** @description A transfer between locations */
        TransferOrderItem: {
            source_id: string;
            /** @description Must increase per source_id; epoch milliseconds are a good choice. At most 2^53 - 1. */
            source_version?: number;
            attributes?: components["schemas"]["ItemAttributes"];
            status?: string;
            parties?: components["schemas"]["DocumentParty"][];
            lines?: components["schemas"]["DocumentLine"][];
            ordered_at?: components["schemas"]["Instant"];
            due_at?: components["schemas"]["Instant"];
            from_location?: string;
            to_location?: string;
        };
        /** @description A unit of measure */
        UomItem: {
            source_id: string;
            /** @description Must increase per source_id; epoch milliseconds are a good choice. At most 2^53 - 1. */
            source_version?: number;
            attributes?: components["schemas"]["ItemAttributes"];
            name: string;
            /** @enum {string} */
            dimension?: "COUNT" | "MASS" | "VOLUME" | "LENGTH" | "AREA" | "TIME" | "OTHER";
            decimals?: number;
        };
        UpdateCustomField: {
            label?: string;
            type?: components["schemas"]["CustomFieldType"];
            /** @description The options of a select field */
            settings?: {
                options?: string[];
            };
        };
        /** @description The parts of a project that change; at least one is required */
        UpdateProjectForm: {
            /** @description Unique in the account */
            name?: string;
            /**
             * Format: binary
             * @description The source PDF
             */
            pdf?: string;
            /**
             * Format: binary
             * @description The sealed layout package
             */
            doqlo_file?: string;
            /** @description A layout as JSON that the server seals, instead of doqlo_file. The key needs the scope seal. */
            layout?: string;
        };
        UpdateSubscriber: {
            email?: string;
            name?: string;
            status?: components["schemas"]["SubscriberStatus"];
            country?: string | null;
            /** Format: date */
            subscribed_on?: string | null;
            custom_fields?: {
                [key: string]: unknown;
            };
        };
        UpdateSubscriberStatus: {
            status: components["schemas"]["SubscriberStatus"];
        };
        UpdateTag: {
            name?: string;
            description?: string | null;
        };
        UpdateWebhookSubscription: {
            name?: string;
            /** @description Public https address of the receiver */
            url?: string;
            /** @description Event types, or patterns such as subscriber.* */
            event_patterns?: string[];
            /** @enum {string} */
            status?: "active" | "disabled";
        };
        UpsertSubscriber: {
            email: string;
            name?: string | null;
            status?: components["schemas"]["SubscriberStatus"] | null;
            country?: string | null;
            /** Format: date */
            subscribed_on?: string | null;
            /** @description true: fail with 409 if the email exists */
            create_only?: boolean;
            custom_fields?: {
                [key: string]: unknown;
            };
            tag_ids?: string[];
            new_tags?: string[];
            sequence_ids?: string[];
        };
        /** @description A webhook subscription */
        WebhookSubscription: {
            id: string;
            name: string;
            url: string;
            /** @enum {string} */
            status: "active" | "disabled";
            event_patterns: string[];
            signing_secret_preview: string;
            delivery_attempts: number;
            /** @enum {string|null} */
            last_delivery_status: "delivered" | "failed" | null;
            last_delivery_error: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            last_delivered_at: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            last_failed_at: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            created_at: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            updated_at: string;
            /** @description Relative path of this resource */
            self: string;
        };
        /** @description A webhook subscription with its signing secret, which is shown only here */
        WebhookSubscriptionWithSecret: {
            subscription: components["schemas"]["WebhookSubscription"];
            signing_secret: string;
        };
        /** @description A work order */
        WorkOrderItem: {
            source_id: string;
            /** @description Must increase per source_id; epoch milliseconds are a good choice. At most 2^53 - 1. */
            source_version?: number;
            attributes?: components["schemas"]["ItemAttributes"];
            status?: string;
            parties?: components["schemas"]["DocumentParty"][];
            lines?: components["schemas"]["DocumentLine"][];
            ordered_at?: components["schemas"]["Instant"];
            due_at?: components["schemas"]["Instant"];
            sku_source_id?: string;
            bom_source_id?: string;
            quantity?: number;
        };
        /** @description The account of the key */
        Workspace: {
            id: string;
            name: string;
            logo: null;
            address: null;
            city: null;
            state: null;
            postal_code: null;
            country: null;
            time_zone: null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            created_at: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds
             */
            updated_at: string;
            /** @description Relative path of this resource */
            self: string;
        };
        /** @description The results of a write, item by item */
        WrittenItems: {
            /** @description In the order of the items */
            results: components["schemas"]["ItemResult"][];
            summary: components["schemas"]["IngestSummary"];
            /** @description Only with full-refresh: items that became inactive */
            tombstoned?: number;
            /** @constant */
            validate_only?: true;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
