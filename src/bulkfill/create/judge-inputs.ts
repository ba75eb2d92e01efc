import { readFile } from 'node:fs/promises';
import type { BaseCache } from '#fill/node/base-cache.ts';
import type { CappedChild } from '#fill/node/capped-child.ts';
import { nativeCodec } from '#fill/node/native-codec.ts';
import { openFill } from '#fill/node/open-fill.ts';
import { DEFAULT_PARSE_LIMITS } from '#fill/node/prepare-in-child.ts';
import { compareSource, type TopLevelWarning } from '#fill/package/compare-source.ts';
import { openPackage } from '#fill/package/open-package.ts';
import { undeclaredNumberColumns } from '#fill/values/decimal-signs.ts';
import type { ByteBudget } from '#lib/byte-budget.ts';
import type { ApiError } from '#lib/errors/api-error.ts';
import type { FairTurnstile, Turn } from '#lib/fair-turnstile.ts';
import { SharedWork } from '#lib/shared-work.ts';
import { type BulkfillCode, refuse } from '../errors.ts';
import type { Templates } from '../templates.ts';
import type { CreateForm } from './read-form.ts';

export interface JudgedInputs {
  readonly base: string;
  readonly deflatedBytes: number;
  readonly pageCount: number;
  readonly warnings: readonly TopLevelWarning[];
  /** Columns whose decimal sign is read from the rows. */
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
  /** The process-wide limit of child processes that read uploads, shared fairly by the accounts. */
  readonly line: FairTurnstile;
  /** Counts a rejected create whose reader had to be stopped. */
  noteCostly(accountId: string): Promise<void>;
}

type Verdict =
  | { readonly ok: true; readonly inputs: JudgedInputs }
  | {
      readonly ok: false;
      readonly code: BulkfillCode;
      readonly message: string;
      readonly passing?: true;
    };

/** The PDF, its prepared base and the deflated base are in memory at the same time. */
const PDF_FACTOR = 3;
/** Maximum number of remembered verdicts. They are small, and a rejected upload is often sent again. */
const MAX_VERDICTS = 500;

/**
 * Decides whether a PDF and a package can be used together, and prepares their base. The same pair is judged once:
 * concurrent callers share one judgement, and later ones reuse its verdict.
 */
export class InputJudge {
  readonly #parts: JudgeParts;
  readonly #verdicts = new Map<string, SharedWork<Verdict>>();

  constructor(parts: JudgeParts) {
    this.#parts = parts;
  }

  async judge(turn: Turn, form: CreateForm): Promise<JudgedInputs> {
    // File names do not affect the base.
    const { include_stickers, flatten_forms } = form.options;
    const key = JSON.stringify([
      turn.owner,
      form.pdf.sha256,
      form.package.sha256,
      include_stickers,
      flatten_forms,
    ]);
    const known = this.#known(key);
    const work = known ?? this.#remember(key, (signal) => this.#decide({ ...turn, signal }, form));
    const verdict = await work.join(turn.signal);
    if (!verdict.ok) throw refusal(verdict);
    // The base may have been deleted since: its template is kept only while jobs use it.
    if (known !== undefined && !(await this.#parts.templates.touch(verdict.inputs.base))) {
      this.#verdicts.delete(key);
      return this.judge(turn, form);
    }
    return verdict.inputs;
  }

  /** Returns the judgement of the pair, unless all its callers have left: then it is being stopped and has no verdict. */
  #known(key: string): SharedWork<Verdict> | undefined {
    const work = this.#verdicts.get(key);
    return work?.abandoned === true ? undefined : work;
  }

  #remember(key: string, decide: (signal: AbortSignal) => Promise<Verdict>): SharedWork<Verdict> {
    const forget = () => this.#verdicts.get(key) === work && this.#verdicts.delete(key);
    const work: SharedWork<Verdict> = new SharedWork(async (signal) => {
      try {
        const verdict = await decide(signal);
        // A time-out of the reader says nothing about the files.
        if (!verdict.ok && verdict.passing) forget();
        return verdict;
      } catch (error) {
        // Neither does a fault of the server (disk, memory) or a client that disconnected.
        forget();
        throw error;
      }
    });
    this.#verdicts.set(key, work);
    const oldest = this.#verdicts.keys().next().value;
    if (this.#verdicts.size > MAX_VERDICTS && oldest !== undefined) this.#verdicts.delete(oldest);
    return work;
  }

  #decide(turn: Turn, form: CreateForm): Promise<Verdict> {
    // The memory is reserved only when a child process is free: files of waiting requests stay on disk.
    return this.#parts.line.run(turn, (signal) => {
      const bytes = PDF_FACTOR * form.pdf.sizeBytes + form.package.sizeBytes;
      return this.#parts.budget.run(turn.owner, bytes, () => this.#readAndCompare({ ...turn, signal }, form));
    });
  }

  async #readAndCompare({ owner, signal }: Turn, form: CreateForm): Promise<Verdict> {
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
        owner,
        limits: { ...DEFAULT_PARSE_LIMITS, maxPages },
        takeReader: () => readers.take(),
        signal,
      },
    );
    if (!filled.ok) {
      if (filled.costly) await this.#parts.noteCostly(owner);
      return filled;
    }
    const { base, deflated } = filled.fill;
    const metadata = base.facts.source;
    const warnings = compareSource(layout.source, metadata, layout.form_fields);
    return {
      ok: true,
      inputs: {
        base: await templates.store(owner, base, deflated),
        deflatedBytes: deflated.length,
        pageCount: metadata.page_count,
        warnings,
        numberColumns: undeclaredNumberColumns(layout),
      },
    };
  }
}

function refusal({ code, message }: Extract<Verdict, { ok: false }>): ApiError {
  return refuse(code, message);
}
