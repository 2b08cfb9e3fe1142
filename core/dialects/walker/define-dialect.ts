import { SvcError } from '../../base/errors/svc-error.ts'
import type { Dialect, DialectErrors } from '../../contract/dialect.ts'
import type { WriteKeyStatements } from '../../contract/write-once.ts'
import type { CompiledSource } from '../../schema/compiled.ts'
import { insertRow } from '../insert-row.ts'
import { needsSource } from '../needs-source.ts'
import type { Primitives } from '../primitives.ts'
import { membersOf } from '../result-rows/held-value.ts'
import type { TimeForms } from '../result-rows/leaf-text.ts'
import { projectHeld } from '../result-rows/project-held.ts'
import { ERRORS } from '../standard/errors.ts'
import { isReadByCast } from '../standard/leaf.ts'
import { standardPrimitives } from '../standard/standard-primitives.ts'
import type { StandardSql } from '../standard/standard-sql.ts'
import { type PackRead, writeRead } from './read.ts'
import { writeStream } from './stream.ts'

/** The parts from which {@link defineDialect} makes a dialect. Those that are no pieces of SQL are taken unchanged. */
export type DialectParts = OtherParts &
  (
    | {
        /** Pieces of SQL from which reads are built. */
        readonly primitives: Primitives
        readonly standard?: never
      }
    | {
        readonly primitives?: never
        /** How the SQL of reads differs from standard SQL. Without `cursor`, schemas cannot have connections. */
        readonly standard: StandardSql
      }
  )

interface OtherParts
  extends Pick<
      Dialect,
      'name' | 'hasRoles' | 'takeRole' | 'restorePath' | 'cursorTypes' | 'storedRow' | 'sampleKeys' | 'checkNow'
    >,
    Partial<Pick<Dialect, 'describeCall' | 'replacing' | 'isReadByCast'>> {
  /** Absent: the dialect only reads, so that schemas for it have no mutations. */
  readonly write?: Dialect['write']
  /** Members that differ from the default, which interprets the SQLSTATE in `code` of an error. */
  readonly errors?: Partial<DialectErrors>
  /**
   * Tests whether rows that were deleted from a view or table can be read from JSON documents instead. Default: `true`
   * if the dialect has `documentRows`.
   * @param isNeeded `true` if access rules apply to the rows, or if the selection needs values that a document does not
   * contain
   */
  readonly readsDocuments?: (source: CompiledSource, isNeeded: boolean) => boolean
  /** Convert stored times to the text of the response. Absent: the database already returns that text. */
  readonly times?: TimeForms
  /** Prepares reads for which svc writes the JSON itself. Absent: the database writes all JSON. */
  readonly pack?: PackRead
}

const AS_KEPT: TimeForms = { DateTime: (text) => text, Date: (text) => text, Time: (text) => text }

/**
 * Makes a dialect from its parts. It adds the reads, streams and inserts that all dialects write in the same way, and
 * defaults for the rest: a dialect needs a name and what its SQL has of its own.
 */
export function defineDialect(parts: DialectParts): Dialect {
  const { primitives: given, standard, readsDocuments, pack, times = AS_KEPT, write, errors, ...rest } = parts
  const primitives = given ?? standardPrimitives(standard)
  const { name } = rest
  return Object.freeze({
    describeCall: null,
    replacing: (statement) => [statement],
    isReadByCast,
    ...(standard !== undefined && standard.cursor === undefined ? { cursorTypes: new Set<string>() } : {}),
    ...rest,
    ...(write === undefined ? { readOnly: true } : {}),
    write: write ?? (() => refuseWrite(name)),
    errors: { ...ERRORS, ...errors },
    operators: new Set(primitives.operators.keys()),
    readsDocuments: (source, isRuled, { fields }) =>
      primitives.documentRows !== undefined && (readsDocuments?.(source, isRuled || fields.some(needsSource)) ?? true),
    placeholder: primitives.placeholder,
    writeKeys: (table) => writeKeyStatements(primitives, table),
    insertRow: (table, columns) => insertRow(primitives, table, columns),
    project: (selection, document) => {
      const held = membersOf(document)
      return held === null ? null : projectHeld(selection, held, times)
    },
    read: (plan, keep) => writeRead(primitives, pack ?? null, plan, keep),
    stream: (plan, keep) => writeStream(primitives, plan, keep),
  } satisfies Dialect)
}

/** The compiler accepts no mutation for such a dialect, so that only an artifact of another version has one. */
function refuseWrite(name: string): never {
  throw new SvcError('SVC_SCHEMA_INVALID', `The dialect "${name}" only reads. Compile the schema again.`)
}

/** @param table an unqualified name */
function writeKeyStatements(primitives: Primitives, table: string): WriteKeyStatements {
  const { placeholder: at } = primitives
  const { text } = insertRow(primitives, table, ['id', 'fingerprint', 'expires_at'])
  return {
    insert: { name: 'svc_once_insert', text },
    keep: { name: 'svc_once_keep', text: `UPDATE ${table} SET answer = ${at(1)} WHERE id = ${at(2)}` },
    read: { name: 'svc_once_read', text: `SELECT fingerprint, answer, expires_at FROM ${table} WHERE id = ${at(1)}` },
    expire: { name: 'svc_once_expire', text: `DELETE FROM ${table} WHERE id = ${at(1)} AND expires_at <= ${at(2)}` },
    sweep: { name: 'svc_once_sweep', text: `DELETE FROM ${table} WHERE expires_at <= ${at(1)}` },
  }
}
