import type { Dialect } from './dialect.ts'
import { insertRow } from './insert-row.ts'
import type { Primitives } from './primitives.ts'
import { type PackRead, writeRead } from './walker/read.ts'
import { writeStream } from './walker/stream.ts'

/** A dialect as its parts: reads follow from the primitives. */
export interface DialectParts
  extends Pick<
    Dialect,
    | 'name'
    | 'hasRoles'
    | 'cursorTypes'
    | 'write'
    | 'describeCall'
    | 'storedRow'
    | 'checkNow'
    | 'replacing'
    | 'isReadByCast'
    | 'errors'
  > {
  readonly primitives: Primitives
  /** Absent: the database writes all JSON. */
  readonly pack?: PackRead
}

/** A dialect out of primitives for the walker that all of them share. */
export function defineDialect({ primitives, pack, ...rest }: DialectParts): Dialect {
  return Object.freeze({
    ...rest,
    operators: new Set(primitives.operators.keys()),
    placeholder: primitives.placeholder,
    insertRow: (table, columns) => insertRow(primitives, table, columns),
    read: (plan, keep) => writeRead(primitives, pack ?? null, plan, keep),
    stream: (plan, keep) => writeStream(primitives, plan, keep),
  } satisfies Dialect)
}
