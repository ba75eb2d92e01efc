import { canonicalDigest } from '#engine/requests/request-identity.ts';
import { labelledColumns } from '#fill/labelled-columns.ts';
import type { BaseCache } from '#fill/node/base-cache.ts';
import type { CappedChild } from '#fill/node/capped-child.ts';
import { engineName } from '#fill/node/engine-name.ts';
import { nativeCodec } from '#fill/node/native-codec.ts';
import { openFill } from '#fill/node/open-fill.ts';
import { DEFAULT_PARSE_LIMITS } from '#fill/node/prepare-in-child.ts';
import { compareSource, type TopLevelWarning } from '#fill/package/compare-source.ts';
import { type OpenedPackage, openPackage } from '#fill/package/open-package.ts';
import { undeclaredNumberColumns } from '#fill/values/decimal-signs.ts';
import type { ByteBudget } from '#lib/byte-budget.ts';
import type { ApiError } from '#lib/errors/api-error.ts';
import type { FairTurnstile, Turn } from '#lib/fair-turnstile.ts';
import type { LabelledColumn } from '#lib/rows/labelled-rows.ts';
import { SharedWork } from '#lib/shared-work.ts';
import { VERSION } from '#lib/version.ts';
import type { PreparedBaseKey, PreparedBaseRecord } from '#storage/prepared-bases.ts';
import { type BulkfillCode, refuse } from '../errors.ts';
import { EXPORT_KIND, type ExportOptions } from '../export-input.ts';
import type { Templates } from '../templates.ts';
import type { InputFile } from './input-file.ts';

export interface JudgedInputs {
  /** The name in the package. */
  readonly name: string | undefined;
  readonly base: string;
  readonly deflatedBytes: number;
  readonly pageCount: number;
  readonly warnings: readonly TopLevelWarning[];
  readonly columns: readonly LabelledColumn[];
  /** Columns whose decimal sign is read from the rows. */
  readonly numberColumns: readonly string[];
}

/** What a judgement depends on. */
export interface JudgedPair {
  readonly pdf: InputFile;
  readonly package: InputFile;
  readonly options: Pick<ExportOptions, 'include_stickers' | 'flatten_forms'>;
}

/** The bases that the nodes have prepared. */
export interface SharedBases {
  find(key: PreparedBaseKey): Promise<PreparedBaseRecord | undefined>;
  record(key: PreparedBaseKey, prepared: PreparedBaseRecord): Promise<void>;
}

export interface JudgeParts {
  readonly bases: SharedBases;
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
  /** Counts a rejected create or save whose reader had to be stopped. */
  noteCostly(accountId: string, kind: string): Promise<void>;
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
 * concurrent callers share one judgement, and later ones reuse its verdict. Other nodes use the base while it is stored.
 */
export class InputJudge {
  readonly #parts: JudgeParts;
  readonly #verdicts = new Map<string, SharedWork<Verdict>>();

  constructor(parts: JudgeParts) {
    this.#parts = parts;
  }

  /** `kind`: what is paused if its inputs keep costing too much. */
  async judge(turn: Turn, form: JudgedPair, kind: string = EXPORT_KIND): Promise<JudgedInputs> {
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
    const work = known ?? this.#remember(key, (signal) => this.#decide({ ...turn, signal }, form, kind));
    const verdict = await work.join(turn.signal);
    if (!verdict.ok) throw refusal(verdict);
    // The base may have been deleted since: its template is kept only while jobs use it.
    if (known !== undefined && !(await this.#parts.templates.touch(verdict.inputs.base))) {
      this.#verdicts.delete(key);
      return this.judge(turn, form, kind);
    }
    return verdict.inputs;
  }

  /** The columns of the package, for rows that are matched by label. */
  async columns(turn: Turn, form: Omit<JudgedPair, 'pdf'>): Promise<readonly LabelledColumn[]> {
    const { layout } = await this.open(turn, form.package);
    return labelledColumns(layout, { includeStickers: form.options.include_stickers });
  }

  /** Opens a package, or throws the reason why it cannot be used. */
  async open(turn: Turn, file: InputFile): Promise<OpenedPackage> {
    const opened = await this.#parts.line.run(turn, () =>
      this.#parts.budget.run(turn.owner, file.sizeBytes, () => this.#openPackage(file)),
    );
    if (!opened.ok) throw refusal(opened);
    return opened.package;
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

  async #decide(turn: Turn, form: JudgedPair, kind: string): Promise<Verdict> {
    const { bases, templates } = this.#parts;
    const key = { accountId: turn.owner, key: this.#digestOf(form) };
    const prepared = await bases.find(key);
    // A damaged base is prepared again, which repairs it: otherwise no later job with these files could complete.
    if (
      prepared !== undefined &&
      (await templates.touch(prepared.base)) &&
      (await templates.isIntact(prepared.base))
    )
      return { ok: true, inputs: { ...(prepared.judged as JudgedInputs), base: prepared.base } };
    const verdict = await this.#prepare(turn, form, kind);
    if (verdict.ok) {
      const { base, ...judged } = verdict.inputs;
      await bases.record(key, { base, judged });
    }
    return verdict;
  }

  /** Everything that a verdict depends on: nodes with other settings or another release have verdicts of their own. */
  #digestOf({ pdf, package: sealed, options }: JudgedPair): Buffer {
    const { keepActions, maxPages, maxPackageBytes, trustedKeys } = this.#parts;
    const { include_stickers, flatten_forms } = options;
    return canonicalDigest({
      files: [pdf.sha256, sealed.sha256],
      options: { include_stickers, flatten_forms },
      limits: { maxPages, maxPackageBytes },
      trustedKeys: trustedKeys.toSorted(),
      engine: [engineName(keepActions), VERSION],
    });
  }

  #prepare(turn: Turn, form: JudgedPair, kind: string): Promise<Verdict> {
    // The memory is reserved only when a child process is free: files of waiting requests stay on disk.
    return this.#parts.line.run(turn, (signal) => {
      const bytes = PDF_FACTOR * form.pdf.sizeBytes + form.package.sizeBytes;
      return this.#parts.budget.run(turn.owner, bytes, () =>
        this.#readAndCompare({ ...turn, signal }, form, kind),
      );
    });
  }

  async #openPackage(file: InputFile) {
    const { trustedKeys, maxPackageBytes: maxBytes } = this.#parts;
    return openPackage(await file.read(), { codec: nativeCodec, trustedKeys, maxBytes });
  }

  async #readAndCompare({ owner, signal }: Turn, form: JudgedPair, kind: string): Promise<Verdict> {
    const { cache, templates, maxPages, keepActions, readers } = this.#parts;
    const opened = await this.#openPackage(form.package);
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
      await form.pdf.read(),
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
      if (filled.costly) await this.#parts.noteCostly(owner, kind);
      return filled;
    }
    const { base, deflated } = filled.fill;
    const metadata = base.facts.source;
    const warnings = compareSource(layout.source, metadata, layout.form_fields);
    return {
      ok: true,
      inputs: {
        name: layout.name,
        base: await templates.store(owner, base, deflated),
        deflatedBytes: deflated.length,
        pageCount: metadata.page_count,
        warnings,
        columns: labelledColumns(layout, options),
        numberColumns: undeclaredNumberColumns(layout),
      },
    };
  }
}

function refusal({ code, message }: Extract<Verdict, { ok: false }>): ApiError {
  return refuse(code, message);
}
