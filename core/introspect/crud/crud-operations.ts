import { toSnakeCase } from '../../base/util/naming.ts'
import type { AuthoredArgument, AuthoredInput, AuthoredInputField, AuthoredMutation } from '../../schema/authored.ts'
import { descriptionOf } from '../description-of.ts'
import { NameTable } from '../names/name-table.ts'
import { upperFirst } from '../names/words.ts'
import type { ProposedWrites } from '../propose-schema.ts'
import { clashesWith, isReservedType } from '../reserved-names.ts'
import type { Layout } from '../subject.ts'
import type { FunctionNames, Operation } from './function-names.ts'
import { isRequired, type TableWrites, type WrittenColumn } from './table-writes.ts'

/** The planned writes of a table, with the names of the SQL functions that perform them. */
export interface NamedWrites {
  readonly writes: TableWrites
  readonly names: FunctionNames
}

interface FreeNames {
  readonly inputs: NameTable
  readonly mutations: NameTable
}

/**
 * Returns the mutations that create, update, delete and upsert rows of the tables, and their input types.
 * @param own mutations of other functions, which come first and keep their names
 * @param tables planned writes of each table
 */
export function crudOperations(
  layout: Layout,
  own: readonly AuthoredMutation[],
  tables: readonly NamedWrites[],
): ProposedWrites {
  const types = new Set(layout.subjects.map(({ type }) => type))
  const enums = new Set(layout.enums.toSchema().map(({ name }) => name))
  const free = {
    inputs: new NameTable(
      (name) => types.has(name) || enums.has(name) || isReservedType(name) || clashesWith(name, types),
    ),
    mutations: new NameTable(),
  }
  for (const { name } of own) free.mutations.claim(name)
  const all = tables.map((table) => operationsOf(table, free))
  return {
    inputs: all.flatMap(({ inputs }) => inputs),
    mutations: [...own, ...all.flatMap(({ mutations }) => mutations)],
  }
}

function operationsOf({ writes, names }: NamedWrites, free: FreeNames): ProposedWrites {
  const inputs: AuthoredInput[] = []
  const mutations: AuthoredMutation[] = []
  const { type, relation } = writes.subject
  const keys = writes.key.map(({ name, type }): AuthoredArgument => ({ name, type: `${type}!` }))
  const input = (operation: Operation, columns: readonly WrittenColumn[], required: boolean): AuthoredArgument[] => {
    if (columns.length === 0) return []
    const name = free.inputs.claim(`${upperFirst(operation)}${type}Input`)
    inputs.push({ name, fields: columns.map((column) => fieldOf(column, required && isRequired(column))) })
    return [{ name: keys.some((key) => key.name === 'input') ? 'values' : 'input', type: `${name}!` }]
  }
  const add = (
    operation: Operation,
    args: readonly AuthoredArgument[],
    kind?: 'CREATE' | 'UPDATE' | 'DELETE',
  ): void => {
    const fn = names[operation]!
    const name = free.mutations.claim(`${operation}${type}`)
    const source = relation.schema === undefined || relation.visible ? fn : `${relation.schema}.${fn}`
    mutations.push({
      name,
      type,
      ...(args.length === 0 ? {} : { arguments: args }),
      ...(source === `fn_${toSnakeCase(name)}` ? {} : { sql_source: source }),
      ...(kind === undefined ? {} : { operation: kind }),
    })
  }
  if (names.create !== null) add('create', input('create', writes.create!, true), 'CREATE')
  if (names.update !== null) add('update', [...keys, ...input('update', writes.update!, false)], 'UPDATE')
  if (names.delete !== null) add('delete', keys, 'DELETE')
  // The function reports which of the two it did.
  if (names.upsert !== null) add('upsert', input('upsert', writes.create!, true))
  return { inputs, mutations }
}

function fieldOf({ column, name, type }: WrittenColumn, required: boolean): AuthoredInputField {
  return { name, type: required ? `${type}!` : type, ...descriptionOf(column.comment) }
}
