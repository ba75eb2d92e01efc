export interface Account {
  readonly id: string;
  readonly name: string;
  readonly plan: string;
  readonly active: boolean;
  readonly created_at: string;
}

export interface Plan {
  readonly name: string;
  readonly rows_per_month: number | null;
  readonly max_pdf_bytes: number | null;
  readonly default: boolean;
}
