import { SvcError } from '../../base/errors/svc-error.ts'
import { didYouMean, listNames } from '../../base/util/nearest.ts'
import type { CommittedWrite } from '../../contract/committed-write.ts'
import type { OwnedContribution, WriteContribution, WriteInsert } from '../../contract/write-contribution.ts'

const KEYS: Readonly<Record<keyof WriteContribution, string>> = {
  mutations: 'function',
  before: 'boolean',
  entity: 'boolean',
  insert: 'object',
}
const PARTS: Readonly<Record<keyof CommittedWrite, true>> = {
  id: true,
  time: true,
  mutation: true,
  kind: true,
  entityType: true,
  entityId: true,
  entity: true,
  before: true,
  updatedFields: true,
  cascade: true,
}
const TABLE = /^[A-Za-z_]\w{0,62}(?:\.[A-Za-z_]\w{0,62})?$/
const COLUMN = /^[A-Za-z_]\w{0,62}$/

/**
 * Checks what a plugin passes to `scope.writes`, because its table and column names become part of SQL. Returns a
 * frozen copy.
 * @throws SvcError SVC_WRITES_INVALID: an unknown key, a value of another type, or an invalid name
 */
export function checkContribution(plugin: string, given: WriteContribution): OwnedContribution {
  const fault = (message: string) =>
    new SvcError('SVC_WRITES_INVALID', `Plugin "${plugin}" calls scope.writes ${message}`)
  if (typeof given !== 'object' || given === null) throw fault('with a value that is no object.')
  for (const [key, value] of Object.entries(given)) {
    if (!Object.hasOwn(KEYS, key)) {
      const known = Object.keys(KEYS)
      throw fault(`with the unknown key "${key}".${didYouMean(key, known)} Keys: ${listNames(known)}.`)
    }
    const wanted = KEYS[key as keyof WriteContribution]
    if (value !== undefined && (typeof value !== wanted || value === null))
      throw fault(`with a "${key}" that is no ${wanted}.`)
  }
  if (given.before !== true && given.entity !== true && given.insert === undefined) {
    throw fault('for nothing: give "before", "entity" or "insert".')
  }
  const insert = given.insert === undefined ? undefined : checkInsert(given.insert, fault)
  return Object.freeze({ ...given, ...(insert === undefined ? {} : { insert }), plugin })
}

function checkInsert({ table, columns }: WriteInsert, fault: (message: string) => SvcError): WriteInsert {
  if (typeof table !== 'string' || !TABLE.test(table)) {
    throw fault(`with the table "${String(table)}", which is no name. One may stand before a dot: schema.table.`)
  }
  const entries = Object.entries(columns ?? {})
  if (entries.length === 0) throw fault(`with the table "${table}" and no columns.`)
  for (const [column, value] of entries) {
    if (!COLUMN.test(column)) throw fault(`with the column "${column}", which is no name.`)
    if (typeof value === 'function') continue
    const known = Object.keys(PARTS)
    if (typeof value !== 'string' || !Object.hasOwn(PARTS, value)) {
      throw fault(
        `with "${String(value)}" for the column "${column}".${didYouMean(String(value), known)} It is a function, or one of ${listNames(known)}.`,
      )
    }
  }
  return Object.freeze({ table, columns: Object.freeze({ ...columns }) })
}
