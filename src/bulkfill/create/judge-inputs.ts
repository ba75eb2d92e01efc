import { readFile } from 'node:fs/promises';
import type { BaseCache } from '../../fill/node/base-cache.ts';
import type { CappedChild } from '../../fill/node/capped-child.ts';
import { nativeCodec } from '../../fill/node/native-codec.ts';
import { openFill } from '../../fill/node/open-fill.ts';
import { DEFAULT_PARSE_LIMITS } from '../../fill/node/prepare-in-child.ts';
import { compareSource, type TopLevelWarning } from '../../fill/package/compare-source.ts';
import { openPackage } from '../../fill/package/open-package.ts';
import { undeclaredNumberColumns } from '../../fill/rows/decimal-signs.ts';
import type { ByteBudget } from '../../lib/byte-budget.ts';
import { type ApiError, refuse } from '../../lib/errors/api-error.ts';
import type { CodeOf } from '../../lib/errors/catalogue.ts';
import { Turnstile } from '../../lib/turnstile.ts';
import type { Templates } from '../templates.ts';
import type { CreateForm } from './read-form.ts';

export interface JudgedInputs {
  readonly base: string;
  readonly deflatedBytes: number;
  readonly pageCount: number;
  readonly warnings: readonly TopLevelWarning[];
  /** Columns whose decimal sign the rows decide. */
  readonly numberColumns: readonly string[];
}

export interface JudgeParts {
  readonly templates: Templates;
  readonly cache: BaseCache;
  readonly readers: { take(): CappedChild };
  readonly trustedKeys: readonly string[];
  readonly maxPages: number;
  readonly keepActions: boolean;
  readonly maxPackageBytes: number;
  readonly budget: ByteBudget;
  /** Children that read PDFs side by side; each may take half a gigabyte. */
  readonly atOnce: number;
}

type Verdict =
  | { readonly ok: true; readonly inputs: JudgedInputs }
  | {
      readonly ok: false;
      readonly code: CodeOf<'bulkfill'>;
      readonly message: string;
      readonly passing?: true;
    };

/** The PDF, its prepared base and the deflated base are in memory at the same time. */
const PDF_FACTOR = 3;
/** Verdicts remembered; they are small, and a refused upload is often sent again. */
const MAX_VERDICTS = 500;

/**
 * Says whether a PDF and a package can be used together, and makes their prepared base. The same pair is
 * judged once: callers at the same instant share one judgement, later ones find it remembered.
 */
export class InputJudge {
  readonly #parts: JudgeParts;
  readonly #verdicts = new Map<string, Promise<Verdict>>();
  readonly #children: Turnstile;

  constructor(parts: JudgeParts) {
    this.#parts = parts;
    this.#children = new Turnstile(parts.atOnce);
  }

  async judge(accountId: string, form: CreateForm): Promise<JudgedInputs> {
    // File names play no part in a base.
    const { include_stickers, flatten_forms } = form.options;
    const key = JSON.stringify([
      accountId,
      form.pdf.sha256,
      form.package.sha256,
      include_stickers,
      flatten_forms,
    ]);
    const known = this.#verdicts.get(key);
    const verdict = await (known ?? this.#remember(key, this.#decide(accountId, form)));
    if (!verdict.ok) throw refusal(verdict);
    // A remembered base may have been swept since (its template is kept only while jobs use it).
    if (known !== undefined && !(await this.#parts.templates.touch(verdict.inputs.base))) {
      this.#verdicts.delete(key);
      return this.judge(accountId, form);
    }
    return verdict.inputs;
  }

  /** Another reader of uploads that needs a child process waits in the same line. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    return this.#children.run(work);
  }

  #remember(key: string, verdict: Promise<Verdict>): Promise<Verdict> {
    this.#verdicts.set(key, verdict);
    const forget = () => this.#verdicts.delete(key);
    // A fault of ours (disk, memory), or a reader that was too slow today, is no verdict on the files.
    verdict.then((decided) => decided.ok || !decided.passing || forget(), forget);
    const oldest = this.#verdicts.keys().next().value;
    if (this.#verdicts.size > MAX_VERDICTS && oldest !== undefined) this.#verdicts.delete(oldest);
    return verdict;
  }

  #decide(accountId: string, form: CreateForm): Promise<Verdict> {
    // In a place of its own and not before: files that wait are on disk, not in memory.
    return this.#children.run(() => {
      const bytes = PDF_FACTOR * form.pdf.sizeBytes + form.package.sizeBytes;
      return this.#parts.budget.run(accountId, bytes, () => this.#decideInTurn(accountId, form));
    });
  }

  async #decideInTurn(accountId: string, form: CreateForm): Promise<Verdict> {
    const { trustedKeys, maxPackageBytes, cache, templates, maxPages, keepActions, readers } = this.#parts;
    const opened = openPackage(await readFile(form.package.file.path), {
      codec: nativeCodec,
      trustedKeys,
      maxBytes: maxPackageBytes,
    });
    if (!opened.ok) return opened;
    const { layout, assets } = opened.package;
    const { include_stickers, flatten_forms } = form.options;
    const options = {
      includeStickers: include_stickers,
      flattenForms: flatten_forms,
      keepActions,
      filenameColumns: [],
    };
    const filled = await openFill(
      await readFile(form.pdf.file.path),
      { layout, assets, options },
      {
        cache,
        owner: accountId,
        limits: { ...DEFAULT_PARSE_LIMITS, maxPages },
        takeReader: () => readers.take(),
      },
    );
    if (!filled.ok) return filled;
    const { base, deflated } = filled.fill;
    const metadata = base.facts.source;
    const warnings = compareSource(layout.source, metadata, layout.form_fields);
    return {
      ok: true,
      inputs: {
        base: await templates.store(base, deflated),
        deflatedBytes: deflated.length,
        pageCount: metadata.page_count,
        warnings,
        numberColumns: undeclaredNumberColumns(layout),
      },
    };
  }
}

function refusal({ code, message }: Extract<Verdict, { ok: false }>): ApiError {
  return refuse('bulkfill', code, message);
}
