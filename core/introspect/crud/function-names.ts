import { toSnakeCase } from '../../base/util/naming.ts'
import { NameTable } from '../names/name-table.ts'
import { qualified } from '../qualified.ts'
import type { TableWrites } from './table-writes.ts'

export const OPERATIONS = ['create', 'update', 'delete', 'upsert'] as const
export type Operation = (typeof OPERATIONS)[number]

/**
 * Names of the SQL functions that are generated for a table, without schema; `null`: no function for this operation.
 */
export type FunctionNames = Readonly<Record<Operation, string | null>>

/** Bytes of a name in PostgreSQL, with room for a number. */
const LONGEST = 60

/** Chooses unique names for generated SQL functions, such as `fn_create_film`. */
export class FunctionNaming {
  private readonly table = new NameTable()
  private readonly existing: ReadonlySet<string>

  /** @param existing names with their schema that are in use, and must stay as they are */
  constructor(existing: readonly string[]) {
    this.existing = new Set(existing)
  }

  /** @param refuse is called for a function of the database that has the name */
  namesFor(writes: TableWrites, refuse: (operation: Operation, name: string) => void): FunctionNames {
    const { relation, type } = writes.subject
    const names: Record<Operation, string | null> = { create: null, update: null, delete: null, upsert: null }
    for (const operation of OPERATIONS) {
      if (writes[operation] === null || writes[operation] === false) continue
      const usual = `fn_${operation}_${toSnakeCase(type)}`
      const full = qualified({ ...relation, name: usual })
      if (this.existing.has(full)) refuse(operation, full)
      else names[operation] = this.table.claim(usual.slice(0, LONGEST))
    }
    return names
  }
}

/** Returns a copy of the names in which those that fail the test are `null`. */
export function namesWhere(names: FunctionNames, test: (name: string) => boolean): FunctionNames {
  const kept = Object.entries(names).map(([operation, name]) => [operation, name !== null && test(name) ? name : null])
  return Object.fromEntries(kept) as FunctionNames
}
