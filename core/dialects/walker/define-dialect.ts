import type { Dialect } from '../../contract/dialect.ts'
import type { WriteKeyStatements } from '../../contract/write-once.ts'
import type { CompiledSource } from '../../schema/compiled.ts'
import { insertRow } from '../insert-row.ts'
import { needsSource } from '../needs-source.ts'
import type { Primitives } from '../primitives.ts'
import { membersOf } from '../result-rows/held-value.ts'
import type { TimeForms } from '../result-rows/leaf-text.ts'
import { projectHeld } from '../result-rows/project-held.ts'
import { type PackRead, writeRead } from './read.ts'
import { writeStream } from './stream.ts'

/**
 * The parts from which {@link defineDialect} makes a dialect. Its reads are built from `primitives`; the other members
 * are taken unchanged.
 */
export interface DialectParts
  extends Pick<
    Dialect,
    | 'name'
    | 'hasRoles'
    | 'takeRole'
    | 'restorePath'
    | 'cursorTypes'
    | 'write'
    | 'describeCall'
    | 'storedRow'
    | 'sampleKeys'
    | 'checkNow'
    | 'replacing'
    | 'isReadByCast'
    | 'errors'
  > {
  readonly primitives: Primitives
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

/** Makes a dialect from its parts. It adds the reads, streams and inserts that all dialects write in the same way. */
export function defineDialect({ primitives, readsDocuments, pack, times = AS_KEPT, ...rest }: DialectParts): Dialect {
  return Object.freeze({
    ...rest,
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
